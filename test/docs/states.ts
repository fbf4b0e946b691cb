import { allowances, type SessionState, type StateFacts, stateOf } from '../../src/session/state.ts'

type Turn = StateFacts['turns'][number]
type Call = StateFacts['calls'][number]

/** What can happen to a session, by its name for people; nothing where it can't happen now. */
const happenings: Readonly<Record<string, (facts: StateFacts) => StateFacts | undefined>> = {
  'a message': (facts) => {
    if (running(facts) || !allowances[stateOf(facts)].message.includes('starts a turn')) return undefined
    const turn: Turn = { id: `turn ${facts.turns.length + 1}`, status: 'running' }
    return { ...facts, archived: false, turns: [...facts.turns, turn] }
  },
  'reads run': (facts) => {
    const turn = running(facts)
    return turn && !hasOpen(facts) && facts.calls.every((call) => call.turnId !== turn.id)
      ? { ...facts, calls: [...facts.calls, { turnId: turn.id, status: 'executing' }] }
      : undefined
  },
  'results are in': (facts) => changed(facts, 'executing', 'succeeded', 'running'),
  'a write is proposed': (facts) => {
    const turn = running(facts)
    if (!turn || hasOpen(facts)) return undefined
    return turned(
      { ...facts, calls: [...facts.calls, { turnId: turn.id, status: 'proposed' }] },
      turn.id,
      'waiting',
    )
  },
  Confirm: (facts) => changed(facts, 'proposed', 'approved', 'waiting'),
  'Cancel or expiry': (facts) => changed(facts, 'proposed', 'cancelled', 'running'),
  'it is done': (facts) => changed(facts, 'approved', 'succeeded', 'running'),
  'outcome not known': (facts) => changed(facts, 'approved', 'unknown', 'waiting'),
  'the answer': (facts) => {
    const turn = running(facts)
    if (!turn || openIn(facts, turn.id)) return undefined
    return { ...turned(facts, turn.id, 'done'), answered: true, asked: false }
  },
  'a question': (facts) => {
    const turn = running(facts)
    if (!turn || hasOpen(facts)) return undefined
    return { ...turned(facts, turn.id, 'done'), answered: true, asked: true }
  },
  'the question is closed': (facts) => (facts.asked ? { ...facts, asked: false } : undefined),
  'days without a word': (facts) =>
    running(facts) || hasOpen(facts) || facts.asked ? undefined : { ...facts, archived: true },
}

/** The states of a session and what leads from one to another, found by trying everything that can happen. */
export function stateDiagram(): string {
  const arrows = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const start: StateFacts = { archived: false, turns: [], calls: [], asked: false, answered: false }
  const rest = [start]
  for (let facts = rest.pop(); facts; facts = rest.pop()) {
    const key = JSON.stringify(facts)
    // Two turns show all there is: one that waits, and one that runs meanwhile.
    if (seen.has(key) || facts.turns.length > 2 || facts.calls.length > 3) continue
    seen.add(key)
    for (const [name, happen] of Object.entries(happenings)) {
      const after = happen(facts)
      if (!after) continue
      rest.push(after)
      const [from, to] = [stateOf(facts), stateOf(after)]
      if (from === to) continue
      const arrow = `${from} --> ${to}`
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(name))
    }
  }
  const names = Object.keys(allowances) as SessionState[]
  const order = (arrow: string) => {
    const [from, to] = arrow.split(' --> ') as [SessionState, SessionState]
    return names.indexOf(from) * 100 + names.indexOf(to)
  }
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> idle',
    ...[...arrows]
      .sort(([a], [b]) => order(a) - order(b))
      .map(([arrow, why]) => `  ${arrow}: ${[...why].sort().join(', ')}`),
    '```',
  ].join('\n')
}

/** The table of what each state allows. */
export function stateTable(): string {
  return [
    '| State | A new message of the same person | The model is told |',
    '| --- | --- | --- |',
    ...Object.entries(allowances).map(
      ([state, { message, line }]) => `| \`${state}\` | ${message} | ${line} |`,
    ),
  ].join('\n')
}

function running(facts: StateFacts): Turn | undefined {
  return facts.turns.find((turn) => turn.status === 'running')
}

const open: readonly Call['status'][] = ['proposed', 'approved', 'executing', 'unknown']

function hasOpen(facts: StateFacts): boolean {
  return facts.calls.some(({ status }) => open.includes(status))
}

function openIn(facts: StateFacts, turnId: string): boolean {
  return facts.calls.some((call) => call.turnId === turnId && open.includes(call.status))
}

function turned(facts: StateFacts, id: string, status: Turn['status']): StateFacts {
  return { ...facts, turns: facts.turns.map((turn) => (turn.id === id ? { ...turn, status } : turn)) }
}

/** The first call of one status gets another, and its turn with it, unless another turn is in the way. */
function changed(
  facts: StateFacts,
  from: Call['status'],
  to: Call['status'],
  status: Turn['status'],
): StateFacts | undefined {
  const at = facts.calls.findIndex((call) => call.status === from)
  const call = facts.calls[at]
  if (!call) return undefined
  const other = running(facts)
  if (status === 'running' && other && other.id !== call.turnId) return undefined
  const calls = facts.calls.map((each, index) => (index === at ? { ...each, status: to } : each))
  return turned({ ...facts, calls }, call.turnId, status)
}
