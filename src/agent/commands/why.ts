import { clockTime } from '../../base/words.ts'
import type { CardAction } from '../../channel/card.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { isEarlierQuote } from '../../session/earlier-posts.ts'
import type { Database } from '../../store/client.ts'
import type { ToolRegistry } from '../../tools/registry.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'
import { commandWords } from './words.ts'

/** Memories that get buttons of their own. */
const mostButtons = 2
/** Tools that say nothing about where an answer comes from. */
const unsaid: ReadonlySet<string> = new Set(['find_tools', 'update_plan', 'read_result', 'withdraw'])

/**
 * What shaped an answer: the memories that were at hand, with buttons to forget or correct them, the tools that were
 * used, and what others had said before. For the person who asked alone.
 * @param turnId of the answer; by default the last one of the person, in this thread where there is one
 */
export async function whyOf(
  parts: { readonly db: Database; readonly memory: CommandMemory; readonly registry: ToolRegistry },
  asker: CommandAsker,
  at: { readonly thread: ThreadRef; readonly turnId?: string; readonly now: Date },
): Promise<{ readonly notice: string; readonly actions: readonly CardAction[] }> {
  const words = commandWords(asker.language)
  const turn = await answeredTurn(parts.db, asker, at)
  if (!turn) return { notice: words.noAnswer, actions: [] }
  if (turn.person_id !== asker.personId) return { notice: words.onlySees(turn.asked_by), actions: [] }
  const [calls, notes, memories] = await Promise.all([
    parts.db.toolCall.findMany({ where: { turnId: turn.id }, orderBy: { id: 'asc' }, take: 30 }),
    parts.db.message.findMany({ where: { turnId: turn.id, role: 'note' }, select: { text: true } }),
    parts.memory.byIds(
      asker,
      turn.recalled.map(({ id }) => id),
    ),
  ])
  const used = calls
    .filter((call) => !unsaid.has(call.tool) && call.status !== 'refused')
    .map((call) => {
      const title = parts.registry.find(call.tool)?.title(asker.language) ?? call.tool
      const failed = call.status === 'failed' || call.status === 'unknown' ? ` (${words.failed})` : ''
      return `- ${[title, called(call.arguments)].filter((part) => part !== '').join(': ')}${failed}`
    })
  const sections = [
    ...(memories.length > 0
      ? [`**${words.whyMemories}**\n${memories.map((one) => `- ${one.text}`).join('\n')}`]
      : []),
    ...(used.length > 0 ? [`**${words.whyTools}**\n${[...new Set(used)].join('\n')}`] : []),
    ...(notes.some((note) => isEarlierQuote(note.text)) ? [words.whyThread] : []),
  ]
  const time = clockTime(turn.ended_at ?? turn.started_at, at.now, asker.timeZone, asker.language)
  return {
    notice: [words.whyFrom(time), ...(sections.length > 0 ? sections : [words.whyNothing])].join('\n\n'),
    actions: memories
      .filter((one) => one.own)
      .slice(0, mostButtons)
      .flatMap((one) => [
        { label: words.forgetOne(short(one.text)), action: 'memory.forget', value: one.id, style: 'danger' },
        { label: words.correctOne(short(one.text)), action: 'memory.correct', value: one.id },
      ]),
  }
}

interface AnsweredTurn {
  readonly id: string
  readonly person_id: string
  readonly asked_by: string
  readonly recalled: readonly { readonly id: string }[]
  readonly started_at: Date
  readonly ended_at: Date | null
}

async function answeredTurn(
  db: Database,
  asker: CommandAsker,
  { thread, turnId }: { readonly thread: ThreadRef; readonly turnId?: string },
): Promise<AnsweredTurn | undefined> {
  const [turn] = await db.rows<AnsweredTurn>`
    SELECT t.id, t.person_id, p.display_name AS asked_by, t.recalled, t.started_at, t.ended_at
    FROM turn t JOIN session s ON s.id = t.session_id JOIN person p ON p.id = t.person_id
    WHERE CASE WHEN ${turnId ?? null}::text IS NULL
        THEN t.person_id = ${asker.personId} AND t.status <> 'running' AND t.outcome IS DISTINCT FROM 'command'
        ELSE t.id = ${turnId ?? null} END
      AND s.channel = ${thread.channel}::channel_name AND s.workspace = ${thread.workspace}
    ORDER BY (s.room = ${thread.room} AND s.thread = ${thread.thread}) DESC, t.id DESC LIMIT 1`
  return turn
}

/** What a call was about, in its own words: the texts among its arguments. */
function called(args: unknown): string {
  const texts = Object.values((args ?? {}) as Record<string, unknown>).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  return short(texts.slice(0, 2).join(', '))
}

function short(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')]
  return characters.length <= 48 ? characters.join('') : `${characters.slice(0, 47).join('')}…`
}
