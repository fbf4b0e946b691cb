import { advance } from '../../session/advance.ts'
import { commitStep } from '../../session/commit.ts'
import { type Folded, foldInbox } from '../../session/fold.ts'
import { addIntents } from '../../session/intent/stored.ts'
import type { Lease } from '../../session/lease.ts'
import type { PersonFacts } from '../../session/people.ts'
import type { Step } from '../../session/step.ts'
import { newTurn, type Snapshot } from '../../session/transcript.ts'
import { catchUpOnCards, showCards } from '../approving/cards.ts'
import { decideTyped, type Typed, whichCard } from '../approving/typed.ts'
import { closedByEdits } from '../asking/opening.ts'
import { showQuestions, showQuestionsOf } from '../asking/showing.ts'
import type { ContextOf } from '../calling/context.ts'
import type { AgentParts } from '../parts.ts'
import { noteOf } from '../sending/own-messages.ts'
import { queryIn } from '../thinking/query.ts'
import { endWith } from '../turn/ending.ts'
import { joinStep } from '../turn/joining.ts'
import { openLeg } from '../turn/legs.ts'
import { rewritingNotes } from '../turn/rewriting.ts'
import { planWithEdits, understand } from '../turn/understanding.ts'
import { closeChoices } from '../workflows/choices.ts'
import { flowOf } from '../workflows/workflows.ts'
import { carry } from './carrying.ts'
import { contextFor, knownPerson, profileFacts } from './context.ts'
import { readEarlier } from './earlier.ts'
import { storeTrace } from './traces.ts'

/** Begins a turn with what the inbox holds. */
export async function begin(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  speaker: PersonFacts | undefined,
  contextOf: ContextOf,
): Promise<void> {
  const folded = foldInbox(snapshot)
  for (const { turnId, restart } of folded.voided)
    await voidTurn(parts, lease, snapshot, turnId, restart, contextOf)
  const changed = snapshot.messages.find((message) =>
    folded.rewritten.some(({ messageId }) => messageId === message.id),
  )
  // Its cards may have been voided by a process that died before it could draw them.
  if (changed?.turnId && folded.voided.length === 0)
    await catchUpOnCards(parts, await contextOf(changed.turnId))
  if (!folded.personId) {
    await takeChanges(parts, lease, snapshot, folded)
    if (changed?.turnId && closedByEdits(snapshot, folded).length > 0)
      await showQuestionsOf(parts, await contextOf(changed.turnId))
    return
  }
  const turn = newTurn(parts.ids('turn'), folded.personId, parts.clock.now())
  const restarted = folded.voided.some((voided) => voided.restart)
  const person = speaker?.id === turn.personId ? speaker : await knownPerson(parts, turn.personId, snapshot)
  parts.prepareRecall(queryIn(folded.joining), {
    personId: person.id,
    timeZone: person.timeZone,
    workspace: snapshot.thread.workspace,
    sessionId: snapshot.id,
    turnId: turn.id,
    kind: snapshot.kind,
  })
  const typed: Typed = restarted ? { kind: 'message' } : await decideTyped(parts, snapshot, folded, person)
  const taken = restarted ? { ...folded, joining: [] } : folded
  const { intents, plan } = understand(parts, snapshot, taken, person, turn.id)
  const decided =
    typed.kind === 'decided'
      ? snapshot.turns.findLast((open) => open.status === 'waiting' && typed.turnIds.includes(open.id))
      : undefined
  if (decided) {
    // The yes belongs to the turn that waited for it; that one goes on, as after a click.
    await commitStep(parts.db, lease, {
      ...joinStep(parts, decided, folded, snapshot, person, intents),
      turn: { id: decided.id, intent: addIntents(decided.intent, intents) },
    })
    parts.notices.changed(snapshot.id)
    return
  }
  const join = joinStep(parts, turn, taken, snapshot, person, intents)
  const flow =
    restarted || typed.kind === 'which' ? undefined : await flowOf(parts, snapshot, folded, person, turn.id)
  const earlier = await readEarlier(parts, snapshot, folded, person.timeZone, lease.signal)
  const step: Step = {
    ...join,
    ...flow?.step,
    ...(earlier.note === undefined
      ? {}
      : { messages: [noteOf(parts, { turnId: turn.id }, earlier.note), ...(join.messages ?? [])] }),
    session: {
      ...join.session,
      ...(plan ? { plan } : {}),
      ...(earlier.read && !snapshot.pastRead ? { pastRead: true } : {}),
      ...(snapshot.profile === '' ? { profile: parts.profiles.at(snapshot).name } : {}),
    },
    ...(restarted
      ? {}
      : {
          turn: {
            id: turn.id,
            begin: { personId: turn.personId, intent: intents },
            ...(folded.stop && !flow?.left ? { outcome: 'stopped' } : {}),
          },
        }),
  }
  const committed = await commitStep(parts.db, lease, step)
  parts.notices.changed(snapshot.id)
  if (restarted) return
  const said = folded.joining.map((message) => message.text).join('\n')
  const postId = folded.joining.at(-1)?.postId ?? undefined
  const at = await contextFor(parts, lease, snapshot, turn, { person, said, postId })
  if (earlier.facts) at.trace.root.note({ earlierPosts: earlier.facts })
  if (snapshot.profile === '')
    at.trace.root.note({ began: profileFacts(at.profile, parts.modelOf(at.profile)) })
  at.freshLeg = turn.leg
  await showQuestions(parts, at, step.questions?.map(({ callId }) => callId) ?? [])
  if (flow?.step.workflows) await closeChoices(parts, at, snapshot.workflows, flow.step.workflows)
  if (typed.kind === 'which') {
    const question = whichCard(typed.cards, at.language)
    await endWith(parts, at, turn, await openLeg(parts, at, turn.leg), question, 'done', 'which')
    await storeTrace(parts, at)
    return
  }
  await carry(parts, at, turn, contextOf, advance(snapshot, step, committed, person, parts.clock.now()))
}

/** Where nothing new was said, what was edited or removed is all there is to take. */
async function takeChanges(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  folded: Folded,
): Promise<void> {
  if (folded.dropped.length === 0 && folded.rewritten.length === 0) return
  const voided = snapshot.turns.find((turn) => folded.voided.some(({ turnId }) => turnId === turn.id))
  const plan =
    voided && planWithEdits(parts, snapshot, folded, await knownPerson(parts, voided.personId, snapshot))
  await commitStep(parts.db, lease, {
    ...(plan ? { session: { plan } } : {}),
    dropped: folded.dropped,
    rewritten: folded.rewritten,
    questions: closedByEdits(snapshot, folded),
    messages: rewritingNotes(parts.ids, folded, snapshot),
  })
  parts.notices.changed(snapshot.id)
}

/** A waiting turn whose question was edited starts again; one whose question was removed is over. */
async function voidTurn(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  turnId: string,
  restart: boolean,
  contextOf: ContextOf,
): Promise<void> {
  const open = snapshot.openCalls.filter((call) => call.turnId === turnId && call.status === 'proposed')
  const turn = snapshot.turns.find((waiting) => waiting.id === turnId)
  if (!turn) return
  await commitStep(parts.db, lease, {
    callChanges: open.map((call) => ({ id: call.id, from: 'proposed', to: 'withdrawn' })),
    turn: restart
      ? { id: turnId, status: 'running', leg: turn.leg + 1 }
      : { id: turnId, status: 'stopped', outcome: 'removed' },
  })
  await showCards(parts, await contextOf(turnId))
}
