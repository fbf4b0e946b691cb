import { type Language, phrases } from '../../base/words.ts'
import type { Folded } from '../../session/fold.ts'
import { isSmallTalk } from '../../session/intent/chat.ts'
import { readDecision, type TypedDecision } from '../../session/intent/decision.ts'
import type { PersonFacts } from '../../session/people.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { ApprovalFacts } from '../../tools/approvals/facts.ts'
import type { AgentParts } from '../parts.ts'

/** What a typed yes or no came to. */
export type Typed =
  /** The message is one like any other. */
  | { readonly kind: 'message' }
  /** It has decided; the turns whose cards they are go on. */
  | { readonly kind: 'decided'; readonly turnIds: readonly string[] }
  /** It fits several cards: the person is asked which. */
  | { readonly kind: 'which'; readonly cards: readonly string[] }

/**
 * Lets a "yes" or 不用了 that is a whole message decide the one card of its person that is open here, by the same
 * statement as a click. Of the messages that came together one may say so, beside thanks and the like.
 */
export async function decideTyped(
  parts: AgentParts,
  snapshot: Snapshot,
  folded: Folded,
  person: PersonFacts,
): Promise<Typed> {
  const said = spoken(folded)
  if (!said || person.userId === undefined) return { kind: 'message' }
  const open = await openHere(parts, snapshot, person, said.eventId)
  if (open.length === 0) return { kind: 'message' }

  const verdict = said.decision.verdict ?? verdictAskedFor(snapshot, open)
  if (!verdict) return { kind: 'message' }
  const { which } = said.decision
  const chosen = which === 'all' ? open : which === undefined ? open : open.slice(...placed(which))
  if (chosen.length === 0) return { kind: 'message' }
  if (chosen.length > 1 && which !== 'all') return { kind: 'which', cards: open.map(nameOf) }

  const turnIds = new Set<string>()
  for (const [index, { approval, turnId, version }] of chosen.entries()) {
    const decision = await parts.approvals.decide(
      approval.id,
      verdict,
      {
        dedupeKey: index === 0 ? `typed:${said.eventId}` : `typed:${said.eventId}:${index}`,
        thread: snapshot.thread,
        author: { userId: person.userId, name: person.name },
      },
      { version },
    )
    // Decided before a crash, or by a click at the same moment: the message goes to that turn all the same.
    const isDecided =
      decision.kind === 'repeated' ||
      (decision.kind === 'found' &&
        (decision.decided || decision.approvals.some((facts) => facts.approval.status !== 'open')))
    if (isDecided) turnIds.add(turnId)
  }
  return turnIds.size > 0 ? { kind: 'decided', turnIds: [...turnIds] } : { kind: 'message' }
}

/** The one message that decides, where all others beside it say nothing. */
function spoken(folded: Folded): { readonly eventId: string; readonly decision: TypedDecision } | undefined {
  const read = folded.joining.map((message) => ({
    message,
    decision:
      message.attachments.length > 0 || message.answers !== undefined
        ? undefined
        : readDecision(message.text),
  }))
  const deciding = read.filter(({ decision }) => decision !== undefined)
  const one = deciding[0]
  if (!one?.decision || deciding.length > 1) return undefined
  const othersSayNothing = read.every(
    ({ message, decision }) =>
      decision !== undefined || (message.attachments.length === 0 && isSmallTalk(message.text)),
  )
  return othersSayNothing ? { eventId: one.message.eventId, decision: one.decision } : undefined
}

/** Open cards of the person in this session that had been shown when the message came, in their order. */
async function openHere(
  parts: AgentParts,
  snapshot: Snapshot,
  person: PersonFacts,
  eventId: string,
): Promise<readonly ApprovalFacts[]> {
  const event = snapshot.pending.find((pending) => pending.id === eventId)
  const actor = { thread: snapshot.thread, author: { userId: person.userId ?? '', name: person.name } }
  const open = (await parts.approvals.openOf(actor)).filter(
    (facts) => facts.sessionId === snapshot.id && facts.call.status === 'proposed' && !facts.approval.isOver,
  )
  if (!event || open.length === 0) return []
  const shown = await parts.db.delivery.findMany({
    where: {
      key: { in: open.map((facts) => `card:${facts.approval.id}`) },
      status: 'sent',
      sentAt: { lte: event.receivedAt },
    },
    select: { key: true },
  })
  const keys = new Set(shown.map((delivery) => delivery.key))
  // What was not yet to be seen can't have been meant.
  return open.filter((facts) => keys.has(`card:${facts.approval.id}`)).toSorted(inOrder)
}

function inOrder(a: ApprovalFacts, b: ApprovalFacts): number {
  return a.approval.id < b.approval.id ? -1 : 1
}

/** Where in the list: from, to. */
function placed(which: number): readonly [from: number, to?: number] {
  return which < 0 ? [which] : [which - 1, which]
}

/** "The second one", said to the question which card is meant, goes with the yes or no before that question. */
function verdictAskedFor(
  snapshot: Snapshot,
  open: readonly ApprovalFacts[],
): TypedDecision['verdict'] | undefined {
  const said = snapshot.messages.filter((message) => !message.removed && message.role !== 'note')
  const [before, asked] = said.slice(-2)
  if (asked?.role !== 'assistant' || before?.role !== 'user') return undefined
  const cards = open.map(nameOf)
  const isQuestion = (['en', 'zh'] as const).some((language) => asked.text === whichCard(cards, language))
  return isQuestion ? readDecision(before.text)?.verdict : undefined
}

/** The question which card is meant. */
export function whichCard(cards: readonly string[], language: Language): string {
  return phrases(language).whichCard(cards.map((card, index) => `${index + 1}. ${card}`))
}

function nameOf(facts: ApprovalFacts): string {
  const { title, target } = facts.approval.snapshot
  return target ? `${title}: ${target}` : title
}
