import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../contract/waiting.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { freshDirectory } from '../support/database.ts'
import { type ChatBody, type ModelStandIn, type ScriptedCall, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

const server = new URL('../support/office-server.ts', import.meta.url).pathname

let model: ModelStandIn
let scripts: Scripts
let app: TestApp
let rows: Rows
let journal: string

let wiki: { readonly port: number; close(): void }

/** A page in the own network. */
async function startWiki(): Promise<typeof wiki> {
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"free":["Ada"]}')
  })
  await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve))
  return { port: (http.address() as AddressInfo).port, close: () => void http.close() }
}

beforeAll(async () => {
  wiki = await startWiki()
  journal = join(await freshDirectory(), 'journal')
  model = await startModel()
  scripts = scriptModel(model)
  app = await startTestApp({
    variables: model.variables(),
    mcp: {
      mcpServers: {
        office: {
          command: process.execPath,
          args: [server, journal],
          env: { OFFICE_CROWD: 'yes' },
          trusted: true,
        },
      },
    },
    config: {
      http: { internal: [`localhost:${wiki.port}`] },
      tools: {
        lookups: [
          { type: 'project', tool: 'mcp__office__find_projects', items: '$.projects[*]', id: 'code' },
        ],
        overrides: {
          mcp__office__list_orders: { cacheSeconds: 600 },
          mcp__office__file_expense: {
            defaults: { category: 'travel' },
            rules: { amount: { max: 1_000 }, category: { enum: ['travel', 'food'] } },
          },
          mcp__office__reserve_room_once: {
            idempotencyKey: { argument: 'request_id', meta: 'office/request' },
          },
          mcp__office__plan_trip: {
            rules: { budget: { max: 500 }, tags: { enum: ['rail', 'air'] } },
          },
          mcp__office__pay_bill: { rules: { amuont: { max: 500 } } },
        },
      },
    },
  })
  await app.mcp.settled(60_000)
  rows = await openRows(app.home)
})
afterAll(async () => {
  await rows?.close()
  await app?.end()
  await model?.stop()
  wiki?.close()
})

/** What the model was told by its calls, in the last request where the word was said. */
function told(word: string): readonly string[] {
  const body: ChatBody = scripts.requests(word).at(-1)!
  return body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
}

/** Ann says something, and the model makes these calls, one list a step; gives what it was told. */
async function ask(
  steps: readonly (readonly ScriptedCall[])[],
  more: {
    readonly text?: string
    readonly ann?: ReturnType<typeof webClient>
    readonly answers?: number
  } = {},
) {
  const word = scripts.word()
  const ann = more.ann ?? webClient(app.address, 'Ann', word)
  scripts.on(word, ...steps.map((calls) => ({ calls })), { text: `That was ${word}.` })
  await ann.say(`${more.text ?? 'Please file an expense, and list the orders'} ${word}`)
  return {
    word,
    ann,
    done: () =>
      ann.until(
        'the answer',
        ({ messages }) => messages.some(({ text }) => text.includes(`That was ${word}.`)),
        20_000,
      ),
  }
}

const refIn = (text: string | undefined) => /ref_[0-9a-f]{32}/.exec(text ?? '')![0]

describe('a long result', () => {
  it('is told as a digest, and read on by path, search and page', async () => {
    const first = await ask([[{ name: 'mcp__office__list_orders', arguments: { count: 200 } }]])
    await first.done()
    const [digest] = told(first.word)
    expect(digest).toContain('"count":200')
    expect(digest).toContain('"sum":201000')
    const ref = refIn(digest)
    const read = (args: object) => ({ name: 'read_result', arguments: { ref, ...args } })
    const next = await ask(
      [
        [
          read({ path: '$.orders[?@.amount > 1980].id' }),
          read({ path: '$.orders[1' }),
          read({ search: 'ORD-77"' }),
          read({ page: 2 }),
          { name: 'read_result', arguments: { ref: `ref_${'0'.repeat(32)}` } },
        ],
      ],
      { ann: first.ann },
    )
    await next.done()
    const results = told(next.word).slice(-5)
    expect(results[0]).toBe('["ORD-199","ORD-200"]')
    expect(results[1]).toMatch(/^Failed: The path can not be read/)
    expect(results[2]).toContain('ORD-77')
    expect(results[3]).toMatch(/^Page 2 of \d+:/)
    expect(results[4]).toMatch(/^Failed: Nothing is stored/)
    const stranger = await ask([[read({})]])
    await stranger.done()
    expect(told(stranger.word)[0]).toMatch(/^Failed: Nothing is stored/)
  })

  it('of a log names its errors, a file becomes one to fetch, and ten megabytes do no harm', async () => {
    const asked = await ask([
      [
        { name: 'mcp__office__server_log', arguments: {} },
        { name: 'mcp__office__drawing', arguments: {} },
        { name: 'mcp__office__ten_megabytes', arguments: {} },
      ],
    ])
    await asked.done()
    const [log, drawing, long] = told(asked.word)
    expect(log).toMatch(/Log of 400 lines.*ERROR 2/)
    expect(log).toMatch(/251: .*request 250/)
    expect(drawing).toMatch(/^Floor 3\n\[File: image\.png, image\/png, 20 bytes, stored as ref_/)
    expect(long!.length).toBeLessThan(6_000)
    const address = /http:\S+\/files\/ref_[0-9a-f]+/.exec(drawing!)![0]
    const file = await fetch(address)
    expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([
      200,
      'image/png',
      'not really a picture',
    ])
    expect(file.headers.get('content-disposition')).toBe(`inline; filename*=UTF-8''image.png`)
    expect((await fetch(address, { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status).toBe(403)
    await rows.query(
      `UPDATE stored_result SET expires_at = now() - interval '1 second' WHERE id = $1`,
      refIn(drawing),
    )
    expect((await fetch(address)).status).toBe(404)
  })
})

describe('a read that holds for a while', () => {
  const call = { name: 'mcp__office__list_orders', arguments: { count: 1 } }
  const asked = (text: string | undefined) => Number(/"asked":(\d+)/.exec(text ?? '')![1])

  it('is not made again within its time, and the model is told how old it is', async () => {
    const first = await ask([[call]])
    await first.done()
    const again = await ask([[call]], { ann: first.ann })
    await again.done()
    const [before, after] = told(again.word)
    expect(after).toMatch(/^\[Looked up \d+ s ago/)
    expect(asked(after)).toBe(asked(before))
    const [span] = await rows.query<{ attributes: object }>(
      `SELECT attributes FROM span WHERE name = 'tool mcp__office__list_orders' AND attributes ? 'reused'
       AND session_id = (SELECT session_id FROM message WHERE text LIKE $1 LIMIT 1)`,
      `%${again.word}%`,
    )
    expect(span?.attributes).toMatchObject({
      ageSeconds: expect.any(Number),
      reused: expect.stringMatching(/^call_/),
    })

    const anew = await ask([[call]], { ann: first.ann, text: 'Please refresh the list of orders,' })
    await anew.done()
    expect(asked(told(anew.word).at(-1))).toBeGreaterThan(asked(before))
  })

  it('is made again for another person, another conversation, other arguments, and after a change', async () => {
    const first = await ask([[call]])
    await first.done()
    const bob = webClient(app.address, 'Bob', first.word)
    const byBob = await ask([[call]], { ann: bob })
    await byBob.done()
    const reminded = await ask(
      [[{ name: 'set_reminder', arguments: { text: 'Tea', when: '2099-01-01' } }], [call]],
      {
        ann: first.ann,
      },
    )
    await reminded.done()
    const results = told(reminded.word)
    expect(new Set([results[0], results[1], results[3]].map(asked)).size).toBe(3)
  })
})

it('a call that would change something is not put before anybody while the words plainly ask for something else', async () => {
  const expense = { name: 'mcp__office__file_expense', arguments: { employee: 'Ann', amount: 1 } }
  const { word, ann, done } = await ask([[expense]], {
    text: 'Please cancel my reminder about the plants,',
  })
  await done()
  expect(told(word)[0]).toMatch(/^Not run: It was not offered for this request/)
  expect((await ann.read()).messages.flatMap(({ cards }) => cards)).toEqual([])
  const [model] = await rows.query<{ scores: string[] }>(
    `SELECT attributes->'scores' AS scores FROM span WHERE name = 'model' AND turn_id =
     (SELECT turn_id FROM message WHERE text LIKE $1 LIMIT 1) LIMIT 1`,
    `%${word}%`,
  )
  expect(model!.scores[0]).toMatch(
    /^cancel_reminder 0\.\d\d \(fit 0\.\d\d of words 0\.\d\d(?:, meaning \d\.\d\d)?; ready 1\.00, success \d\.\d\d\)$/,
  )
})

describe('of more than a hundred tools', () => {
  const offeredTo = (word: string) =>
    (scripts.requests(word)[0]!.tools ?? []).map((tool) => tool.function.name)

  it('a request offers few, in the same order each time, by words and by meanings, and its trace says why', async () => {
    const asked = async () => {
      const { word, done } = await ask([], { text: 'Where is the parcel for Ann?' })
      await done()
      const [span] = await rows.query<{ scores: string[] }>(
        `SELECT attributes->'scores' AS scores FROM span WHERE name = 'model' AND turn_id =
         (SELECT turn_id FROM message WHERE text LIKE $1 LIMIT 1) LIMIT 1`,
        `%${word}%`,
      )
      return { word, scores: span!.scores }
    }
    // The tools get their vectors in the background, and nobody waits for them.
    let last = await asked()
    await until('meanings to count', async () => {
      last = await asked()
      return last.scores.some((line) => line.includes('meaning'))
    })
    expect(last.scores[0]).toMatch(
      /^mcp__office__track_shipment 0\.\d\d \(fit 0\.\d\d of words 0\.\d\d, meaning \d\.\d\d; ready 1\.00, success \d\.\d\d\)$/,
    )
    const offered = offeredTo(last.word)
    expect(offered).toEqual(expect.arrayContaining(['mcp__office__track_shipment', 'find_tools']))
    expect(offered.length).toBeLessThanOrEqual(11)
    expect(offeredTo((await asked()).word)).toEqual(offered)
  })

  it('one that find_tools found is put before the person, whatever the words asked for', async () => {
    const scale = { name: 'mcp__office__scale_deployment', arguments: { query: 'api to 5 replicas' } }
    const { word, ann, done } = await ask(
      [[scale], [{ name: 'find_tools', arguments: { query: 'scale the api to more replicas' } }], [scale]],
      { text: 'Please cancel my reminder about the plants,' },
    )
    const card = await ann.card()
    await ann.press('approval.confirm', card.id)
    await done()
    const results = told(word)
    expect(results[0]).toMatch(/^Not run: It was not offered for this request.*find_tools/)
    expect(results[1]).toContain('"name":"mcp__office__scale_deployment"')
    expect(results[2]).toContain('Done: scale_deployment')
  })

  it('one that was agreed to in a word is put before the person', async () => {
    const first = await ask([], { text: 'Please cancel my reminder about the plants,' })
    await first.done()
    const restart = { name: 'mcp__office__restart_deployment', arguments: { query: 'web' } }
    const { ann, done } = await ask([[restart]], { text: 'yes, do that', ann: first.ann })
    const card = await ann.card()
    await ann.press('approval.cancel', card.id)
    await done()
  })
})

it('an allowed address is looked at from the chat, and no other one', async () => {
  const get = (url: string) => ({ name: 'http_request', arguments: { url } })
  const { word, done } = await ask(
    [[get(`http://localhost:${wiki.port}/rooms`), get('http://169.254.169.254/latest/meta-data')]],
    { text: 'What does the page at that address say?' },
  )
  await done()
  expect(told(word)[0]).toContain('{"free":["Ada"]}')
  expect(told(word)[1]).toMatch(/this host is not allowed here/)
})

describe('the same call', () => {
  const look = (query: string) => ({ name: 'list_tickets', arguments: { query, limit: 5 } })
  const same = { name: 'list_tickets', arguments: { limit: 5, query: 'Gearbox' } }

  it('runs once, in whatever order its arguments stand, also after it has given its result', async () => {
    const five = [look('Gearbox'), same, look('Gearbox'), same, look('Gearbox')]
    const { word, done } = await ask([five, [same]])
    await done()
    expect(
      told(word)
        .slice(1, 5)
        .every((line) => line.includes('the same as call 1 of this step')),
    ).toBe(true)
    expect(told(word)[5]).toMatch(/was made already in this turn\. Its result was:\n/)
    const ran = await rows.query(
      `SELECT DISTINCT c.id FROM tool_call c JOIN message m ON m.turn_id = c.turn_id AND m.text LIKE $1
       WHERE c.started_at IS NOT NULL`,
      `%${word}%`,
    )
    expect(ran).toHaveLength(1)
  })

  it('is made anew after something was changed, since what it found may not hold any more', async () => {
    const make = { name: 'create_ticket', arguments: { title: 'Gearbox of the lift' } }
    const { word, ann, done } = await ask([[look('Gearbox of')], [make], [look('Gearbox of')]], {
      text: 'List the tickets, make one for the gearbox, and list them again',
    })
    await ann.press('approval.confirm', (await ann.card()).id)
    await done()
    expect(told(word)[0]).not.toContain('Gearbox of the lift')
    expect(told(word).at(-1)).toMatch(/T-\d+.*Gearbox of the lift/)
  })
})

it('a step makes so many calls and no more', async () => {
  const slow = Array.from({ length: 18 }, (_, n) => ({
    name: 'mcp__office__slow_read',
    arguments: { ms: 1, n },
  }))
  const { word, done } = await ask([slow])
  await done()
  const ran = told(word).filter((line) => /^\d+$/.test(line))
  expect(ran).toHaveLength(16)
  expect(
    told(word)
      .slice(16)
      .every((line) => line.includes('At most 16 calls in one step')),
  ).toBe(true)
})

it('reads that do not depend on each other run side by side', async () => {
  const slow = (n: number) => ({ name: 'mcp__office__slow_read', arguments: { ms: 300, n } })
  const { word, done } = await ask([[slow(1), slow(2), slow(3)]])
  await done()
  expect(told(word)).toEqual(['1', '2', '3'])
  const [took] = await rows.query<{ ms: number }>(
    `SELECT extract(epoch FROM max(ended_at) - min(started_at)) * 1000 AS ms FROM tool_call
     WHERE tool = 'mcp__office__slow_read' AND arguments->>'ms' = '300'`,
  )
  // One after the other they would take 900 ms; the measure itself is in the benchmark.
  expect(Number(took!.ms)).toBeLessThan(850)
})

describe('arguments', () => {
  const expense = (args: object) => ({
    name: 'mcp__office__file_expense',
    arguments: args as Record<string, unknown>,
  })
  const filed = () => readFileSync(journal, { encoding: 'utf8', flag: 'a+' }).trim().split('\n')

  it('are brought into their types, names and "that ticket" become ids, defaults are filled in, and the model is told', async () => {
    await webClient(app.address, 'Li Wei', scripts.word()).say('Hello')
    const { word, ann, done } = await ask(
      [
        [
          expense({
            Employee: 'li wei',
            amount: '120.50',
            urgent: 'yes',
            ticket: 'that ticket',
            spent: '2026年11月3日',
            project: 'the apollo project',
          }),
        ],
      ],
      {
        text: 'For T-1042, please file an expense',
      },
    )
    const card = await ann.card()
    expect(card.fields).toEqual(
      expect.arrayContaining([
        { label: 'Employee', value: 'Li Wei' },
        { label: 'Amount', value: '120.5' },
        { label: 'Urgent', value: 'true' },
        { label: 'Ticket', value: 'T-1042' },
        { label: 'Category', value: 'travel' },
        { label: 'Spent', value: '2026-11-03' },
        { label: 'Project', value: 'P-7' },
      ]),
    )
    // Names in a card's form are looked up as well; what nobody knows goes back beside its field.
    await webClient(app.address, 'Li Na', scripts.word()).say('Hello')
    const { form } = (await ann.press('approval.edit', card.id)).body
    const wrong = { employee: 'Zorblax', ticket: 'the last one', project: 'Gemini North' }
    const back = (await ann.submit('approval.edit', form.value, wrong)).body.form
    const errors = back.fields.map(({ name, error }: { name: string; error?: string }) => [name, error])
    expect(Object.fromEntries(errors)).toMatchObject({
      employee: '"Zorblax" is not known here. Write its id.',
      project: '"Gemini North" is not known here. Write its id.',
    })
    const two = (await ann.submit('approval.edit', form.value, { employee: 'Li' })).body.form
    expect(JSON.stringify(two)).toMatch(/That may be any of: .*Li Wei/)
    const edited = { employee: 'li na', ticket: 'the last one', project: 'P-9' }
    expect((await ann.submit('approval.edit', form.value, edited)).body.notice).toMatch(/^Changed\./)
    await ann.press('approval.confirm', card.id)
    await done()
    expect(JSON.parse(filed().at(-1)!)).toEqual({
      employee: 'Li Na',
      amount: 120.5,
      urgent: true,
      ticket: 'T-1042',
      category: 'travel',
      spent: '2026-11-03',
      project: 'P-9',
    })
    expect(told(word)[0]).toMatch(
      /^\[Changed in the arguments: .*"120.50" was taken as 120.5.*"that ticket" is T-1042.*\]\n/,
    )
  })

  it.each([
    ['all that is missing at once', {}, /^Not run: Missing: employee, amount\. .*one sentence/],
    ['a rule that is broken', { employee: 'Ann', amount: 2_000 }, /amount: must be at most 1000/],
    [
      'a choice that there is not',
      { employee: 'Ann', amount: 1, category: 'wine' },
      /category: must be one of travel, food/,
    ],
    ['what can not be a number', { employee: 'Ann', amount: 'a lot' }, /amount/],
    ['a name that nobody has', { employee: 'Zorblax', amount: 1 }, /nobody called "Zorblax"/],
    [
      'what may be several things of another system',
      { employee: 'Ann', amount: 1, project: 'gemini' },
      /project: "gemini" may be any of: Gemini North \(P-8\), Gemini South \(P-9\)/,
    ],
    [
      'what another system does not know',
      { employee: 'Ann', amount: 1, project: 'Zeus' },
      /project: no project called "Zeus" was found/,
    ],
    [
      'what points at nothing',
      { employee: 'Ann', amount: 1, ticket: 'the last one' },
      /not clear which ticket/,
    ],
    [
      'a place for the result of another call',
      { employee: '<result of call 1>', amount: 1 },
      /stands for what another call gives/,
    ],
    ['a template', { employee: '{{call_1.name}}', amount: 1 }, /in the next step/],
    ['a variable', { employee: 'Ann', amount: 1, ticket: '$call_1.id' }, /in the next step/],
  ])('that do not fit reach nobody, and the model is told of %s', async (_, args, sentence) => {
    const before = filed().length
    const { word, ann, done } = await ask([[expense(args)]])
    await done()
    expect(told(word)[0]).toMatch(sentence)
    const buttons = (await ann.read()).messages.flatMap(({ cards }) =>
      cards.flatMap(({ actions }) => actions),
    )
    expect(buttons.map(({ label }) => label)).not.toContain('Confirm')
    expect(filed().length).toBe(before)
  })

  it('that are missing do not hide what is wrong with others whose sentence holds their name', async () => {
    const call = { name: 'send_message', arguments: { text: 'x'.repeat(6_001) } }
    const { word, done } = await ask([[call]], { text: 'Send a message' })
    await done()
    expect(told(word)[0]).toMatch(/Missing: to\..*Not valid: text: too big.* to have/)
  })

  const trip = (args: object) => ({ name: 'mcp__office__plan_trip', arguments: { ...args } })

  it('inside of lists and objects are brought into line, too, and keep every digit', async () => {
    const { word, ann, done } = await ask(
      [
        [
          {
            name: 'mcp__office__plan_trip',
            // As models write it: a long id without quotes, texts for numbers, words for days, and what there is not.
            arguments: `{"legs": [{"to": "Kiel", "day": "by tomorrow", "seats": "2"}, {"to": "Ulm", "day": "2027-01-05", "seats": 1}],
              "pay": {"Cost centre": 12345678901234567890, "shared": "yes"}, "starts": "2027-01-04 07:30"}`,
          },
        ],
      ],
      { text: 'Please plan the trip' },
    )
    const card = await ann.card()
    const { form } = (await ann.press('approval.edit', card.id)).body
    expect(form.fields.map(({ name }: { name: string }) => name)).toEqual([
      'legs',
      'pay',
      'starts',
      'budget',
      'tags',
    ])
    const edited = await ann.submit('approval.edit', form.value, {
      pay: '{"cost_centre":"12345678901234567890","shared":"no"}',
      starts: '4 January 2027 at 8:00',
    })
    expect(edited.body.notice).toMatch(/^Changed\./)
    await ann.press('approval.confirm', card.id)
    await done()
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect(JSON.parse(filed().at(-1)!)).toEqual({
      legs: [
        { to: 'Kiel', day, seats: 2 },
        { to: 'Ulm', day: '2027-01-05', seats: 1 },
      ],
      pay: { cost_centre: '12345678901234567890', shared: false },
      starts: '2027-01-04T08:00:00Z',
    })
    expect(told(word)[0]).toMatch(
      /^\[Changed in the arguments: legs\.0\.day: "by tomorrow" was taken as .*legs\.0\.seats: "2" was taken as 2.*pay\.shared: "yes" was taken as true/,
    )
  })

  it.each([
    [
      'inside of them',
      { legs: [{ to: 'Kiel', day: 'next week', seats: 2 }] },
      /legs\/0\/day must match format "date"/,
    ],
    ['of a number in words', { legs: [], budget: '2,000' }, /budget: must be at most 500/],
    ['of an item of a list', { legs: [], tags: ['rail', 'ship'] }, /tags: must be one of rail, air/],
    [
      'that are nested without end',
      `{"legs": ${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      /nested too deeply/,
    ],
    ['that there are not', { legs: [], colour: 'red' }, /must NOT have additional properties: colour/],
    ['that hide others', '{"__proto__": {"legs": []}}', /Missing: legs\..*additional properties: __proto__/],
  ])('that do not fit reach nobody: %s', async (_, args, sentence) => {
    const before = filed().length
    const call = typeof args === 'string' ? { name: 'mcp__office__plan_trip', arguments: args } : trip(args)
    const { word, ann, done } = await ask([[call]], { text: 'Please plan the trip' })
    await done()
    expect(told(word)[0]).toMatch(sentence)
    const buttons = (await ann.read()).messages.flatMap(({ cards }) =>
      cards.flatMap(({ actions }) => actions),
    )
    expect(buttons.map(({ label }) => label)).not.toContain('Confirm')
    expect(filed().length).toBe(before)
  })

  it('under rules that name what the tool has not are taken by nobody, and it is told where that is', async () => {
    const bill = { name: 'mcp__office__pay_bill', arguments: { amount: 9_000 } }
    const { word, ann, done } = await ask([[bill]], { text: 'Please pay the bill' })
    await done()
    expect(told(word)[0]).toMatch(
      /tools\.overrides\.mcp__office__pay_bill\.rules\.amuont is no argument .*There are: amount\./,
    )
    expect((await ann.read()).messages.flatMap(({ cards }) => cards)).toEqual([])
  })

  it('that name what another call of the step is to give wait for it', async () => {
    const ticket = { name: 'create_ticket', arguments: { title: 'Beamer' } }
    const about = (named: string) => ({ name: 'comment_ticket', arguments: { ticket: named, text: 'Hurry' } })
    const { word, ann, done } = await ask([[ticket, about('<ticket id from above>'), about('that ticket')]], {
      text: 'For T-1042: please make a ticket for the beamer, and comment on it',
    })
    const card = await ann.card()
    expect((await ann.read()).messages.flatMap(({ cards }) => cards)).toHaveLength(1)
    await ann.press('approval.confirm', card.id)
    await done()
    expect(told(word)[1]).toMatch(/in the next step with the value itself/)
    expect(told(word)[2]).toMatch(/"that ticket" names nothing that is known yet/)
  })

  it('that have to be one of a few are asked for by buttons, and what is pressed goes to the server', async () => {
    const { word, ann, done } = await ask([[expense({ employee: 'Ann', amount: 7, category: 'wine' })]])
    await done()
    const card = await ann.card()
    expect(card.title).toBe('File expense')
    expect(card.risk).toBe('Category: must be one of travel, food.')
    expect(card.actions.map(({ label }) => label)).toEqual(['Travel', 'Food'])
    scripts.on(word, { text: `Filed ${word}.` })
    await ann.press(card.actions[1]!.action, card.actions[1]!.value)
    const confirmation = await ann.until('the card to confirm', ({ messages }) =>
      messages.some(({ cards }) =>
        cards.some(({ actions }) => actions.some(({ label }) => label === 'Confirm')),
      ),
    )
    const { actions } = confirmation.messages.at(-1)!.cards[0]!
    await ann.press(actions[0]!.action, actions[0]!.value)
    await ann.until('the answer', ({ messages }) => messages.some(({ text }) => text === `Filed ${word}.`))
    expect(JSON.parse(filed().at(-1)!)).toMatchObject({ amount: 7, category: 'food' })
    const [answer] = await rows.query<{ attributes: object }>(
      `SELECT attributes FROM span WHERE name = 'answer' AND attributes->>'question' = $1`,
      card.id,
    )
    expect(answer?.attributes).toMatchObject({
      tool: 'mcp__office__file_expense',
      fields: expect.arrayContaining(['category']),
    })
  })

  it('that are secrets are asked of nobody, and the answer says so', async () => {
    const call = { name: 'mcp__office__unlock_door', arguments: { door: 'north' } }
    const { word, ann, done } = await ask([[call]], { text: 'Please unlock the north door of the office' })
    const view = await done()
    expect(told(word)[0]).toMatch(/^Not run: Missing: silent\. .*Secret: password\./)
    expect(view.messages.flatMap(({ cards }) => cards)).toEqual([])
    expect((await ann.read()).messages.at(-1)!.text).toMatch(/Password: a secret is never asked for/)
  })

  it('that name one of several people are asked about', async () => {
    for (const name of ['Chen Jing', 'Chen Hao'])
      await webClient(app.address, name, scripts.word()).say('Hello')
    const { word, done } = await ask([[expense({ employee: 'Chen', amount: 1 })]])
    await done()
    expect(told(word)[0]).toMatch(/"Chen" may be any of: Chen (?:Jing, Chen Hao|Hao, Chen Jing)/)
  })

  it('of a megabyte are refused', async () => {
    const { word, done } = await ask([[expense({ employee: 'x'.repeat(1_000_001), amount: 1 })]])
    await done()
    expect(told(word)[0]).toMatch(/longer than 1,000,000 characters/)
  })
})

it('a write that takes a key is sent again by itself where its server broke off, with the same key, and is done once', async () => {
  const room = { room: 'Room of keys' }
  const call = { name: 'mcp__office__reserve_room_once', arguments: { ...room, request_id: 'made up' } }
  const { word, ann, done } = await ask([[call]], { text: 'Please reserve the room once' })
  const card = await ann.card()
  expect(card.fields).toEqual([{ label: 'Room', value: room.room }])
  await ann.press('approval.confirm', card.id)
  await done()
  expect(told(word)[0]).toContain('Reserved before.')
  const lines = readFileSync(journal, 'utf8').split('\n')
  const made = lines.filter((line) => line.includes(room.room)).map((line) => JSON.parse(line))
  const [{ id, idempotent } = { id: '', idempotent: false }] = await rows.query<{
    id: string
    idempotent: boolean
  }>(`SELECT id, idempotent FROM tool_call WHERE tool = $1`, call.name)
  expect(idempotent).toBe(true)
  expect(made).toEqual([
    {
      ...room,
      key: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      meta: expect.objectContaining({ 'hermes/idempotencyKey': id, 'office/request': id }),
    },
  ])
  expect(made[0].key.replaceAll('-', '')).toBe(id.slice('call_'.length))
})

it('a Confirm on a tool that changed since it was accepted says at once that it is blocked and why, and so does the card', async () => {
  const hashOf = (tool: string) => app.mcp.tools().find((one) => one.tool === tool)!.definitionHash
  const call = { name: 'mcp__office__reserve_room', arguments: { room: 'Room of drift', dies: 'after' } }
  const other = { ...call, arguments: { ...call.arguments, room: 'Other room of drift' } }
  const make = { name: 'create_ticket', arguments: { title: 'Beamer for the room of drift' } }
  const one = await ask([[call]], { text: 'Please reserve the room' })
  const several = await ask([[make, other]], { text: 'Please reserve the room and create a ticket' })
  const [card, next] = [await one.ann.card(), await several.ann.card()]
  // As if another definition of it had been accepted; the list is read again with what is accepted of another tool.
  await rows.query(
    `UPDATE mcp_tool_pin SET hash = 'of-before', definition = definition || '{"description":"Looks at a room."}'
     WHERE server = 'office' AND tool = 'reserve_room'`,
  )
  await app.mcp.accept('office', 'find_projects', hashOf('find_projects'))
  const why =
    'Its definition changed since it was accepted (description). It stays blocked until an operator accepts the change.'
  expect((await one.ann.press('approval.confirm', `${card.id}:1`)).body.notice).toBe(
    `This can't be done now: the tool is blocked. ${why} Nothing was changed.`,
  )
  expect((await several.ann.press('approval.confirm_all', `${next.id}:1`)).body.notice).toBe(
    `Confirmed. I am doing it now. Not all of it can be done now: a tool is blocked. ${why}`,
  )
  for (const { done } of [one, several]) await done()
  const cards = async ({ ann }: typeof one) => (await ann.read()).messages.flatMap((message) => message.cards)
  expect(await cards(one)).toMatchObject([{ tone: 'failed', footer: `Failed: ${why}`, actions: [] }])
  expect(await cards(several)).toMatchObject([{ tone: 'done' }, { tone: 'failed', footer: `Failed: ${why}` }])
  expect(readFileSync(journal, { encoding: 'utf8', flag: 'a+' })).not.toMatch(/room of drift/i)
  expect(await app.mcp.accept('office', 'reserve_room', hashOf('reserve_room'))).toBe(true)
})

it.each([
  [
    { create_ticket: { idempotencyKey: { argument: 'key' } } },
    /overrides\.create_ticket\.idempotencyKey\.argument is no argument/,
  ],
  [
    { list_tickets: { check: { tool: 'get_ticket', done: { path: '$' } } } },
    /check is for tools that change/,
  ],
  [
    { create_ticket: { check: { tool: 'get_ticket', done: { path: 'orders[' } } } },
    /check\.done\.path must be a JSONPath/,
  ],
  [{ create_ticket: { idempotencyKey: {} } }, /idempotencyKey needs `argument` or `meta`/],
  [
    { create_ticket: { rules: { size: { max: 3 } } } },
    /tools\.overrides\.create_ticket\.rules\.size is no argument/,
  ],
  [{ create_tickets: {} }, /tools\.overrides\.create_tickets: there is no such tool/],
  [{ create_ticket: { cacheSeconds: 3 } }, /only read/],
  [
    { create_ticket: { rules: { title: { pattern: '[' } } } },
    /tools\.overrides\.create_ticket\.rules\.title\.pattern must be a regular expression/,
  ],
  [
    { create_ticket: { defaults: { priority: 'low' }, rules: { priority: { enum: ['high'] } } } },
    /defaults\.priority must be one of high/,
  ],
  [{ create_ticket: { defaults: { priority: 'enormous' } } }, /defaults\.priority does not fit: .*high/],
  [{ create_ticket: { defaults: { labels: 'hardware' } } }, /defaults\.labels does not fit: .*array/],
  [
    { create_ticket: { rules: { title: { min: 9, max: 3 } } } },
    /rules\.title has a min \(9\) above its max \(3\)/,
  ],
  [
    { create_ticket: { rules: { priority: { enum: ['high', 'huge'] } } } },
    /rules\.priority names "huge", which the tool does not take\. It takes: low, /,
  ],
])('what a configuration can not say about tools is told at start: %j', async (overrides, sentence) => {
  const { createRegistry } = await import('../../src/tools/registry.ts')
  const { readConfig } = await import('../../src/config/file.ts')
  const { ticketTools } = await import('../../src/tools/builtin/tickets.ts')
  const start = () => {
    const read = readConfig(JSON.stringify({ tools: { overrides } }), 'hermes.config.json')
    if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
    createRegistry(
      ticketTools({ book: undefined as never, address: () => undefined }),
      () => [],
      read.config.tools.overrides,
    )
  }
  expect(start).toThrow(sentence)
})
