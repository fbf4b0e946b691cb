import type { Delivery, EnvelopeKind } from './delivery.ts'
import { fileJson } from './files.ts'
import type { Json } from './json.ts'
import { directRoom, type Message, type Room, type Workspace } from './workspace.ts'

/** What the app is told of: events of rooms that it is in, as the Events API words them. */
export interface News {
  posted(message: Message): void
  /** A change of a message; `before` is what it was. */
  changed(message: Message, before?: Json): void
  removed(message: Message): void
  /** Any other event of a room. */
  event(event: Json, room?: Room): Delivery
  /** The body of an event that the app hears of. */
  envelope(event: Json, room?: Room): Json
  messageEvent(message: Message): Json
  directRoom(user: string): Room
}

export function createNews(
  workspace: Workspace,
  origin: () => string,
  send: (kind: EnvelopeKind, body: object) => Delivery,
): News {
  const mention = `<@${workspace.bot.id}>`

  function envelope(event: Json, room?: Room): Json {
    return {
      token: 'verification-token',
      team_id: workspace.teamId,
      context_team_id: workspace.teamId,
      context_enterprise_id: null,
      api_app_id: workspace.appId,
      event,
      type: 'event_callback',
      event_id: workspace.id('Ev'),
      event_time: Math.floor(workspace.now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: workspace.teamId,
          user_id: workspace.bot.id,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: room?.shared ?? false,
      event_context: `4-${workspace.id('ctx')}`,
    }
  }

  function messageEvent(message: Message): Json {
    const author = workspace.members.get(message.author)
    const root =
      message.threadTs === undefined ? undefined : workspace.find(message.room.id, message.threadTs)
    return {
      type: 'message',
      ...(message.files.length > 0 && !message.botId ? { subtype: 'file_share' } : {}),
      user: message.author,
      ts: message.ts,
      ...(message.botId
        ? { bot_id: message.botId, app_id: workspace.appId }
        : { client_msg_id: `client-${message.ts}` }),
      text: message.text,
      team: author?.teamId ?? workspace.teamId,
      ...(author && author.teamId !== workspace.teamId
        ? { user_team: author.teamId, source_team: author.teamId }
        : {}),
      blocks: message.botId
        ? message.blocks
        : [
            {
              type: 'rich_text',
              block_id: `b${message.ts}`,
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: message.text }] }],
            },
          ],
      ...(message.threadTs === undefined
        ? {}
        : { thread_ts: message.threadTs, ...(root ? { parent_user_id: root.author } : {}) }),
      ...(message.edited ? { edited: message.edited } : {}),
      ...(message.files.length > 0
        ? { files: message.files.map((file) => fileJson(file, origin(), workspace)), upload: false }
        : {}),
    }
  }

  const place = (message: Message) => ({
    channel: message.room.id,
    channel_type: message.room.kind,
  })

  function hears(room: Room): boolean {
    return room.members.has(workspace.bot.id)
  }

  function tellMention(message: Message): void {
    if (message.botId || message.room.kind === 'im' || !message.text.includes(mention)) return
    const event = messageEvent(message)
    const { subtype: _, ...rest } = event
    send(
      'events_api',
      envelope(
        {
          ...rest,
          type: 'app_mention',
          channel: message.room.id,
          event_ts: message.edited?.ts ?? message.ts,
        },
        message.room,
      ),
    )
  }

  return {
    envelope,
    messageEvent,
    directRoom: (user) => directRoom(workspace, user),
    event: (event, room) => send('events_api', envelope(event, room)),
    posted(message) {
      if (!hears(message.room)) return
      send(
        'events_api',
        envelope({ ...messageEvent(message), ...place(message), event_ts: message.ts }, message.room),
      )
      tellMention(message)
    },
    changed(message, before) {
      if (!hears(message.room)) return
      const ts = workspace.ts()
      send(
        'events_api',
        envelope(
          {
            type: 'message',
            subtype: 'message_changed',
            message: messageEvent(message),
            previous_message: before ?? messageEvent(message),
            ...place(message),
            hidden: true,
            ts,
            event_ts: ts,
          },
          message.room,
        ),
      )
      const hadMention = String(before?.text ?? '').includes(mention)
      if (message.edited && !hadMention) tellMention(message)
    },
    removed(message) {
      if (!hears(message.room)) return
      const ts = workspace.ts()
      const isRoot = workspace.messages.some(
        (other) => other.room === message.room && other.threadTs === message.ts,
      )
      // The root of a thread leaves a tombstone, for the replies to hang on.
      const event = isRoot
        ? {
            subtype: 'message_changed',
            message: {
              type: 'message',
              subtype: 'tombstone',
              text: 'This message was deleted.',
              user: 'USLACKBOT',
              hidden: true,
              ts: message.ts,
              thread_ts: message.ts,
            },
            previous_message: { ...messageEvent(message), thread_ts: message.ts },
          }
        : { subtype: 'message_deleted', deleted_ts: message.ts, previous_message: messageEvent(message) }
      send(
        'events_api',
        envelope(
          { type: 'message', ...event, ...place(message), hidden: true, ts, event_ts: ts },
          message.room,
        ),
      )
    },
  }
}
