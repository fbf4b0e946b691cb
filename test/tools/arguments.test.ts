import { describe, expect, it } from 'vitest'
import { checkBySchema } from '../../src/agent/approving/editing.ts'
import { snapshotCard } from '../../src/tools/approvals/cards.ts'
import { alignArguments, changesBetween } from '../../src/tools/arguments/alignment.ts'
import { argumentsOf, formFields } from '../../src/tools/arguments/forms.ts'
import type { Reader } from '../../src/tools/arguments/moments.ts'
import { placeholderIn, unknownYet } from '../../src/tools/arguments/placeholders.ts'
import { type Directory, resolveReferences } from '../../src/tools/arguments/references.ts'
import { addressKind } from '../../src/tools/builtin/addresses.ts'
import { externalTool } from '../../src/tools/external.ts'

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
    level: { enum: ['High', 'Low'] },
    limit: { type: ['integer', 'null'] },
    steps: { type: 'array', items: { type: 'integer' } },
    leg: { $ref: '#/$defs/Leg' },
    legs: { type: 'array', items: { $ref: '#/$defs/Leg' } },
    extra: { type: 'object', additionalProperties: { type: 'number' } },
    pay: {
      anyOf: [
        { type: 'object', properties: { by: { const: 'card' }, limit: { type: 'integer' } } },
        { type: 'object', properties: { by: { const: 'cash' }, limit: { type: 'string' } } },
      ],
    },
  },
  $defs: {
    Leg: {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date' },
        seats: { allOf: [{ type: 'integer' }, { minimum: 1 }] },
        next: { anyOf: [{ $ref: '#/$defs/Leg' }, { type: 'null' }] },
      },
    },
  },
}
// A Monday, in the evening of Shanghai.
const at = { now: new Date('2026-11-30T14:00:00Z'), timeZone: 'Asia/Shanghai' }
const align = (args: object) => alignArguments(schema, { ...args }, at)

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
    [{ labels: 'paper, ink' }, { labels: ['paper, ink'] }],
    [{ labels: '["a","b"]' }, { labels: ['a', 'b'] }],
    [{ status: 'In Progress' }, { status: 'in_progress' }],
    [{ dueDate: '明天' }, { due_date: '2026-12-01' }],
    [{ due_date: 'next Friday' }, { due_date: '2026-12-11' }],
    [{ starts_at: 'tomorrow at 9:30' }, { starts_at: '2026-12-01T09:30:00+08:00' }],
    [{ starts_at: '下周五下午三点' }, { starts_at: '2026-12-11T15:00:00+08:00' }],
    [{ starts_at: '2026-12-01 15:00' }, { starts_at: '2026-12-01T15:00:00+08:00' }],
    [{ starts_at: '2026-12-01T15:00Z' }, { starts_at: '2026-12-01T15:00:00Z' }],
    [{ due_date: '2026-12-01T00:00:00' }, { due_date: '2026-12-01' }],
    [{ due_date: 'by Friday' }, { due_date: '2026-12-04' }],
    [{ title: null }, {}],
    [{ level: 'high' }, { level: 'High' }],
    [{ limit: 'null' }, { limit: null }],
    [{ steps: ['1', '2'] }, { steps: [1, 2] }],
    [{ steps: '1, 2' }, { steps: [1, 2] }],
    [{ leg: { Day: 'tomorrow', seats: '2' } }, { leg: { day: '2026-12-01', seats: 2 } }],
    [{ leg: '{"seats":"2"}' }, { leg: { seats: 2 } }],
    [{ legs: { seats: 2, next: { seats: '3' } } }, { legs: [{ seats: 2, next: { seats: 3 } }] }],
    [{ extra: { rent: '1,200.50' } }, { extra: { rent: 1200.5 } }],
    [{ pay: { by: 'card', limit: '50' } }, { pay: { by: 'card', limit: 50 } }],
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
    { due_date: 'next week' },
    { due_date: 'December' },
    { due_date: 'not tomorrow' },
    { due_date: 'tomorrow or Friday' },
    { due_date: '5/6/2026' },
    { due_date: '2026-12-01T15:00:00Z' },
    { due_date: '2026-02-30' },
    { starts_at: '2026-12-01' },
    { pay: { limit: '50' } },
    { legs: [null] },
    { note: null, title: 'Yes', due_date: '2026-12-01' },
    { somethingElse: '3' },
  ])('%j stays as it is', (given) => {
    expect(align(given)).toEqual({ args: given, changes: [] })
  })
})

it('are by the wall clock of the person across a change of it', () => {
  const newYork = { now: new Date('2027-03-13T15:00:00Z'), timeZone: 'America/New_York' }
  const times = ['today at 9:30 pm', 'tomorrow at 9:30 am', '2027-11-08 09:30', '2027-03-14T02:30']
  expect(times.map((starts_at) => alignArguments(schema, { starts_at }, newYork).args.starts_at)).toEqual([
    '2027-03-13T21:30:00-05:00',
    '2027-03-14T09:30:00-04:00',
    '2027-11-08T09:30:00-05:00',
    // An hour that there is not: the one that the clock shows then.
    '2027-03-14T03:30:00-04:00',
  ])
})

it('hold only what was given as theirs', () => {
  const { args } = align(JSON.parse('{"__proto__":{"title":"Hidden"},"constructor":"x"}') as object)
  expect(args.title).toBeUndefined()
  expect(Object.keys(args)).toEqual(['__proto__', 'constructor'])
})

it('that refer to themselves without end are brought into line as deep as they go', () => {
  const loop = { properties: { a: { $ref: '#/$defs/B' } }, $defs: { B: { $ref: '#/$defs/B' } } }
  expect(alignArguments(loop, { a: '1' }, at).args).toEqual({ a: '1' })
})

it('that a tool has no use for, or settles itself, are told', () => {
  expect(
    changesBetween(
      { title: ' Door ', colour: 'red', same: { b: 1, a: 2 } },
      { title: 'Door', same: { a: 2, b: 1 } },
    ),
  ).toEqual(['title: " Door " was taken as "Door"', 'colour is no argument of this tool and was left out'])
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
    '<ticket id from above>',
    '<工单号>',
    '\u0024{ticket_id}',
    '{ticket_id}',
    '$create_ticket.id',
    'T-<id>',
    'https://desk.example/tickets/{{id}}',
    'https://desk.example/<ticket>',
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
    '<https://desk.example/new>',
    '<@U012AB3CD>',
    '<ann@example.com>',
    '$.orders[0].id',
    '$5',
    'TBD',
    '{"a": 1}',
    '【打印机】坏了',
  ])('is not seen in "%s"', (text) => {
    expect(placeholderIn({ text })).toBeUndefined()
  })
})

describe('what is to name something, and is not known yet', () => {
  const parameters = {
    properties: {
      ticket: { type: 'string', 'x-entity': 'ticket' },
      order_id: { type: 'string' },
      links: { type: 'array', items: { type: 'string' } },
      title: { type: 'string' },
    },
  }
  const seen = (args: Record<string, unknown>, ...others: ('create_ticket' | 'list_orders')[]) =>
    unknownYet(
      { parameters },
      args,
      others.map((name) => ({ name, effect: name === 'create_ticket' ? 'write' : 'read' })),
    )

  it.each([
    'TBD',
    '???',
    'N/A',
    '待定',
    'T-XXXX',
    'YOUR_TICKET_ID',
    'ticket_id',
    '[ticket id]',
    'call_1.id',
    '#E1',
  ])('is seen in "%s", whatever stands beside it', (words) => {
    expect(seen({ ticket: words })).toBe(words)
    expect(seen({ order_id: words })).toBe(words)
    expect(seen({ title: words })).toBeUndefined()
  })

  it.each([
    'the id of the new ticket',
    'result from step 1',
    'the new ticket',
    '新工单的编号',
    '上一步的工单号',
  ])('is seen in "%s" beside another call', (words) => {
    expect(seen({ order_id: words }, 'list_orders')).toBe(words)
    expect(seen({ links: ['https://a.example', words] }, 'list_orders')).toBe(words)
    expect(seen({ title: words }, 'list_orders')).toBeUndefined()
    expect(seen({ ticket: words })).toBeUndefined()
  })

  it.each(['it', 'that ticket', '那个工单'])('is seen in "%s" beside the call that makes one', (words) => {
    expect(seen({ ticket: words }, 'create_ticket')).toBe(words)
    expect(seen({ ticket: words }, 'list_orders')).toBeUndefined()
  })

  it.each([
    'T-1042',
    'ORD-7',
    'the printer ticket',
    'Printer',
    'https://a.example/new/order',
    'unknown-host-7',
    '打印机',
  ])('is not seen in "%s"', (words) => {
    expect(seen({ ticket: words, order_id: words, links: [words] }, 'create_ticket')).toBeUndefined()
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

  it('that is described besides being pointed at is the one that fits, and not the one named last', async () => {
    const tickets: Directory = {
      ...directory,
      named: () => [
        { id: 'T-7', label: 'Printer on floor 3' },
        { id: 'T-8', label: 'Coffee machine leaks' },
      ],
    }
    const resolved = async (ticket: string) => resolveReferences({ parameters }, { ticket }, tickets)
    for (const words of ['the printer ticket', 'that printer one', 'my ticket on floor 3', 'printer floor'])
      expect((await resolved(words)).args).toEqual({ ticket: 'T-7' })
    for (const words of ['the ticket', 'the one we talked about', 'it', '刚才那个工单', '最近那个工单'])
      expect((await resolved(words)).args).toEqual({ ticket: 'T-8' })
    expect((await resolved('the elevator ticket')).problems[0]?.problem).toMatch(/not clear which ticket/)
  })

  it('is resolved in lists, too', async () => {
    const lists = {
      properties: {
        who: { type: 'array', items: { type: 'string', 'x-entity': 'person' } },
        tickets: { type: 'array', items: { type: 'string' }, 'x-entity': 'ticket' },
      },
    }
    const given = { who: ['chen jing', 'Chen'], tickets: ['T-1', 'paper', 7] }
    const { args, problems } = await resolveReferences({ parameters: lists }, given, directory)
    expect(args).toEqual({ who: ['U1', 'Chen'], tickets: ['T-1', 'T-2', 7] })
    expect(problems).toEqual([
      { field: 'who', missing: false, problem: expect.stringMatching(/"Chen" may be any of/) },
    ])
  })

  it('is looked up where the system has it, people of a system only for its own tools', async () => {
    const asked: unknown[] = []
    const staff: Directory = {
      ...directory,
      async lookedUp(words, type, server) {
        if (type === 'person' && server !== 'hr') return undefined
        asked.push([words, type])
        if (words === 'down') return { problem: 'could not be looked up now' }
        return words === 'Chen Jing' ? [{ id: 'E-17', label: 'Chen Jing' }] : []
      },
    }
    const resolved = (args: Record<string, string>, server?: string) =>
      resolveReferences({ parameters, ...(server ? { server } : {}) }, args, staff)
    expect((await resolved({ who: 'Chen Jing' }, 'hr')).args).toEqual({ who: 'E-17' })
    expect((await resolved({ who: 'Chen Jing' }, 'mail')).args).toEqual({ who: 'U1' })
    expect((await resolved({ who: 'Chen' }, 'hr')).problems[0]?.problem).toMatch(/no person called "Chen"/)
    expect((await resolved({ who: 'E-99' }, 'hr')).args).toEqual({ who: 'E-99' })
    expect((await resolved({ ticket: 'down' })).problems[0]?.problem).toMatch(/could not be looked up/)
    expect((await resolved({ ticket: 'T-1' })).args).toEqual({ ticket: 'T-1' })
    expect(asked).not.toContainEqual(['T-1', 'ticket'])
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

it('the choices of a form are in the language of whoever reads it, and a list is written with commas', () => {
  const schema = {
    properties: {
      priority: { enum: ['low', 'in_transit'] },
      labels: { type: 'array', items: { type: 'string' } },
    },
  }
  const options = (language: 'en' | 'zh') => formFields(schema, {}, language)[0]!.options
  expect(options('en')?.map(({ label }) => label)).toEqual(['Low', 'In transit'])
  expect(options('zh')).toMatchObject([{ label: '低', value: 'low' }, { label: 'In transit' }])
  expect(argumentsOf(schema, { labels: 'hardware, floor 3、急' }, {})).toEqual({
    labels: ['hardware', 'floor 3', '急'],
  })
})

describe('times on a card and in its form', () => {
  const berlin = { timeZone: 'Europe/Berlin', language: 'en' } as const
  const shanghai = { timeZone: 'Asia/Shanghai', language: 'zh' } as const
  const shownFor = (reader: Reader, args: object) =>
    Object.fromEntries(
      formFields(schema, { ...args }, reader.language, reader.timeZone).map(({ name, value }) => [
        name,
        value,
      ]),
    )
  const sent = (reader: Reader, fields: Record<string, string>, before: object) =>
    argumentsOf(schema, fields, { ...before }, reader.timeZone)

  it.each([
    ['2026-12-04T16:00:00.000Z', berlin, '4 Dec 2026, 17:00 (UTC+1)'],
    ['2026-12-04T16:00:00Z', shanghai, '2026年12月5日 00:00（UTC+8）'],
    // The clock shows 02:30 twice in that night.
    ['2026-10-25T00:30:00Z', berlin, '25 Oct 2026, 02:30 (UTC+2)'],
    ['2026-10-25T01:30:00Z', berlin, '25 Oct 2026, 02:30 (UTC+1)'],
    [
      '2026-12-04T11:00:05.250-05:00',
      { ...berlin, timeZone: 'Asia/Kolkata' },
      '4 Dec 2026, 21:30:05.250 (UTC+5:30)',
    ],
    ['2026-12-04T16:00:00Z', { ...shanghai, timeZone: 'UTC' }, '2026年12月4日 16:00（UTC）'],
    // What is no exact time, or more exact than that, is shown as it is.
    ['2026-12-04T16:00:00.1234567Z', berlin, '2026-12-04T16:00:00.1234567Z'],
    ['2026-12-04', berlin, '2026-12-04'],
    ['soon', berlin, 'soon'],
  ])('%s is read as it is where the person is, and comes back unchanged', (starts_at, reader, shown) => {
    const before = { starts_at, due_date: '2026-12-04', title: '2026-12-04T16:00:00Z' }
    const fields = shownFor(reader, before)
    expect(fields).toMatchObject({ ...before, starts_at: shown })
    expect(sent(reader, fields, before)).toEqual(before)
    // Also where the zone of the person became another one in the meantime.
    expect(sent({ ...reader, timeZone: 'America/New_York' }, fields, before)).toEqual(before)
  })

  it.each([
    ['5 Dec 2026, 18:30 (UTC+1)', berlin, '2026-12-05T17:30:00Z'],
    ['5 december 2026 18:30', berlin, '2026-12-05T17:30:00Z'],
    ['2026年12月5日 9:30（UTC+8）', shanghai, '2026-12-05T01:30:00Z'],
    ['2026年12月5日 9:30', shanghai, '2026-12-05T01:30:00Z'],
    ['tomorrow at 9', berlin, 'tomorrow at 9'],
    ['31 Feb 2026, 18:30', berlin, '31 Feb 2026, 18:30'],
  ])('%s, written there, is the time that was meant', (text, reader, starts_at) => {
    expect(sent(reader, { starts_at: text }, { starts_at: '2026-12-04T16:00:00Z' })).toEqual({ starts_at })
  })

  it('stand on the card of a tool of another system', () => {
    const tool = externalTool({
      name: 'mcp__cal__book',
      title: 'book',
      server: 'cal',
      description: 'Books a room.',
      effect: 'write',
      idempotent: false,
      timeoutMs: 1,
      longestMs: 1,
      readyMs: 1,
      parameters: schema,
      definitionHash: 'one',
      target: 'here',
      check: (args) => ({ args, problems: [] }),
      call: async () => ({ content: '' }),
    })
    const args = { starts_at: '2026-12-04T16:00:00Z', due_date: '2026-12-04', title: '2026-12-04T16:00:00Z' }
    expect(snapshotCard(tool, args, berlin).fields).toEqual([
      { label: 'Starts at', value: '4 Dec 2026, 17:00 (UTC+1)' },
      { label: 'Due date', value: '2026-12-04' },
      { label: 'Title', value: '2026-12-04T16:00:00Z' },
    ])
  })
})

describe('a schema alone, where its tool is not at hand', () => {
  const at = { type: 'string', format: 'date-time' }
  const schema = { type: 'object', properties: { at, room: { type: 'string' } }, required: ['at'] }

  it.each(['2026-12-04T16:00:00+01:00', '2026-12-04T16:00:00Z', '2026-12-04T16:00:00.000Z'])(
    'takes the exact time %s as it is',
    (time) => {
      expect(checkBySchema(schema, { at: time })).toEqual({ ok: true, arguments: { at: time } })
    },
  )

  it('refuses what it is not made for', () => {
    for (const args of [{}, { at: 'tomorrow' }, { at: '2026-12-04T16:00:00Z', room: 1 }])
      expect(checkBySchema(schema, args)).toMatchObject({ ok: false, problems: [{}] })
  })

  it.each([
    { if: { properties: { room: { const: 'large' } } }, else: { required: ['at'] } },
    { not: { required: ['room', 'at'] } },
    { dependentRequired: { room: ['at'] } },
  ])('leaves to the tool what can only be checked there: %o', (more) => {
    const args = { room: 'small' }
    const rare = { type: 'object', properties: { at, room: { type: 'string' } }, ...more }
    expect(checkBySchema(rare, args)).toEqual({ ok: true, arguments: args })
  })
})
