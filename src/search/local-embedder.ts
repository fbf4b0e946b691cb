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

/** Texts of one caller, and where their vectors go. */
interface Asked {
  readonly texts: readonly string[]
  readonly resolve: (vectors: Float32Array[]) => void
  readonly reject: (error: Error) => void
}

/**
 * The thread, which encodes one batch at a time. What is asked meanwhile waits and goes together: for short
 * texts half of the work is the same for one as for many.
 */
class Encoder {
  ended = false
  readonly #worker: Worker
  readonly #waiting: Asked[] = []
  #encoding: readonly Asked[] = []
  #last = 0

  constructor() {
    this.#worker = new Worker(new URL('./local-encoder.ts', import.meta.url), {
      name: 'encoder',
      // Flags of the process, such as --input-type, are not for a thread that runs a file.
      execArgv: [],
    })
    // An idle encoder must not keep the process alive; a busy one does, see #next().
    this.#worker.unref()
    this.#worker.on('message', (answer: EncoderAnswer) => this.#answered(answer))
    this.#worker.on('error', (error) => this.#fail(failure(error.message)))
    this.#worker.on('exit', () => this.#fail(failure('its thread ended')))
  }

  encode(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.ended) return Promise.reject(failure('its thread ended'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ texts, resolve, reject })
      if (this.#encoding.length === 0) this.#next()
    })
  }

  async end(): Promise<void> {
    this.ended = true
    await this.#worker.terminate()
  }

  /** Sends the callers that waited longest, as many as fit into a batch, and at least one. */
  #next(): void {
    let size = 0
    const count = this.#waiting.findIndex(({ texts }, index) => {
      size += texts.length
      return index > 0 && size > batchSize
    })
    this.#encoding = this.#waiting.splice(0, count < 0 ? this.#waiting.length : count)
    if (this.#encoding.length === 0) {
      this.#worker.unref()
      return
    }
    this.#last += 1
    this.#worker.ref()
    const texts = this.#encoding.flatMap((asked) => asked.texts)
    this.#worker.postMessage({ id: this.#last, texts } satisfies EncoderRequest)
  }

  #answered(answer: EncoderAnswer): void {
    let from = 0
    for (const { texts, resolve, reject } of this.#encoding) {
      if ('vectors' in answer) resolve(answer.vectors.slice(from, from + texts.length))
      else reject(failure(answer.error))
      from += texts.length
    }
    this.#next()
  }

  #fail(error: Error): void {
    this.ended = true
    for (const { reject } of [...this.#encoding, ...this.#waiting.splice(0)]) reject(error)
    this.#encoding = []
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
