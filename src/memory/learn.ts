import { readFileSync } from 'node:fs'
import { writableScope } from './access.ts'
import { archive } from './archive.ts'
import { type Candidate, findCandidates, type LearnLine, readCandidates } from './candidates.ts'
import { credibility } from './credibility.ts'
import type { MemoryParts } from './fact.ts'
import { recall } from './recall.ts'
import {
  type Asker,
  type MemoryRecord,
  type MemoryRow,
  memoryColumns,
  type Place,
  readRecord,
} from './record.ts'
import { defaultScope } from './remember.ts'
import { isSecret } from './secrets.ts'
import { writeFact } from './write.ts'

/** What a turn is learned from. */
export interface LearnRequest {
  readonly asker: Asker
  readonly place: Place
  readonly turnId: string
  readonly lines: readonly LearnLine[]
  readonly signal?: AbortSignal
}

/** Asks a model; the answer is its text. Throws when it can't be reached, so that the job is repeated. */
export type LearnModel = (
  prompt: { readonly instructions: string; readonly input: string },
  signal?: AbortSignal,
) => Promise<string>

/** What came of it. */
export interface Learned {
  readonly stored: readonly MemoryRecord[]
  readonly known: number
  /** Archived, because the session had more than its share. */
  readonly archived: number
}

/** So many memories may be learned from one session; beyond that the least worthy go. */
export const mostPerSession = 20

const instructions = readFileSync(new URL('./prompts/learn.md', import.meta.url), 'utf8')

/**
 * Learns from a finished turn. Doing it again writes nothing twice: a turn that has been learned from is
 * left alone, and each memory has the turn and its place in it as its key.
 */
export async function learn(
  parts: MemoryParts & { readonly model?: LearnModel },
  request: LearnRequest,
): Promise<Learned> {
  const sourceId = `learn:${request.turnId}`
  const nothing: Learned = { stored: [], known: 0, archived: 0 }
  if (request.place.writes?.length === 0) return nothing
  if (!request.lines.some((line) => isAskers(line, request.asker))) return nothing
  if (await isLearned(parts, sourceId)) return nothing

  const candidates = (await propose(parts, request)).filter((candidate) => {
    const line = request.lines[candidate.line]
    // A person's memory is made of their own words only.
    return line && isAskers(line, request.asker) && !isSecret(candidate.text) && !isSecret(line.text)
  })
  const stored: MemoryRecord[] = []
  let known = 0
  for (const [ordinal, candidate] of candidates.entries()) {
    const line = request.lines[candidate.line]
    const scope = writableScope(request.place, scopeOf(request.place, candidate))
    if (scope === undefined) continue
    const written = await writeFact(
      parts,
      request.asker,
      request.place,
      {
        text: candidate.text,
        original: candidate.quote,
        context: request.lines[candidate.line - 1]?.text.slice(0, 400) ?? '',
        source: candidate.confidence >= 0.7 ? 'said' : 'inferred',
        sourceId,
        ordinal,
        turnId: request.turnId,
        at: line?.at ?? parts.clock.now(),
        scope,
        category: candidate.category,
        ...(candidate.subject ? { subject: candidate.subject } : {}),
        importance: candidate.importance,
        confidence: candidate.confidence,
        replaces: candidate.replaces,
      },
      request.signal,
    )
    if (written.kind === 'stored') stored.push(written.memory)
    else if (written.kind === 'known') known += 1
  }
  const archived = stored.length > 0 ? await keepTheBest(parts, request) : 0
  return { stored, known, archived }
}

async function propose(
  parts: MemoryParts & { readonly model?: LearnModel },
  request: LearnRequest,
): Promise<Candidate[]> {
  if (!parts.model) return findCandidates(request.lines)
  const said = request.lines.filter((line) => isAskers(line, request.asker)).map((line) => line.text)
  const remembered = (
    await recall(parts, { ...request, query: said.join('\n').slice(0, 2_000), limit: 12, touch: false })
  ).filter((memory) => memory.personId === request.asker.personId)
  const shown = new Set(remembered.map((memory) => memory.id))
  const answer = await parts.model({ instructions, input: describe(request, remembered) }, request.signal)
  return readCandidates(answer, request.lines).map((candidate) => ({
    ...candidate,
    // The model may only replace what it was shown.
    replaces: candidate.replaces.filter((id) => shown.has(id)),
  }))
}

function describe(request: LearnRequest, remembered: readonly MemoryRecord[]): string {
  const known = remembered.map(({ id, text, happenedAt }) => ({
    id,
    said: happenedAt.toISOString().slice(0, 10),
    text,
  }))
  const lines = request.lines.map((line, speaker) => ({
    speaker,
    who: line.role === 'assistant' ? 'assistant' : (line.name ?? 'person'),
    text: line.text.slice(0, 4_000),
  }))
  return JSON.stringify({ remembered: known, conversation: lines }, null, 1)
}

function isAskers(line: LearnLine, asker: Asker): boolean {
  return line.role === 'person' && (line.personId ?? asker.personId) === asker.personId
}

// A model may say that something concerns the team; only where the team reads does that count.
function scopeOf(place: Place, candidate: Candidate) {
  if (!place.shared) return 'private' as const
  return candidate.shared === false ? ('private' as const) : defaultScope(place, candidate.text)
}

async function isLearned(parts: MemoryParts, sourceId: string): Promise<boolean> {
  const rows = await parts.database.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM memory WHERE source_id = ${sourceId}) AS found`
  return rows[0]?.found ?? false
}

// A long session must not fill the memory with its details: the least important and credible ones go.
async function keepTheBest(parts: MemoryParts, request: LearnRequest): Promise<number> {
  const { sessionId } = request.place
  if (!sessionId) return 0
  const now = parts.clock.now()
  const rows = await parts.database.$queryRaw<MemoryRow[]>`
    SELECT ${memoryColumns} FROM memory
    WHERE session_id = ${sessionId} AND person_id = ${request.asker.personId} AND status = 'active'
      AND source_id LIKE 'learn:%'`
  const worth = (memory: MemoryRecord) => memory.importance * credibility(memory, now)
  const surplus = rows
    .map(readRecord)
    .sort((a, b) => worth(b) - worth(a) || (a.id < b.id ? 1 : -1))
    .slice(mostPerSession)
  return archive(
    parts,
    surplus.map((memory) => memory.id),
  )
}
