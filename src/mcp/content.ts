import { z } from 'zod'
import { canonicalJson, isRecord } from './json.ts'

/** A file that came with a result. */
export interface Attachment {
  readonly mimeType: string
  readonly name?: string
  readonly bytes: Uint8Array
}

/** What a server sent, as text to read and files to pass on. */
export interface Content {
  readonly text: string
  readonly attachments: readonly Attachment[]
}

const resource = z.object({
  uri: z.string(),
  mimeType: z.string().optional().catch(undefined),
  text: z.string().optional(),
  blob: z.string().optional(),
})

const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
  }),
  z.object({ type: z.literal('resource'), resource }),
])

/** Reads blocks of content. A block of an unknown kind is kept as JSON rather than lost. */
export function readContent(blocks: readonly unknown[]): Content {
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const item of blocks) {
    const parsed = block.safeParse(item)
    if (!parsed.success) {
      texts.push(canonicalJson(item))
      continue
    }
    const part = parsed.data
    switch (part.type) {
      case 'text':
        texts.push(part.text)
        break
      case 'image':
      case 'audio':
        attachments.push({ mimeType: part.mimeType, bytes: Buffer.from(part.data, 'base64') })
        break
      case 'resource_link':
        texts.push(
          `[${part.name ?? part.uri}](${part.uri})${part.description ? `: ${part.description}` : ''}`,
        )
        break
      case 'resource': {
        const read = readResourceContent(part.resource)
        if (read.text !== '') texts.push(`${part.resource.uri}:\n${read.text}`)
        attachments.push(...read.attachments)
        break
      }
      default:
        part satisfies never
    }
  }
  return { text: texts.join('\n'), attachments }
}

/** Reads one item of a resource: text, or a file. */
export function readResourceContent(item: unknown): Content {
  const parsed = resource.safeParse(item)
  if (!parsed.success) return { text: isRecord(item) ? canonicalJson(item) : '', attachments: [] }
  const { uri, mimeType, text, blob } = parsed.data
  if (blob === undefined) return { text: text ?? '', attachments: [] }
  const name = decodeURIComponentSafely(uri.split(/[?#]/)[0]!.split('/').at(-1) ?? '')
  const attachment: Attachment = {
    mimeType: mimeType ?? 'application/octet-stream',
    ...(name === '' ? {} : { name }),
    bytes: Buffer.from(blob, 'base64'),
  }
  return { text: text ?? '', attachments: [attachment] }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
