import type { ThreadKind } from '../../channel/events.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'

/** A command, in words. */
export interface SpokenCommand {
  readonly name: string
  readonly text: string
}

/** Whole messages that mean a command by themselves, in both languages; what else is said is for the model. */
const spoken: readonly (readonly [words: RegExp, name: string, text?: string])[] = [
  [/^(?:help|帮助)$/i, 'help'],
  [/^(?:status|状态)$/i, 'status'],
  [/^(?:reset|重置|重新开始)$/i, 'reset'],
  [/^(?:(?:my )?memor(?:y|ies)|我的记忆)$/i, 'memory'],
  [/^(?:export(?: my data)?|导出(?:我的)?数据)$/i, 'export'],
  [/^private on$/i, 'private', 'on'],
  [/^private off$/i, 'private', 'off'],
  [/^(?:(?:my )?approvals|待我确认)$/i, 'approvals'],
  [/^(?:(?:my )?reminders|我的提醒)$/i, 'reminders'],
  [/^(?:(?:my )?tickets|我的工单)$/i, 'tickets'],
  [/^(?:link(?: (?:me|my (?:accounts?|identit(?:y|ies))))?|关联(?:我的)?(?:账号|帐号|账户|身份)?)$/i, 'link'],
  [/^(?:link yes|confirm (?:the )?link|确认关联)$/i, 'link', 'yes'],
  [/^(?:link no|cancel (?:the )?link|不关联)$/i, 'link', 'no'],
  [/^(?:unlink(?: me)?|link off|取消关联)$/i, 'link', 'off'],
]

/** What follows "hermes" as with a slash command. What needs buttons (`forget`) is for the model, whose tool asks. */
const named = /^(help|memory|export|private|approvals|reminders|tickets|why|status|reset|link)(?:\s+(.*))?$/is
/** A code to link by, as it is said without the command. */
const code = /^(?:link|关联)\s+([a-z2-9]{4}-[a-z2-9]{4})$/i

/** What others may read the answer to. */
const harmless: ReadonlySet<string> = new Set(['help', 'status', 'reset'])

/**
 * The command that a message is, as a whole. In a thread that others read only those count whose answer everybody may
 * see; with a slash the others are answered to the person alone.
 */
export function commandIn(message: string, kind: ThreadKind): SpokenCommand | undefined {
  const text = message.trim().replace(/[.。!！?？]+$/, '')
  const prefixed = /^(?:\/hermes|hermes[,，:：]?)\s+(.+)$/is.exec(text)?.[1] ?? undefined
  const [, name, rest = ''] = (prefixed && named.exec(prefixed)) || []
  const [, plain, more = ''] = spoken.find(([words]) => words.test(prefixed ?? text)) ?? []
  const said = code.exec(text)?.[1]
  const command = name
    ? { name: name.toLowerCase(), text: rest }
    : plain
      ? { name: plain, text: more }
      : said
        ? { name: 'link', text: said }
        : undefined
  return command && (kind === 'direct' || harmless.has(command.name)) ? command : undefined
}

/** The command that a turn is about, where it has not been answered yet. Read from its rows, so also after a crash. */
export function commandOf(snapshot: Snapshot, turn: OpenTurn): SpokenCommand | undefined {
  const own = snapshot.messages.filter((message) => message.turnId === turn.id && message.role !== 'note')
  const [message, ...more] = own.filter((one) => !one.removed)
  if (!message || more.length > 0 || message.role !== 'user' || message.attachments.length > 0)
    return undefined
  return commandIn(message.text, snapshot.kind)
}
