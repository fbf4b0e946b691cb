import { type ApiContext, type Method, memberRoom, messageJson, orRefuse, Refused, roomOf } from './api.ts'
import { addBotMessage, threadOf } from './chat.ts'
import { type Json, object, objects, string, text } from './json.ts'
import { maxMarkdown, refuseBlocks } from './limits.ts'
import { look, type Message, type Stream } from './workspace.ts'

// Behaviour that Slack's pages do not tell (the lock on one kind of content, the end after about five minutes,
// the refusal of chat.update meanwhile) is as developers measured it on the live API in 2026.

const taskStates = ['pending', 'in_progress', 'complete', 'error']

/** What a call adds to a stream. */
interface Addition {
  readonly mode: 'text' | 'chunks' | undefined
  readonly markdown: string
  readonly tasks: readonly Json[]
  readonly blocks: readonly Json[]
}

function additionOf(args: Json): Addition {
  const markdown = string(args.markdown_text)
  const chunks = args.chunks === undefined ? undefined : objects(args.chunks)
  if (markdown !== undefined && chunks !== undefined) throw new Refused('invalid_arguments')
  if (chunks === undefined) {
    if (markdown !== undefined && markdown.length > maxMarkdown) throw new Refused('msg_too_long')
    return {
      mode: markdown === undefined ? undefined : 'text',
      markdown: markdown ?? '',
      tasks: [],
      blocks: [],
    }
  }
  const added = { markdown: '', tasks: [] as Json[], blocks: [] as Json[] }
  for (const chunk of chunks) {
    switch (chunk.type) {
      case 'markdown_text':
        if (text(chunk.text) === '') throw new Refused('invalid_chunks')
        added.markdown += text(chunk.text)
        break
      case 'task_update':
        if (text(chunk.id) === '' || text(chunk.title) === '' || text(chunk.title).length > 256) {
          throw new Refused('invalid_chunks')
        }
        if (!taskStates.includes(text(chunk.status))) throw new Refused('invalid_chunks')
        added.tasks.push({ ...chunk, type: 'task_card', task_id: chunk.id })
        break
      case 'plan_update':
        if (text(chunk.title) === '' || text(chunk.title).length > 256) throw new Refused('invalid_chunks')
        break
      case 'blocks':
        orRefuse(refuseBlocks(chunk.blocks, 'message'))
        added.blocks.push(...objects(chunk.blocks))
        break
      default:
        throw new Refused('invalid_chunks')
    }
  }
  if (added.markdown.length > maxMarkdown) throw new Refused('msg_too_long')
  return { mode: 'chunks', ...added }
}

/** Applies an addition; what was streamed reads as rich text before the blocks that came along. */
function add(message: Message, stream: Stream, addition: Addition, more: readonly Json[] = []): void {
  if (stream.mode !== undefined && addition.mode !== undefined && addition.mode !== stream.mode) {
    throw new Refused('streaming_mode_mismatch')
  }
  if (stream.markdown.length + addition.markdown.length > maxMarkdown) throw new Refused('msg_too_long')
  if (addition.mode !== undefined) stream.mode = addition.mode
  stream.markdown += addition.markdown
  const tasks = message.blocks.filter((block) => block.type === 'task_card')
  for (const task of addition.tasks) {
    const at = tasks.findIndex((known) => known.task_id === task.task_id)
    if (at >= 0) tasks[at] = { ...tasks[at], ...task }
    else tasks.push(task)
  }
  const rest = message.blocks.filter((block) => block.type !== 'task_card' && block.type !== 'rich_text')
  const rich = stream.markdown === '' ? [] : [{ type: 'rich_text', markdown: stream.markdown, elements: [] }]
  message.text = stream.markdown
  message.blocks = [...tasks, ...rich, ...rest, ...addition.blocks, ...more]
}

const startStream: Method = (args, context) => {
  const { workspace } = context
  const room = memberRoom(args, context)
  const threadTs = threadOf(args, room, context)
  if (threadTs === undefined) throw new Refused('invalid_thread_ts')
  const recipient = string(args.recipient_user_id)
  if (room.kind !== 'im') {
    if (recipient === undefined) throw new Refused('missing_recipient_user_id')
    if (string(args.recipient_team_id) === undefined) throw new Refused('missing_recipient_team_id')
  }
  if (recipient !== undefined) {
    const member = workspace.members.get(recipient)
    if (!member) throw new Refused('user_not_found')
    const team = string(args.recipient_team_id)
    if (team !== undefined && team !== member.teamId) throw new Refused('team_not_found')
  }
  const addition = additionOf(args)
  const message = addBotMessage(context, room, threadTs, { text: '', blocks: [] })
  const stream: Stream = {
    startedAt: workspace.now(),
    state: 'in_progress',
    markdown: '',
    ...(recipient === undefined ? {} : { recipient }),
  }
  message.stream = stream
  add(message, stream, addition)
  look(message, 'post', workspace.now())
  context.news.posted(message)
  return { channel: room.id, ts: message.ts }
}

/** The message of a stream that still takes content. */
function openStream(args: Json, context: ApiContext): { message: Message; stream: Stream } {
  const room = roomOf(args, context)
  const message = context.workspace.find(room.id, text(args.ts))
  if (!message || message.deleted) throw new Refused('message_not_found')
  const stream = message.stream
  if (stream?.state === 'stopped_by_user') throw new Refused('stopped_by_user')
  if (stream?.state !== 'in_progress') throw new Refused('message_not_in_streaming_state')
  if (context.workspace.now() - stream.startedAt > context.streamMaxAgeMs) {
    stream.state = 'errored'
    throw new Refused('message_not_in_streaming_state')
  }
  return { message, stream }
}

const appendStream: Method = (args, context) => {
  const { message, stream } = openStream(args, context)
  const addition = additionOf(args)
  if (addition.mode === undefined || (addition.mode === 'text' && addition.markdown === '')) {
    throw new Refused('no_text')
  }
  add(message, stream, addition)
  look(message, 'append', context.workspace.now())
  return { channel: message.room.id, ts: message.ts }
}

const stopStream: Method = (args, context) => {
  const { message, stream } = openStream(args, context)
  const addition = additionOf(args)
  if (args.blocks !== undefined) orRefuse(refuseBlocks(args.blocks, 'message'))
  add(message, stream, addition, objects(args.blocks))
  stream.state = 'completed'
  if (args.metadata !== undefined) message.metadata = object(args.metadata)
  look(message, 'stop', context.workspace.now())
  context.news.changed(message)
  return { channel: message.room.id, ts: message.ts, message: messageJson(message, true) }
}

/** The streaming methods. */
export const streamMethods: Readonly<Record<string, Method>> = {
  'chat.startStream': startStream,
  'chat.appendStream': appendStream,
  'chat.stopStream': stopStream,
}
