import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import type { TolerantEmbedder } from '../search/embedder.ts'
import type { Words } from '../search/words.ts'
import type { Database } from '../store/client.ts'
import type { MemoryCategory, MemoryKind, MemoryRecord, MemoryScope, MemorySource } from './record.ts'

/** What writing, finding and forgetting memories need. */
export interface MemoryParts {
  readonly database: Database
  readonly embedder: TolerantEmbedder
  readonly words: Words
  readonly clock: Clock
  readonly ids: Ids
}

/** One fact to be written. What is left out is read off the text itself. */
export interface Fact {
  readonly text: string
  /** The words it was said in; default the text. */
  readonly original?: string
  /** What was said around it, for search alone. */
  readonly context?: string
  readonly source: MemorySource
  /** The event or job it comes from; with `ordinal` it makes a repetition harmless. */
  readonly sourceId: string
  readonly ordinal: number
  readonly turnId?: string
  /** When it was said. */
  readonly at: Date
  readonly scope: MemoryScope
  readonly kind?: MemoryKind
  readonly category?: MemoryCategory
  /** What it is about, where that is known; only one memory of a named subject holds at a time. */
  readonly subject?: string
  readonly importance?: number
  readonly confidence?: number
  /** Memories that it makes untrue. */
  readonly replaces?: readonly string[]
}

/** What became of a fact. */
export type Written =
  | { readonly kind: 'stored'; readonly memory: MemoryRecord; readonly replaced: readonly MemoryRecord[] }
  /** It was known already; it counts as said again. */
  | { readonly kind: 'known'; readonly memory: MemoryRecord }
  /** Something said, or said later, stands against it. */
  | { readonly kind: 'outweighed'; readonly memory: MemoryRecord }
  /** The same event has been written before, and forgotten or corrected since. */
  | { readonly kind: 'settled' }
