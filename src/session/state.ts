import type { CallStatus, Prisma, QuestionStatus, TurnStatus } from '../store/prisma/client.ts'

/** What a session is doing, as people, viewers and the model are told. */
export type SessionState =
  | 'idle'
  | 'collecting'
  | 'tool_executing'
  | 'awaiting_confirmation'
  | 'reviewing'
  | 'done'
  | 'archived'

/** What a state allows. The table is the whole of the rules; code asks it and decides nothing beside it. */
export interface Allowance {
  /** What a new message of the same person does. */
  readonly message:
    | 'starts a turn'
    | 'restarts the step'
    | 'restarts the step; where a question waits, starts a turn'
    | 'joins before the next step'
  /** May calls be proposed to a person? */
  readonly writes: boolean
  /** May reads run? */
  readonly reads: boolean
  /** As the model is told, in one line. */
  readonly line: string
}

export const allowances: Readonly<Record<SessionState, Allowance>> = {
  idle: { message: 'starts a turn', reads: true, writes: true, line: 'Nothing is under way.' },
  collecting: {
    message: 'restarts the step; where a question waits, starts a turn',
    reads: true,
    writes: true,
    line: 'A request is being worked on; details may be missing.',
  },
  tool_executing: {
    message: 'joins before the next step',
    reads: true,
    writes: true,
    line: 'Tool calls are running.',
  },
  awaiting_confirmation: {
    message: 'starts a turn',
    reads: true,
    writes: true,
    line: 'A proposed action waits for a person to press Confirm. It has not been done. Do not propose it again; withdraw it to change it.',
  },
  reviewing: {
    message: 'restarts the step',
    reads: true,
    writes: true,
    line: 'The results of tool calls are in; they are to be checked and told.',
  },
  done: { message: 'starts a turn', reads: true, writes: true, line: 'The last request has been answered.' },
  archived: {
    message: 'starts a turn',
    reads: true,
    writes: true,
    line: 'The conversation was archived and has come back.',
  },
}

/** What the state is derived from. */
export interface StateFacts {
  readonly archived: boolean
  readonly turns: readonly { readonly id: string; readonly status: TurnStatus }[]
  readonly calls: readonly { readonly turnId: string; readonly status: CallStatus }[]
  /** Does a question wait for its person? */
  readonly asked: boolean
  /** Has any turn ended here? */
  readonly answered: boolean
}

/** The state of a session: a pure function of its rows, never stored. */
export function stateOf(facts: StateFacts): SessionState {
  const running = facts.turns.find((turn) => turn.status === 'running')
  const open = (statuses: readonly CallStatus[]) => facts.calls.some((call) => statuses.includes(call.status))
  if (open(['approved', 'executing'])) return 'tool_executing'
  if (running) {
    return facts.calls.some((call) => call.turnId === running.id) ? 'reviewing' : 'collecting'
  }
  if (open(['proposed', 'unknown'])) return 'awaiting_confirmation'
  if (facts.asked) return 'collecting'
  if (facts.archived) return 'archived'
  return facts.answered ? 'done' : 'idle'
}

/** What a query of sessions includes for `stateOfRow`. */
export const stateRows = {
  turns: { where: { status: { in: ['running', 'waiting'] } } },
  calls: {
    where: {
      OR: [{ status: { in: ['proposed', 'approved', 'executing', 'unknown'] } }, { questionStatus: 'open' }],
    },
  },
} satisfies Prisma.SessionInclude

/** The state of a session that was read with `stateRows`. */
export function stateOfRow(row: {
  readonly archivedAt: Date | null
  readonly seq: number
  readonly turns: StateFacts['turns']
  readonly calls: readonly (StateFacts['calls'][number] & {
    readonly questionStatus: QuestionStatus | null
  })[]
}): SessionState {
  return stateOf({
    archived: row.archivedAt !== null,
    turns: row.turns,
    calls: row.calls,
    asked: row.calls.some((call) => call.questionStatus === 'open'),
    answered: row.seq > 0,
  })
}
