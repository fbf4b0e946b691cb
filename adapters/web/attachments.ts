import type { Attachment } from '../../src/channel/events.ts'

/** A file as the page sends it: its text, or its bytes in base64. */
export interface Upload {
  readonly name: string
  readonly mediaType: string
  readonly text?: string | undefined
  readonly base64?: string | undefined
}

/** The most bytes of one file that are read, and the most files of one message. */
export const uploadLimits = { textBytes: 200_000, imageBytes: 3_000_000, files: 5 } as const

const textTypes =
  /^(?:text\/|application\/(?:json|xml|x-ndjson|yaml|x-yaml|toml|javascript|x-sh|sql|csv)|[^;]+\+(?:json|xml))/
const textNames =
  /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|log|xml|html?|css|[cm]?[jt]sx?|py|sh|sql|diff|patch)$/i
const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/

/** Reads what can be read of the files of a message; each other one says why it can't be. */
export function readUploads(uploads: readonly Upload[]): readonly Attachment[] {
  return uploads.map((upload) => readOne(upload))
}

function readOne(upload: Upload): Attachment {
  const mediaType = upload.mediaType.split(';')[0]!.trim().toLowerCase() || 'application/octet-stream'
  const bytes =
    upload.text === undefined ? Buffer.from(upload.base64 ?? '', 'base64') : Buffer.from(upload.text)
  const base = { name: upload.name, mediaType, size: bytes.length }
  const isImage = imageTypes.test(mediaType)
  if (!isImage && !textTypes.test(mediaType) && !textNames.test(upload.name))
    return { ...base, problem: `${upload.name} is of a kind that can't be read here.` }
  const most = isImage ? uploadLimits.imageBytes : uploadLimits.textBytes
  if (bytes.length > most)
    return {
      ...base,
      problem: `${upload.name} is too large: at most ${Math.round(most / 1_000)} KB are read.`,
    }
  if (isImage) return { ...base, image: `data:${mediaType};base64,${bytes.toString('base64')}` }
  try {
    return { ...base, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { ...base, problem: `${upload.name} could not be read: it is no UTF-8 text.` }
  }
}
