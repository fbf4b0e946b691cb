import { describe, expect, it } from 'vitest'
import { addressKind } from '../../src/tools/addresses.ts'
import { alignArguments } from '../../src/tools/alignment.ts'
import { placeholderIn } from '../../src/tools/placeholders.ts'
import { type Directory, resolveReferences } from '../../src/tools/references.ts'

const schema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    price: { type: 'number' },
    urgent: { type: 'boolean' },
    title: { type: 'string' },
    labels: { type: 'array', items: { type: 'string' } },
    status: { type: 'string', enum: ['open', 'in_progress'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    due_date: { type: 'string', format: 'date' },
    starts_at: { type: 'string', format: 'date-time' },
  },
}
// A Monday, in the evening of Shanghai.
const at = { now: new Date('2026-11-30T14:00:00Z'), timeZone: 'Asia/Shanghai' }
const align = (args: Record<string, unknown>) => alignArguments(schema, args, at)

describe('arguments are brought into the types of their schema', () => {
  it.each([
    [{ count: '3' }, { count: 3 }],
    [{ count: '1,200' }, { count: 1200 }],
    [{ price: '-2.50' }, { price: -2.5 }],
    [{ urgent: 'yes' }, { urgent: true }],
    [{ urgent: '否' }, { urgent: false }],
    [{ urgent: 1 }, { urgent: true }],
    [{ title: 42 }, { title: '42' }],
    [{ labels: 'hardware' }, { labels: ['hardware'] }],
    [{ labels: '["a","b"]' }, { labels: ['a', 'b'] }],
    [{ status: 'In Progress' }, { status: 'in_progress' }],
    [{ dueDate: '明天' }, { due_date: '2026-12-01' }],
    [{ due_date: 'next Friday' }, { due_date: '2026-12-11' }],
    [{ starts_at: 'tomorrow at 9:30' }, { starts_at: '2026-12-01T09:30:00+08:00' }],
    [{ title: null }, {}],
  ])('%j becomes %j, and it is told', (given, wanted) => {
    const { args, changes } = align(given)
    expect(args).toEqual(wanted)
    if (Object.keys(wanted).length > 0) expect(changes.length).toBeGreaterThan(0)
  })

  it.each([
    { count: '3 apples' },
    { count: '2.5' },
    { count: '12345678901234567890' },
    { price: 'NaN' },
    { price: '' },
    { urgent: 'perhaps' },
    { status: 'done' },
    { starts_at: 'tomorrow' },
    { due_date: 'soon' },
    { note: null, title: 'Yes', due_date: '2026-12-01' },
    { somethingElse: '3' },
  ])('%j stays as it is', (given) => {
    expect(align(given)).toEqual({ args: given, changes: [] })
  })
})

describe('a place for the result of another call', () => {
  it.each([
    '<result of call 1>',
    '<ticket_id>',
    '<the ID returned by create_ticket>',
    '[output of list_tickets]',
    '(id from the previous call)',
    '{{ticket}}',
    'Ticket {{call_1.ticket}} is done',
    '$call_1.id',
    '\u0024{step1.output}',
    'RESULT_OF_CALL_2',
    '【上一步的结果】',
  ])('is seen in "%s"', (text) => {
    expect(placeholderIn({ deep: [{ text }] })).toBeDefined()
  })

  it.each([
    '[Call centre] phones are down',
    '[Response needed]',
    'The result of the vote: a < b and c > d',
    'It costs $5 (or $call it what you like)',
    'Hello {{name}}, welcome',
    'Use <b>bold</b> words',
    '第一步的结果很好',
  ])('is not seen in "%s"', (text) => {
    expect(placeholderIn({ text })).toBeUndefined()
  })
})

describe('what an argument names', () => {
  const directory: Directory = {
    named: (type) =>
      type === 'ticket'
        ? [
            { id: 'T-1', label: 'Printer' },
            { id: 'T-2', label: 'Printer paper' },
          ]
        : [],
    people: async (name) =>
      [
        { id: 'U1', label: 'Chen Jing' },
        { id: 'U2', label: 'Chen Hao' },
      ].filter(({ label }) => label.toLowerCase().includes(name.toLowerCase())),
  }
  const parameters = {
    properties: {
      ticket: { type: 'string', 'x-entity': 'ticket' },
      who: { type: 'string', 'x-entity': 'person' },
    },
  }
  const resolve = (args: Record<string, unknown>) => resolveReferences({ parameters }, args, directory)

  it.each([
    [{ ticket: 'that one' }, { ticket: 'T-2' }],
    [{ ticket: '那个工单' }, { ticket: 'T-2' }],
    [{ ticket: 't-1' }, { ticket: 'T-1' }],
    [{ ticket: 'paper' }, { ticket: 'T-2' }],
    [{ ticket: 'Printer' }, { ticket: 'T-1' }],
    [{ ticket: 'T-99' }, { ticket: 'T-99' }],
    [{ who: 'chen jing' }, { who: 'U1' }],
    [{ who: 'someone@example.com' }, { who: 'someone@example.com' }],
  ])('%j is %j', async (given, wanted) => {
    expect(await resolve(given)).toMatchObject({ args: wanted, problems: [] })
  })

  it.each([
    [{ ticket: 'print' }, /may be any of: Printer \(T-1\), Printer paper \(T-2\)/],
    [{ who: 'Chen' }, /may be any of: Chen Jing \(U1\), Chen Hao \(U2\)/],
    [{ who: 'Nobody Here' }, /I know nobody called/],
    [{ who: 'the same person' }, /not clear who/],
  ])('%j is asked about', async (given, sentence) => {
    const { problems } = await resolve(given)
    expect(problems[0]?.problem).toMatch(sentence)
  })
})

it('an address that hides another one is never asked', () => {
  for (const address of [
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
    '::2',
    'fec0::1',
    '3fff::1',
    'not an address',
  ])
    expect(addressKind(address)).toBe('never')
})
