import { z } from 'zod'
import { editKey, type InboundEvent, postKey, removalKey, type ThreadRef } from '../../src/channel/events.ts'
import { fileSchema, type SlackFile } from './files.ts'
import { isDirect, kindOf, threadIn, timeOf, topLevel } from './place.ts'
import { mentionedIn, mentionsBot, type ReadingContext, readText } from './reading.ts'

/** What reading events needs to know. */
export interface EventContext extends ReadingContext {
  /** The workspace that the app is installed in: also where someone of another one posts by Slack Connect. */
  readonly workspace: string
}

/** A message, edit or removal as Slack told it, before its author and files are looked up. */
export interface Heard {
  readonly userId: string
  /** Everyone whose name is wanted. */
  readonly people: readonly string[]
  readonly files: readonly SlackFile[]
  /** The event, once names and files are known. */
  event(author: InboundEvent['author'], attachments: MessageLike['attachments']): InboundEvent
}

type MessageLike = Extract<InboundEvent, { kind: 'message' }>

const forwardedSchema = z.looseObject({
  is_share: z.boolean().optional(),
  is_msg_unfurl: z.boolean().optional(),
  author_name: z.string().optional(),
  text: z.string().optional(),
})

const messageSchema = z.looseObject({
  ts: z.string(),
  subtype: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  text: z.string().nullish(),
  thread_ts: z.string().nullish(),
  edited: z.looseObject({ ts: z.string() }).nullish(),
  files: z.array(fileSchema).nullish().catch(undefined),
  attachments: z.array(forwardedSchema).nullish().catch(undefined),
})

type SlackMessage = z.infer<typeof messageSchema>

const eventSchema = z.looseObject({
  type: z.enum(['message', 'app_mention']),
  channel: z.string(),
  subtype: z.string().nullish(),
  event_ts: z.string().nullish(),
  message: messageSchema.nullish().catch(undefined),
  previous_message: messageSchema.nullish().catch(undefined),
  deleted_ts: z.string().nullish(),
})

// Messages that a person wrote; every other subtype is Slack telling of something (joins, topics, pins).
const personal = new Set(['file_share', 'thread_broadcast', 'me_message'])

/** Reads a `message` or `app_mention` event; undefined for what is not for Hermes to hear. */
export function readEvent(payload: unknown, context: EventContext): Heard | undefined {
  const parsed = eventSchema.safeParse(payload)
  if (!parsed.success) return undefined
  const event = parsed.data
  switch (event.subtype) {
    case 'message_changed':
      if (!event.message) return undefined
      if (event.message.subtype === 'tombstone')
        return removal(event.channel, event.previous_message, event, context)
      return edit(event.channel, event.message, event.previous_message ?? undefined, context)
    case 'message_deleted':
      return removal(event.channel, event.previous_message, event, context)
    default:
      break
  }
  if (event.subtype && !personal.has(event.subtype)) return undefined
  const message = messageSchema.safeParse(payload)
  if (!message.success) return undefined
  // A mention that an edit brought in comes as an `app_mention` of its own.
  if (message.data.edited) return edit(event.channel, message.data, undefined, context)
  return post(event.channel, message.data, context)
}

function isHuman(message: SlackMessage, context: EventContext): message is SlackMessage & { user: string } {
  if (!message.user || message.bot_id) return false
  return message.user !== context.botUserId && message.user !== 'USLACKBOT'
}

/** The thread of a post: its own where it starts one in a channel, one long one in a direct message. */
function threadOf(
  room: string,
  message: { ts: string; thread_ts?: string | null },
  workspace: string,
): ThreadRef {
  return threadIn(workspace, room, message.thread_ts ?? (isDirect(room) ? topLevel : message.ts))
}

function post(room: string, message: SlackMessage, context: EventContext): Heard | undefined {
  if (!isHuman(message, context)) return undefined
  const text = message.text ?? ''
  const addressed = isDirect(room) || mentionsBot(text, context.botUserId)
  // At the top level of a channel nothing can be a session yet.
  if (!addressed && !message.thread_ts) return undefined
  const thread = threadOf(room, message, context.workspace)
  return {
    ...about(message),
    event: (author, attachments) => ({
      kind: 'message',
      dedupeKey: postKey(thread, message.ts),
      thread,
      threadKind: kindOf(room),
      author,
      at: timeOf(message.ts),
      postId: message.ts,
      text: wholeText(message, context),
      attachments,
      addressed,
    }),
  }
}

function edit(
  room: string,
  message: SlackMessage,
  before: SlackMessage | undefined,
  context: EventContext,
): Heard | undefined {
  if (!isHuman(message, context) || !message.edited) return undefined
  if (message.subtype && !personal.has(message.subtype)) return undefined
  const text = message.text ?? ''
  // Link previews and new replies change a message too, but not what it says.
  if (before && before.text === text) return undefined
  const addressed = isDirect(room) || mentionsBot(text, context.botUserId)
  const was = before?.text ? mentionsBot(before.text, context.botUserId) : false
  if (!addressed && !was && !message.thread_ts) return undefined
  const thread = threadOf(room, message, context.workspace)
  const stamp = message.edited.ts
  return {
    ...about(message),
    event: (author, attachments) => ({
      kind: 'edit',
      dedupeKey: editKey(thread, message.ts, stamp),
      thread,
      threadKind: kindOf(room),
      author,
      at: timeOf(stamp),
      postId: message.ts,
      text: wholeText(message, context),
      attachments,
      addressed,
    }),
  }
}

function removal(
  room: string,
  before: SlackMessage | null | undefined,
  event: { readonly event_ts?: string | null },
  context: EventContext,
): Heard | undefined {
  if (!before || !isHuman(before, context)) return undefined
  const thread = threadOf(room, before, context.workspace)
  return {
    userId: before.user,
    people: [before.user],
    files: [],
    event: (author) => ({
      kind: 'removal',
      dedupeKey: removalKey(thread, before.ts),
      thread,
      threadKind: kindOf(room),
      author,
      at: timeOf(event.event_ts ?? before.ts),
      postId: before.ts,
    }),
  }
}

function about(message: SlackMessage & { user: string }) {
  return {
    userId: message.user,
    people: [message.user, ...mentionedIn(message.text ?? '').slice(0, 8)],
    files: message.files ?? [],
  }
}

/** What the person wrote, and below it what they forwarded. */
function wholeText(message: SlackMessage, context: EventContext): string {
  const forwarded = (message.attachments ?? []).filter((item) => item.is_share && item.text)
  const quotes = forwarded.map((item) => {
    const quoted = readText(item.text ?? '', context).replace(/^/gm, '> ')
    return item.author_name ? `> ${item.author_name}:\n${quoted}` : quoted
  })
  return [readText(message.text ?? '', context), ...quotes].filter(Boolean).join('\n\n')
}
