import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Ids } from '../base/ids.ts'
import type { Log } from '../observe/log.ts'
import { type Embedder, tolerant } from '../search/embedder.ts'
import type { Words } from '../search/words.ts'
import type { Database } from '../store/client.ts'
import { type Corrected, type CorrectRequest, correct } from './correct.ts'
import type { MemoryParts } from './fact.ts'
import {
  type ForgetPreview,
  type ForgetPreviewRequest,
  type Forgotten,
  forget,
  forgetPreview,
  restore,
  takeBack,
} from './forget.ts'
import { type Learned, type LearnModel, type LearnRequest, learn } from './learn.ts'
import { byIds, exportAll, type ListRequest, list, type MemoryList } from './list.ts'
import { questionOf, type Recalled, type RecallRequest, recall, touch } from './recall.ts'
import type { Asker, MemoryRecord, Place } from './record.ts'
import { type Remembered, type RememberRequest, remember } from './remember.ts'
import { reembed, type Upkeep, upkeep } from './upkeep.ts'

/** Long-term memory. Every call names who asks, and in which place; what they may not see does not exist. */
export interface Memory {
  /** Writes what a person explicitly asks to remember. */
  remember(request: RememberRequest): Promise<Remembered>
  /** The memories that bear on a question, the best first. Counts their use in the background. */
  recall(request: RecallRequest): Promise<Recalled[]>
  /**
   * Begins with the part of a recall that takes longest, for a question that is recalled for soon. Does nothing
   * where this person's last recall found nothing to compare with.
   */
  prepare(request: Pick<RecallRequest, 'asker' | 'place' | 'query'>): void
  /** What a wish to forget would take, for the person to see first. */
  forgetPreview(request: ForgetPreviewRequest): Promise<ForgetPreview>
  /** Forgets memories of the asker's own; for ten minutes `undoForget` brings them back. */
  forget(asker: Asker, ids: readonly string[]): Promise<Forgotten[]>
  undoForget(asker: Asker, ids: readonly string[]): Promise<MemoryRecord[]>
  /** Takes back a writing: it is erased, and what it had replaced (returned) holds again. */
  undoRemember(asker: Asker, ids: readonly string[]): Promise<MemoryRecord[]>
  /** Ids of the asker's own memories that came of one source, for example of a call. */
  writtenBy(asker: Asker, sourceId: string): Promise<readonly string[]>
  /** Voids a memory, or puts a right statement in its place. */
  correct(request: CorrectRequest): Promise<Corrected>
  /** A page of a person's own memories. */
  list(request: ListRequest): Promise<MemoryList>
  /** Memories by id, as far as this person may read them here. */
  byIds(asker: Asker, place: Place, ids: readonly string[]): Promise<MemoryRecord[]>
  /** Everything kept of a person. */
  exportAll(asker: Asker): Promise<MemoryRecord[]>
  /** Learns from a finished turn; a job's work, safe to repeat. */
  learn(request: LearnRequest): Promise<Learned>
  /** Gives every memory a vector of the present embedder; a job's work, safe to repeat. */
  reembed(signal?: AbortSignal): Promise<{ readonly done: number; readonly left: boolean }>
  /** Erases, archives and expires what is due; a job's work, safe to repeat. */
  upkeep(): Promise<Upkeep>
  /** Waits for what still runs in the background. */
  stop(): Promise<void>
}

/** People and places of whom it is known that they have memories with vectors. */
const mostKnown = 5_000
const prepareMs = 2_000

/** Memory on a database. Without a `model`, learning goes by rules. */
export function createMemory(options: {
  readonly database: Database
  readonly embedder: Embedder
  readonly words: Words
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly model?: LearnModel
}): Memory {
  const { log, model } = options
  const parts: MemoryParts = { ...options, embedder: tolerant(options.embedder, log) }
  const comparable = new Set<string>()
  const keyOf = ({ asker, place }: Pick<RecallRequest, 'asker' | 'place'>) =>
    [place.workspace, asker.personId, place.shared].join('\n')
  const background = new Set<Promise<void>>()
  const touchLater = (ids: readonly string[]) => {
    const work = touch(parts, ids)
      // A use that isn't counted harms nothing; the answer must not wait or fail for it.
      .catch((error: unknown) =>
        log.debug({ reason: messageOf(error) }, 'A use of memories was not counted.'),
      )
      .finally(() => background.delete(work))
    background.add(work)
  }
  return {
    remember: (request) => remember(parts, request),
    async recall(request) {
      const key = keyOf(request)
      const recalled = await recall(parts, request, (encoded) => {
        comparable.delete(key)
        if (encoded) comparable.add(key)
        const [oldest] = comparable.size > mostKnown ? comparable : []
        if (oldest !== undefined) comparable.delete(oldest)
      })
      if (request.touch ?? true) touchLater(recalled.map((memory) => memory.id))
      return recalled
    },
    prepare(request) {
      if (comparable.has(keyOf(request)))
        void parts.embedder.embed([questionOf(request)], { limitMs: prepareMs }).catch(() => {})
    },
    forgetPreview: (request) => forgetPreview(parts, request),
    forget: (asker, ids) => forget(parts, asker, ids),
    undoForget: (asker, ids) => restore(parts, asker, ids),
    undoRemember: (asker, ids) => takeBack(parts, asker, ids),
    async writtenBy(asker, sourceId) {
      const rows = await parts.database.memory.findMany({
        where: { sourceId, personId: asker.personId },
        select: { id: true },
      })
      return rows.map((row) => row.id)
    },
    correct: (request) => correct(parts, request),
    list: (request) => list(parts, request),
    byIds: (asker, place, ids) => byIds(parts, asker, place, ids),
    exportAll: (asker) => exportAll(parts, asker),
    learn: (request) => learn({ ...parts, model }, request),
    reembed: (signal) => reembed(parts, signal),
    upkeep: () => upkeep(parts),
    async stop() {
      await Promise.allSettled(background)
    },
  }
}
