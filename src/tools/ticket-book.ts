import type { Ids } from '../base/ids.ts'
import type { TicketEntry } from '../channel/pages.ts'
import type { Words } from '../search/words.ts'
import type { Database } from '../store/client.ts'
import { Prisma, type Ticket, type TicketPriority, type TicketStatus } from '../store/prisma/client.ts'
import { isUniqueViolation } from '../store/unique.ts'

/** What a new ticket holds. */
export interface NewTicket {
  readonly title: string
  readonly body: string
  readonly priority: TicketPriority
  readonly assignee: string | null
  readonly labels: readonly string[]
  readonly dueAt: Date | null
}

/** What changes of a ticket; what is left out stays. */
export interface TicketChanges extends Partial<Omit<NewTicket, 'body'>> {
  readonly status?: TicketStatus
}

/** Which tickets are wanted. */
export interface TicketFilter {
  readonly status?: TicketStatus | undefined
  readonly priority?: TicketPriority | undefined
  readonly assignee?: string | undefined
  readonly label?: string | undefined
  /** Due before this moment. */
  readonly dueBefore?: Date | undefined
  readonly query?: string | undefined
}

/** Who does it, by which call: the same call does it once, however often it is tried. */
export interface TicketHand {
  readonly personId: string
  readonly callId: string
  readonly now: Date
}

/** The tickets of all workspaces. */
export interface TicketBook {
  create(workspace: string, sessionId: string, ticket: NewTicket, hand: TicketHand): Promise<Ticket>
  find(workspace: string, number: number): Promise<Ticket | undefined>
  /** The ticket that a call made, changed or commented on: to learn what became of it. */
  createdBy(callId: string): Promise<Ticket | undefined>
  changedBy(callId: string): Promise<Ticket | undefined>
  commentedBy(callId: string): Promise<Ticket | undefined>
  /** Up to `limit`, those that hold most words of the query first, then the newest; and how many there are in all. */
  list(
    workspace: string,
    filter: TicketFilter,
    limit: number,
  ): Promise<{ readonly tickets: readonly Ticket[]; readonly total: number }>
  change(ticketId: string, changes: TicketChanges, hand: TicketHand): Promise<Ticket>
  comment(ticketId: string, text: string, hand: TicketHand): Promise<void>
  /** Comments and changes, the oldest first. */
  history(ticketId: string): Promise<readonly TicketEntry[]>
}

/** The most lines of a history that are read. */
const mostEntries = 200

export function createTicketBook(parts: { db: Database; ids: Ids; words: Words }): TicketBook {
  const { db, ids, words } = parts

  return {
    async create(workspace, sessionId, ticket, { personId, callId, now }) {
      return once(
        () =>
          db.ticket.create({
            data: {
              id: ids('tkt'),
              workspace,
              ...ticket,
              labels: [...ticket.labels],
              createdBy: personId,
              sessionId,
              callId,
              createdAt: now,
              updatedAt: now,
            },
          }),
        () => db.ticket.findUniqueOrThrow({ where: { callId } }),
      )
    },

    async find(workspace, number) {
      return (await db.ticket.findFirst({ where: { workspace, number } })) ?? undefined
    },

    async createdBy(callId) {
      return (await db.ticket.findUnique({ where: { callId } })) ?? undefined
    },

    async changedBy(callId) {
      const found = await db.ticketChange.findFirst({ where: { callId }, include: { ticket: true } })
      return found?.ticket
    },

    async commentedBy(callId) {
      const found = await db.ticketComment.findUnique({ where: { callId }, include: { ticket: true } })
      return found?.ticket
    },

    async list(workspace, filter, limit) {
      const wanted = filter.query === undefined ? [] : words.query(filter.query)
      const where = Prisma.join(conditions(workspace, filter, wanted), ' AND ')
      const hits = wanted.length === 0 ? Prisma.sql`NULL::integer` : hitsOf(wanted)
      const rows = await db.$queryRaw<{ id: string; total: number }[]>`
        SELECT t.id, count(*) OVER ()::int AS total FROM ticket t WHERE ${where}
        ORDER BY ${hits} DESC, t.number DESC LIMIT ${limit}`
      const found = await db.ticket.findMany({ where: { id: { in: rows.map((row) => row.id) } } })
      const byId = new Map(found.map((ticket) => [ticket.id, ticket]))
      return { tickets: rows.flatMap((row) => byId.get(row.id) ?? []), total: rows[0]?.total ?? 0 }
    },

    async change(ticketId, changes, { personId, callId, now }) {
      const given = (name: keyof TicketChanges) => changes[name] !== undefined
      await db.$executeRaw`
        WITH before AS (
          SELECT * FROM ticket WHERE id = ${ticketId} FOR UPDATE
        ), changed AS (
          UPDATE ticket t SET
            title = CASE WHEN ${given('title')} THEN ${changes.title ?? ''} ELSE t.title END,
            status = CASE WHEN ${given('status')} THEN ${changes.status ?? 'open'}::ticket_status ELSE t.status END,
            priority = CASE WHEN ${given('priority')} THEN ${changes.priority ?? 'normal'}::ticket_priority ELSE t.priority END,
            assignee = CASE WHEN ${given('assignee')} THEN ${changes.assignee ?? null} ELSE t.assignee END,
            labels = CASE WHEN ${given('labels')} THEN ${[...(changes.labels ?? [])]}::text[] ELSE t.labels END,
            due_at = CASE WHEN ${given('dueAt')} THEN ${changes.dueAt ?? null}::timestamptz ELSE t.due_at END,
            updated_at = ${now}
          FROM before WHERE t.id = before.id
            -- A second try of the same call must not undo what others changed since the first.
            AND NOT EXISTS (SELECT 1 FROM ticket_change WHERE call_id = ${callId})
          RETURNING t.*
        )
        INSERT INTO ticket_change (id, ticket_id, person_id, call_id, field, before, after, created_at)
        SELECT ${ids('cmt')} || '_' || f.field, before.id, ${personId}, ${callId}, f.field, f.before, f.after, ${now}
        FROM before, changed, LATERAL (VALUES
          ('title', before.title, changed.title),
          ('status', before.status::text, changed.status::text),
          ('priority', before.priority::text, changed.priority::text),
          ('assignee', before.assignee, changed.assignee),
          ('labels', NULLIF(array_to_string(before.labels, ', '), ''), NULLIF(array_to_string(changed.labels, ', '), '')),
          ('due', to_json(before.due_at) #>> '{}', to_json(changed.due_at) #>> '{}')
        ) AS f(field, before, after)
        WHERE f.before IS DISTINCT FROM f.after
        ON CONFLICT (call_id, field) DO NOTHING`
      return db.ticket.findUniqueOrThrow({ where: { id: ticketId } })
    },

    async comment(ticketId, text, { personId, callId, now }) {
      await once(
        () =>
          db.ticketComment.create({
            data: { id: ids('cmt'), ticketId, personId, text, callId, createdAt: now },
          }),
        () => db.ticketComment.findUniqueOrThrow({ where: { callId } }),
      )
    },

    async history(ticketId) {
      const where = { ticketId }
      const newest = { orderBy: { id: 'desc' }, take: mostEntries } as const
      const [comments, changes] = await Promise.all([
        db.ticketComment.findMany({ where, ...newest }),
        db.ticketChange.findMany({ where, ...newest }),
      ])
      const names = await namesOf(
        db,
        [...comments, ...changes].map((entry) => entry.personId),
      )
      const by = (personId: string) => names.get(personId) ?? 'someone'
      return [
        ...comments.toReversed().map(
          ({ personId, createdAt, text }): TicketEntry => ({
            kind: 'comment',
            by: by(personId),
            at: createdAt,
            text,
          }),
        ),
        ...changes.toReversed().map(
          ({ personId, createdAt, field, before, after }): TicketEntry => ({
            kind: 'change',
            by: by(personId),
            at: createdAt,
            field,
            before,
            after,
          }),
        ),
      ].sort((a, b) => a.at.getTime() - b.at.getTime())
    },
  }
}

function conditions(
  workspace: string,
  filter: TicketFilter,
  wanted: readonly string[],
): readonly Prisma.Sql[] {
  return [
    Prisma.sql`t.workspace = ${workspace}`,
    filter.status === undefined
      ? Prisma.sql`t.status <> 'closed'`
      : Prisma.sql`t.status = ${filter.status}::ticket_status`,
    ...(filter.priority === undefined ? [] : [Prisma.sql`t.priority = ${filter.priority}::ticket_priority`]),
    ...(filter.assignee === undefined
      ? []
      : [Prisma.sql`position(lower(${filter.assignee}) IN lower(coalesce(t.assignee, ''))) > 0`]),
    ...(filter.label === undefined
      ? []
      : [
          Prisma.sql`EXISTS (SELECT 1 FROM unnest(t.labels) label WHERE lower(label) = lower(${filter.label}))`,
        ]),
    ...(filter.dueBefore === undefined ? [] : [Prisma.sql`t.due_at < ${filter.dueBefore}`]),
    ...(filter.query === undefined
      ? []
      : [
          // Nothing but stop words: the query as it stands.
          wanted.length === 0
            ? Prisma.sql`position(lower(${filter.query}) IN lower(t.title || ' ' || t.body)) > 0`
            : Prisma.sql`${hitsOf(wanted)} >= ${Math.ceil(wanted.length / 2)}`,
        ]),
  ]
}

/** How many of the words stand in a ticket. A workspace has few enough for looking at each. */
function hitsOf(wanted: readonly string[]): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM unnest(${[...wanted]}::text[]) word WHERE position(word IN lower(
    t.title || ' ' || t.body || ' ' || coalesce(t.assignee, '') || ' ' || array_to_string(t.labels, ' ') || ' ' ||
    coalesce((SELECT string_agg(c.text, ' ') FROM ticket_comment c WHERE c.ticket_id = t.id), ''))) > 0)`
}

/** Makes a row under the call's unique key, or finds the one that an earlier attempt made. */
async function once<T>(make: () => Promise<T>, find: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return find()
  }
}

async function namesOf(db: Database, personIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = await db.person.findMany({
    where: { id: { in: [...new Set(personIds)] } },
    select: { id: true, displayName: true },
  })
  return new Map(people.map((person) => [person.id, person.displayName]))
}
