import { createIds } from '../../src/base/ids.ts'
import type { LearnModel } from '../../src/memory/learn.ts'
import { createMemory, type Memory } from '../../src/memory/memory.ts'
import type { Asker, Place } from '../../src/memory/record.ts'
import { type Log, silentLog } from '../../src/observe/log.ts'
import { type Embedder, noEmbedder } from '../../src/search/embedder.ts'
import { createWords, type Words } from '../../src/search/words.ts'
import { type Database, openClient } from '../../src/store/client.ts'
import { freshDatabase } from '../support/database.ts'

/** A clock that a test sets: Wednesday, 2 December 2026, 11:30 in Shanghai. */
export interface SetClock {
  now(): Date
  monotonic(): number
  set(iso: string): void
  pass(ms: number): void
}

function setClock(): SetClock {
  let now = new Date('2026-12-02T03:30:00Z').getTime()
  return {
    now: () => new Date(now),
    monotonic: () => now,
    set: (iso) => {
      now = new Date(iso).getTime()
    },
    pass: (ms) => {
      now += ms
    },
  }
}

/** Memory on a real database, with people made on demand. */
export interface Bench {
  readonly database: Database
  readonly clock: SetClock
  readonly words: Words
  open(options?: { embedder?: Embedder; log?: Log; model?: LearnModel }): Memory
  /** A new person who speaks in Shanghai. */
  person(options?: { privateInShared?: boolean; timeZone?: string; name?: string }): Promise<Asker>
  /** A source id that was never used. */
  source(): string
  close(): Promise<void>
}

export async function openBench(): Promise<Bench> {
  const fresh = await freshDatabase()
  const database = openClient(fresh.url, { connections: 4 })
  const clock = setClock()
  const words = createWords()
  const ids = createIds()
  const opened: Memory[] = []
  return {
    database,
    clock,
    words,
    open({ embedder = noEmbedder, log = silentLog, model } = {}) {
      const memory = createMemory({ database, embedder, words, clock, ids, log, model })
      opened.push(memory)
      return memory
    },
    async person({ privateInShared = false, timeZone = 'Asia/Shanghai', name = 'Ann' } = {}) {
      const id = ids('per')
      await database.person.create({ data: { id, displayName: name, timeZone, privateInShared } })
      return { personId: id, timeZone }
    },
    source: () => ids('evt'),
    async close() {
      for (const memory of opened) await memory.stop()
      await database.$disconnect()
      await fresh.close()
    },
  }
}

/** A direct message: nobody else reads it. */
export const direct: Place = { workspace: 'W1', shared: false, sessionId: 'sess_direct' }
/** A channel of the same workspace. */
export const channel: Place = { workspace: 'W1', shared: true, sessionId: 'sess_channel' }
/** A channel of another workspace. */
export const elsewhere: Place = { workspace: 'W2', shared: true, sessionId: 'sess_elsewhere' }

export const texts = (memories: readonly { readonly text: string }[]): string[] =>
  memories.map(({ text }) => text)
