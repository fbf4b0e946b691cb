import { readDates, writeDates } from '../search/dates.ts'
import type { Words } from '../search/words.ts'
import type { Fact, MemoryParts, Written } from './fact.ts'
import { type Asker, type Place, readRecord } from './record.ts'
import { insert, sameSubject, sayAgain, supersede } from './rows.ts'
import { type Subject, subjectKey, subjectOf } from './subject.ts'

// A person waits for an explicit write; without a vector it is found by words, and gets one later.
const embedMs = 3_000

/** Writes one fact: at most once per source, in place of what it makes untrue. */
export async function writeFact(
  parts: MemoryParts,
  asker: Asker,
  place: Place,
  fact: Fact,
  signal?: AbortSignal,
): Promise<Written> {
  const { database, words } = parts
  const now = parts.clock.now()
  const dated = writeDates(fact.text, { now: fact.at, timeZone: asker.timeZone })
  const subject = nameSubject(fact, words)

  const before = await sameSubject(database, asker, place, fact.scope, subject.key)
  const own = before.find((row) => row.source_id === fact.sourceId && row.ordinal === fact.ordinal)
  if (own) return { kind: 'stored', memory: readRecord(own), replaced: [] }
  const same = before.find((row) => plain(row.text) === plain(dated.text))
  if (same) return { kind: 'known', memory: await sayAgain(database, same, fact, now) }
  const stronger = before.find(
    (row) =>
      excludes(subject, row.text, dated.text, asker, fact.at) &&
      ((row.source === 'said' && fact.source === 'inferred') || row.valid_from > fact.at),
  )
  if (stronger) return { kind: 'outweighed', memory: readRecord(stronger) }

  const vectors = await parts.embedder.embed([dated.text], { limitMs: embedMs, signal })
  const memory = await insert(parts, asker, place, fact, { dated, subject, now, vectors })
  if (!memory) return { kind: 'settled' }
  // Read again after the insert: of two that are written at once, at least one then sees the other.
  const after = await sameSubject(database, asker, place, fact.scope, subject.key)
  const against = after.filter(
    (row) => row.id !== memory.id && excludes(subject, row.text, dated.text, asker, fact.at),
  )
  const later = against.find((row) => row.id > memory.id)
  if (later) {
    await supersede(parts, asker, place, later.id, [memory.id], fact.at)
    return { kind: 'outweighed', memory: readRecord(later) }
  }
  const untrue = against.filter((row) => row.id < memory.id)
  const replaced = await supersede(
    parts,
    asker,
    place,
    memory.id,
    [...untrue.map((row) => row.id), ...(fact.replaces ?? [])],
    fact.at,
  )
  return { kind: 'stored', memory, replaced }
}

// The same statement, whatever its punctuation and capitals. Every word counts: "not" is one.
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function nameSubject(fact: Fact, words: Words): Subject {
  return fact.subject ? { key: subjectKey(words, fact.subject), single: true } : subjectOf(fact.text, words)
}

// Two statements about one subject exclude each other when there can be only one, or when both give a time:
// "the demo is on 4 December" and "the demo is on 11 December".
function excludes(subject: Subject, old: string, fresh: string, asker: Asker, now: Date): boolean {
  if (subject.single) return true
  const hasTime = (text: string) =>
    readDates(text, { now, timeZone: asker.timeZone }).some((range) => range.grain !== 'year')
  return hasTime(old) && hasTime(fresh)
}
