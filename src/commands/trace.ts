import { traceTree } from '../agent/viewing/trace-tree.ts'
import type { TraceNode } from '../channel/view.ts'
import type { Settings } from '../config/environment.ts'
import type { Database } from '../store/client.ts'
import { withDatabase } from './database.ts'

/** Prints the trace of a turn, or of the turns of a thread (by its session's id or the thread's own), as a tree. */
export async function trace(input: {
  readonly settings: Settings
  readonly rest: readonly string[]
}): Promise<number> {
  const wanted = input.rest[0]
  return withDatabase(input.settings, async (db) => {
    const turns = await turnsOf(db, wanted)
    if (turns.length === 0) {
      console.error(wanted ? `There is no turn or thread ${wanted}.` : 'There are no turns yet.')
      return 1
    }
    for (const turn of turns) console.log(await printed(db, turn))
    return 0
  })
}

interface TurnLine {
  readonly id: string
  readonly status: string
  readonly outcome: string | null
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
  readonly person: { readonly displayName: string }
}

async function turnsOf(db: Database, wanted: string | undefined): Promise<readonly TurnLine[]> {
  const include = { person: { select: { displayName: true } } }
  if (wanted?.startsWith('turn_')) {
    const turn = await db.turn.findUnique({ where: { id: wanted }, include })
    return turn ? [turn] : []
  }
  if (!wanted) {
    return (await db.turn.findMany({ orderBy: { id: 'desc' }, take: 1, include })).reverse()
  }
  const session = await db.session.findFirst({
    where: { OR: [{ id: wanted }, { thread: wanted }] },
    orderBy: { lastActivityAt: 'desc' },
  })
  if (!session) return []
  return (
    await db.turn.findMany({ where: { sessionId: session.id }, orderBy: { id: 'desc' }, take: 20, include })
  ).reverse()
}

async function printed(db: Database, turn: TurnLine): Promise<string> {
  const spans = await db.span.findMany({ where: { turnId: turn.id }, orderBy: { id: 'asc' } })
  const said = await db.message.findMany({
    where: { turnId: turn.id, role: { in: ['user', 'assistant'] } },
    orderBy: { seq: 'asc' },
    select: { role: true, text: true },
  })
  const head = [
    `${turn.id}  ${turn.status}${turn.outcome ? ` (${turn.outcome})` : ''}  ${turn.person.displayName}  ${turn.startedAt.toISOString()}`,
    used(turn),
  ]
  const aside = await db.modelUse.findMany({ where: { turnId: turn.id }, orderBy: { id: 'asc' } })
  const lines = said
    .filter((message) => message.text.trim() !== '')
    .map((message) => `  ${message.role === 'user' ? '>' : '<'} ${oneLine(message.text, 100)}`)
  return [
    ...head,
    ...lines,
    ...traceTree(spans).flatMap((node) => drawn(node, '', true)),
    ...aside.map((one) => `+ ${one.task}  ${one.model}  ${used(one)}`),
    '',
  ].join('\n')
}

function used(of: {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
}): string {
  const cost = of.cost > 0 ? `, cost ${Number(of.cost.toPrecision(3))}` : ''
  return `${of.inputTokens} tokens in, ${of.outputTokens} out${cost}`
}

function drawn(node: TraceNode, indent: string, last: boolean): readonly string[] {
  const below = `${indent}${last ? '  ' : '│ '}`
  // Lists of sentences, as what spoke for each tool, are read line by line.
  const lists = Object.entries(node.attributes).filter(([, value]) => isList(value)) as [string, string[]][]
  const facts = Object.entries(node.attributes)
    .filter(([, value]) => !isList(value))
    .map(
      ([name, value]) => `${name}=${oneLine(typeof value === 'string' ? value : JSON.stringify(value), 120)}`,
    )
    .join(' ')
  const time = `+${Math.round(node.startedMs)} ms, ${Math.round(node.durationMs)} ms`
  const line = `${indent}${last ? '└' : '├'} ${node.name}  ${time}  ${node.outcome}${facts ? `  ${facts}` : ''}`
  return [
    line,
    ...lists.flatMap(([name, rows]) => [
      `${below}  ${name}:`,
      ...rows.map((row) => `${below}    ${oneLine(row, 140)}`),
    ]),
    ...node.children.flatMap((child, index) => drawn(child, below, index === node.children.length - 1)),
  ]
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.some((one) => typeof one === 'string' && one.includes(' '))
}

function oneLine(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length <= length ? flat : `${flat.slice(0, length - 1).toWellFormed()}…`
}
