import type { Context } from 'hono'
import { z } from 'zod'
import { uploadLimits } from './attachments.ts'
import type { Problem } from './problem.ts'

/** The most bytes of a request's body. */
export const bodyLimit = 256 * 1024
/** And of a message's, which may bring files. */
export const messageLimit = 6 * 1024 * 1024

/** The most characters of a message. */
const textLimit = 20_000

const threadName = /^[A-Za-z0-9._-]{1,64}$/

const user = z
  .string({ error: 'must be a name' })
  .transform((name) => name.normalize('NFC').trim().replace(/ +/g, ' '))
  .refine((name) => /^[^\p{C}\p{Zl}\p{Zp}]{1,80}$/u.test(name), {
    error: 'must be a name of 1 to 80 printable characters',
  })
const text = z
  .string({ error: 'must be text' })
  .max(textLimit, { error: `must be at most ${textLimit} characters` })
  .refine((value) => value.trim() !== '', { error: 'must not be empty' })
// The client's own id of what it sends: the same key again is the same message or click.
const key = z.string().regex(/^[\x21-\x7e]{1,128}$/, { error: 'must be 1 to 128 visible ASCII characters' })
const timeZone = z.string().max(64, { error: 'must be an IANA time zone' })
const language = z.string().max(35, { error: 'must be a language tag' })
const who = { user, key: key.optional(), timeZone: timeZone.optional(), language: language.optional() }

const attachment = z.object({
  name: z
    .string({ error: 'must be the name of a file' })
    .transform((name) =>
      name
        .normalize('NFC')
        .replace(/[\p{C}/\\]/gu, '')
        .trim(),
    )
    .refine((name) => name !== '' && name.length <= 200, { error: 'must be the name of a file' }),
  mediaType: z.string().max(120, { error: 'must be a media type' }).default('application/octet-stream'),
  text: z.string().optional(),
  base64: z.base64({ error: 'must be base64' }).optional(),
})

/** Someone writes; with files the text may be empty. */
export const messageBody = z
  .object({
    ...who,
    text: z
      .string({ error: 'must be text' })
      .max(textLimit, { error: `must be at most ${textLimit} characters` }),
    attachments: z
      .array(attachment, { error: 'must be a list of files' })
      .max(uploadLimits.files, { error: `must be at most ${uploadLimits.files} files` })
      .default([]),
  })
  .refine((body) => body.text.trim() !== '' || body.attachments.length > 0, {
    path: ['text'],
    error: 'must not be empty',
  })

/** Someone changes what they wrote. */
export const editBody = z.object({ ...who, text })

/** Someone opens a thread, or removes a message. */
export const personBody = z.object(who)

/** Someone presses a button or sends a form. */
export const actionBody = z.object({
  ...who,
  action: z.string({ error: 'must be an action' }).regex(/^[\w.-]{1,60}$/, { error: 'must be an action' }),
  value: z.string().max(300, { error: 'must be at most 300 characters' }).optional(),
  fields: z
    .record(z.string().max(100), z.string().max(textLimit), { error: 'must be an object of texts' })
    .optional(),
  thread: z.string().regex(threadName, { error: 'must be the name of a thread' }).optional(),
  messageId: z.string().max(100, { error: 'must be at most 100 characters' }).optional(),
})

/** Whose threads are listed. */
export const userName = user

/** Is it a name that a thread can have? */
export function isThreadName(name: string): boolean {
  return threadName.test(name)
}

/** The body of a request, checked, or what is wrong about it. */
export async function readBody<T>(
  c: Context,
  schema: z.ZodType<T>,
): Promise<{ body: T } | { problem: Problem }> {
  const given: unknown = await c.req.json().catch(() => undefined)
  if (given === undefined) {
    return {
      problem: {
        status: 400,
        code: 'web.json',
        title: 'Not JSON',
        detail: 'The body is not JSON that can be read.',
      },
    }
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return { body: parsed.data }
  const errors = parsed.error.issues.map((issue) => ({
    pointer: `#/${issue.path.map(String).join('/')}`,
    detail: issue.message,
  }))
  const first = errors[0]
  const detail = first
    ? `${first.pointer.slice(2) || 'The body'} ${first.detail}.`
    : 'The body is not as expected.'
  return { problem: { status: 422, code: 'web.body', title: 'Not as expected', detail, errors } }
}
