import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/file.ts'
import type { WorkflowInstance } from '../../../src/session/workflows/instance.ts'
import {
  advance,
  begun,
  ownCall,
  refusalIn,
  sayOf,
  type WorkflowEvent,
} from '../../../src/session/workflows/machine.ts'
import { readInput } from '../../../src/session/workflows/reading.ts'
import { isLeaving, startedBy } from '../../../src/session/workflows/words.ts'

const read = readConfig(
  readFileSync(new URL('../../../hermes.config.example.json', import.meta.url), 'utf8'),
  'hermes.config.example.json',
)
if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
const { workflows } = read.config
const now = new Date('2026-11-30T09:00:00Z')
const at = { turnId: 'turn_1', now, seq: 7 }
const facts = { now, timeZone: 'Europe/Berlin' }
const liWei = { name: 'Li Wei', address: 'person:web:local:Li Wei' }

const fresh = (language: 'en' | 'zh' = 'en'): WorkflowInstance =>
  begun(
    {
      id: 'wfl_1',
      personId: 'per_1',
      name: 'expense_claim',
      version: 'v1',
      definition: workflows.expense_claim!,
      language,
      data: { requester: 'Ann', today: '2026-11-30' },
    },
    at,
  )
/** The instance after these, each of which has to move it. */
const after = (...events: readonly WorkflowEvent[]): WorkflowInstance =>
  events.reduce((one, event) => {
    const next = advance(one, event, at)
    if (!next) throw new Error(`Nothing moved in ${one.state} by ${event.kind}.`)
    return next
  }, fresh())

const file: WorkflowEvent = {
  kind: 'input',
  input: 'file',
  values: { receipt: 'r.csv', amount: 42.5, currency: 'EUR' },
}
const outcome = (what: Extract<WorkflowEvent, { kind: 'outcome' }>['outcome']): WorkflowEvent => ({
  kind: 'outcome',
  outcome: what,
})
const approver: WorkflowEvent = { kind: 'input', input: 'choice', values: { approver: liWei } }

describe('the machine', () => {
  it.each<[string, readonly WorkflowEvent[], string, WorkflowInstance['status']]>([
    ['nothing', [], 'uploading', 'active'],
    ['a file with all of it', [file], 'confirming', 'active'],
    [
      'a file without the amount',
      [{ kind: 'input', input: 'file', values: { receipt: 'r.csv' } }],
      'uploading',
      'active',
    ],
    [
      'the amount in words after it',
      [
        { kind: 'input', input: 'file', values: { receipt: 'r.csv' } },
        { kind: 'input', input: 'text', values: { amount: 3 } },
      ],
      'confirming',
      'active',
    ],
    [
      'the amount by the model after it',
      [
        { kind: 'input', input: 'file', values: { receipt: 'r.csv' } },
        { kind: 'fill', values: { amount: 3, approver: 'nobody' } },
      ],
      'confirming',
      'active',
    ],
    ['a confirmed amount', [file, outcome('confirmed')], 'choosing_approver', 'active'],
    ['a cancelled card', [file, outcome('cancelled')], 'uploading', 'active'],
    ['an expired card, which follows the cancelled one', [file, outcome('expired')], 'uploading', 'active'],
    ['a withdrawn card', [file, outcome('withdrawn')], 'confirming', 'parked'],
    ['a chosen approver', [file, outcome('confirmed'), approver], 'submitting', 'active'],
    ['an approval', [file, outcome('confirmed'), approver, outcome('succeeded')], 'submitted', 'ended'],
    ['a refusal', [file, outcome('confirmed'), approver, outcome('cancelled')], 'rejected', 'ended'],
    ['no decision in time', [file, outcome('confirmed'), approver, outcome('expired')], 'rejected', 'ended'],
    [
      'a ticket that fails',
      [file, outcome('confirmed'), approver, outcome('failed')],
      'choosing_approver',
      'active',
    ],
    ['a time-out', [{ kind: 'timeout' }], 'expired', 'ended'],
    ['leaving at once', [{ kind: 'leave' }], 'cancelled', 'ended'],
    [
      'leaving with a cancel action',
      [file, outcome('confirmed'), approver, { kind: 'leave' }],
      'submitting',
      'active',
    ],
    [
      'the cancel action done',
      [file, outcome('confirmed'), approver, { kind: 'leave' }, outcome('succeeded')],
      'cancelled',
      'ended',
    ],
    [
      'the cancel action failed',
      [file, outcome('confirmed'), approver, { kind: 'leave' }, outcome('failed')],
      'cancelled',
      'ended',
    ],
    [
      'the cancel action taken back',
      [file, outcome('confirmed'), approver, { kind: 'leave' }, outcome('cancelled')],
      'submitting',
      'active',
    ],
    ['parking', [file, { kind: 'park' }], 'confirming', 'parked'],
    ['parking and going on', [file, { kind: 'park' }, { kind: 'resume' }], 'confirming', 'active'],
  ])('after %s is where it should be', (_, events, state, status) => {
    expect(after(...events)).toMatchObject({ state, status })
  })

  it('makes its own calls with what it has collected, once for each visit', () => {
    const asked = after(file)
    expect(ownCall(asked)).toEqual({
      tool: undefined,
      arguments: { amount: 42.5, currency: 'EUR' },
      approver: undefined,
    })
    expect(ownCall({ ...asked, callId: 'call_1' })).toBeUndefined()
    const submitting = after(file, outcome('confirmed'), approver)
    expect(ownCall(submitting)).toMatchObject({
      tool: 'create_ticket',
      arguments: { title: 'Expense claim of Ann: 42.5 EUR', assignee: 'Li Wei', labels: ['expense'] },
      approver: 'approver',
    })
    expect(ownCall(after(file, outcome('confirmed'), approver, { kind: 'leave' }))).toMatchObject({
      tool: 'send_message',
      arguments: { to: 'Li Wei' },
    })
    expect(ownCall(after(file, { kind: 'park' }))).toBeUndefined()
  })

  it('refuses a jump with the state, the reason and what is possible', () => {
    expect(refusalIn(fresh(), 'create_ticket')).toBe(
      'create_ticket is not possible in the state "uploading" of the workflow "Expense claim". A claim needs a receipt, a confirmed amount and an approver before it is submitted. Possible now: the person gives a file; the person gives a text; the person leaves it by saying cancel. For something else, put the workflow aside first (workflow, action park).',
    )
    expect(refusalIn(fresh(), 'list_tickets')).toBeUndefined()
    expect(refusalIn(after({ kind: 'park' }), 'create_ticket')).toBeUndefined()
    expect(refusalIn(after(file, outcome('confirmed'), approver), 'create_ticket')).toContain('"submitting"')
  })

  it('says each state’s words with the values, in the language that it began in', () => {
    expect(sayOf(after(file))).toBe('This is what I read in r.csv. Please check it and confirm.')
    expect(sayOf(fresh('zh'))).toBe('请附上收据文件（文本、CSV 或 JSON）。')
    expect(sayOf(after({ kind: 'leave' }))).toBe('Nothing was submitted. The expense claim is cancelled.')
  })

  it('keeps to its table whatever happens in whatever order', () => {
    const kinds: readonly WorkflowEvent[] = [
      file,
      { kind: 'input', input: 'text', values: { amount: 1 } },
      approver,
      ...(['confirmed', 'cancelled', 'expired', 'succeeded', 'failed', 'withdrawn'] as const).map(outcome),
      { kind: 'timeout' },
      { kind: 'leave' },
      { kind: 'park' },
      { kind: 'resume' },
    ]
    const definition = workflows.expense_claim!
    const ends = new Set(['cancelled'])
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 25 }), (events) => {
        let one = fresh()
        for (const event of events) {
          const next = advance(one, event, at)
          if (!next) continue
          const targets = Object.values(definition.states[one.state]!.on)
          expect(next.state === one.state || targets.includes(next.state) || ends.has(next.state)).toBe(true)
          expect(next.visit).toBeGreaterThanOrEqual(one.visit)
          expect(next.status === 'ended').toBe(definition.states[next.state]!.end)
          one = next
        }
        // Nothing is submitted without a receipt, an amount and an approver.
        if (one.state === 'submitted')
          expect(Object.keys(one.data)).toEqual(expect.arrayContaining(['receipt', 'amount', 'approver']))
        if (one.status === 'ended') for (const event of kinds) expect(advance(one, event, at)).toBeUndefined()
      }),
    )
  })
})

describe('an input', () => {
  const text = (name: string, content: string) => ({ name, mediaType: 'text/plain', size: 1, text: content })

  it.each([
    ['lines', text('r.txt', 'Shop: Corner\nSubtotal: 40.00\nTOTAL   EUR 42.50\nDate 2026-11-20'), 42.5],
    [
      'JSON',
      text('r.json', '{"order": {"lines": [{"amount": 3}], "total": 1042.5}, "vendor": "Corner"}'),
      1042.5,
    ],
    [
      'a table with a total in its last row',
      text('r.csv', 'Item,Amount\n"Lunch, two",40.00\nTip,2.50\nSum,42.50\n'),
      42.5,
    ],
    [
      'a table whose last row is named',
      text('r.csv', 'item,amount,currency\nTrain,30.00,EUR\nTotal,42.50,EUR\n'),
      42.5,
    ],
    ['a table of keys', text('r.csv', 'Merchant;Corner\nTotal;1.234,50\n'), 1234.5],
    ['Chinese lines', text('r.txt', '商户：街角咖啡\n合计：￥1,234.50\n'), 1234.5],
    ['thousands', text('r.txt', 'Amount due: 12,000\n'), 12000],
  ])('finds the amount in %s', (_, receipt, amount) => {
    expect(readInput(fresh(), { text: '', attachments: [receipt] }, facts)).toMatchObject({
      input: 'file',
      values: { receipt: receipt.name, amount },
      missing: [],
    })
  })

  it('says what a file does not hold', () => {
    const picture = { name: 'r.png', mediaType: 'image/png', size: 1, image: 'data:image/png;base64,AA==' }
    expect(readInput(fresh(), { text: '', attachments: [picture] }, facts)).toMatchObject({
      values: { receipt: 'r.png' },
      missing: ['amount'],
    })
    const unread = { name: 'r.pdf', mediaType: 'application/pdf', size: 1, problem: 'It can not be read.' }
    expect(readInput(fresh(), { text: '', attachments: [unread] }, facts)?.missing).toEqual([
      'receipt',
      'amount',
    ])
  })

  const choosing = after(file, outcome('confirmed'))
  it.each([
    ['Li Wei', 'choice', 'Li Wei'],
    ['li wei please', 'choice', 'Li Wei'],
    ['2', 'choice', 'Maria Santos'],
    ['Bob Miller', 'text', 'Bob Miller'],
    ['the approver is Bob', 'text', 'Bob'],
    ['审批人是王芳', 'text', '王芳'],
  ])('takes "%s" as a %s of an approver', (said, input, name) => {
    expect(readInput(choosing, { text: said, attachments: [] }, facts)).toMatchObject({
      input,
      values: { approver: name },
    })
  })

  it.each([
    'What is the weather like?',
    'Can Li Wei do that?',
    'Summarise the last meeting notes and send them to everyone who was there, please',
    '👍',
  ])('takes "%s" for a digression', (said) => {
    expect(readInput(choosing, { text: said, attachments: [] }, facts)).toBeUndefined()
  })

  it.each(['cancel', 'Cancel it please', 'never mind', '算了', '取消吧', '不报了。', 'I changed my mind'])(
    'hears "%s" as leaving',
    (said) => expect(isLeaving(said)).toBe(true),
  )
  it.each(['cancel the meeting with Ann', 'do not cancel', '取消昨天的工单', 'stop', ''])(
    'does not hear "%s" as leaving',
    (said) => expect(isLeaving(said)).toBe(false),
  )

  it.each([
    ['I want to file an expense claim', true],
    ['我要报销', true],
    ['How do I submit a receipt?', false],
    ['帮我查张工上周报销', false],
    ['My claims about expenses', false],
  ])('"%s" begins the claim: %s', (said, begins) => {
    expect(startedBy(workflows, said)).toBe(begins ? 'expense_claim' : undefined)
  })
})
