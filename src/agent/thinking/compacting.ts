import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Ids } from '../../base/ids.ts'
import type { ChatModel } from '../../model/chat.ts'
import type { Log } from '../../observe/log.ts'
import {
  finishedSummary,
  isSummary,
  planCompaction,
  summaryByRules,
  transcriptText,
} from '../../session/compaction.ts'
import { historyTokens } from '../../session/context.ts'
import { cutTo } from '../../session/cutting.ts'
import { readEntities } from '../../session/entities.ts'
import { readSnapshot, type Snapshot } from '../../session/transcript.ts'
import type { Database } from '../../store/client.ts'

/** How long the originals of what was summarised stay readable, in ms. */
const originalLife = 365 * 86_400_000
/** The most tokens of a summary, and its share of what a request may take. */
const mostSummary = 2_500
const summaryShare = 0.25
/** The characters of a call's result or of a file that whoever summarises gets to read. */
const resultLength = 400
/** The longest that a summary may take to write, in ms. */
const patience = 90_000

/** Whose summary it is. */
export interface Payer {
  readonly sessionId: string
  readonly personId: string | undefined
  readonly turnId: string | undefined
}

/**
 * Replaces the older part of a session by a summary, beside the conversation and never in its way: the messages stay
 * in the database, and a turn that runs meanwhile works with the old summary or the new one.
 */
export function createCompacting(parts: {
  readonly db: Database
  readonly ids: Ids
  readonly clock: Clock
  readonly log: Log
  /** The model that the session's profile names. */
  readonly modelOf: (snapshot: Snapshot) => ChatModel
  readonly count: (text: string) => number
  /** Share of the window that a request may take. */
  readonly inputShare: number
  /** The text of prompts/summary.md. */
  readonly instructions: string
  /** Has the person, or have all together, used up the day? */
  readonly isOver: (personId: string) => Promise<boolean>
  /** Runs what uses the model on the account of whoever spoke last of what is summarised. */
  readonly charge: <T>(account: Payer, work: () => Promise<T>) => Promise<T>
}): (sessionId: string) => Promise<'done' | 'put off'> {
  const { db, ids, clock, log, count } = parts

  return async (sessionId) => {
    const snapshot = await readSnapshot(db, sessionId)
    if (!snapshot) return 'done'
    const model = parts.modelOf(snapshot)
    const inputLimit = model.contextWindow * parts.inputShare
    const plan = planCompaction(snapshot.messages, {
      openTurns: new Set(snapshot.turns.map((turn) => turn.id)),
      tokensOf: (messages) => historyTokens(messages, count),
      inputLimit,
    })
    if (!plan) return 'done'
    const last = plan.messages.findLast((message) => message.personId)
    const payer = { sessionId, personId: last?.personId ?? undefined, turnId: last?.turnId ?? undefined }
    // A conversation that goes on asks for it again after its next turn.
    if (!model.offline && payer.personId && (await parts.isOver(payer.personId))) return 'put off'
    const unread = await textBefore(snapshot)
    const original = [unread, transcriptText(plan.messages, Number.POSITIVE_INFINITY)]
      .filter((part) => part !== '')
      .join('\n')
    const ref = ids('ref')
    const summary = finishedSummary(
      await parts.charge(payer, () => write(model, snapshot, plan.messages, unread)),
      {
        before: snapshot.summary,
        entities: readEntities(snapshot.entities),
        messages: plan.messages,
        ref,
        tokens: Math.min(mostSummary, Math.floor(inputLimit * summaryShare)),
        count,
      },
    )
    // Only where nobody else summarised meanwhile.
    await db.$executeRaw`
      WITH replaced AS (
        UPDATE session SET summary = ${summary}, summary_seq = ${plan.uptoSeq}
        WHERE id = ${sessionId} AND summary_seq < ${plan.uptoSeq} AND summary IS NOT DISTINCT FROM ${snapshot.summary}
        RETURNING id
      )
      INSERT INTO stored_result (id, session_id, media_type, text, tokens, expires_at)
      SELECT ${ref}, id, 'text/plain', ${original}, ${count(original)}, ${new Date(clock.now().getTime() + originalLife)}
      FROM replaced`
    return 'done'
  }

  /** What was said between the summary and the oldest message that a snapshot holds: only after a burst is there any. */
  async function textBefore(snapshot: Snapshot): Promise<string> {
    const first = snapshot.messages[0]?.seq ?? 0
    if (first <= snapshot.summarySeq + 1) return ''
    const rows = await db.message.findMany({
      where: { sessionId: snapshot.id, removedAt: null, seq: { gt: snapshot.summarySeq, lt: first } },
      orderBy: { seq: 'asc' },
      select: { role: true, text: true, person: { select: { displayName: true } } },
    })
    return rows
      .filter(({ text }) => text.trim() !== '')
      .map(
        ({ role, text, person }) =>
          `${person?.displayName ?? (role === 'note' ? 'note' : 'Hermes')}: ${text}`,
      )
      .join('\n')
  }

  async function write(
    model: ChatModel,
    snapshot: Snapshot,
    messages: Parameters<typeof summaryByRules>[1],
    unread: string,
  ): Promise<string> {
    if (model.offline) return summaryByRules(snapshot.summary, messages)
    // Of a conversation too long for one request beginning and end are summarised; the rest is in the original.
    const earlier = snapshot.summary ? `Earlier summary:\n${snapshot.summary}\n\n` : ''
    const room = Math.floor(
      model.contextWindow * parts.inputShare - count(parts.instructions) - count(earlier) - 40,
    )
    const input = `${earlier}Conversation:\n${cutTo([unread, transcriptText(messages, resultLength)].join('\n').trim(), room, count)}`
    try {
      const reply = await model.complete(
        {
          messages: [
            { role: 'system', content: parts.instructions },
            { role: 'user', content: input },
          ],
          tools: [],
          maxOutputTokens: 1_500,
        },
        { signal: AbortSignal.timeout(patience) },
      )
      if (isSummary(reply.text)) return reply.text
      log.warn(
        { session: snapshot.id },
        'A summary had not the form that was asked for; it was made by rules',
      )
    } catch (error) {
      log.warn(
        { session: snapshot.id, error: messageOf(error) },
        'A summary could not be written; it was made by rules',
      )
    }
    return summaryByRules(snapshot.summary, messages)
  }
}
