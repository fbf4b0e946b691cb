import { type ApiContext, type Method, memberRoom, messageJson, orRefuse, Refused, roomOf } from './api.ts'
import { type Json, object, objects, string, text } from './json.ts'
import { refuseMessage } from './limits.ts'
import { look, type Message, type Room } from './workspace.ts'

/** The blocks that a post shows: `markdown_text` becomes one markdown block, as Slack translates it. */
function contentOf(args: Json): { text: string; blocks: readonly Json[] } {
  const markdown = string(args.markdown_text)
  if (markdown !== undefined) return { text: markdown, blocks: [{ type: 'markdown', text: markdown }] }
  return { text: text(args.text), blocks: objects(args.blocks) }
}

function check(args: Json, how: 'post' | 'update'): void {
  const markdown = string(args.markdown_text)
  orRefuse(
    refuseMessage(
      { text: text(args.text), blocks: args.blocks, ...(markdown === undefined ? {} : { markdown }) },
      how,
    ),
  )
}

/** The root of the thread that a call posts into; a reply's ts would be a mistake that Slack forgives. */
export function threadOf(args: Json, room: Room, { workspace }: ApiContext): string | undefined {
  const ts = string(args.thread_ts)
  if (ts === undefined) return undefined
  const root = workspace.find(room.id, ts)
  if (!root || root.deleted) throw new Refused('thread_not_found')
  return root.threadTs ?? root.ts
}

function metadataOf(args: Json): Json | undefined {
  if (args.metadata === undefined) return undefined
  const metadata = object(args.metadata)
  if (string(metadata.event_type) === undefined || metadata.event_payload === undefined) {
    throw new Refused('invalid_metadata_format')
  }
  return metadata
}

/** Puts a message of the app where people see it. */
export function addBotMessage(
  context: ApiContext,
  room: Room,
  threadTs: string | undefined,
  content: { text: string; blocks: readonly Json[] },
): Message {
  const { workspace } = context
  const message: Message = {
    room,
    ts: workspace.ts(),
    ...(threadTs === undefined ? {} : { threadTs }),
    author: workspace.bot.id,
    botId: workspace.bot.botId,
    ...content,
    files: [],
    deleted: false,
    history: [],
  }
  workspace.add(message)
  return message
}

const postMessage: Method = (args, context) => {
  const named = string(args.channel)
  // A user id posts into the direct message with that person.
  const room =
    named !== undefined && context.workspace.members.has(named)
      ? context.news.directRoom(named)
      : memberRoom(args, context)
  check(args, 'post')
  const message = addBotMessage(context, room, threadOf(args, room, context), contentOf(args))
  const metadata = metadataOf(args)
  if (metadata) message.metadata = metadata
  look(message, 'post', context.workspace.now())
  context.news.posted(message)
  return { channel: room.id, ts: message.ts, message: messageJson(message, true) }
}

function ownMessage(args: Json, context: ApiContext, refusal: string): Message {
  const room = roomOf(args, context)
  const message = context.workspace.find(room.id, text(args.ts))
  if (!message || message.deleted) throw new Refused('message_not_found')
  if (message.author !== context.workspace.bot.id) throw new Refused(refusal)
  return message
}

const update: Method = (args, context) => {
  const message = ownMessage(args, context, 'cant_update_message')
  if (message.stream?.state === 'in_progress') throw new Refused('streaming_state_conflict')
  check(args, 'update')
  const content = contentOf(args)
  // A message of the streaming methods holds rich text, which only rich text may replace.
  const rich = content.blocks.some((block) => block.type === 'markdown' || block.type === 'rich_text')
  if (message.stream && !rich) throw new Refused('block_mismatch')
  message.text = content.text
  message.blocks = content.blocks
  const metadata = metadataOf(args)
  if (metadata) message.metadata = metadata
  look(message, 'update', context.workspace.now())
  context.news.changed(message)
  return { channel: message.room.id, ts: message.ts, text: message.text, message: messageJson(message) }
}

const remove: Method = (args, context) => {
  const message = ownMessage(args, context, 'cant_delete_message')
  if (message.stream?.state === 'in_progress') throw new Refused('cant_delete_message')
  message.deleted = true
  context.news.removed(message)
  return { channel: message.room.id, ts: message.ts }
}

const postEphemeral: Method = (args, context) => {
  const { workspace } = context
  const room = memberRoom(args, context)
  const user = text(args.user)
  if (!room.members.has(user)) throw new Refused('user_not_in_channel')
  check(args, 'post')
  const threadTs = threadOf(args, room, context)
  const ts = workspace.ts()
  workspace.notices.push({
    id: workspace.id('N'),
    room,
    ...(threadTs === undefined ? {} : { threadTs }),
    user,
    ts,
    at: workspace.now(),
    by: 'chat.postEphemeral',
    ...contentOf(args),
    deleted: false,
  })
  return { message_ts: ts }
}

const setStatus: Method = (args, context) => {
  const room = memberRoom(args, context, 'channel_id')
  const threadTs = threadOf(args, room, context)
  if (threadTs === undefined) throw new Refused('invalid_arguments')
  const loading = Array.isArray(args.loading_messages) ? args.loading_messages.map(String) : []
  if (string(args.status) === undefined || loading.length > 10) throw new Refused('invalid_arguments')
  context.workspace.statuses.push({
    room,
    threadTs,
    status: text(args.status),
    loading,
    at: context.workspace.now(),
  })
  return {}
}

const setSuggestedPrompts: Method = (args, context) => {
  const room = memberRoom(args, context, 'channel_id')
  const prompts = objects(args.prompts)
  if (prompts.length < 1 || prompts.length > 4) throw new Refused('invalid_arguments')
  for (const prompt of prompts) {
    if (text(prompt.title) === '' || text(prompt.message) === '') throw new Refused('invalid_arguments')
  }
  const title = string(args.title)
  context.workspace.prompts.push({ room, ...(title === undefined ? {} : { title }), prompts })
  return {}
}

const getPermalink: Method = (args, context) => {
  const room = roomOf(args, context)
  const ts = text(args.message_ts)
  if (!context.workspace.find(room.id, ts)) throw new Refused('message_not_found')
  return {
    channel: room.id,
    permalink: `https://olympus.slack.com/archives/${room.id}/p${ts.replace('.', '')}`,
  }
}

/** The methods that show something. */
export const chatMethods: Readonly<Record<string, Method>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.delete': remove,
  'chat.postEphemeral': postEphemeral,
  'chat.getPermalink': getPermalink,
  'assistant.threads.setStatus': setStatus,
  'assistant.threads.setSuggestedPrompts': setSuggestedPrompts,
}
