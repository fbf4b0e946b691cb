import { Worker } from 'node:worker_threads'
import { HermesError } from '../base/errors.ts'
import type { Embedder, Vector } from './embedder.ts'
import type { EncoderAnswer, EncoderRequest } from './local-encoder.ts'

/** The name of the encoder that ships with the install, as stored beside its vectors. */
export const localEncoderName = 'use-lite-en'

// About 250 ms of work on one core, so that an aborted or stopped embedding ends soon.
const batchSize = 16

/**
 * The English encoder that ships with the install (Universal Sentence Encoder lite, 512 dimensions), in a
 * thread of its own. It is loaded at the first text (0.5 s, about 170 MB) and unloaded after `idleMs`
 * without one. Texts in other scripts get no vector: it would be the same one for all of them.
 */
export function createLocalEmbedder(options: { idleMs?: number } = {}): Embedder {
  const idleMs = options.idleMs ?? 10 * 60_000
  let encoder: Encoder | undefined
  let idle: NodeJS.Timeout | undefined
  let busy = 0

  const unload = async () => {
    clearTimeout(idle)
    const leaving = encoder
    encoder = undefined
    await leaving?.end()
  }

  return {
    name: localEncoderName,
    alike: 0.45,
    async embed(texts, signal) {
      clearTimeout(idle)
      busy += 1
      try {
        const vectors: (Vector | undefined)[] = texts.map(() => undefined)
        const known = [...texts.entries()].filter(([, text]) => isMostlyLatin(text))
        for (let start = 0; start < known.length; start += batchSize) {
          signal?.throwIfAborted()
          const batch = known.slice(start, start + batchSize)
          if (!encoder || encoder.ended) encoder = new Encoder()
          const encoded = await encoder.encode(batch.map(([, text]) => text))
          for (const [at, [index]] of batch.entries()) vectors[index] = encoded[at]
        }
        return vectors
      } finally {
        busy -= 1
        if (busy === 0) idle = setTimeout(() => void unload(), idleMs).unref()
      }
    },
    stop: unload,
  }
}

/** The thread and the batches it has not answered yet. */
class Encoder {
  ended = false
  readonly #worker: Worker
  readonly #waiting = new Map<
    number,
    { resolve: (vectors: Float32Array[]) => void; reject: (error: Error) => void }
  >()
  #last = 0

  constructor() {
    this.#worker = new Worker(new URL('./local-encoder.ts', import.meta.url), {
      name: 'encoder',
      // Flags of the process, such as --input-type, are not for a thread that runs a file.
      execArgv: [],
    })
    // An idle encoder must not keep the process alive; a busy one does, see encode().
    this.#worker.unref()
    this.#worker.on('message', (answer: EncoderAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) this.#worker.unref()
      if ('vectors' in answer) waiting?.resolve(answer.vectors)
      else waiting?.reject(failure(answer.error))
    })
    this.#worker.on('error', (error) => this.#fail(failure(error.message)))
    this.#worker.on('exit', () => this.#fail(failure('its thread ended')))
  }

  encode(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.ended) return Promise.reject(failure('its thread ended'))
    this.#last += 1
    const id = this.#last
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, texts } satisfies EncoderRequest)
    })
  }

  async end(): Promise<void> {
    this.ended = true
    await this.#worker.terminate()
  }

  #fail(error: Error): void {
    this.ended = true
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function failure(reason: string): HermesError {
  return new HermesError('search.encoder', `The local encoder does not work: ${reason}.`)
}

function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/[a-z]/gi)?.length ?? 0
  return latin > 0 && latin >= letters * 0.6
}
