// A reply of this size is a runaway server.
const mostBytes = 64 * 1024 * 1024
const drainMs = 1_000

/** A body that tells when something arrives, and knows whether the server said that it was done. */
export interface WatchedBody {
  readonly stream: ReadableStream<Uint8Array>
  /** Was the mark seen that ends a stream of Chat Completions? */
  readonly done: boolean
}

/**
 * Watches a body. A reader who leaves after the mark does not cost the connection: the few bytes left are read,
 * so that the next request needs no new TCP and TLS handshake.
 */
export function watchBody(body: ReadableStream<Uint8Array>, beat: () => void): WatchedBody {
  const reader = body.getReader()
  let tail = ''
  let size = 0
  let done = false
  const note = (bytes: Uint8Array) => {
    beat()
    size += bytes.byteLength
    if (size > mostBytes) throw new TypeError(`The answer is larger than ${mostBytes} bytes.`)
    tail = (tail + Buffer.from(bytes.subarray(-16)).toString('latin1')).slice(-32)
    done ||= tail.includes('[DONE]')
  }
  const drain = async () => {
    const limit = setTimeout(() => void reader.cancel().catch(() => {}), drainMs)
    try {
      while (!(await reader.read()).done);
    } finally {
      clearTimeout(limit)
    }
  }
  return {
    get done() {
      return done
    },
    stream: new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done: ended } = await reader.read()
        if (ended) return controller.close()
        try {
          note(value)
        } catch (error) {
          void reader.cancel().catch(() => {})
          throw error
        }
        controller.enqueue(value)
      },
      async cancel() {
        if (done) drain().catch(() => {})
        else await reader.cancel().catch(() => {})
      },
    }),
  }
}
