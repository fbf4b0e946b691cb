import { type ApiContext, type Method, messageJson, Refused, roomOf } from './api.ts'
import { type Json, text } from './json.ts'
import { directRoom, type Member, type Message, type Room } from './workspace.ts'

function memberJson(member: Member, workspaceTeam: string): Json {
  return {
    id: member.id,
    team_id: member.teamId,
    name: member.name,
    deleted: member.deleted ?? false,
    real_name: member.realName,
    tz: member.timeZone,
    tz_offset: 0,
    locale: 'en-US',
    profile: {
      real_name: member.realName,
      display_name: member.displayName ?? member.name,
      team: member.teamId,
      ...(member.botId ? { bot_id: member.botId } : {}),
    },
    is_bot: member.botId !== undefined,
    is_app_user: false,
    is_stranger: member.teamId !== workspaceTeam,
  }
}

function roomJson(room: Room, context: ApiContext): Json {
  const { workspace } = context
  return {
    id: room.id,
    name: room.name,
    is_channel: room.kind === 'channel',
    is_group: room.kind === 'group',
    is_im: room.kind === 'im',
    is_mpim: false,
    is_private: room.kind !== 'channel',
    is_archived: room.archived,
    is_member: room.members.has(workspace.bot.id),
    is_ext_shared: room.shared,
    context_team_id: workspace.teamId,
    ...(room.kind === 'im' ? { user: [...room.members].find((id) => id !== workspace.bot.id) } : {}),
  }
}

const authTest: Method = (_args, { workspace }) => ({
  url: 'https://olympus.slack.com/',
  team: workspace.teamName,
  user: workspace.bot.name,
  team_id: workspace.teamId,
  user_id: workspace.bot.id,
  bot_id: workspace.bot.botId,
  is_enterprise_install: false,
})

/** A page of a thread or channel: `oldest` and `latest` are exclusive unless `inclusive`. */
function page(messages: readonly Message[], args: Json): { shown: Message[]; more: boolean } {
  const oldest = Number(args.oldest ?? 0)
  const latest = args.latest === undefined ? Number.POSITIVE_INFINITY : Number(args.latest)
  const inclusive = args.inclusive === true || args.inclusive === 'true'
  const within = messages.filter((message) => {
    const ts = Number(message.ts)
    return inclusive ? ts >= oldest && ts <= latest : ts > oldest && ts < latest
  })
  const from = args.cursor === undefined ? 0 : Number(args.cursor)
  const limit = Math.min(Number(args.limit ?? 100), 999)
  return { shown: within.slice(from, from + limit), more: within.length > from + limit }
}

function readable(args: Json, context: ApiContext): Room {
  const room = roomOf(args, context)
  if (!room.members.has(context.workspace.bot.id)) throw new Refused('not_in_channel')
  return room
}

const replies: Method = (args, context) => {
  const room = readable(args, context)
  const root = context.workspace.find(room.id, text(args.ts))
  if (!root) throw new Refused('thread_not_found')
  const rootTs = root.threadTs ?? root.ts
  const thread = context.workspace.messages.filter(
    (message) =>
      message.room === room && !message.deleted && (message.ts === rootTs || message.threadTs === rootTs),
  )
  // Slack gives the root with every page of a thread, whatever the bounds.
  const { shown, more } = page(
    thread.filter((message) => message.ts !== rootTs),
    args,
  )
  const first = thread.filter((message) => message.ts === rootTs)
  const metadata = args.include_all_metadata === true || args.include_all_metadata === 'true'
  return {
    messages: [...first, ...shown].map((message) => messageJson(message, metadata)),
    has_more: more,
    response_metadata: { next_cursor: more ? String(Number(args.cursor ?? 0) + shown.length) : '' },
  }
}

const history: Method = (args, context) => {
  const room = readable(args, context)
  const top = context.workspace.messages.filter(
    (message) => message.room === room && !message.deleted && message.threadTs === undefined,
  )
  const { shown, more } = page([...top].reverse(), args)
  const metadata = args.include_all_metadata === true || args.include_all_metadata === 'true'
  return {
    messages: shown.map((message) => messageJson(message, metadata)),
    has_more: more,
    response_metadata: { next_cursor: more ? String(Number(args.cursor ?? 0) + shown.length) : '' },
  }
}

const openConversation: Method = (args, { workspace }) => {
  const users = text(args.users).split(',').filter(Boolean)
  if (users.length !== 1) throw new Refused('not_enough_users')
  if (!workspace.members.has(users[0]!)) throw new Refused('user_not_found')
  return { channel: { id: directRoom(workspace, users[0]!).id } }
}

const conversationInfo: Method = (args, context) => ({ channel: roomJson(roomOf(args, context), context) })

const listConversations: Method = (args, context) => {
  const types = text(args.types || 'public_channel').split(',')
  const all = [...context.workspace.rooms.values()].filter(
    (room) =>
      (room.kind === 'channel' && types.includes('public_channel')) ||
      (room.kind === 'group' &&
        types.includes('private_channel') &&
        room.members.has(context.workspace.bot.id)),
  )
  const from = Number(args.cursor || 0)
  const limit = Math.min(Number(args.limit ?? 100), 1_000)
  const next = from + limit < all.length ? String(from + limit) : ''
  return {
    channels: all.slice(from, from + limit).map((room) => roomJson(room, context)),
    response_metadata: { next_cursor: next },
  }
}

const conversationMembers: Method = (args, context) => {
  const room = roomOf(args, context)
  const all = [...room.members]
  const from = Number(args.cursor || 0)
  const limit = Math.min(Number(args.limit ?? 100), 1_000)
  const next = from + limit < all.length ? String(from + limit) : ''
  return { members: all.slice(from, from + limit), response_metadata: { next_cursor: next } }
}

const userInfo: Method = (args, { workspace }) => {
  const member = workspace.members.get(text(args.user))
  if (!member) throw new Refused('user_not_found')
  return { user: memberJson(member, workspace.teamId) }
}

const slackbot: Json = {
  id: 'USLACKBOT',
  name: 'slackbot',
  deleted: false,
  is_bot: false,
  real_name: 'Slackbot',
}

const listUsers: Method = (args, { workspace }) => {
  const all = [
    slackbot,
    ...[...workspace.members.values()].map((member) => memberJson(member, workspace.teamId)),
  ]
  const from = Number(args.cursor || 0)
  const limit = Math.min(Number(args.limit ?? all.length), 1_000)
  const next = from + limit < all.length ? String(from + limit) : ''
  return { members: all.slice(from, from + limit), response_metadata: { next_cursor: next } }
}

const botInfo: Method = (args, { workspace }) => {
  const bot = [...workspace.members.values()].find((member) => member.botId === text(args.bot))
  if (!bot) throw new Refused('bot_not_found')
  return { bot: { id: bot.botId, deleted: false, name: bot.name, user_id: bot.id, app_id: workspace.appId } }
}

/** The methods that tell who and what is there. */
export const directoryMethods: Readonly<Record<string, Method>> = {
  'auth.test': authTest,
  'conversations.replies': replies,
  'conversations.history': history,
  'conversations.open': openConversation,
  'conversations.info': conversationInfo,
  'conversations.list': listConversations,
  'conversations.members': conversationMembers,
  'users.info': userInfo,
  'users.list': listUsers,
  'bots.info': botInfo,
}
