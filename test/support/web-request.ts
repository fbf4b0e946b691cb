import { request } from 'node:http'

/** What a server answered. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly json: any
}

/** A request with exactly these headers, also those that `fetch` would not let through, such as Host. */
export function ask(
  port: number,
  method: string,
  path: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly json?: unknown
    readonly body?: string
  } = {},
): Promise<Answer> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  const type = options.json === undefined ? {} : { 'Content-Type': 'application/json' }
  const headers = {
    ...type,
    ...options.headers,
    ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (incoming) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', reject)
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const isJson = /json/.test(incoming.headers['content-type'] ?? '')
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      })
    })
  })
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}
