import { HermesError, messageOf } from '../base/errors.ts'
import { type Language, languageOf, phrases } from '../base/words.ts'
import type { ChatModel } from '../model/chat.ts'
import { createTrace } from '../observe/trace.ts'
import { advance } from '../session/advance.ts'
import { commitStep, json } from '../session/commit.ts'
import { foldInbox } from '../session/fold.ts'
import { addIntents } from '../session/intent/stored.ts'
import { type Lease, LeaseLost } from '../session/lease.ts'
import type { PersonFacts } from '../session/people.ts'
import type { Profile } from '../session/profiles.ts'
import { callOutcome } from '../session/rendering.ts'
import type { Step } from '../session/step.ts'
import { newTurn, type OpenTurn, readSnapshot, type Snapshot } from '../session/transcript.ts'
import { catchUpOnCards, showCards } from './approving/cards.ts'
import { decideTyped, type Typed, whichCard } from './approving/typed.ts'
import type { ContextOf } from './calling/context.ts'
import { runCalls } from './calls.ts'
import { passOn, showDeskChange } from './desk/passing.ts'
import { readEarlier } from './earlier.ts'
import { endWith, type TurnEnd } from './ending.ts'
import { joinStep } from './joining.ts'
import { openLeg } from './legs.ts'
import { resumable } from './move.ts'
import { noteOf } from './own-messages.ts'
import type { AgentParts, TurnContext } from './parts.ts'
import { rewritingNotes } from './rewriting.ts'
import { queryIn } from './thinking.ts'
import { doTimer } from './timers.ts'
import { carryOn } from './turn.ts'
import { planTakenBack, planWithEdits, understand } from './understanding.ts'
import { closeChoices } from './workflows/choices.ts'
import { fireTimeout } from './workflows/timeout.ts'
import { flowOf } from './workflows/workflows.ts'

/** Did this process work on the session, or does another one? */
export type RunResult = 'worked' | 'busy'

/** More rounds than any inbox needs: a bound, not a limit that is met. */
const mostRounds = 500

/**
 * Does all there is to do in a session, under its lease: carries on what runs, resumes what waited, runs what was
 * approved, answers what came in. Anything that is left by a crash is found here again.
 */
export async function runSession(parts: AgentParts, sessionId: string): Promise<RunResult> {
  const taken = await parts.leases.take(sessionId)
  if (!taken) return 'busy'
  const { lease } = taken
  let snapshot: Snapshot | undefined = taken.snapshot
  try {
    for (let round = 0; round < mostRounds; round++) {
      lease.signal.throwIfAborted()
      snapshot ??= await readSnapshot(parts.db, sessionId)
      if (!snapshot) return 'worked'
      const speaker = snapshot === taken.snapshot ? taken.speaker : null
      await workOnce(parts, lease, snapshot, speaker ? parts.people.of(speaker) : undefined)
      // Whether anything is left is decided by the statement that gives the lease back.
      if (lease.ended || (await lease.release()) !== 'more') return 'worked'
      snapshot = undefined
    }
    await lease.drop()
    return 'worked'
  } catch (error) {
    if (lease.signal.aborted || error instanceof LeaseLost) {
      // Committed rows say where to go on; whoever takes the lease next does.
      await lease.drop().catch(() => {})
      return 'worked'
    }
    await lease.drop().catch(() => {})
    throw error
  }
}

/** The next piece of work, in the order of its claim. */
async function workOnce(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  speaker: PersonFacts | undefined,
): Promise<void> {
  const contextOf: ContextOf = async (turnId) => {
    const row = await parts.db.turn.findUniqueOrThrow({ where: { id: turnId } })
    return contextFor(parts, lease, snapshot, row)
  }

  const running = snapshot.turns.find((turn) => turn.status === 'running')
  if (running) {
    // Another process has left it, or its question was edited.
    const at = await contextFor(parts, lease, snapshot, running)
    await catchUpOnCards(parts, at)
    await carry(parts, at, running, contextOf)
    return
  }

  const timer = snapshot.pending.find((event) => event.kind === 'timer')
  if (timer?.payload.desk) {
    await showDeskChange(parts, lease, snapshot, timer)
    return
  }
  if (timer) {
    if (timer.payload.workflowId !== undefined) {
      const at = await fireTimeout(parts, lease, snapshot, timer)
      if (at) await carry(parts, await contextOf(at.id), at, contextOf)
    } else await doTimer(parts, lease, snapshot, timer, contextOf)
    return
  }

  const waiting = resumable(snapshot)
  if (waiting) {
    const at = await contextFor(parts, lease, snapshot, waiting)
    await showCards(parts, at)
    if (wasWithdrawn(snapshot, waiting)) {
      // Something else was said and proposed meanwhile; the old question has no answer of its own any more.
      const plan = planTakenBack(snapshot, waiting)
      await commitStep(parts.db, lease, {
        turn: { id: waiting.id, status: 'done', outcome: 'withdrawn' },
        ...(plan ? { session: { plan } } : {}),
      })
      await store(parts, at)
      return
    }
    await commitStep(parts.db, lease, {
      turn: { id: waiting.id, status: 'running', leg: waiting.leg + 1 },
      messages: lateNotes(parts, at, snapshot, waiting),
    })
    at.freshLeg = waiting.leg + 1
    await carry(parts, at, { ...waiting, leg: waiting.leg + 1 }, contextOf)
    return
  }

  const approved = snapshot.openCalls.find(
    (call) => call.status === 'approved' || call.status === 'executing',
  )
  if (approved) {
    const at = await contextOf(approved.turnId)
    await runCalls(parts, at, snapshot, contextOf)
    await showCards(parts, at)
    await store(parts, at)
    return
  }

  if (snapshot.handOver) await passOn(parts, lease, snapshot, snapshot.handOver)
  else await begin(parts, lease, snapshot, speaker, contextOf)
}

/** Begins a turn with what the inbox holds. */
async function begin(
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
    if (folded.dropped.length > 0 || folded.rewritten.length > 0) {
      const voided = snapshot.turns.find((turn) => folded.voided.some(({ turnId }) => turnId === turn.id))
      const plan =
        voided && planWithEdits(parts, snapshot, folded, await knownPerson(parts, voided.personId, snapshot))
      await commitStep(parts.db, lease, {
        ...(plan ? { session: { plan } } : {}),
        dropped: folded.dropped,
        rewritten: folded.rewritten,
        messages: rewritingNotes(parts.ids, folded, snapshot),
      })
      parts.notices.changed(snapshot.id)
    }
    return
  }
  const turn = newTurn(parts.ids('turn'), folded.personId, parts.clock.now())
  const restarted = folded.voided.some((voided) => voided.restart)
  const person = speaker?.id === turn.personId ? speaker : await knownPerson(parts, turn.personId, snapshot)
  parts.prepareRecall(queryIn(folded.joining), {
    personId: person.id,
    timeZone: person.timeZone,
    workspace: snapshot.thread.workspace,
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
  if (flow?.step.workflows) await closeChoices(parts, at, snapshot.workflows, flow.step.workflows)
  if (typed.kind === 'which') {
    const question = whichCard(typed.cards, at.language)
    await endWith(parts, at, turn, await openLeg(parts, at, turn.leg), question, 'done', 'which')
    await store(parts, at)
    return
  }
  await carry(parts, at, turn, contextOf, advance(snapshot, step, committed, person, parts.clock.now()))
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

/** Carries a turn on, stores its trace, and turns what should not happen into a sentence. */
async function carry(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  contextOf: ContextOf,
  /** The session as it stands, where that is known. */
  known?: Snapshot,
): Promise<void> {
  let end: TurnEnd
  const startedAt = parts.clock.monotonic()
  try {
    end = await carryOn(parts, at, contextOf, known)
  } catch (error) {
    if (at.lease.signal.aborted || error instanceof LeaseLost) throw error
    parts.log.error(
      { turn: at.turnId, error: messageOf(error), stack: (error as Error).stack },
      'A turn failed',
    )
    at.trace.root.note({ error: messageOf(error) })
    end = await failTurn(parts, at, turn)
  }
  parts.observe(end, (parts.clock.monotonic() - startedAt) / 1_000)
  await store(parts, at)
}

/** Tells the person that something went wrong on our side. Throws where even that can't be committed. */
async function failTurn(parts: AgentParts, at: TurnContext, turn: OpenTurn): Promise<TurnEnd> {
  const current =
    (await readSnapshot(parts.db, at.sessionId))?.turns.find((open) => open.id === turn.id) ?? turn
  const shown = await parts.deliveries.prior(at.turnId, current.leg).catch(() => [])
  const leg = await openLeg(parts, at, current.leg, shown)
  return endWith(parts, at, current, leg, phrases(at.language).internal, 'failed', 'internal')
}

/** Was everything that the turn waited for taken back? */
function wasWithdrawn(snapshot: Snapshot, turn: OpenTurn): boolean {
  const message = snapshot.messages.findLast((own) => own.turnId === turn.id && own.role === 'assistant')
  const asked = message?.calls.filter((call) => call.approval !== null) ?? []
  return asked.length > 0 && asked.every((call) => call.status === 'withdrawn')
}

/** What was decided after later messages had come is noted at the end, where the model looks last. */
function lateNotes(parts: AgentParts, at: TurnContext, snapshot: Snapshot, turn: OpenTurn) {
  const message = snapshot.messages.findLast((own) => own.turnId === turn.id && own.role === 'assistant')
  if (!message || !snapshot.messages.some((later) => later.seq > message.seq && later.role !== 'note'))
    return []
  return message.calls
    .filter((call) => call.effect === 'write' && (call.status === 'cancelled' || call.status === 'expired'))
    .map((call) => noteOf(parts, at, `${call.tool}: ${callOutcome(call)}`))
}

/** What a turn knows from its start. */
async function contextFor(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  turn: { readonly id: string; readonly personId: string },
  begun?: { readonly person: PersonFacts; readonly said: string; readonly postId: string | undefined },
): Promise<TurnContext> {
  const person = begun?.person ?? (await knownPerson(parts, turn.personId, snapshot))
  const own = snapshot.messages.filter((message) => message.turnId === turn.id && message.role === 'user')
  const text = begun?.said ?? own.map((message) => message.text).join('\n')
  const postId = begun?.postId ?? own.at(-1)?.postId ?? undefined
  const { profile, gone } =
    snapshot.profile === ''
      ? { profile: parts.profiles.at(snapshot), gone: false }
      : parts.profiles.named(snapshot.profile)
  const trace = createTrace({ turnId: turn.id, sessionId: snapshot.id, clock: parts.clock, ids: parts.ids })
  trace.root.note({
    profile: profile.name,
    ...(gone ? { warning: `The profile "${snapshot.profile}" is gone from the settings.` } : {}),
  })
  return {
    turnId: turn.id,
    sessionId: snapshot.id,
    thread: snapshot.thread,
    kind: snapshot.kind,
    profile,
    person,
    language: languageFor(parts, text, person.language),
    target: {
      thread: snapshot.thread,
      ...(person.userId === undefined ? {} : { recipientId: person.userId }),
      ...(postId === undefined ? {} : { postId }),
    },
    lease,
    trace,
  }
}

/** What a session begins with, for the trace of its first turn. */
function profileFacts({ name, tools, mcpServers, memory, limits }: Profile, model: ChatModel) {
  return {
    profile: name,
    model: model.name,
    window: model.contextWindow,
    tools,
    memory,
    ...(mcpServers ? { mcpServers } : {}),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  }
}

async function knownPerson(parts: AgentParts, personId: string, snapshot: Snapshot): Promise<PersonFacts> {
  const person = await parts.people.find(personId, snapshot.thread)
  if (!person) throw new HermesError('session.person', `The person ${personId} is not known.`)
  return person
}

function languageFor(parts: AgentParts, text: string, own: Language | undefined): Language {
  if (/[\p{L}]/u.test(text)) return languageOf(text)
  return own ?? parts.settings.language
}

/** Stores the trace, in one batch, and never at the turn's expense. */
async function store(parts: AgentParts, at: TurnContext): Promise<void> {
  const rows = at.trace.take()
  if (rows.length === 0) return
  try {
    await parts.db.changed`
      INSERT INTO span (id, turn_id, session_id, parent_id, name, started_at, ended_at, outcome, attributes)
      SELECT * FROM jsonb_to_recordset(${json(rows)}::jsonb) AS r(id text, "turnId" text,
        "sessionId" text, "parentId" text, name text, "startedAt" timestamptz, "endedAt" timestamptz, outcome text,
        attributes jsonb)`
  } catch (error) {
    parts.log.warn({ turn: at.turnId, error: messageOf(error) }, 'The trace could not be stored')
  }
}
