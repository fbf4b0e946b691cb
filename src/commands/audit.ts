import { parseArgs } from 'node:util'
import { messageOf } from '../base/errors.ts'
import type { Settings } from '../config/environment.ts'
import { redact } from '../observe/redact.ts'
import type { Database } from '../store/client.ts'
import { Prisma } from '../store/prisma/client.ts'
import { hashOf } from '../tools/hash.ts'
import { withDatabase } from './database.ts'

/** What of the audit log is wanted. Filters narrow each other. */
interface Wanted {
  readonly since?: Date
  readonly until?: Date
  /** A part of the person's name, or their id. */
  readonly person?: string
  /** The action, or its beginning: `approval` means all of `approval.confirmed`, `approval.cancelled`, … */
  readonly action?: string
  /** The session's id, or its thread's own. */
  readonly session?: string
  readonly subject?: string
  readonly tool?: string
  /** With what exactly was decided or done, as far as the ledger still has it. */
  readonly arguments: boolean
  readonly limit: number
}

interface Entry {
  readonly id: string
  readonly at: Date
  readonly action: string
  readonly person: string | null
  readonly personId: string | null
  readonly sessionId: string | null
  readonly subjectId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** An entry with the arguments that its call has by now. */
interface EntryRow extends Entry {
  readonly arguments: unknown
}

const usage =
  'npm run audit -- [--since 2026-11-01] [--until 2026-11-30T12:00Z] [--person Ann] [--action approval] [--session sess_…] [--subject call_…] [--tool create_ticket] [--arguments] [--limit 200] [--json | --csv]'

/** Prints entries of the audit log, the oldest first: as a table, as JSON lines, or as CSV. */
export async function audit(input: {
  readonly settings: Settings
  readonly rest: readonly string[]
}): Promise<number> {
  const asked = wantedOf(input.rest)
  if ('mistake' in asked) {
    console.error(`${asked.mistake}\n${usage}`)
    return 1
  }
  const entries = await withDatabase(input.settings, (db) => read(db, asked.wanted))
  if (entries.length === 0) console.error('No entry of the audit log fits.')
  for (const line of asked.lines(entries)) console.log(line)
  return 0
}

/** Entries as they are printed, line by line. */
type Lines = (entries: readonly Entry[]) => readonly string[]

function wantedOf(
  given: readonly string[],
): { readonly wanted: Wanted; readonly lines: Lines } | { readonly mistake: string } {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const options = {
    ...{ since: text, until: text, person: text, action: text, session: text, subject: text, tool: text },
    ...{ limit: { ...text, default: '200' }, arguments: flag, json: flag, csv: flag },
  }
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values']
  try {
    values = parseArgs({ args: [...given], options }).values
  } catch (error) {
    return { mistake: messageOf(error) }
  }
  const { since, until, limit, json, csv, arguments: exactly, ...filters } = values
  for (const [name, value] of Object.entries({ since, until })) {
    if (value !== undefined && Number.isNaN(Date.parse(value)))
      return { mistake: `--${name} is "${value}"; a date such as 2026-11-01 or 2026-11-01T09:00Z is meant.` }
  }
  const most = Number(limit)
  if (!Number.isInteger(most) || most < 1) return { mistake: `--limit is "${limit}"; a number is meant.` }
  const wanted = {
    ...filters,
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(until === undefined ? {} : { until: new Date(until) }),
    arguments: exactly === true,
    limit: most,
  }
  return { wanted, lines: json ? jsonLines : csv ? csvLines : tableLines }
}

async function read(db: Database, wanted: Wanted): Promise<readonly Entry[]> {
  const conditions = [
    Prisma.sql`true`,
    ...(wanted.since ? [Prisma.sql`a.at >= ${wanted.since}`] : []),
    ...(wanted.until ? [Prisma.sql`a.at < ${wanted.until}`] : []),
    ...(wanted.person === undefined
      ? []
      : [
          Prisma.sql`(a.person_id = ${wanted.person} OR strpos(lower(p.display_name), lower(${wanted.person})) > 0)`,
        ]),
    ...(wanted.action === undefined ? [] : [Prisma.sql`starts_with(a.action, ${wanted.action})`]),
    ...(wanted.session === undefined
      ? []
      : [Prisma.sql`(a.session_id = ${wanted.session} OR s.thread = ${wanted.session})`]),
    ...(wanted.subject === undefined ? [] : [Prisma.sql`a.subject_id = ${wanted.subject}`]),
    ...(wanted.tool === undefined
      ? []
      : [Prisma.sql`(a.data->>'tool' = ${wanted.tool} OR c.tool = ${wanted.tool})`]),
  ]
  // The newest ones count where there are more than wanted; they are told in the order in which they happened. An
  // approval's entry names its call in the data, a call's own entry is about it.
  const entries = await db.$queryRaw<EntryRow[]>`
    SELECT a.id, a.at, a.action, p.display_name AS person, a.person_id AS "personId", a.session_id AS "sessionId",
      a.subject_id AS "subjectId", a.data || CASE WHEN c.tool IS NULL THEN '{}' ELSE jsonb_build_object('tool', c.tool) END AS data, c.arguments
    FROM audit_event a
    LEFT JOIN person p ON p.id = a.person_id
    LEFT JOIN session s ON s.id = a.session_id
    LEFT JOIN tool_call c ON c.id = COALESCE(a.data->>'call', a.subject_id)
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY a.at DESC, a.id DESC LIMIT ${wanted.limit}`
  return entries
    .map(({ arguments: now, ...entry }) => ({
      ...entry,
      data: redact(
        wanted.arguments ? { ...entry.data, ...exactly(entry, now) } : entry.data,
      ) as Entry['data'],
    }))
    .reverse()
}

/** The arguments of an entry: those of its call, where these are still the ones whose hash was written down. */
function exactly({ data }: Entry, now: unknown): { readonly arguments?: unknown } {
  return data.argumentsHash !== undefined && hashOf(now) === data.argumentsHash ? { arguments: now } : {}
}

function jsonLines(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => JSON.stringify(entry))
}

function csvLines(entries: readonly Entry[]): readonly string[] {
  const rows = entries.map(({ at, action, person, personId, sessionId, subjectId, data, id }) =>
    [at.toISOString(), action, person, personId, sessionId, subjectId, JSON.stringify(data), id]
      .map(csvCell)
      .join(','),
  )
  return ['at,action,person,personId,sessionId,subjectId,data,id', ...rows]
}

/** Quoted where needed; a cell that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(value: string | null): string {
  const safe = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function tableLines(entries: readonly Entry[]): readonly string[] {
  const rows = entries.map((entry) => [
    entry.at.toISOString(),
    entry.action,
    entry.person ?? '',
    entry.subjectId ?? '',
    factsOf(entry.data),
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function factsOf(data: unknown): string {
  return Object.entries((data ?? {}) as Record<string, unknown>)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
    .replace(/\s+/g, ' ')
}
