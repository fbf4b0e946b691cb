import { z } from 'zod'
import { type InboundEvent, interactionKey, type ThreadRef } from '../../src/channel/events.ts'
import { actionOf } from './blocks.ts'
import type { EventContext } from './events.ts'
import type { SentForm } from './form.ts'
import { isDirect, kindOf, threadIn, timeOf, topLevel } from './place.ts'
import { readText } from './reading.ts'

const actionSchema = z.looseObject({
  trigger_id: z.string(),
  user: z.looseObject({ id: z.string(), username: z.string().nullish(), name: z.string().nullish() }),
  container: z.looseObject({
    message_ts: z.string().nullish(),
    thread_ts: z.string().nullish(),
    is_ephemeral: z.boolean().nullish(),
    channel_id: z.string().nullish(),
  }),
  channel: z.looseObject({ id: z.string() }).nullish(),
  message: z.looseObject({ thread_ts: z.string().nullish() }).nullish().catch(undefined),
  response_url: z.string().nullish(),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string(),
        block_id: z.string().nullish(),
        value: z.string().nullish(),
        action_ts: z.string().nullish(),
        selected_option: z.looseObject({ value: z.string() }).nullish(),
      }),
    )
    .min(1),
})

/** A click, and what is needed to answer it. */
export interface Clicked {
  readonly userId: string
  readonly userName: string
  readonly triggerId: string
  readonly thread: ThreadRef
  readonly messageId?: string
  /** Was the button on a notice that only this person sees? Then only this address can change it. */
  readonly noticeUrl?: string
  event(author: InboundEvent['author'], now: Date): InboundEvent
}

// A notice may come without its thread, so its buttons carry it.
const noticePrefix = 'thread:'

/** The id of the block that holds the buttons of a notice in a thread. */
export function noticeBlockId(thread: ThreadRef): string {
  return `${noticePrefix}${thread.thread}`
}

/** Reads a `block_actions` payload; undefined for what no card or notice of ours sent. */
export function readAction(payload: unknown, workspace: string): Clicked | undefined {
  const parsed = actionSchema.safeParse(payload)
  if (!parsed.success) return undefined
  const { container, user, message, trigger_id: triggerId } = parsed.data
  const room = parsed.data.channel?.id ?? container.channel_id
  const action = parsed.data.actions[0]!
  if (!room) return undefined
  const carried = action.block_id?.startsWith(noticePrefix)
    ? action.block_id.slice(noticePrefix.length).replace(/#\d+$/, '')
    : undefined
  const messageTs = container.message_ts ?? undefined
  const isNotice = container.is_ephemeral === true
  const thread =
    carried ??
    container.thread_ts ??
    message?.thread_ts ??
    (isDirect(room) || isNotice ? topLevel : (messageTs ?? topLevel))
  const ref = threadIn(workspace, room, thread)
  const value = action.selected_option?.value ?? action.value ?? undefined
  return {
    userId: user.id,
    userName: user.username ?? user.name ?? user.id,
    triggerId,
    thread: ref,
    ...(messageTs && !isNotice ? { messageId: messageTs } : {}),
    ...(isNotice && parsed.data.response_url ? { noticeUrl: parsed.data.response_url } : {}),
    event: (author, now) => ({
      kind: 'action',
      dedupeKey: interactionKey('slack', triggerId),
      thread: ref,
      threadKind: kindOf(room),
      author,
      at: action.action_ts ? timeOf(action.action_ts) : now,
      action: actionOf(action.action_id),
      ...(value === undefined ? {} : { value }),
      ...(messageTs && !isNotice ? { messageId: messageTs } : {}),
    }),
  }
}

/** The event of a form that was sent. */
export function formEvent(
  sent: SentForm,
  triggerId: string,
  author: InboundEvent['author'],
  at: Date,
): InboundEvent {
  return {
    kind: 'form',
    dedupeKey: interactionKey('slack', triggerId),
    thread: sent.thread,
    threadKind: kindOf(sent.thread.room),
    author,
    at,
    action: sent.action,
    ...(sent.value === undefined ? {} : { value: sent.value }),
    fields: sent.fields,
  }
}

/** The event of a slash command. It belongs to the top level of its room: Slack tells no thread. */
export function commandEvent(
  command: { readonly channel_id: string; readonly text?: string; readonly trigger_id: string },
  context: EventContext,
  author: InboundEvent['author'],
  at: Date,
): InboundEvent {
  const text = readText(command.text ?? '', context)
  const [name = ''] = text.split(/\s+/, 1)
  return {
    kind: 'command',
    dedupeKey: interactionKey('slack', command.trigger_id),
    thread: threadIn(context.workspace, command.channel_id, topLevel),
    threadKind: kindOf(command.channel_id),
    author,
    at,
    name: name.toLowerCase() || 'help',
    text: text.slice(name.length).trim(),
  }
}

const openedSchema = z.looseObject({
  user: z.string(),
  channel: z.string(),
  tab: z.string().nullish(),
  event_ts: z.string(),
})

/** A person opened the direct messages with the app. */
export interface Opened {
  readonly userId: string
  readonly thread: ThreadRef
  event(author: InboundEvent['author']): InboundEvent
}

/** Reads `app_home_opened`; undefined for the home tab. */
export function readOpened(payload: unknown, workspace: string): Opened | undefined {
  const parsed = openedSchema.safeParse(payload)
  if (!parsed.success || parsed.data.tab !== 'messages') return undefined
  const { user: userId, channel, event_ts: eventTs } = parsed.data
  const thread = threadIn(workspace, channel, topLevel)
  return {
    userId,
    thread,
    event: (author) => ({
      kind: 'opened',
      dedupeKey: interactionKey('slack', `opened:${userId}:${eventTs}`),
      thread,
      threadKind: kindOf(channel),
      author,
      at: timeOf(eventTs),
    }),
  }
}

const stoppedSchema = z.looseObject({
  user: z.string(),
  channel: z.string(),
  thread_ts: z.string().nullish(),
  event_ts: z.string(),
})

/** Reads `agent_session_stopped` (docs.slack.dev/reference/events/agent_session_stopped). */
export function readStopped(
  payload: unknown,
  workspace: string,
): { readonly userId: string; events(author: InboundEvent['author']): readonly InboundEvent[] } | undefined {
  const parsed = stoppedSchema.safeParse(payload)
  if (!parsed.success) return undefined
  const { user: userId, channel, thread_ts: root, event_ts: eventTs } = parsed.data
  // At the top level of a direct message the sign of life hangs on a post that is no thread of its own.
  const threads = isDirect(channel) ? [...new Set([root ?? topLevel, topLevel])] : [root ?? topLevel]
  return {
    userId,
    events: (author) =>
      threads.map((thread) => ({
        kind: 'action',
        dedupeKey: interactionKey('slack', `stopped:${channel}:${eventTs}`),
        thread: threadIn(workspace, channel, thread),
        threadKind: kindOf(channel),
        author,
        at: timeOf(eventTs),
        action: 'turn.stop',
      })),
  }
}

/** A person opened the app's home tab. */
export interface HomeOpened {
  readonly userId: string
  /** Their direct messages with the app. */
  readonly thread: ThreadRef
  readonly at: Date
}

/** Reads `app_home_opened` of the home tab; undefined for the messages tab. */
export function readHome(payload: unknown, workspace: string): HomeOpened | undefined {
  const parsed = openedSchema.safeParse(payload)
  if (!parsed.success || parsed.data.tab !== 'home') return undefined
  const { user: userId, channel, event_ts: eventTs } = parsed.data
  return { userId, thread: threadIn(workspace, channel, topLevel), at: timeOf(eventTs) }
}
