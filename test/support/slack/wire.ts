import type { IncomingMessage } from 'node:http'
import { type Json, object, string } from './json.ts'

/** The token of a call, from its header or its arguments. */
export function tokenOf(request: IncomingMessage, args: Json): string | undefined {
  return request.headers.authorization?.replace(/^Bearer /, '') || string(args.token)
}

/** The whole body. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Arguments come as a form with JSON inside, or as JSON. */
export function argsOf(request: IncomingMessage, body: Buffer): Json {
  if (request.headers['content-type']?.startsWith('application/json')) return object(JSON.parse(String(body)))
  const args: Json = {}
  for (const [name, value] of new URLSearchParams(String(body))) {
    const isJson = [
      'blocks',
      'chunks',
      'metadata',
      'view',
      'files',
      'prompts',
      'loading_messages',
      'attachments',
    ]
    args[name] = isJson.includes(name) ? JSON.parse(value) : value
  }
  return args
}

/** The bytes of an upload: raw, or the one part of a multipart form. */
export function uploaded(request: IncomingMessage, body: Buffer): Buffer {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return body
  const start = body.indexOf('\r\n\r\n') + 4
  const end = body.lastIndexOf(`\r\n--${boundary}`)
  return body.subarray(start, end)
}
