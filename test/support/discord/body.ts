import type { IncomingMessage } from 'node:http'
import { refusals } from './api-error.ts'

/** A file that came with a request. */
export interface UploadedFile {
  /** Its place, from `files[n]`. */
  readonly index: number
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The most bytes of one file without a boost: 10 MiB. */
const fileLimit = 10 * 1024 * 1024

/** Reads a JSON or multipart body as Discord takes it. */
export async function readBody(
  request: IncomingMessage,
): Promise<{ readonly json: unknown; readonly files: readonly UploadedFile[] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (bytes.length === 0) return { json: undefined, files: [] }
  if (!type.startsWith('multipart/form-data')) return { json: JSON.parse(bytes.toString('utf8')), files: [] }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const files: UploadedFile[] = []
  let json: unknown = {}
  for (const [key, value] of form.entries()) {
    if (key === 'payload_json') json = JSON.parse(String(value))
    const index = /^files\[(\d+)\]$/.exec(key)?.[1]
    if (index === undefined || typeof value === 'string') continue
    if (value.size > fileLimit) throw refusals.tooLarge()
    files.push({
      index: Number(index),
      name: value.name,
      contentType: value.type || 'application/octet-stream',
      bytes: new Uint8Array(await value.arrayBuffer()),
    })
  }
  return { json, files }
}
