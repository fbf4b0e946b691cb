import { messageOf } from '../../src/base/errors.ts'
import type { Attachment } from '../../src/channel/events.ts'

/** A file as Discord announces it. */
export interface AnnouncedFile {
  readonly name: string
  readonly contentType: string | null
  /** Bytes. */
  readonly size: number
  readonly url: string
}

const limits = { textBytes: 512 * 1024, imageBytes: 5 * 1024 * 1024, files: 10, waitMs: 5_000 } as const

const textTypes =
  /^(?:text\/|application\/(?:json|xml|x-ndjson|yaml|x-yaml|toml|javascript|x-sh|sql|csv)|[^;]+\+(?:json|xml))/
const textNames =
  /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|log|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|hpp|cs|php|swift|sh|bash|ps1|sql|diff|patch)$/i
const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/

/** Reads what can be read of the files of a message; each other one says why it can't be. */
export async function readAttachments(files: readonly AnnouncedFile[]): Promise<readonly Attachment[]> {
  return await Promise.all(
    files.map((file, index) =>
      index < limits.files
        ? readOne(file)
        : { ...named(file), problem: `Only the first ${limits.files} files of a message are read.` },
    ),
  )
}

function named(file: AnnouncedFile) {
  const mediaType = (file.contentType ?? 'application/octet-stream').split(';')[0]!.trim().toLowerCase()
  return { name: file.name, mediaType, size: file.size }
}

async function readOne(file: AnnouncedFile): Promise<Attachment> {
  const base = named(file)
  const isText = textTypes.test(base.mediaType) || textNames.test(file.name)
  const isImage = imageTypes.test(base.mediaType)
  if (!isText && !isImage) return { ...base, problem: `${file.name} is of a kind that can't be read here.` }
  const most = isText ? limits.textBytes : limits.imageBytes
  if (file.size > most) {
    return { ...base, problem: `${file.name} is too large: at most ${Math.round(most / 1024)} KB are read.` }
  }
  try {
    const bytes = await download(file.url, most)
    if (isImage) return { ...base, image: `data:${base.mediaType};base64,${bytes.toString('base64')}` }
    return { ...base, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const reason =
      error instanceof TypeError && /encod/i.test(error.message) ? 'it is no UTF-8 text' : messageOf(error)
    return { ...base, problem: `${file.name} could not be read: ${reason}.` }
  }
}

async function download(url: string, most: number): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(limits.waitMs), redirect: 'error' })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  // What is announced and what comes can differ.
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) throw new Error('it is larger than announced')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
