import type { Json } from './json.ts'

/** Someone in the workspace: a human, or another bot. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly realName: string
  /** What they chose to be called; their handle where they chose nothing. */
  readonly displayName?: string
  readonly teamId: string
  readonly timeZone: string
  /** Left the workspace. */
  readonly deleted?: boolean
  /** Set for bots: their bot id. */
  readonly botId?: string
}

/** A channel, a private channel or a direct message. */
export interface Room {
  readonly id: string
  readonly name: string
  readonly kind: 'channel' | 'group' | 'im'
  readonly members: Set<string>
  /** Shared with another workspace by Slack Connect. */
  readonly shared: boolean
  archived: boolean
}

/** A file as Slack keeps it. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly content: Buffer
  readonly by: string
}

/** One state of a message that people could see, and when. */
export interface Look {
  readonly at: number
  readonly how: 'post' | 'update' | 'append' | 'stop' | 'edit' | 'unfurl'
  readonly text: string
  readonly blocks: readonly Json[]
}

/** A message as people see it, with everything that it was before. */
export interface Message {
  readonly room: Room
  readonly ts: string
  readonly threadTs?: string
  /** The user id of the author. */
  readonly author: string
  readonly botId?: string
  text: string
  blocks: readonly Json[]
  files: readonly StoredFile[]
  metadata?: Json
  edited?: { readonly user: string; readonly ts: string }
  deleted: boolean
  readonly history: Look[]
  stream?: Stream
}

/** The state of a message that is or was streamed. */
export interface Stream {
  readonly startedAt: number
  /** A stream takes only the kind of content that it was opened with. */
  mode?: 'text' | 'chunks'
  state: 'in_progress' | 'completed' | 'errored' | 'stopped_by_user'
  readonly recipient?: string
  markdown: string
}

/** Something that only one person sees. */
export interface Notice {
  readonly id: string
  readonly room: Room
  readonly threadTs?: string
  readonly user: string
  readonly ts: string
  readonly at: number
  readonly by: 'chat.postEphemeral' | 'response_url' | 'ack'
  text: string
  blocks: readonly Json[]
  deleted: boolean
}

/** A status line under a thread. */
export interface Status {
  readonly room: Room
  readonly threadTs: string
  readonly status: string
  readonly loading: readonly string[]
  readonly at: number
}

/** A modal in front of a person. */
export interface OpenView {
  readonly id: string
  readonly user: string
  readonly rootId: string
  hash: string
  view: Json
  errors: Readonly<Record<string, string>>
}

/** The whole of what Slack knows: who is there, and what everybody sees. */
export interface Workspace {
  readonly teamId: string
  readonly teamName: string
  readonly appId: string
  readonly bot: Member & { readonly botId: string }
  readonly members: Map<string, Member>
  readonly rooms: Map<string, Room>
  readonly messages: readonly Message[]
  readonly notices: Notice[]
  readonly statuses: Status[]
  /** The modals of each person, the topmost last. */
  readonly modals: Map<string, OpenView[]>
  readonly homes: Map<string, Json>
  readonly files: Map<string, StoredFile>
  readonly prompts: { readonly room: Room; readonly title?: string; readonly prompts: readonly Json[] }[]
  now(): number
  id(prefix: string): string
  ts(): string
  add(message: Message): void
  find(channel: string, ts: string): Message | undefined
}

export function createWorkspace(now: () => number): Workspace {
  let count = 0
  let lastMicros = 0
  const id = (prefix: string) => `${prefix}0${(++count).toString(36).toUpperCase().padStart(8, '0')}`
  const teamId = id('T')
  const bot = {
    id: id('U'),
    name: 'hermes',
    realName: 'Hermes',
    teamId,
    timeZone: 'Etc/UTC',
    botId: id('B'),
  }
  const messages: Message[] = []
  const byKey = new Map<string, Message>()
  return {
    teamId,
    teamName: 'Olympus',
    appId: id('A'),
    bot,
    members: new Map<string, Member>([[bot.id, bot]]),
    rooms: new Map(),
    messages,
    notices: [],
    statuses: [],
    modals: new Map(),
    homes: new Map(),
    files: new Map(),
    prompts: [],
    now,
    id,
    ts() {
      lastMicros = Math.max(lastMicros + 1, Math.floor(now() * 1000))
      return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, '0')}`
    },
    add(message) {
      messages.push(message)
      byKey.set(`${message.room.id}/${message.ts}`, message)
    },
    find: (channel, ts) => byKey.get(`${channel}/${ts}`),
  }
}

/** Writes down what people can see now. */
export function look(message: Message, how: Look['how'], at: number): void {
  message.history.push({ at, how, text: message.text, blocks: message.blocks })
}

/** The direct message room of a person with the app, made on first use. */
export function directRoom(workspace: Workspace, user: string): Room {
  for (const room of workspace.rooms.values()) {
    if (room.kind === 'im' && room.members.has(user)) return room
  }
  const room: Room = {
    id: workspace.id('D'),
    name: '',
    kind: 'im',
    members: new Set([user, workspace.bot.id]),
    shared: false,
    archived: false,
  }
  workspace.rooms.set(room.id, room)
  return room
}
