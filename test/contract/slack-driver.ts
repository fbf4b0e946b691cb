import type { TestApp } from '../support/app.ts'
import { buttonsOf, elementsOf } from '../support/slack/buttons.ts'
import { text as asText, type Json, object, objects } from '../support/slack/json.ts'
import type { Person } from '../support/slack/people.ts'
import type { StandInSlack } from '../support/slack/server.ts'
import { buttons, pings, reads } from '../support/slack/sight.ts'
import type { Message, OpenView, Room } from '../support/slack/workspace.ts'
import type { Driver, Form, Guest, Post, Seen, Talk, TextFile, Told } from './channel.ts'
import { until } from './waiting.ts'

interface SlackGuest extends Guest {
  readonly person: Person
}

interface SlackPost extends Post {
  readonly message: Message
}

type Saying = (person: Person, text: string, options?: Parameters<Person['dm']>[1]) => Message

interface SlackSeen extends Seen {
  readonly message: Message
}

/** Slack, by Socket Mode or by signed HTTP to the app's own address. */
export function slackDriver(slack: StandInSlack, by: 'socket' | 'http', app: TestApp): Driver {
  const general = slack.channel('general', [])
  const desk =
    [...slack.workspace.rooms.values()].find((room) => room.name === 'desk') ?? slack.channel('desk', [])
  const approvers = slack.channel('approvers', [])
  const endpoint = (address: string) => `${address}/slack/events`
  if (by === 'http') slack.deliverTo(endpoint(app.address))

  const enter = (guest: Guest, room: Room) => {
    room.members.add(personOf(guest).id)
    return personOf(guest)
  }

  /** In a thread of a channel, or all of a direct message. */
  const talk = (owner: Guest, root: Message, saying: Saying, place?: (message: Message) => boolean): Talk => {
    const { room } = root
    const startedAt = slack.workspace.messages.indexOf(root)
    const toldFrom = slack.workspace.notices.length
    const deliveriesFrom = slack.deliveries.all.length - 2
    const own = (message: Message) =>
      message.author === slack.workspace.bot.id &&
      !message.deleted &&
      message.room === room &&
      (place?.(message) ?? (room.kind === 'im' || message.threadTs === (root.threadTs ?? root.ts)))
    const told = (person: Person) =>
      slack.workspace.notices.filter((notice, index) => index >= toldFrom && notice.user === person.id)
    const acting = async (person: Person, act: () => Promise<unknown>): Promise<string> => {
      const before = told(person).length
      await act()
      const notice = await until('an answer to the click', () => told(person)[before], 10_000)
      return reads(notice)
    }
    return {
      owner,
      limit: 12_000,
      first: { text: root.text, message: root } as SlackPost,
      async say(text, who = owner, file) {
        const message = saying(enter(who, room), text, file ? { files: [fileOf(file)] } : undefined)
        return { text, message } as SlackPost
      },
      async edit(post, text) {
        const { message } = post as SlackPost
        const mention = message.text.startsWith('<@') ? `${message.text.split(' ')[0]} ` : ''
        personOf(owner).edit(message, mention + text)
      },
      async remove(post) {
        personOf(owner).remove((post as SlackPost).message)
      },
      seen: async () => slack.workspace.messages.filter(own).map(asSeen),
      signs: () =>
        slack.workspace.statuses
          .filter((sign) => sign.room === room && sign.status !== '')
          .filter((sign) => room.kind === 'im' || sign.threadTs === (root.threadTs ?? root.ts))
          .map((sign) => sign.at),
      elsewhere: () =>
        slack.workspace.messages
          .slice(startedAt)
          .filter((message) => message.author === slack.workspace.bot.id && !message.deleted && !own(message))
          .map((message) => reads(message)),
      press(on, label, who = owner) {
        const person = enter(who, room)
        return acting(person, () => person.click((on as SlackSeen).message, label))
      },
      forge(on, label, value, who = owner) {
        const person = enter(who, room)
        const { message } = on as SlackSeen
        const button = buttonsOf(message.blocks).find((one) => one.label === label)!
        return acting(person, () => person.press(message, { ...button.action, value }))
      },
      choose(on, option, who = owner) {
        const person = enter(who, room)
        return acting(person, () => person.choose((on as SlackSeen).message, option))
      },
      async openForm(on, _fields, label = 'Edit') {
        const person = enter(owner, room)
        await person.click((on as SlackSeen).message, label)
        const view = await until('the form', () => person.modal(), 10_000)
        return formOf(person, view, () => told(person))
      },
      async redeliver() {
        const events = slack.deliveries.all
          .slice(Math.max(0, deliveriesFrom))
          .filter((one) => one.kind === 'events_api')
        for (const event of events) await slack.deliveries.redeliver(event)
      },
      toldTo: (person) => told(personOf(person)).map((notice) => reads(notice)),
      files: async () =>
        slack.workspace.messages
          .filter(own)
          .flatMap((message) => message.files)
          .map((file) => ({ name: file.name, content: String(file.content) })),
      pings: () =>
        slack.workspace.messages
          .filter(own)
          .flatMap((message) => pings(message))
          .filter((ping) => !ping.includes(personOf(owner).id)),
    }
  }

  const mention = async (guest: Guest, text: string) => {
    const root = enter(guest, general).mention(general, text)
    return talk(guest, root, (person, ...more) => person.reply(root, ...more))
  }

  const told = async (guest: Guest, text: string, within?: Talk): Promise<Told> => {
    const room = within ? (within.first as SlackPost).message.room : general
    const person = enter(guest, room)
    // A new notice, or one that was there and changed.
    const next = async (act: () => Promise<unknown>) => {
      const before = new Map(person.notices().map((one) => [one, reads(one)]))
      await act()
      return until(
        'an answer to the person alone',
        () => person.notices().find((one) => before.get(one) !== reads(one)),
        10_000,
      )
    }
    const notice = await next(() => person.command(room, text))
    return {
      text: reads(notice),
      press: async (label) => reads(await next(() => person.click(notice, label))),
    }
  }

  return {
    channel: 'slack',
    guest(name, { alsoCalled = name, ...more } = {}) {
      return { name, person: slack.person(alsoCalled, { displayName: name, ...more }) } as SlackGuest
    },
    async received(person) {
      const room = personOf(person).direct()
      return slack.topLevel(room).flatMap((message) => (asOwn(slack, message) ? [reads(message)] : []))
    },
    beginnings: {
      'a mention in a channel': mention,
      'a mention inside a thread of people': async (guest, text) => {
        const person = enter(guest, general)
        const root = person.post(general, 'By the way')
        person.reply(root, `<@${slack.workspace.bot.id}> ${text}`)
        return talk(guest, root, (who, ...more) => who.reply(root, ...more))
      },
      'a direct message': async (guest, text) => {
        const root = personOf(guest).dm(text)
        return talk(guest, root, (person, ...more) => person.dm(...more))
      },
    },
    shared: mention,
    desk: {
      cards: async () =>
        slack
          .topLevel(desk)
          .filter((message) => asOwn(slack, message))
          .map(asSeen),
      async talk(card, by) {
        const root = slack.workspace.messages.find((message) => message.ts === card.id)!
        enter(by, desk)
        return talk(by, root, (person, ...more) => person.reply(root, ...more))
      },
    },
    room: 'approvers',
    async inRoom(guest) {
      const hello = enter(guest, approvers).post(approvers, 'Good morning')
      return talk(
        guest,
        hello,
        (person, ...more) => person.reply(hello, ...more),
        () => true,
      )
    },
    files: (person) =>
      slack
        .topLevel(personOf(person).direct())
        .flatMap((message) => (asOwn(slack, message) ? message.files : []))
        .map((file) => ({ name: file.name, content: String(file.content) })),
    async home(guest) {
      const person = personOf(guest)
      const before = JSON.stringify(person.home() ?? null)
      person.openHome()
      const view = await until('the home tab', () => {
        const now = person.home()
        return now !== undefined && JSON.stringify(now) !== before ? now : undefined
      })
      return objects(view.blocks)
        .map((block) => asText(object(block.text ?? {}).text))
        .join('\n')
    },
    async stopWriting(talking) {
      const { message: root } = talking.first as SlackPost
      const streaming = await until('a stream', () =>
        slack.workspace.messages.find(
          (message) => message.threadTs === root.ts && message.stream?.state === 'in_progress',
        ),
      )
      personOf(talking.owner).stopStream(streaming)
    },
    command: async (guest, text, within) => (await told(guest, text, within)).text,
    told,
    async moved(next) {
      if (by === 'http') slack.deliverTo(endpoint(next.address))
    },
    crowd: {
      massPings: '<!channel> <!here> <!everyone> <@U0SOMEONE> @channel @here @everyone <!subteam^S012>',
      async chatter(guest, text) {
        const root = enter(guest, general).post(general, 'Just between us')
        const talking = talk(guest, root, (person, ...more) => person.reply(root, ...more))
        await talking.say(text)
        return talking
      },
      async ask(talking, text, by) {
        const { message } = talking.first as SlackPost
        enter(by, message.room).reply(message, `<@${slack.workspace.bot.id}> ${text}`)
      },
      forgetful: () => slack.faults.plan('conversations.replies', { kind: 'error', error: 'missing_scope' }),
      async addMention(talking, post) {
        const { message } = post as SlackPost
        personOf(talking.owner).edit(message, `<@${slack.workspace.bot.id}> ${message.text}`)
        return talking
      },
      async bot(talking, text) {
        const { message } = talking.first as SlackPost
        const robot = slack.person('Robot', { bot: true })
        message.room.members.add(robot.id)
        robot.reply(message, `<@${slack.workspace.bot.id}> ${text}`)
      },
      slowClick: (ms) => slack.faults.plan('chat.update', { kind: 'slow', ms }),
      trouble(kind) {
        for (const method of ['chat.postMessage', 'chat.startStream', 'chat.stopStream', 'chat.update']) {
          slack.faults.plan(
            method,
            kind === 'rate-limited' ? { kind, retryAfter: 1 } : { kind: 'status', status: 503 },
          )
        }
      },
    },
    stop: () => slack.stop(),
  }
}

function asOwn(slack: StandInSlack, message: Message): boolean {
  return message.author === slack.workspace.bot.id && !message.deleted
}

function fileOf({ name, content }: TextFile) {
  return { name, mimetype: 'text/plain', content }
}

function personOf(guest: Guest): Person {
  return (guest as SlackGuest).person
}

function asSeen(message: Message): Seen {
  const seen: SlackSeen = {
    id: message.ts,
    isCard: message.blocks[0]?.type === 'header',
    text: reads(message),
    buttons: buttons(message),
    options: elementsOf(message.blocks).flatMap(({ element }) =>
      objects(element.options).map((option) => asText(object(option.text).text)),
    ),
    looks: message.history.map((look) => reads(look)),
    at: message.history[0]?.at ?? Number(message.ts) * 1_000,
    // A copy keeps how it looked.
    message: { ...message },
  }
  return seen
}

function formOf(
  person: Person,
  view: OpenView,
  told: () => readonly { text: string; blocks: readonly Json[] }[],
  entered: Readonly<Record<string, string>> = {},
): Form {
  const inputs = objects(view.view.blocks).filter((block) => block.type === 'input')
  const labelled = inputs.map((block) => ({
    id: asText(block.block_id),
    label: asText(object(block.label).text),
    element: object(block.element),
  }))
  return {
    fields: Object.fromEntries(
      labelled.map(({ label, element }) => [
        label,
        // Slack's client keeps what was typed where a form is refused.
        entered[label] ??
          (asText(element.initial_value) || asText(object(object(element.initial_option).text).text)),
      ]),
    ),
    complaint: [
      ...labelled.flatMap(({ id, label }) => (view.errors[id] ? [`${label}: ${view.errors[id]}`] : [])),
      ...objects(view.view.blocks)
        .filter((block) => block.type === 'section')
        .map((block) => asText(object(block.text).text)),
    ].join('\n'),
    async submit(values) {
      const before = told().length
      await person.submit(view, { ...entered, ...values })
      if (person.modal() === view) return formOf(person, view, told, { ...entered, ...values })
      return reads(await until('a word about the form', () => told()[before], 10_000))
    },
  }
}
