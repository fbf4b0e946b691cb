import type { ChatBody, ScriptedReply } from '../support/model.ts'

/** One thing that somebody says, and what a good model does about it. */
export interface Spoken {
  readonly by: 'Ann' | 'Bo' | '陈晨'
  readonly text: string
  /** What is called before the answer. */
  readonly calls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[]
  /** The card that comes of it is confirmed or cancelled. */
  readonly card?: 'Confirm' | 'Cancel'
  /** Words of the answer beside its number. */
  readonly words?: number
}

const look = (rows: number): Spoken['calls'] => [{ name: 'find_records', arguments: { rows } }]
const set = (steps: readonly string[], constraints: readonly string[]): Spoken['calls'] => [
  {
    name: 'update_plan',
    arguments: {
      action: 'set',
      goal: 'Plan the offsite',
      steps: steps.map((text) => ({ text, status: 'open' })),
      constraints,
    },
  },
]

/** Drift from the task: each of the three speaks of something else, in their own language. */
const drift: readonly Omit<Spoken, 'by'>[] = [
  { text: 'What does the printer manual say about paper jams?', calls: look(3), words: 40 },
  { text: '顺便问一下，上个季度的销售情况怎么样', calls: look(60), words: 30 },
  { text: 'Tell me something about the history of lighthouses', words: 220 },
  { text: '把刚才的内容用要点列出来', words: 60 },
  { text: 'Which of the records is the oldest?', calls: look(400) },
  { text: '天气不错，你觉得呢' },
  { text: 'And the whole list of them?', calls: look(3_000), words: 20 },
  { text: 'Thanks', words: 3 },
  { text: '查一下仓库的库存记录', calls: look(12), words: 20 },
  { text: `Here is what the vendor wrote: ${'we regret the delay of the delivery, '.repeat(60)}`, words: 25 },
]

/** What was settled early, as it must stand in every later request. */
export const settled = [
  'ORD-2024-0017',
  'offsite-plan.docx',
  'Director Wang',
  '€4,000',
  '2027-03-15',
  'INV-8841',
  '30000元',
  '王总监',
  'only vegetarian food',
]
/** What was changed half way. */
export const changed = { at: 33, words: '€5,200' }

/** Sixty turns of three people in one thread. */
export function conversation(): readonly Spoken[] {
  const people = ['Ann', 'Bo', '陈晨'] as const
  const fixed = new Map<number, Spoken>([
    [
      1,
      {
        by: 'Ann',
        text: 'We plan the offsite with Director Wang, from 2027-03-15 to 2027-03-17. The budget is at most €4,000. The order is ORD-2024-0017 and the draft is offsite-plan.docx',
        words: 30,
      },
    ],
    [2, { by: '陈晨', text: '酒店合同号是 INV-8841，预算不超过 30000元，联系人是王总监', words: 15 }],
    [
      3,
      {
        by: 'Bo',
        text: 'Keep in mind: only vegetarian food',
        calls: set(['find a place', 'book it'], ['only vegetarian food']),
      },
    ],
    [
      6,
      {
        by: 'Ann',
        text: 'Create a ticket for the room',
        calls: [{ name: 'create_ticket', arguments: { title: 'Book room Kaya for the offsite' } }],
        card: 'Confirm',
      },
    ],
    [
      20,
      {
        by: 'Bo',
        text: 'Create a ticket for the bus, too',
        calls: [{ name: 'create_ticket', arguments: { title: 'Order a bus' } }],
        card: 'Cancel',
      },
    ],
    [changed.at, { by: 'Ann', text: `The budget has changed: at most ${changed.words} now`, words: 10 }],
    [
      44,
      {
        by: 'Bo',
        text: 'Check the records of last week; if there are none, look at those of this week; then sum it up',
        calls: look(5),
        words: 20,
      },
    ],
    [60, { by: 'Ann', text: 'So what are dates, budget, order and food of the offsite?', words: 30 }],
  ])
  return Array.from({ length: 60 }, (_, index) => {
    const turn = index + 1
    return fixed.get(turn) ?? { by: people[index % 3]!, ...drift[index % drift.length]! }
  })
}

/** The model's part: it does what belongs to the number of the last thing said, and answers with that number. */
export function conversationModel(turns: readonly Spoken[]): (body: ChatBody) => ScriptedReply {
  return (body) => {
    // What comes after turns: nothing is worth remembering, and summaries forget everything.
    if (body.tools === undefined)
      return { text: /## Confirmed/.test(textOf(body.messages[0])) ? forgetful : '[]' }
    const at = body.messages.findLastIndex((message) => message.role === 'user' && mark.test(textOf(message)))
    const number = Number(mark.exec(textOf(body.messages[at]))?.[1])
    const turn = turns[number - 1]!
    const isDone = body.messages.slice(at).some((message) => message.role === 'tool')
    if (turn.calls && !isDone) {
      const calls = turn.calls.map((call) => ({
        name: body.tools?.find((tool) => tool.function.name.endsWith(call.name))?.function.name ?? call.name,
        arguments: call.arguments,
      }))
      return { calls }
    }
    return { text: `Answer ${number}. ${'and so on '.repeat(Math.ceil((turn.words ?? 5) / 3))}`.trim() }
  }
}

const mark = /#(\d+)#/
const forgetful =
  '## Confirmed parameters\n- none\n## Decisions\n- none\n## To-dos\n- none\n## Already answered\n- several things'

/** The text of a message of a request. */
export function textOf(message: ChatBody['messages'][number] | undefined): string {
  const content = message?.content
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
