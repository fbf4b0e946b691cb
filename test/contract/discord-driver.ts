import type { StandInDiscord } from '../support/discord/discord.ts'
import { fieldsOf, modalText } from '../support/discord/hands.ts'
import type { Person } from '../support/discord/people.ts'
import { buttonsOf, selectsOf, visibleText } from '../support/discord/screen.ts'
import type { WorldMessage, WorldModal } from '../support/discord/world.ts'
import type { Driver, Form, Guest, Post, Seen, Talk, Told } from './channel.ts'
import { until } from './waiting.ts'

interface DiscordGuest extends Guest {
  readonly person: Person
}

interface DiscordPost extends Post {
  readonly message: WorldMessage
}

interface DiscordSeen extends Seen {
  readonly message: WorldMessage
  /** What each button carries. */
  readonly ids: Readonly<Record<string, string>>
}

/** How many of the last events are told again. */
const redelivered = 40

export function discordDriver(discord: StandInDiscord): Driver {
  const { screen, world } = discord
  const bystander = discord.person('Bystander')

  const talk = (
    owner: Guest,
    first: WorldMessage,
    place: string,
    says: (person: Person, text: string, options?: Parameters<Person['dm']>[1]) => WorldMessage,
  ): Talk => {
    const startedAt = [...world.messages.keys()].indexOf(first.id)
    const toldFrom = new Set([...world.messages.keys()])
    const told = (person: Person) => screen.ephemerals(person.id).filter((one) => !toldFrom.has(one.id))

    /** What the person is told after that: a new notice, or one that was there and changed. */
    const acting = async (person: Person, act: () => void): Promise<WorldMessage | WorldModal> => {
      const looksOf = () => new Map(told(person).map((one) => [one.id, one.looks.length]))
      const before = looksOf()
      const modals = new Set(screen.modals(person.id))
      act()
      return until(
        'an answer to the click',
        () =>
          screen.modals(person.id).find((modal) => !modals.has(modal)) ??
          told(person).find((one) => one.looks.length > (before.get(one.id) ?? 0)),
        10_000,
      )
    }
    const tellAfter = async (person: Person, act: () => void): Promise<string> => {
      const shown = await acting(person, act)
      return 'looks' in shown ? screen.text(shown) : ''
    }
    const push = (who: Guest, on: Seen, customId: string) => {
      const { message } = on as DiscordSeen
      const now = screen.buttons(message).find((button) => button.customId === customId)
      if (now) personOf(who).click(message, now.label)
      else discord.hands.forge(personOf(who).id, message, customId)
    }

    const form = (person: Person, modal: WorldModal): Form => ({
      fields: Object.fromEntries(fieldsOf(modal).map(({ label, value }) => [label, value])),
      complaint: [modalText(modal), ...fieldsOf(modal).map(({ label, hint }) => `${label}: ${hint}`)].join(
        '\n',
      ),
      async submit(values) {
        const shown = await acting(person, () => person.submit(modal, values))
        if (!('looks' in shown)) return form(person, shown)
        // Discord opens no form in answer to a form: a button leads to it.
        if (!screen.buttons(shown).some((button) => button.label === 'Edit')) return screen.text(shown)
        const complaint = screen.text(shown)
        const again = await acting(person, () => person.click(shown, 'Edit'))
        if ('looks' in again) throw new Error(`No form, but: ${screen.text(again)}`)
        return { ...form(person, again), complaint }
      },
    })

    return {
      owner,
      limit: 2_000,
      first: { text: first.content, message: first } as DiscordPost,
      async say(text, who = owner, file) {
        const files = file ? [{ name: file.name, contentType: 'text/plain', content: file.content }] : []
        return { text, message: says(personOf(who), text, { files }) } as DiscordPost
      },
      async edit(post, text) {
        const { message } = post as DiscordPost
        const mention = message.content.startsWith('<@') ? `${message.content.split(' ')[0]} ` : ''
        personOf(owner).edit(message, mention + text)
      },
      async remove(post) {
        personOf(owner).remove((post as DiscordPost).message)
      },
      seen: async () => screen.answers(place).map((message) => asSeen(message)),
      signs: () => screen.typing(place),
      elsewhere: () =>
        [...world.messages.values()]
          .slice(startedAt)
          .filter((one) => one.authorId === world.botId && !one.ephemeralFor && !one.removedAt)
          .filter((one) => one.channelId !== place)
          .map((one) => screen.text(one)),
      press: (on, label, who = owner) =>
        tellAfter(personOf(who), () => push(who, on, (on as DiscordSeen).ids[label]!)),
      forge(on, label, value, who = owner) {
        const [action] = (on as DiscordSeen).ids[label]!.split('|')
        return tellAfter(personOf(who), () => push(who, on, `${action}|${value}`))
      },
      choose(on, option, who = owner) {
        const person = personOf(who)
        return tellAfter(person, () => person.select((on as DiscordSeen).message, [option]))
      },
      async openForm(on, fields, label = 'Edit') {
        const person = personOf(owner)
        const shown = await acting(person, () => push(owner, on, (on as DiscordSeen).ids[label]!))
        if (!('looks' in shown)) return form(person, shown)
        // A long form asks first which fields to change.
        const modal = await acting(person, () => person.select(shown, fields))
        if ('looks' in modal) throw new Error(`No form, but: ${screen.text(modal)}`)
        return form(person, modal)
      },
      async redeliver() {
        discord.gateway.redeliver(redelivered)
        // Nothing acknowledges an event: what comes after all of them, and is answered, shows that they are through.
        const last = discord.person('Last')
        last.dm('Is that all?')
        await until('the last event to be answered', () => screen.answers(last.dmChannel).length > 0)
      },
      toldTo: (person) => told(personOf(person)).map((one) => screen.text(one)),
      files: async () =>
        screen
          .answers(place)
          .flatMap((message) => message.attachments)
          .map((file) => ({ name: file.filename, content: new TextDecoder().decode(file.bytes) })),
      pings: () =>
        screen
          .pings()
          .filter(({ message }) => message.channelId === place)
          .flatMap(({ who }) => who)
          .filter((who) => who !== personOf(owner).id),
    }
  }

  const inThread = (owner: Guest, first: WorldMessage, thread: string) =>
    talk(owner, first, thread, (person, ...said) => person.post(thread, ...said))

  const mention = async (guest: Guest, text: string) => {
    const first = personOf(guest).mention('general', text)
    // The thread under a message has the message's own id.
    return inThread(guest, first, first.id)
  }

  const told = async (guest: Guest, text: string, within?: Talk): Promise<Told> => {
    const person = personOf(guest)
    const place = within ? (within.first as DiscordPost).message.channelId : 'general'
    const next = async (act: () => void) => {
      const before = new Map(screen.ephemerals(person.id).map((one) => [one.id, one.looks.length]))
      act()
      return until('an answer to the person alone', () =>
        screen.ephemerals(person.id).find((one) => one.looks.length > (before.get(one.id) ?? 0)),
      )
    }
    const [name = '', ...rest] = text.split(' ')
    await until('the commands to be registered', () => world.commands.has('global'))
    const option = { forget: 'what', link: 'code' }[name] ?? 'search'
    const options = rest.length === 0 ? {} : { [option]: rest.join(' ') }
    const notice = await next(() => person.command(place, `hermes ${name}`, options))
    return {
      text: screen.text(notice),
      press: async (label) => screen.text(await next(() => person.click(notice, label))),
    }
  }

  return {
    channel: 'discord',
    guest(name, { alsoCalled = name } = {}) {
      const person = discord.person(alsoCalled)
      if (alsoCalled !== name) discord.guild.nicks.set(person.id, name)
      return { name, person } as DiscordGuest
    },
    received: async (person) => screen.answers(personOf(person).dmChannel).map((one) => screen.text(one)),
    beginnings: {
      'a mention in a channel': mention,
      'a mention inside a thread of people': async (guest, text) => {
        const thread = personOf(guest).thread('general', 'By the way')
        return inThread(guest, personOf(guest).mention(thread, text), thread.id)
      },
      'a direct message': async (guest, text) => {
        const person = personOf(guest)
        return talk(guest, person.dm(text), person.dmChannel, (who, ...more) => who.dm(...more))
      },
      'a post in a forum': async (guest, text) => {
        const { thread, message } = personOf(guest).forumPost('ideas', 'An idea', `<@${world.botId}> ${text}`)
        return inThread(guest, message, thread.id)
      },
    },
    shared: mention,
    desk: {
      cards: async () => screen.answers(discord.channel('desk').id).map((message) => asSeen(message)),
      async talk(card, by) {
        const { message } = card as DiscordSeen
        return inThread(by, message, message.id)
      },
    },
    room: 'support',
    async inRoom(guest) {
      const hello = personOf(guest).post('support', 'Good morning')
      return inThread(guest, hello, hello.channelId)
    },
    files: (person) =>
      screen
        .answers(personOf(person).dmChannel)
        .flatMap((message) => message.attachments)
        .map((file) => ({ name: file.filename, content: new TextDecoder().decode(file.bytes) })),
    command: async (guest, text, within) => (await told(guest, text, within)).text,
    told,
    async moved() {},
    crowd: {
      massPings: `@everyone @here <@&${discord.guild.roles[1]!.id}> <@${bystander.id}>`,
      async chatter(guest, text) {
        const thread = personOf(guest).thread('general', 'Just between us')
        return inThread(guest, personOf(guest).post(thread, text), thread.id)
      },
      async ask(talking, text, by) {
        personOf(by).mention((talking.first as DiscordPost).message.channelId, text)
      },
      forgetful() {
        discord.faults.add({
          method: 'GET',
          path: /\/channels\/\d+\/messages$/,
          does: { kind: 'status', status: 403 },
        })
      },
      async addMention(talking, post) {
        const { message } = post as DiscordPost
        personOf(talking.owner).edit(message, `<@${world.botId}> ${message.content}`)
        return talking
      },
      async bot(talking, text) {
        const { message } = talking.first as DiscordPost
        discord.bot('Robot').post(message.threadId ?? message.channelId, `<@${world.botId}> ${text}`)
      },
      slowClick(ms) {
        discord.faults.add({ method: 'POST', path: /\/callback$/, does: { kind: 'slow', ms } })
      },
      trouble(kind) {
        discord.faults.add({
          method: 'POST',
          path: /\/channels\/\d+\/messages$/,
          times: 2,
          does:
            kind === 'rate-limited'
              ? { kind: 'rate-limit', retryAfter: 0.5 }
              : { kind: 'status', status: 503 },
        })
      },
    },
    stop: () => discord.stop(),
  }
}

function personOf(guest: Guest): Person {
  return (guest as DiscordGuest).person
}

/** A text as it is read: a backslash only takes a sign's meaning away. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** Layout components: cards have them, answers do not. */
const layout = 1 << 15

function asSeen(message: WorldMessage): Seen {
  const buttons = buttonsOf(message).filter((one) => !one.disabled)
  const seen: DiscordSeen = {
    id: message.id,
    isCard: (message.flags & layout) !== 0,
    text: unescaped(visibleText(message)),
    buttons: buttons.map((button) => button.label),
    options: selectsOf(message).flatMap((select) => select.options?.map((option) => option.label) ?? []),
    looks: message.looks.map((look) => visibleText(look)),
    at: message.at,
    message,
    ids: Object.fromEntries(buttons.map((button) => [button.label, button.customId ?? ''])),
  }
  return seen
}
