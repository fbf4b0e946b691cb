import { buttonsOf, elementsOf, labelsOf } from './buttons.ts'
import type { Delivery, EnvelopeKind, Outcome } from './delivery.ts'
import { stateOf } from './inputs.ts'
import { type Json, object, objects, string, text } from './json.ts'
import type { News } from './news.ts'
import { showView, viewJson } from './views.ts'
import {
  look,
  type Member,
  type Message,
  type Notice,
  type OpenView,
  type Room,
  type Workspace,
} from './workspace.ts'

/** A file to post. */
export interface NewFile {
  readonly name: string
  readonly mimetype: string
  readonly content: string | Buffer
}

/** Something with buttons: a message, or a notice to one person. A copy keeps how it looked. */
export type Clickable = Message | Notice

/** Someone to act as. Posts are there when the call returns; their news travel on their own. */
export interface Person {
  readonly id: string
  readonly name: string
  post(room: Room, text: string, options?: { readonly files?: readonly NewFile[] }): Message
  /** A post that starts with a mention of the app. */
  mention(room: Room, text: string, options?: { readonly files?: readonly NewFile[] }): Message
  reply(to: Message, text: string, options?: { readonly files?: readonly NewFile[] }): Message
  dm(text: string, options?: { readonly files?: readonly NewFile[] }): Message
  /** The room of direct messages with the app. */
  direct(): Room
  edit(message: Message, text: string): void
  remove(message: Message): void
  react(message: Message, emoji: string): void
  join(room: Room): void
  leave(room: Room): void
  /** Presses the button with that label; throws where there is none. */
  click(on: Clickable, label: string): Promise<Outcome>
  /** Chooses an option of a select in a message. */
  choose(on: Clickable, option: string): Promise<Outcome>
  /** Sends an action that need not be there: a forged or stale one. */
  press(on: Clickable, action: Json): Promise<Outcome>
  /** Presses a button of the home tab. */
  clickHome(label: string): Promise<Outcome>
  /** Fills in (by label, block id or action id) and sends a modal; throws where the client would not let it go. */
  submit(
    view: OpenView,
    values?: Readonly<Record<string, string | readonly string[] | boolean>>,
  ): Promise<Outcome>
  close(view: OpenView): void
  /** `/hermes` with that text. */
  command(room: Room, text: string, command?: string): Promise<Outcome>
  openHome(tab?: 'home' | 'messages'): Delivery
  /** Presses Slack's own stop button of a stream. */
  stopStream(message: Message): void
  notices(): readonly Notice[]
  modal(): OpenView | undefined
  home(): Json | undefined
  /** What Slack showed as an error of the app, such as an unanswered click. */
  readonly errors: string[]
}

/** What acting needs. */
export interface Stage {
  readonly workspace: Workspace
  readonly news: News
  readonly send: (kind: EnvelopeKind, body: object) => Delivery
  readonly trigger: (user: string) => string
  /** An address that takes later answers to an interaction. */
  readonly responseUrl: (user: string, on: Clickable | Room) => string
  readonly applyNotice: (
    user: string,
    room: Room,
    threadTs: string | undefined,
    content: Json,
    by: Notice['by'],
  ) => void
}

export function createPerson(member: Member, stage: Stage): Person {
  const { workspace, news } = stage
  const errors: string[] = []

  function write(room: Room, content: string, threadTs?: string, files: readonly NewFile[] = []): Message {
    if (!room.members.has(member.id)) throw new Error(`${member.name} is not in ${room.name || room.id}`)
    const message: Message = {
      room,
      ts: workspace.ts(),
      ...(threadTs === undefined ? {} : { threadTs }),
      author: member.id,
      ...(member.botId ? { botId: member.botId } : {}),
      text: content,
      blocks: [],
      files: files.map((file) => {
        const stored = { id: workspace.id('F'), ...file, content: Buffer.from(file.content), by: member.id }
        workspace.files.set(stored.id, stored)
        return stored
      }),
      deleted: false,
      history: [],
    }
    workspace.add(message)
    look(message, 'post', workspace.now())
    news.posted(message)
    return message
  }

  const user = () => ({ id: member.id, username: member.name, name: member.name, team_id: member.teamId })
  const team = () => ({ id: workspace.teamId, domain: 'olympus' })

  async function interact(body: Json, what: string): Promise<Outcome> {
    const outcome = await stage.send('interactive', body).done
    if (!outcome.acked) errors.push(`${what}: ${outcome.reason}`)
    return outcome
  }

  function actionsBody(on: Clickable, action: Json): Json {
    const isNotice = 'by' in on
    const ts = on.ts
    return {
      type: 'block_actions',
      user: user(),
      api_app_id: workspace.appId,
      token: 'verification-token',
      container: {
        type: 'message',
        message_ts: ts,
        channel_id: on.room.id,
        is_ephemeral: isNotice,
        ...(on.threadTs === undefined ? {} : { thread_ts: on.threadTs }),
      },
      trigger_id: stage.trigger(member.id),
      team: team(),
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: on.room.id, name: on.room.kind === 'im' ? 'directmessage' : on.room.name },
      ...(isNotice
        ? {}
        : { message: { ...news.messageEvent(on), blocks: on.blocks, bot_id: workspace.bot.botId } }),
      state: { values: {} },
      response_url: stage.responseUrl(member.id, on),
      actions: [{ action_ts: workspace.ts(), ...action }],
    }
  }

  const person: Person = {
    id: member.id,
    name: member.name,
    errors,
    post: (room, content, options) => write(room, content, undefined, options?.files),
    mention: (room, content, options) =>
      write(room, `<@${workspace.bot.id}> ${content}`, undefined, options?.files),
    reply: (to, content, options) => write(to.room, content, to.threadTs ?? to.ts, options?.files),
    dm: (content, options) => write(news.directRoom(member.id), content, undefined, options?.files),
    direct: () => news.directRoom(member.id),
    edit(message, content) {
      if (message.author !== member.id) throw new Error('only the author edits a message')
      const before = news.messageEvent(message)
      message.text = content
      message.edited = { user: member.id, ts: workspace.ts() }
      look(message, 'edit', workspace.now())
      news.changed(message, before)
    },
    remove(message) {
      message.deleted = true
      news.removed(message)
    },
    react(message, emoji) {
      news.event({
        type: 'reaction_added',
        user: member.id,
        reaction: emoji,
        item: { type: 'message', channel: message.room.id, ts: message.ts },
        item_user: message.author,
        event_ts: workspace.ts(),
      })
    },
    join: (room) => moved(room, 'join'),
    leave: (room) => moved(room, 'leave'),
    click(on, label) {
      const found = buttonsOf(on.blocks).find((button) => button.label === label)
      if (!found) throw new Error(`no button "${label}" among ${JSON.stringify(labelsOf(on.blocks))}`)
      return interact(actionsBody(on, found.action), `click ${label}`)
    },
    choose(on, option) {
      for (const { element, blockId } of elementsOf(on.blocks)) {
        const chosen = objects(element.options).find((item) => text(object(item.text).text) === option)
        if (!chosen) continue
        const action = {
          type: element.type,
          action_id: element.action_id,
          block_id: blockId,
          selected_option: chosen,
        }
        return interact(actionsBody(on, action), `choose ${option}`)
      }
      throw new Error(`no option "${option}"`)
    },
    press: (on, action) => interact(actionsBody(on, action), 'press'),
    clickHome(label) {
      const view = workspace.homes.get(member.id)
      const found = buttonsOf(objects(view?.blocks)).find((button) => button.label === label)
      if (!view || !found) throw new Error(`no button "${label}" on the home tab`)
      return interact(
        {
          type: 'block_actions',
          user: user(),
          api_app_id: workspace.appId,
          token: 'verification-token',
          container: { type: 'view', view_id: 'VHOME' },
          trigger_id: stage.trigger(member.id),
          team: team(),
          enterprise: null,
          is_enterprise_install: false,
          view,
          actions: [{ action_ts: workspace.ts(), ...found.action }],
        },
        `click ${label}`,
      )
    },
    async submit(view, values = {}) {
      const outcome = await interact(
        {
          type: 'view_submission',
          team: team(),
          user: user(),
          api_app_id: workspace.appId,
          token: 'verification-token',
          trigger_id: stage.trigger(member.id),
          view: viewJson(view, workspace, { values: stateOf(objects(view.view.blocks), values) }),
          response_urls: [],
          is_enterprise_install: false,
          enterprise: null,
        },
        'submit',
      )
      if (outcome.acked) settle(view, object(outcome.payload))
      return outcome
    },
    close(view) {
      drop(view)
      if (view.view.notify_on_close !== true) return
      stage.send('interactive', {
        type: 'view_closed',
        team: team(),
        user: user(),
        api_app_id: workspace.appId,
        token: 'verification-token',
        view: viewJson(view, workspace),
        is_cleared: false,
        is_enterprise_install: false,
        enterprise: null,
      })
    },
    async command(room, content, command = '/hermes') {
      const outcome = await stage.send('slash_commands', {
        token: 'verification-token',
        team_id: workspace.teamId,
        team_domain: 'olympus',
        channel_id: room.id,
        channel_name: room.kind === 'im' ? 'directmessage' : room.name,
        user_id: member.id,
        user_name: member.name,
        command,
        text: content,
        api_app_id: workspace.appId,
        is_enterprise_install: 'false',
        response_url: stage.responseUrl(member.id, room),
        trigger_id: stage.trigger(member.id),
      }).done
      if (!outcome.acked) errors.push(`${command}: ${outcome.reason}`)
      const payload = object(outcome.payload)
      if (text(payload.text) !== '' || payload.blocks !== undefined) {
        stage.applyNotice(member.id, room, undefined, payload, 'ack')
      }
      return outcome
    },
    openHome(tab = 'home') {
      const view = workspace.homes.get(member.id)
      return news.event({
        type: 'app_home_opened',
        user: member.id,
        channel: news.directRoom(member.id).id,
        tab,
        ...(tab === 'home' && view ? { view } : {}),
        event_ts: workspace.ts(),
      })
    },
    stopStream(message) {
      if (message.stream?.state !== 'in_progress') throw new Error('nothing is streaming there')
      message.stream.state = 'stopped_by_user'
      news.event({
        type: 'agent_session_stopped',
        channel: message.room.id,
        user: member.id,
        thread_ts: message.threadTs,
        streaming_message_ts: [message.ts],
        event_ts: workspace.ts(),
      })
    },
    notices: () => workspace.notices.filter((notice) => notice.user === member.id && !notice.deleted),
    modal: () => workspace.modals.get(member.id)?.at(-1),
    home: () => workspace.homes.get(member.id),
  }

  function moved(room: Room, how: 'join' | 'leave'): void {
    if (how === 'join') room.members.add(member.id)
    else room.members.delete(member.id)
    const ts = workspace.ts()
    const where = { channel: room.id, channel_type: room.kind }
    news.event(
      {
        type: 'message',
        subtype: `channel_${how}`,
        user: member.id,
        text: `<@${member.id}> has ${how === 'join' ? 'joined' : 'left'} the channel`,
        ts,
        event_ts: ts,
        ...where,
      },
      room,
    )
    news.event({
      type: `member_${how === 'join' ? 'joined' : 'left'}_channel`,
      user: member.id,
      ...where,
      event_ts: ts,
    })
  }

  function drop(view: OpenView): void {
    const stack = workspace.modals.get(member.id) ?? []
    workspace.modals.set(
      member.id,
      stack.filter((item) => item !== view),
    )
  }

  /** What the answer to a submission does to the modal. */
  function settle(view: OpenView, answer: Json): void {
    switch (answer.response_action) {
      case 'errors': {
        const wrong = object(answer.errors)
        const known = new Set(objects(view.view.blocks).map((block) => string(block.block_id)))
        if (Object.keys(wrong).some((id) => !known.has(id))) errors.push('submit: errors of unknown blocks')
        view.errors = Object.fromEntries(Object.entries(wrong).map(([id, value]) => [id, text(value)]))
        return
      }
      case 'update':
        view.view = object(answer.view)
        view.errors = {}
        return
      case 'push':
        showView(workspace, member.id, object(answer.view))
        return
      case 'clear':
        workspace.modals.set(member.id, [])
        return
      default:
        drop(view)
    }
  }

  return person
}
