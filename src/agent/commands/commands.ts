import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { isTimeZone, type Language, phrases } from '../../base/words.ts'
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
import { allowances, stateOfRow, stateRows } from '../../session/state.ts'
import type { Database } from '../../store/client.ts'
import type { Approvals } from '../../tools/approvals/approvals.ts'
import type { Grants } from '../../tools/approvals/grants.ts'
import type { TicketAddress } from '../../tools/builtin/tickets.ts'
import type { ToolRegistry } from '../../tools/registry.ts'
import type { LinkCommand } from '../people/link-command.ts'
import { answer } from './answer.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'
import { erase, isEverything, previewErasing } from './erasing.ts'
import { exported } from './exporting.ts'
import { openApprovals, openReminders, openTickets } from './lists.ts'
import { correctMemory, listMemories, pressMemory, previewForgetting } from './memories.ts'
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
  ids: Ids
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
  const { db, memory, clock } = parts

  return {
    async run(event, spoken) {
      const known = await askerOf(event)
      const asker = spoken ? { ...known, language: spoken } : known
      const words = commandWords(asker.language)
      const rest = event.text.trim()
      switch (event.name.toLowerCase()) {
        case 'memory':
          return listMemories(memory, asker, rest)
        case 'forget':
          return isEverything(rest) ? previewErasing(parts, asker) : previewForgetting(memory, asker, rest)
        case 'export':
          return exported(parts, event, asker)
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
        case 'approvals':
          return openApprovals(parts, event, asker)
        case 'reminders':
          return openReminders(parts, asker)
        case 'tickets':
          return openTickets(parts, event, asker)
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
      if (event.action === 'answer.why') {
        const at = { thread: event.thread, turnId: event.value ?? '', now: clock.now() }
        return { kind: 'answered', ...(await whyOf(parts, asker, at)) }
      }
      if (event.action === 'own.erase') return erase(parts, asker)
      return pressMemory(memory, asker, event)
    },

    async submit(event) {
      if (event.action !== 'memory.correct') return undefined
      return correctMemory(memory, await askerOf(event), event)
    },
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
      include: stateRows,
    })
    const state = session ? stateOfRow(session) : 'idle'
    return `${state}: ${allowances[state].line}`
  }
}

/** What the buttons of answers do. */
const actions: ReadonlySet<string> = new Set([
  'answer.why',
  'memory.forget',
  'own.erase',
  'memory.restore',
  'memory.correct',
  'link.confirm',
  'link.cancel',
])
