import { rangeKeys, readDates } from '../search/dates.ts'
import { fuse, type MatchRow, matchesIn, type Ranked, readMatches } from '../search/fused.ts'
import { Prisma } from '../store/prisma/client.ts'
import { current, readableBy } from './access.ts'
import { credibility, doubtfulBelow, recency } from './credibility.ts'
import type { MemoryParts } from './fact.ts'
import {
  type Asker,
  type MemoryRecord,
  type MemoryRow,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'

/** What an answer wants to know. */
export interface RecallRequest {
  readonly asker: Asker
  readonly place: Place
  readonly query: string
  /** The same question in other words, where the caller has some. */
  readonly rewrites?: readonly string[]
  /** At most so many; default 8. */
  readonly limit?: number
  /** At most so many tokens in all; default 800. */
  readonly tokenBudget?: number
  readonly countTokens?: (text: string) => number
  /** Standing instructions come along whatever the question; default true. */
  readonly standing?: boolean
  /** Memories to leave out, for example because the conversation holds them already. */
  readonly except?: readonly string[]
  /** Counts as a use of what comes back; default true. */
  readonly touch?: boolean
  readonly signal?: AbortSignal
}

/** A memory that bears on a question. */
export interface Recalled extends MemoryRecord {
  /** `standing`: an instruction that always holds. `match`: it answers to the question. */
  readonly why: 'standing' | 'match'
  /** 0 to 1. */
  readonly score: number
  readonly credibility: number
  /** To be asked about ("is … still right?") before it is used. */
  readonly doubtful: boolean
}

const mostStanding = 6
// The nearest by words and by vector are read this deep, so that their fusion has what to choose from.
const depth = 60
// Encoding a question takes some 30 ms; an encoder that still loads or hangs must not hold up an answer.
const embedMs = 2_000
// What a message is about is said in its beginning; pasted logs behind it are not searched for.
const longestQuery = 4_000
// Less of the question's words than this is chance.
const leastCoverage = 0.05
// How far behind the best match one may fall.
const leastOfBest = 0.25

/** A question as it is encoded. */
export function questionOf(request: Pick<RecallRequest, 'query' | 'rewrites'>): string {
  return [request.query, ...(request.rewrites ?? [])].join('\n').slice(0, longestQuery)
}

/**
 * The memories that bear on a question and may be used here, the best first.
 * @param told whether there are any with a vector
 */
export async function recall(
  parts: MemoryParts,
  request: RecallRequest,
  told: (encoded: boolean) => void = () => {},
): Promise<Recalled[]> {
  const { database } = parts
  const now = parts.clock.now()
  const scope = Prisma.sql`
    SELECT memory.id, memory.words, memory.embedding, memory.embedding_model FROM memory
    WHERE ${current(now)} AND ${readableBy(request.asker, request.place)}
      AND memory.id <> ALL (${[...(request.except ?? [])]}::text[])`
  const [held] = await database.rows<{ any: boolean; encoded: boolean }>`
    SELECT EXISTS (SELECT 1 FROM (${scope}) AS allowed) AS any,
      EXISTS (SELECT 1 FROM (${scope}) AS allowed
        WHERE embedding_model = ${parts.embedder.name} AND embedding IS NOT NULL) AS encoded`
  told(held?.encoded ?? false)
  if (!held?.any) return []

  const text = questionOf(request)
  const vectors = held.encoded
    ? await parts.embedder.embed([text], { limitMs: embedMs, signal: request.signal })
    : undefined
  const keys = dateWords(text, request.asker.timeZone, now)
  const rows = await database.rows<MatchRow>(
    matchesIn(
      scope,
      {
        words: [...new Set([...parts.words.query(text), ...keys])],
        vector: vectors?.[0],
        embeddingModel: parts.embedder.name,
      },
      depth,
    ),
  )
  const matches = bearing(fuse(readMatches(rows)), parts.embedder.alike)
  const records = await read(parts, request, matches, now)
  return choose(rank(records, matches, now), request)
}

// A question doesn't say whether its Friday is the last or the next one: either may be meant.
function dateWords(text: string, timeZone: string, now: Date): string[] {
  return (['past', 'future'] as const).flatMap((lean) =>
    readDates(text, { now, timeZone, lean })
      .filter((range) => range.hasDay)
      .flatMap((range) => rangeKeys(range, timeZone)),
  )
}

/** Counts a use of memories. */
export async function touch(parts: MemoryParts, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await parts.database.$executeRaw`
    UPDATE memory SET access_count = access_count + 1, last_access_at = ${parts.clock.now()}::timestamptz
    WHERE id = ANY (${[...ids]}::text[])`
}

/** Those whose words or meaning really touch the question. */
export function bearing(ranked: readonly Ranked[], alike: number): Ranked[] {
  const best = ranked[0]?.relevance ?? 0
  return ranked.filter(
    (match) =>
      match.relevance >= best * leastOfBest &&
      (match.coverage >= leastCoverage || (match.similarity ?? -1) >= alike),
  )
}

async function read(
  parts: MemoryParts,
  request: RecallRequest,
  matches: readonly Ranked[],
  now: Date,
): Promise<MemoryRecord[]> {
  const ids = matches.map((match) => match.id)
  const mayRead = Prisma.sql`${current(now)} AND ${readableBy(request.asker, request.place)}`
  const rows = await parts.database.rows<MemoryRow>`
    SELECT ${memoryColumns} FROM memory WHERE memory.id = ANY (${ids}::text[]) AND ${mayRead}
    UNION
    (SELECT ${memoryColumns} FROM memory
      WHERE ${request.standing ?? true}::boolean AND memory.category = 'instruction' AND ${mayRead}
        AND memory.id <> ALL (${[...(request.except ?? [])]}::text[])
      ORDER BY memory.importance DESC, memory.happened_at DESC LIMIT ${mostStanding})`
  return rows.map(readRecord)
}

function rank(records: readonly MemoryRecord[], matches: readonly Ranked[], now: Date): Recalled[] {
  const relevance = new Map(matches.map((match) => [match.id, match.relevance]))
  return records
    .map((record): Recalled => {
      const believed = credibility(record, now)
      const matched = relevance.get(record.id)
      return {
        ...record,
        why: matched === undefined ? 'standing' : 'match',
        score: weigh({
          relevance: matched ?? 0,
          recency: recency(record, now),
          importance: record.importance,
          credibility: believed,
        }),
        credibility: believed,
        doubtful: believed < doubtfulBelow,
      }
    })
    .sort((a, b) => b.score - a.score || b.happenedAt.getTime() - a.happenedAt.getTime())
}

/** Relevance leads; how recently used, important and credible a memory is decides between equals. All 0 to 1. */
function weigh(part: {
  readonly relevance: number
  readonly recency: number
  readonly importance: number
  readonly credibility: number
}): number {
  return part.relevance * (0.7 + 0.1 * part.recency + 0.1 * part.importance + 0.1 * part.credibility)
}

function choose(recalled: readonly Recalled[], request: RecallRequest): Recalled[] {
  const count = request.countTokens ?? roughTokens
  const limit = request.limit ?? 8
  let left = request.tokenBudget ?? 800
  const fits = (memory: Recalled) => {
    // Its date and marks are told with it.
    const cost = count(memory.text) + 12
    if (cost > left) return false
    left -= cost
    return true
  }
  const standing = recalled.filter((memory) => memory.why === 'standing' && fits(memory))
  const matches = recalled
    .filter((memory) => memory.why === 'match')
    .slice(0, limit)
    .filter(fits)
  return [...standing, ...matches]
}

/** About as many tokens as a model counts: a Chinese character is one, four Latin letters are one. */
function roughTokens(text: string): number {
  const wide =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}
