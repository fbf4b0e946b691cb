import { Prisma } from '../store/prisma/client.ts'
import type {
  MemoryCategory,
  MemoryKind,
  MemoryScope,
  MemorySource,
  MemoryStatus,
} from '../store/prisma/enums.ts'

export type { MemoryCategory, MemoryKind, MemoryScope, MemorySource, MemoryStatus }

/** Who speaks. */
export interface Asker {
  readonly personId: string
  /** IANA name; relative times are read in it. */
  readonly timeZone: string
  /** Of the sentences that are told; default by the text itself. */
  readonly language?: 'en' | 'zh'
}

/** Where it is said, and so who reads the answer. */
export interface Place {
  readonly workspace: string
  /** Can anyone but the asker read here? */
  readonly shared: boolean
  readonly sessionId?: string
  /** The only scopes that are read here; all where not given. */
  readonly reads?: readonly MemoryScope[]
  /** The only scopes that are written into here; all where not given. */
  readonly writes?: readonly MemoryScope[]
}

/** One remembered fact. */
export interface MemoryRecord {
  readonly id: string
  readonly version: number
  readonly personId: string
  /** The name of the person whose memory it is. */
  readonly by: string
  readonly scope: MemoryScope
  readonly kind: MemoryKind
  readonly category: MemoryCategory
  readonly subject: string
  /** The fact, with dates instead of "tomorrow". */
  readonly text: string
  /** The words it was said in. */
  readonly original: string
  readonly source: MemorySource
  readonly status: MemoryStatus
  readonly happenedAt: Date
  readonly validFrom: Date
  readonly validUntil?: Date
  readonly importance: number
  readonly confidence: number
  readonly lastAccessAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A row of `memoryColumns`. */
export interface MemoryRow {
  readonly id: string
  readonly version: number
  readonly person_id: string
  readonly by: string
  readonly scope: MemoryScope
  readonly kind: MemoryKind
  readonly category: MemoryCategory
  readonly subject: string
  readonly text: string
  readonly original: string
  readonly source: MemorySource
  readonly status: MemoryStatus
  readonly happened_at: Date
  readonly valid_from: Date
  readonly valid_until: Date | null
  readonly importance: number
  readonly confidence: number
  readonly last_access_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** What a query over the table `memory` selects to make records. */
export const memoryColumns: Prisma.Sql = Prisma.sql`
  memory.id, memory.version, memory.person_id,
  (SELECT display_name FROM person WHERE person.id = memory.person_id) AS by,
  memory.scope::text, memory.kind::text, memory.category::text, memory.subject, memory.text, memory.original,
  memory.source::text, memory.status::text, memory.happened_at, memory.valid_from, memory.valid_until,
  memory.importance, memory.confidence, memory.last_access_at, memory.created_at, memory.updated_at`

export function readRecord(row: MemoryRow): MemoryRecord {
  return {
    id: row.id,
    version: row.version,
    personId: row.person_id,
    by: row.by,
    scope: row.scope,
    kind: row.kind,
    category: row.category,
    subject: row.subject,
    text: row.text,
    original: row.original,
    source: row.source,
    status: row.status,
    happenedAt: row.happened_at,
    validFrom: row.valid_from,
    ...(row.valid_until ? { validUntil: row.valid_until } : {}),
    importance: row.importance,
    confidence: row.confidence,
    ...(row.last_access_at ? { lastAccessAt: row.last_access_at } : {}),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
