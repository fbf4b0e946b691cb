import { messageOf } from '../base/errors.ts'
import { phrases } from '../base/words.ts'
import type { CardAction } from '../channel/card.ts'
import { ChannelError } from '../channel/failure.ts'
import { openReply, type PriorPart, type Reply } from '../channel/reply.ts'
import { ModelError } from '../model/chat.ts'
import { costOf } from '../model/prices.ts'
import { advance } from '../session/advance.ts'
import { unfounded } from '../session/claims.ts'
import { commitStep, type NewMessage, type Step } from '../session/commit.ts'
import { mergeEntities, readEntities } from '../session/entities.ts'
import { type Folded, foldInbox } from '../session/fold.ts'
import type { Intent } from '../session/intent/intent.ts'
import { addIntents, readIntents } from '../session/intent/stored.ts'
import type { PersonFacts } from '../session/people.ts'
import type { Plans } from '../session/plan.ts'
import { type OpenTurn, readSnapshot, type Snapshot } from '../session/transcript.ts'
import { outageOf } from '../tools/circuit.ts'
import type { Tool } from '../tools/definition.ts'
import { notesBelow, refusedWhileDown } from '../tools/failures.ts'
import { showCards } from './approving/cards.ts'
import { propose } from './approving/proposal.ts'
import { rejectedIn } from './approving/rejection.ts'
import { decideTyped } from './approving/typed.ts'
import { type ContextOf, noteOf, runCalls, thinkingLine } from './calls.ts'
import { commandOf, type SpokenCommand } from './commands/typed.ts'
import { whyButton } from './commands/why-button.ts'
import { commandWords } from './commands/words.ts'
import type { LegJournal } from './delivery.ts'
import { handOverOnRequest } from './desk/handing-over.ts'
import { directoryOf } from './directory.ts'
import { limitReached } from './limits.ts'
import { legText, nextMove, statusOf } from './move.ts'
import type { AgentParts, TurnContext } from './parts.ts'
import { rewritingNotes } from './rewriting.ts'
import { type Stopping, stopping } from './stopping.ts'
import { doubtOf, think } from './thinking.ts'
import { madeAlready, peopleIn, planAtEnd, saidIn, understand } from './understanding.ts'
import { closeChoices, showChoices } from './workflows/choices.ts'
import { followOutcomes, gateOf, takeOwnStep } from './workflows/steps.ts'
import { flowOf } from './workflows/workflows.ts'

/** How a stretch of a turn ended. */
export type TurnEnd = 'done' | 'waiting' | 'stopped' | 'failed'

/**
 * Carries a running turn to its answer, or to where it waits for a person: one committed step at a time. What to do
 * next is read from the committed rows, so a turn that another process began goes on in the same way.
 * @param known how the session stands, where the caller has just read or committed it
 */
export async function carryOn(
  parts: AgentParts,
  at: TurnContext,
  contextOf: ContextOf,
  known?: Snapshot,
): Promise<TurnEnd> {
  let leg: Leg | undefined
  const legOf = async (turn: OpenTurn): Promise<Leg> => {
    if (leg?.number === turn.leg) return leg
    await leg?.reply.abandon()
    leg = await openLeg(parts, at, turn.leg)
    return leg
  }
  let standing = known
  const startedAt = parts.clock.monotonic()
  try {
    for (;;) {
      at.lease.signal.throwIfAborted()
      const snapshot: Snapshot | undefined = standing ?? (await readSnapshot(parts.db, at.sessionId))
      standing = undefined
      const turn = snapshot?.turns.find((open) => open.id === at.turnId && open.status === 'running')
      if (!snapshot || !turn) return 'done'

      // What comes after the last word has been settled is for the next turn.
      const ending = turn.outcome !== null
      if (
        !ending &&
        snapshot.pending.some((event) => event.personId === turn.personId && event.kind !== 'timer')
      ) {
        const folded = foldInbox(snapshot)
        const typed = folded.stop ? undefined : await decideTyped(parts, snapshot, folded, at.person)
        // What has been answered is shown before what came after it begins a leg of its own.
        if (folded.joining.length > 0 && answered(snapshot, turn))
          await show(parts, at, (await legOf(turn)).reply, legText(snapshot, turn))
        if (await join(parts, at, turn, snapshot, folded, typed?.kind === 'decided')) continue
      }
      if (!ending && (await followOutcomes(parts, at, snapshot, turn))) continue

      const move = nextMove(snapshot, turn)
      switch (move.kind) {
        case 'run':
          await runCalls(parts, at, snapshot, contextOf)
          if (ranByGrant(snapshot, turn)) await showCards(parts, at)
          break
        case 'answer': {
          // What ran without asking is told, also where a process died before it could.
          if (ranByGrant(snapshot, turn)) await showCards(parts, at)
          const status = statusOf(turn.outcome)
          const plan = planAtEnd(snapshot, turn)
          const below = turn.outcome === null ? [whyButton(turn.id, at.language)] : []
          await finish(parts, at, turn, await legOf(turn), legText(snapshot, turn), status, {
            plan,
            below,
            snapshot,
          })
          return status
        }
        case 'wait': {
          const text = legText(snapshot, turn)
          const { reply } = await legOf(turn)
          if (text === '') await reply.abandon()
          else await show(parts, at, reply, text)
          await showCards(parts, at)
          quiet(parts, at)
          await commitStep(parts.db, at.lease, { turn: { id: turn.id, status: 'waiting' } })
          return 'waiting'
        }
        case 'stop':
          return await endStopped(parts, at, snapshot, turn, await legOf(turn))
        case 'removed':
          return await endRemoved(parts, at, turn, await legOf(turn))
        case 'think': {
          if (await takeOwnStep(parts, at, snapshot, turn)) break
          const handed = await handOverOnRequest(parts, at, snapshot, turn)
          const limit = handed ? undefined : await limitReached(parts, at, turn, snapshot, startedAt)
          const speaking = await legOf(turn)
          const command = turn.step === 0 ? commandOf(snapshot, turn) : undefined
          if (command) return await answerCommand(parts, at, snapshot, turn, speaking, command)
          if (handed) return await endWith(parts, at, turn, speaking, handed, 'done', 'handed_over')
          if (limit) {
            const ending = { step: { audit: [limit.audit] }, turnIds: [] }
            return await endWith(parts, at, turn, speaking, limit.sentence, 'failed', limit.outcome, ending)
          }
          const next = await step(parts, at, snapshot, turn, speaking)
          if (typeof next === 'string') return next
          standing = next
          break
        }
        default:
          move satisfies never
      }
    }
  } finally {
    await leg?.reply.abandon()
  }
}

/** Did anything of the turn run without a card, since it was allowed for good? */
function ranByGrant(snapshot: Snapshot, turn: OpenTurn): boolean {
  return snapshot.messages.some(
    (message) => message.turnId === turn.id && message.calls.some((call) => call.approval?.grantId),
  )
}

/** Answers a command that was typed as a message. A reset takes the person's open cards and workflows with it. */
async function answerCommand(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  leg: Leg,
  command: SpokenCommand,
): Promise<TurnEnd> {
  if (command.name === 'reset') {
    const ending = stopping(snapshot, at.person.id, turn.id)
    const workflows = snapshot.workflows
      .filter((one) => one.personId === at.person.id && one.status !== 'ended')
      .map((one) => ({ ...one, status: 'ended' as const, dueAt: null }))
    const anew = { ...ending, step: { ...ending.step, workflows, session: { reset: true } } } as const
    const sentence = commandWords(at.language).wasReset
    return endWith(parts, at, turn, leg, sentence, 'done', 'command', anew)
  }
  const event = {
    kind: 'command',
    dedupeKey: `typed:${turn.id}`,
    thread: at.thread,
    threadKind: at.kind,
    author: { userId: at.person.userId ?? '', name: at.person.name },
    at: parts.clock.now(),
    ...command,
  } as const
  const receipt = await parts.commands.run(event, at.language)
  const notice = receipt.kind === 'answered' ? (receipt.notice ?? '') : ''
  return endWith(parts, at, turn, leg, notice, 'done', 'command')
}

/** The messages of one leg, and what is kept of them. */
export interface Leg {
  readonly number: number
  readonly reply: Reply
  readonly journal: LegJournal
}

/**
 * One request to the model and what comes of it. Gives an end where the turn can't go on, else how the session
 * stands after it, where that is known.
 */
async function step(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  leg: Leg,
): Promise<TurnEnd | Snapshot | undefined> {
  const { reply } = leg
  const before = legText(snapshot, turn)
  const visible = (text: string) => [before, text].filter((part) => part.trim() !== '').join('\n\n')
  void parts.speaker(at.thread).showActivity(at.target, thinkingLine(at))
  let thought: Awaited<ReturnType<typeof think>>
  try {
    thought = await think(parts, at, snapshot, (textSoFar) => reply.write(visible(textSoFar)))
  } catch (error) {
    at.lease.signal.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    parts.log.warn({ turn: turn.id, failure: error.failure, error: error.message }, 'The model gave no reply')
    return endWith(parts, at, turn, leg, visible(modelSentence(error, at)), 'failed', error.code)
  }
  if (thought === 'interrupted') {
    // The half answer is no history; what comes next replaces it where it is visible.
    reply.restart()
    return undefined
  }

  const { toolCalls, usage } = thought.reply
  const cost = costOf(usage, thought.reply.model, parts.settings.spending.prices)
  const messageId = parts.ids('msg')
  const claims =
    toolCalls.length > 0
      ? []
      : unfounded(
          thought.reply.text,
          snapshot.messages.flatMap((message) => message.calls),
        )
  if (claims.length > 0 && !wasTold(snapshot, turn)) {
    // What the ledger does not hold was not done. The model gets one chance to do it or to say so.
    reply.restart()
    await commitStep(parts.db, at.lease, {
      messages: [
        noteOf(
          parts,
          at,
          `${claimNote} ${claims.map((claim) => `"${claim.words}"`).join(' ')} ${claimAdvice}`,
        ),
      ],
      turn: {
        id: turn.id,
        step: turn.step + 1,
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        cost,
      },
    })
    return undefined
  }
  const below = toolCalls.length > 0 ? '' : troubleNotes(snapshot, turn)
  const text = [thought.reply.text, claims.length > 0 ? phrases(at.language).notDone : '', below]
    .filter((part) => part !== '')
    .join('\n\n')
  const earlier = madeAlready(snapshot, turn)
  const proposal = await propose(toolCalls, {
    turnId: turn.id,
    messageId,
    personId: turn.personId,
    earlier,
    rejected: rejectedIn(snapshot, turn.id),
    grants: snapshot.grants,
    find: (name) => unlessDown(parts, at, snapshot, name),
    lasting: wantsFresh(turn) ? [] : snapshot.messages.flatMap((message) => message.calls),
    mounts: (tool) => parts.profiles.mounts(at.profile, tool),
    gate: gateOf(snapshot, turn.personId),
    check: {
      now: parts.clock.now(),
      timeZone: at.person.timeZone,
      language: at.language,
      personId: turn.personId,
      thread: at.thread,
    },
    policies: parts.settings.approvals,
    directory: directoryOf(parts, at, snapshot),
    doubt: (tool) => doubtOf(parts, at, snapshot, tool),
    ids: parts.ids,
  })
  for (const { tool, callId, of, ageSeconds } of proposal.reused) {
    await at.trace.root.span(`tool ${tool}`, { call: callId, reused: of, ageSeconds }, async () => {})
  }
  const isAnswer = toolCalls.length === 0
  const change: Step = {
    messages: [assistantMessage(messageId, turn, text, isAnswer)],
    calls: proposal.calls,
    approvals: proposal.approvals,
    audit: proposal.approvals
      .filter((approval) => approval.grantId !== null)
      .map(({ id, callId, personId, argumentsHash, grantId }) => ({
        id: parts.ids('aud'),
        action: 'approval.granted',
        personId,
        subjectId: id,
        data: { call: callId, argumentsHash, grant: grantId },
      })),
    turn: {
      id: turn.id,
      step: turn.step + 1,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cost,
      recalled: (at.memory?.recalled ?? []).map(({ id, version }) => ({ id, version })),
    },
  }
  const committed = isAnswer
    ? await leg.journal.withFirst((sending) => commitStep(parts.db, at.lease, { ...change, sending }))
    : await commitStep(parts.db, at.lease, change)
  parts.notices.changed(at.sessionId, isAnswer)
  return advance(snapshot, change, committed, at.person, parts.clock.now())
}

/** A tool as it may be proposed: nobody is asked to confirm what a service that is down can't do. */
function unlessDown(parts: AgentParts, at: TurnContext, snapshot: Snapshot, name: string): Tool | undefined {
  const tool = parts.registry.find(name)
  const outage = tool?.effect === 'write' && outageOf(snapshot.failures, tool.name, parts.clock.now())
  if (!tool || !outage) return tool
  const telling = { now: parts.clock.now(), timeZone: at.person.timeZone, language: 'en' } as const
  return { ...tool, blocked: refusedWhileDown(outage, telling, false) }
}

/** What is added below an answer about tools that did not answer in this turn, where the thread does not know yet. */
function troubleNotes(snapshot: Snapshot, turn: OpenTurn): string {
  const own = snapshot.messages.filter((message) => message.turnId === turn.id)
  const notes = own
    .flatMap((message) => message.calls)
    .filter((call) => call.told && (call.failureCode === 'degraded' || call.status !== 'succeeded'))
    .map((call) => call.told!)
  const said = snapshot.messages.filter((message) => message.role === 'assistant').map(({ text }) => text)
  return notesBelow(notes, said)
}

/** Has the person asked to have it looked up anew? */
function wantsFresh(turn: OpenTurn): boolean {
  return readIntents(turn.intent).some(({ modifiers }) => modifiers.includes('refresh'))
}

const claimNote = 'Your answer was not shown, since it says that something was done which no tool call did:'
const claimAdvice = 'Call the tool that does it, or answer without claiming it.'

/** Has the model been told in this turn that it claimed too much? */
function wasTold(snapshot: Snapshot, turn: OpenTurn): boolean {
  return snapshot.messages.some(
    (message) => message.turnId === turn.id && message.role === 'note' && message.text.startsWith(claimNote),
  )
}

/** Commits what the inbox brought to the running turn. */
async function join(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  snapshot: Snapshot,
  folded: Folded,
  /** Has it decided a card? Then it is nothing else. */
  decided: boolean,
): Promise<boolean> {
  if (folded.joining.length === 0 && folded.dropped.length === 0 && folded.rewritten.length === 0)
    return false
  const { intents, plan } = understand(parts, snapshot, folded, at.person, turn.id)
  const taken = joinStep(parts, turn, folded, snapshot, at.person, intents)
  const flow = decided ? undefined : await flowOf(parts, snapshot, folded, at.person, turn.id)
  await commitStep(parts.db, at.lease, {
    ...taken,
    ...flow?.step,
    ...(plan ? { session: { ...taken.session, plan } } : {}),
    ...(folded.joining.length > 0 || folded.stop
      ? {
          turn: {
            id: turn.id,
            // Committed with the word itself, so that a crash does not forget it.
            ...(folded.stop && !flow?.left ? { outcome: 'stopped' } : {}),
            intent: addIntents(turn.intent, intents),
            ...(folded.joining.length > 0 && answered(snapshot, turn) ? { leg: turn.leg + 1 } : {}),
          },
        }
      : {}),
  })
  parts.notices.changed(at.sessionId)
  if (flow?.step.workflows) await closeChoices(parts, at, snapshot.workflows, flow.step.workflows)
  return true
}

/** Has the running leg its answer already? Then what came meanwhile gets a leg of its own. */
function answered(snapshot: Snapshot, turn: OpenTurn): boolean {
  return nextMove(snapshot, turn).kind === 'answer'
}

/** The part of a step that takes the inbox into a turn. */
export function joinStep(
  parts: AgentParts,
  turn: { readonly id: string; readonly leg: number; readonly step: number },
  folded: Folded,
  snapshot: Snapshot,
  person: Pick<PersonFacts, 'name' | 'timeZone'>,
  /** What the messages that join want, in their order. */
  intents: readonly Intent[],
): Step {
  const at = { now: parts.clock.now(), timeZone: person.timeZone, by: person.name }
  const named = folded.joining.flatMap((message, index) => [
    ...peopleIn(intents[index], at),
    ...saidIn(message.text, at),
  ])
  return {
    ...(named.length > 0
      ? { session: { entities: mergeEntities(readEntities(snapshot.entities), named) } }
      : {}),
    messages: [
      ...rewritingNotes(parts.ids, folded, snapshot),
      ...folded.joining.map((message) => ({
        id: parts.ids('msg'),
        turnId: turn.id,
        step: turn.step,
        leg: turn.leg,
        role: 'user' as const,
        personId: message.personId,
        eventId: message.eventId,
        postId: message.postId,
        text: message.text,
        attachments: message.attachments,
        final: true,
      })),
    ],
    taken: { turnId: turn.id, events: folded.joining.map((message) => message.eventId) },
    dropped: folded.dropped,
    rewritten: folded.rewritten,
  }
}

function assistantMessage(id: string, turn: OpenTurn, text: string, final: boolean): NewMessage {
  return {
    id,
    turnId: turn.id,
    step: turn.step + 1,
    leg: turn.leg,
    role: 'assistant',
    personId: null,
    eventId: null,
    postId: null,
    text,
    attachments: [],
    final,
  }
}

/** The reply of a leg, with what of it is visible already. */
export async function openLeg(
  parts: AgentParts,
  at: TurnContext,
  number: number,
  shown?: readonly PriorPart[],
): Promise<Leg> {
  const fresh = shown === undefined && at.freshLeg === number
  const prior = shown ?? (fresh ? [] : await parts.deliveries.prior(at.turnId, number))
  const journal = parts.deliveries.journal(at.lease, at.turnId, number, at.target, fresh)
  const reply = openReply({
    surface: parts.speaker(at.thread).surface(at.target),
    journal,
    clock: parts.clock,
    log: parts.log.child({ turn: at.turnId }),
    signal: at.lease.signal,
    attachedSentence: phrases(at.language).restIsAttached,
    prior,
  })
  return { number, reply, journal }
}

/** Shows the last word, and ends the turn: what became of its messages, its trace and the lease go with its end. */
async function finish(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  { reply, journal }: Leg,
  text: string,
  status: 'done' | 'stopped' | 'failed',
  {
    plan,
    below = [],
    snapshot,
  }: {
    readonly plan?: Plans | undefined
    /** Small buttons under the answer. */
    readonly below?: readonly CardAction[]
    /** Where choices of a workflow may be open. */
    readonly snapshot?: Snapshot
  } = {},
): Promise<void> {
  journal.defer()
  await show(parts, at, reply, text, below)
  if (snapshot) await showChoices(parts, at, snapshot)
  quiet(parts, at)
  await commitStep(parts.db, at.lease, {
    turn: { id: turn.id, status },
    ...(plan ? { session: { plan } } : {}),
    sent: journal.unsaved(),
    spans: at.trace.take(),
    release: true,
  })
}

/** Shows the finished text of a leg. A platform that does not take it is reported; the answer stays in the history. */
async function show(
  parts: AgentParts,
  at: TurnContext,
  reply: Reply,
  text: string,
  below: readonly CardAction[] = [],
): Promise<void> {
  await at.trace.root.span('deliver', { characters: text.length }, async (span) => {
    try {
      const { messageIds } = await reply.finish(text, below.length > 0 ? { actions: below } : {})
      span.note({ messages: messageIds })
    } catch (error) {
      at.lease.signal.throwIfAborted()
      if (!(error instanceof ChannelError)) throw error
      span.end(error.code)
      parts.log.error(
        { turn: at.turnId, failure: error.failure, error: messageOf(error) },
        'An answer could not be shown',
      )
      await parts.db.delivery.updateMany({
        where: { turnId: at.turnId, purpose: 'reply', status: 'sending' },
        data: { status: 'failed', error: messageOf(error).slice(0, 500) },
      })
    }
  })
}

/** Takes the sign of life away. */
function quiet(parts: AgentParts, at: TurnContext): void {
  void parts.speaker(at.thread).showActivity(at.target, null)
}

/** Ends a turn with a sentence of Hermes itself. */
export async function endWith(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  leg: Leg,
  sentence: string,
  status: 'done' | 'stopped' | 'failed',
  outcome: string,
  ending: Stopping = { step: {}, turnIds: [] },
): Promise<TurnEnd> {
  leg.reply.restart()
  await commitStep(parts.db, at.lease, {
    ...ending.step,
    messages: [assistantMessage(parts.ids('msg'), turn, sentence, true)],
    turn: { id: turn.id, step: turn.step + 1, outcome },
  })
  parts.notices.changed(at.sessionId)
  for (const turnId of ending.turnIds) await showCards(parts, { ...at, turnId })
  await finish(parts, at, turn, leg, sentence, status)
  return status
}

async function endStopped(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  turn: OpenTurn,
  leg: Leg,
): Promise<TurnEnd> {
  const ending = stopping(snapshot, at.person.id, turn.id)
  const words = phrases(at.language)
  const sentence = ending.turnIds.length > 0 ? words.stoppedWithdrawn : words.stopped
  return endWith(parts, at, turn, leg, sentence, 'stopped', 'stopped', ending)
}

/** Everything that was asked has been removed: what is visible of the answer goes too. */
async function endRemoved(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  { reply }: Leg,
): Promise<TurnEnd> {
  reply.restart()
  await show(parts, at, reply, '')
  // An answer that was committed already, and is not said any more.
  await parts.db.changed`
    DELETE FROM delivery WHERE turn_id = ${turn.id} AND purpose = 'reply' AND status = 'sending'`
  quiet(parts, at)
  await commitStep(parts.db, at.lease, { turn: { id: turn.id, status: 'stopped', outcome: 'removed' } })
  return 'stopped'
}

function modelSentence(error: ModelError, at: TurnContext): string {
  const words = phrases(at.language)
  switch (error.failure) {
    case 'down':
      return words.modelDown
    case 'timeout':
      return words.modelSlow
    case 'rate_limited':
      return words.modelBusy
    case 'unauthorized':
      return words.modelUnauthorized
    case 'context_length':
      return words.modelTooLong
    case 'empty':
      return words.modelEmpty
    case 'refused':
      return words.modelRefused
    case 'invalid_request':
      return words.modelInvalid
    default:
      return error.failure satisfies never
  }
}
