import { z } from 'zod'
import { allPages } from './connecting/paging.ts'
import type { Session } from './connecting/session.ts'
import { type Content, readContent, readResourceContent } from './content.ts'

/** A resource as a person names it: `resource://server/uri`. */
export interface ResourceReference {
  readonly server: string
  readonly uri: string
}

export interface McpResource extends ResourceReference {
  readonly reference: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
}

export interface McpPrompt {
  readonly server: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly {
    readonly name: string
    readonly description?: string
    readonly required: boolean
  }[]
}

export interface McpPromptText {
  readonly description?: string
  readonly messages: readonly (Content & { readonly role: 'user' | 'assistant' })[]
}

export interface ReadLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** Writes a reference; the server's name is escaped, its URI is kept as it is. */
export function resourceReference({ server, uri }: ResourceReference): string {
  return `resource://${encodeURIComponent(server)}/${uri}`
}

/** Reads a reference, if it is one. */
export function parseResourceReference(text: string): ResourceReference | undefined {
  const match = /^resource:\/\/([^/\s]+)\/(\S+)$/.exec(text.trim())
  if (!match) return undefined
  try {
    return { server: decodeURIComponent(match[1]!), uri: match[2]! }
  } catch {
    return undefined
  }
}

const text = z.string().optional().catch(undefined)
const rawResource = z.object({ uri: z.string(), name: text, title: text, description: text, mimeType: text })
const rawPrompt = z.object({
  name: z.string(),
  title: text,
  description: text,
  arguments: z
    .array(
      z.object({ name: z.string(), description: text, required: z.boolean().default(false).catch(false) }),
    )
    .default([])
    .catch([]),
})

/** The resources that a server lists. One that can't be read is left out. */
export async function listResources(
  session: Session,
  server: string,
  limits: ReadLimits,
): Promise<McpResource[]> {
  if (!session.handshake.capabilities.includes('resources')) return []
  const { items } = await allPages(session, 'resources/list', 'resources', limits)
  return items.flatMap((item) => {
    const parsed = rawResource.safeParse(item)
    if (!parsed.success) return []
    const { uri, name, title, description, mimeType } = parsed.data
    const reference = resourceReference({ server, uri })
    return [{ server, uri, reference, name: title ?? name ?? uri, description, mimeType }]
  })
}

/** Reads a resource. Throws what `readError` reads. */
export async function readResource(session: Session, uri: string, limits: ReadLimits): Promise<Content> {
  const schema = z.looseObject({ contents: z.array(z.unknown()).default([]) })
  const answer = await session.request({ method: 'resources/read', params: { uri } }, schema, limits)
  const parts = answer.contents.map(readResourceContent)
  return {
    text: parts.flatMap((part) => (part.text === '' ? [] : [part.text])).join('\n'),
    attachments: parts.flatMap((part) => part.attachments),
  }
}

/** The prompts that a server offers. One that can't be read is left out. */
export async function listPrompts(
  session: Session,
  server: string,
  limits: ReadLimits,
): Promise<McpPrompt[]> {
  if (!session.handshake.capabilities.includes('prompts')) return []
  const { items } = await allPages(session, 'prompts/list', 'prompts', limits)
  return items.flatMap((item) => {
    const parsed = rawPrompt.safeParse(item)
    return parsed.success ? [{ server, ...parsed.data }] : []
  })
}

/** Fills in a prompt. Throws what `readError` reads. */
export async function getPrompt(
  session: Session,
  name: string,
  args: Readonly<Record<string, string>>,
  limits: ReadLimits,
): Promise<McpPromptText> {
  const schema = z.looseObject({
    description: text,
    messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.unknown().optional() })),
  })
  const answer = await session.request(
    { method: 'prompts/get', params: { name, arguments: args } },
    schema,
    limits,
  )
  return {
    description: answer.description,
    messages: answer.messages.map(({ role, content }) => ({
      role,
      ...readContent(Array.isArray(content) ? content : [content]),
    })),
  }
}
