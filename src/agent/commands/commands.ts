import { createHash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { clockTime, isTimeZone, type Language, phrases } from '../../base/words.ts'
import type { CardAction, Form } from '../../channel/card.ts'
import {
  type ActionEvent,
  type CommandEvent,
  type FormEvent,
  type InboundEvent,
  identitySpace,
  type ThreadRef,
} from '../../channel/events.ts'
import type { Receipt, Speaker } from '../../channel/port.ts'
import type { Log } from '../../observe/log.ts'
import { teamOf } from '../../session/people.ts'
import { allowances, stateOf } from '../../session/state.ts'
import type { Database } from '../../store/client.ts'
import type { Approvals } from '../../tools/approvals.ts'
import { repeatWords } from '../../tools/builtin/reminders.ts'
import type { TicketAddress } from '../../tools/builtin/tickets.ts'
import type { Grants } from '../../tools/grants.ts'
import type { ToolRegistry } from '../../tools/registry.ts'
import type { LinkCommand } from '../people/link-command.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'
import { ownData } from './own-data.ts'
import { whyOf } from './why.ts'
import { commandWords } from './words.ts'

/** Slash commands, the web page's menu, and the buttons that their answers carry. Answers go to the person alone. */
export interface Commands {
  /** @param spoken the language that it was said in, where that is known */
  run(event: CommandEvent, spoken?: Language): Promise<Receipt>
  /** `undefined` where the action is none of theirs. */
  press(event: ActionEvent): Promise<Receipt | undefined>
  submit(event: FormEvent): Promise<Receipt | undefined>
}

export function createCommands(parts: {
  db: Database
  approvals: Approvals
  grants: Grants
  memory: CommandMemory
  link: LinkCommand
  clock: Clock
  timeZone: string
  language: Language
  registry: ToolRegistry
  speaker: (thread: ThreadRef) => Speaker
  log: Log
  ticketAddress: TicketAddress
  /** One line about model and parts, for `status`. */
  status: () => string
}): Commands {
  const { db, approvals, memory, clock } = parts
  const answer = (notice: string, actions: readonly CardAction[] = []): Receipt => ({
    kind: 'answered',
    notice,
    actions,
  })

  return {
    async run(event, spoken) {
      const known = await askerOf(event)
      const asker = spoken ? { ...known, language: spoken } : known
      const words = commandWords(asker.language)
      const rest = event.text.trim()
      switch (event.name.toLowerCase()) {
        case 'memory': {
          const { lines, hidden } = await memory.list(asker, rest)
          const shown = lines.map((line) => `- ${line.text}`).join('\n')
          return answer(
            [
              lines.length > 0 ? `${words.memories}\n${shown}` : words.noMemories,
              hidden > 0 ? words.hidden(hidden) : '',
            ]
              .filter((part) => part !== '')
              .join('\n\n'),
          )
        }
        case 'forget': {
          if (rest === '') return answer(words.forgetWhat)
          const found = await memory.preview(asker, rest)
          if (found.length === 0) return answer(words.nothingFits)
          return answer(
            `${words.wouldForget}\n${found.map((one) => `- ${one.text}`).join('\n')}`,
            found.slice(0, 5).map((one) => ({
              label: words.forgetOne(short(one.text)),
              action: 'memory.forget',
              value: one.id,
              style: 'danger' as const,
            })),
          )
        }
        case 'export':
          return exported(event, asker)
        case 'why':
          return {
            kind: 'answered',
            ...(await whyOf(parts, asker, { thread: event.thread, now: clock.now() })),
          }
        case 'private': {
          const on = /^(?:on|开|开启)$/i.test(rest)
          if (!on && !/^(?:off|关|关闭)$/i.test(rest)) {
            return answer(asker.privateInShared ? words.privateIsOff : words.privateIsOn)
          }
          await db.person.updateMany({ where: { id: asker.personId }, data: { privateInShared: !on } })
          return answer(on ? words.privateIsOn : words.privateIsOff)
        }
        case 'approvals': {
          const [open, allowed] = await Promise.all([
            approvals.openOf(event),
            parts.grants.list({ personId: asker.personId }),
          ])
          const now = clock.now()
          const lines = open.map(({ approval }) => {
            const what = [approval.snapshot.title, approval.snapshot.target].filter(Boolean).join(': ')
            return `- ${what} (${clockTime(approval.expiresAt, now, asker.timeZone, asker.language)})`
          })
          return answer(
            [
              open.length === 0 ? words.noApprovals : [words.approvals, ...lines].join('\n'),
              ...(allowed.length === 0
                ? []
                : [[words.allowed, ...allowed.map(({ what }) => `- ${what}`)].join('\n')]),
            ].join('\n\n'),
            allowed.slice(0, 5).map(({ id, what }) => ({
              label: words.revokeOne(short(what)),
              action: 'grant.revoke',
              value: id,
              style: 'danger' as const,
            })),
          )
        }
        case 'reminders': {
          const open = await db.reminder.findMany({
            where: { personId: asker.personId, status: 'open' },
            orderBy: { dueAt: 'asc' },
            take: 20,
          })
          const now = clock.now()
          return answer(
            open.length === 0
              ? words.noReminders
              : `${words.reminders}\n${open
                  .map((one) => {
                    const repeat = one.recurrence ? ` (${repeatWords(one.recurrence, asker.language)})` : ''
                    return `- ${clockTime(one.dueAt, now, asker.timeZone, asker.language)}: ${one.text}${repeat}`
                  })
                  .join('\n')}`,
          )
        }
        case 'tickets': {
          const tickets = await db.ticket.findMany({
            where: { workspace: teamOf(event.thread, asker.personId), status: { not: 'closed' } },
            orderBy: { number: 'desc' },
            take: 15,
          })
          return answer(
            tickets.length === 0
              ? words.noTickets
              : tickets
                  .map((ticket) => {
                    const page = parts.ticketAddress(ticket.number, event.thread)
                    const key = page === undefined ? `T-${ticket.number}` : `[T-${ticket.number}](${page})`
                    return `- **${key}** ${ticket.title} · ${ticket.status} · ${ticket.priority}`
                  })
                  .join('\n'),
          )
        }
        case 'link':
          return parts.link.run(event, asker.language)
        case 'status':
          return answer(`${await stateLine(event)}\n${parts.status()}`)
        default:
          return answer(`${phrases(asker.language).welcome}\n\n${words.help}`)
      }
    },

    async press(event) {
      if (!actions.has(event.action)) return undefined
      const asker = await askerOf(event)
      const linked = await parts.link.press(event, asker.language)
      if (linked) return linked
      const words = commandWords(asker.language)
      if (event.action === 'answer.why') {
        const at = { thread: event.thread, turnId: event.value ?? '', now: clock.now() }
        return { kind: 'answered', ...(await whyOf(parts, asker, at)) }
      }
      if (event.action === 'memory.correct') {
        const [found] = await memory.byIds(asker, [event.value ?? ''])
        return found?.own ? { kind: 'answered', form: correcting(found, words) } : answer(words.nothingFits)
      }
      const ids = [event.value ?? '']
      if (event.action === 'memory.restore') {
        const count = await memory.restore(asker, ids)
        return answer(count > 0 ? words.restored : words.nothingFits)
      }
      const gone = await memory.forget(asker, ids)
      if (gone.length === 0) return answer(words.nothingFits)
      return answer(words.forgotten(gone.map((one) => one.text).join(' · ')), [
        { label: words.undo, action: 'memory.restore', value: ids[0]!, style: 'quiet' },
      ])
    },

    async submit(event) {
      if (event.action !== 'memory.correct') return undefined
      const asker = await askerOf(event)
      const words = commandWords(asker.language)
      const text = event.fields.text?.trim() ?? ''
      const [found] = await memory.byIds(asker, [event.value ?? ''])
      if (!found?.own) return answer(words.nothingFits)
      const form = correcting({ ...found, text: text || found.text }, words)
      if (text === '') return { kind: 'answered', form }
      const corrected = await memory.correct(asker, found.id, text, event.dedupeKey)
      if (!corrected) return answer(words.nothingFits)
      if ('sentence' in corrected) return { kind: 'answered', form: { ...form, error: corrected.sentence } }
      return answer(words.corrected(corrected.text))
    },
  }

  /** Short data, and all of it on the web, is told at once; else a file goes to the person's direct messages. */
  async function exported(event: CommandEvent, asker: CommandAsker): Promise<Receipt> {
    const text = JSON.stringify(await ownData(parts, asker), null, 1)
    const { thread, author, threadKind } = event
    if (thread.channel === 'web' || (threadKind === 'direct' && text.length <= mostInNotice)) {
      return answer(`\`\`\`json\n${text}\n\`\`\``)
    }
    const send = async () => {
      const speaker = parts.speaker(thread)
      const direct = await speaker.directThread(thread.workspace, author.userId)
      const surface = speaker.surface({ thread: direct, recipientId: author.userId })
      const nonce = createHash('sha256').update(event.dedupeKey).digest('hex').slice(0, 24)
      await surface.attach({ name: 'hermes-export.json', text }, nonce).finally(() => surface.close())
    }
    // The person is answered at once; a file takes its time.
    void send().catch((error: unknown) =>
      parts.log.warn({ error: messageOf(error) }, 'An export was not sent'),
    )
    return answer(commandWords(asker.language).exportSent)
  }

  async function askerOf(event: InboundEvent): Promise<CommandAsker> {
    const { channel } = event.thread
    const row = await db.identity.findUnique({
      where: {
        channel_workspace_userId: {
          channel,
          workspace: identitySpace(event.thread),
          userId: event.author.userId,
        },
      },
      include: { person: true },
    })
    const language = row?.person.language ?? event.author.language
    const zone = row?.person.timeZone ?? event.author.timeZone
    return {
      // Someone who never wrote here has no rows, and finds none.
      personId: row?.personId ?? '',
      name: event.author.name,
      timeZone: zone && isTimeZone(zone) ? zone : parts.timeZone,
      language: language === 'zh' ? 'zh' : language === 'en' ? 'en' : parts.language,
      workspace: teamOf(event.thread, row?.personId ?? ''),
      shared: event.threadKind === 'shared',
      privateInShared: row?.person.privateInShared ?? false,
    }
  }

  async function stateLine(event: CommandEvent): Promise<string> {
    const { channel, workspace, room, thread } = event.thread
    const session = await db.session.findUnique({
      where: { channel_workspace_room_thread: { channel, workspace, room, thread } },
      include: {
        turns: { where: { status: { in: ['running', 'waiting'] } } },
        calls: { where: { status: { in: ['proposed', 'approved', 'executing', 'unknown'] } } },
      },
    })
    const state = session
      ? stateOf({
          archived: session.archivedAt !== null,
          turns: session.turns,
          calls: session.calls,
          answered: session.seq > 0,
        })
      : 'idle'
    return `${state}: ${allowances[state].line}`
  }
}

/** What the buttons of answers do. */
const actions: ReadonlySet<string> = new Set([
  'answer.why',
  'memory.forget',
  'memory.restore',
  'memory.correct',
  'link.confirm',
  'link.cancel',
])

/** The most characters of an export that are told in a notice. */
const mostInNotice = 1_500

function correcting(
  memory: { readonly id: string; readonly text: string },
  words: ReturnType<typeof commandWords>,
): Form {
  return {
    action: 'memory.correct',
    value: memory.id,
    title: words.correctTitle,
    submitLabel: words.save,
    fields: [
      { name: 'text', label: words.correctField, kind: 'multiline', value: memory.text, required: true },
    ],
  }
}

function short(text: string): string {
  const characters = [...text]
  return characters.length <= 40 ? text : `${characters.slice(0, 39).join('')}…`
}
