import { Prisma } from '../../store/prisma/client.ts'
import type { Approvals } from './approvals.ts'
import { approvalsOf, type FactsParts, readFacts } from './facts.ts'
import { actorRow, isReachable, mayDecide } from './permission.ts'
import { mayEdit } from './statement.ts'

/** What is asked about approvals without deciding anything. */
export function createReading(
  parts: FactsParts,
): Pick<Approvals, 'look' | 'cameBefore' | 'facts' | 'placedIn' | 'openOf'> {
  const { db } = parts
  return {
    async look(approvalId, actor) {
      const [row] = await db.$queryRaw<{ permitted: boolean; session_id: string }[]>`
        SELECT a.session_id, COALESCE((SELECT ${mayEdit(actor)} FROM ${actorRow(actor)} who), false) AS permitted
        FROM approval a JOIN session s ON s.id = a.session_id WHERE a.id = ${approvalId} AND ${isReachable(actor)}`
      if (!row) return { kind: 'unknown' }
      return {
        kind: 'found',
        decided: false,
        permitted: row.permitted,
        sessionId: row.session_id,
        approvals: await readFacts(parts, approvalsOf([approvalId])),
      }
    },

    async cameBefore({ dedupeKey }) {
      return (await db.inboundEvent.count({ where: { dedupeKey } })) > 0
    },

    facts: ({ sessionId, turnId }) =>
      readFacts(
        parts,
        turnId === undefined
          ? Prisma.sql`a.session_id = ${sessionId}`
          : Prisma.sql`a.session_id = ${sessionId} AND c.turn_id = ${turnId}`,
      ),

    placedIn: ({ channel, workspace, room }) =>
      readFacts(
        parts,
        Prisma.sql`a.id IN (SELECT id FROM approval WHERE place->>'channel' = ${channel} AND place->>'room' = ${room}
          AND place->>'workspace' = ${workspace} ORDER BY id DESC LIMIT 50)`,
      ),

    openOf: (actor) =>
      readFacts(
        parts,
        Prisma.sql`a.id IN (
          SELECT a.id FROM ${actorRow(actor)} who, approval a JOIN session s ON s.id = a.session_id
          WHERE a.status = 'open' AND (a.person_id = who.person_id OR (a.approvers <> '{requester}'
            AND ${isReachable(actor)} AND ${mayDecide(actor)}))
          ORDER BY a.id DESC LIMIT 20)`,
      ),
  }
}
