import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { until } from '../contract/waiting.ts'
import { startHttpServer, type TestHttpServer } from '../mcp/support/http-server.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

const minute = 60_000
let model: ModelStandIn
let scripts: Scripts
let server: TestHttpServer
let app: TestApp
let rows: Rows
let passed = 0
const down = new Set<string>()

beforeAll(async () => {
  model = await startModel()
  scripts = scriptModel(model)
  const reading = { annotations: { readOnlyHint: true } }
  server = await startHttpServer({
    tools: [
      ...['stock', 'price', 'archive', 'empty'].map((name) => ({ name, ...reading })),
      { name: 'order' },
    ],
    onCall(name) {
      if (down.has(name)) throw new Error('The service is temporarily unavailable.')
      return name === 'empty' ? '[]' : `what ${name} knows`
    },
  })
  app = await startTestApp({
    variables: model.variables(),
    mcp: { mcpServers: { shop: { url: server.url, trusted: true } } },
    config: {
      timeZone: 'Etc/UTC',
      desk: { channel: 'web', room: 'desk' },
      tools: { fallbacks: { mcp__shop__price: { tool: 'mcp__shop__archive' } } },
    },
    clock: { now: () => new Date(Date.now() + passed), monotonic: systemClock.monotonic },
  })
  await until('the shop to be connected', () => app.mcp.tools().length === 5)
  rows = await openRows(app.home)
})
afterAll(async () => {
  await rows.close()
  await app.end()
  await server.stop()
  await model.stop()
})

/** Asks in the thread, has the tool called, and gives the answer, what the model was told, and the service's calls. */
function thread(name: string) {
  let count = 0
  return async (tool: string, args: object = {}) => {
    const word = scripts.word()
    scripts.on(word, { calls: [{ name: tool, arguments: { ...args } }] }, { text: `Answer ${word}.` })
    const before = server.calls.length
    const person = webClient(app.address, name, `trouble-${name}`)
    await person.say(`Question ${word}`)
    count += 1
    const { text } = await person.answer(count)
    const messages = scripts.requests(word).at(-1)!.messages
    return {
      text: text.replace(word, 'x').replaceAll(/\d\d:\d\d/g, 'hh:mm'),
      told: String(messages.findLast((message) => message.role === 'tool')!.content).replaceAll(
        /\d\d:\d\d/g,
        'hh:mm',
      ),
      asked: server.calls.slice(before),
    }
  }
}

it('leaves a dead service alone for its cool-down, tells it once, and hands over when it fails again and again', async () => {
  const ask = thread('Ann')
  down.add('stock')
  const first = await ask('mcp__shop__stock')
  expect(first.asked).toEqual(['stock', 'stock', 'stock'])
  expect(first.told).toMatch(/^Failed: .*temporarily unavailable.* do not call it again now\.$/)
  // Also by a process that was started after it.
  await rows.close()
  app = await app.restart()
  await until('the shop to be connected again', () => app.mcp.tools().length === 5)
  rows = await openRows(app.home)
  const second = await ask('mcp__shop__stock')
  expect(second.asked).toEqual([])
  expect(second.told).toMatch(
    /^Not run: It does not answer since hh:mm and is not asked again before hh:mm\. The person knows that already: .* Use another tool/,
  )
  // In another thread nobody knows of it yet.
  const other = await thread('Bob')('mcp__shop__stock')
  expect(other.asked).toHaveLength(3)

  passed += 61_000
  const third = await ask('mcp__shop__stock')
  expect(third.asked).toHaveLength(3)
  expect(third.told).toMatch(/It failed 3 times within 5 minutes\. The case was handed over/)
  expect(third.text).toBe(
    'Answer x.\n\n"Stock" failed several times, so I asked the people of the desk to look. Until they give it back, what you write goes to them; say "release" to talk with me again.',
  )
  const desk = webClient(app.address, 'Dana', 'desk')
  const card = await desk.card()
  expect(card).toMatchObject({ title: 'Talk with Ann', actions: [{ label: 'Claim' }] })
  expect(card.fields).toContainEqual({ label: 'Reason', value: 'mcp__shop__stock keeps failing' })
  expect(card.fields.find(({ label }) => label === 'Failures')!.value.split('\n')).toEqual([
    'mcp__shop__stock: transient',
    'mcp__shop__stock: down',
    'mcp__shop__stock: transient',
  ])
  const ann = webClient(app.address, 'Ann', 'trouble-Ann')
  expect((await ann.press('desk.claim', card.id)).body.notice).toBe('Only people of the desk can do this.')

  const audited = await rows.query<{ code: string; degraded: boolean }>(
    `SELECT a.data->>'code' AS code FROM audit_event a JOIN person p ON p.id = a.person_id
     WHERE a.action = 'tool.failed' AND p.display_name = 'Ann' ORDER BY a.at`,
  )
  expect(audited.map(({ code }) => code)).toEqual(['transient', 'down', 'transient'])
  await ann.say('release')
  await ann.until(
    'Hermes to be back',
    ({ messages }) => messages.at(-1)?.text.includes('I am here again') === true,
  )
  passed += 6 * minute
  down.clear()
  const later = await thread('Ann2')('mcp__shop__stock')
  expect(later.told).toBe('what stock knows')
})

it('is back where nobody at the desk takes a case up', async () => {
  const gus = webClient(app.address, 'Gus', 'trouble-Gus')
  await gus.say('Let me talk to a human')
  await gus.answer()
  await gus.say('Is anybody there?')
  await rows.quiet()
  expect((await gus.read()).messages.at(-1)?.text).toBe('Is anybody there?')
  passed += 31 * minute
  const word = scripts.word()
  scripts.on(word, { text: `Only me, ${word}.` })
  await gus.say(`Hello ${word}?`)
  await gus.until('Hermes', ({ messages }) => messages.at(-1)?.text === `Only me, ${word}.`)
  expect((await gus.read()).messages.at(-3)?.text).toMatch(/^Nobody has taken this up within 30 minutes/)
})

it('asks nobody to confirm what a service that is down can not do, until it may be back', async () => {
  const hal = webClient(app.address, 'Hal', 'trouble-Hal')
  const order = { calls: [{ name: 'mcp__shop__order', arguments: {} }] }
  const word = scripts.word()
  down.add('order')
  scripts.on(word, order, { text: 'It failed.' }, order, { text: 'It is down.' }, order, { text: 'Ordered.' })
  await hal.say(`Order ${word}`)
  await hal.press('approval.confirm', (await hal.card()).id)
  await hal.until('the first end', ({ messages }) => messages.at(-1)?.text === 'It failed.')
  await hal.say('Again')
  await hal.until('the second end', ({ messages }) => messages.at(-1)?.text === 'It is down.')
  const told = scripts
    .requests(word)
    .at(-1)!
    .messages.findLast(({ role }) => role === 'tool')!.content
  expect(told).toMatch(/^Not run: It does not answer since/)
  expect((await hal.read()).messages.flatMap(({ cards }) => cards)).toHaveLength(1)
  expect(server.calls.filter((name) => name === 'order')).toHaveLength(1)

  down.clear()
  passed += 61_000
  await hal.say('And now?')
  await hal.press('approval.confirm', (await hal.card()).id)
  await hal.until('the order', ({ messages }) => messages.at(-1)?.text === 'Ordered.')
})

it('asks the declared fallback and says so, the trouble itself only once', async () => {
  const ask = thread('Cara')
  down.add('price')
  const first = await ask('mcp__shop__price')
  expect(first.asked).toEqual(['price', 'price', 'price', 'archive'])
  expect(first.told).toMatch(/^\["Price" does not answer since hh:mm\..*\]\nwhat archive knows$/)
  expect(first.text).toBe(
    'Answer x.\n\n"Price" does not answer since hh:mm. What you read here comes from "Archive" instead.',
  )
  const second = await ask('mcp__shop__price')
  expect(second.asked).toEqual(['archive'])
  expect(second.text).toBe('Answer x.\n\nWhat you read here comes from "Archive" instead.')
  down.clear()
})

it('uses the last good copy of the same call, with its date, while the service is down', async () => {
  const ask = thread('Dan')
  expect((await ask('mcp__shop__stock')).text).toBe('Answer x.')
  down.add('stock')
  const failed = await ask('mcp__shop__stock')
  expect(failed.asked).toEqual(['stock', 'stock', 'stock'])
  expect(failed.told).toContain('what stock knows')
  expect(failed.text).toBe(
    'Answer x.\n\n"Stock" does not answer since hh:mm. What you read here is my copy of hh:mm.',
  )
  const still = await ask('mcp__shop__stock')
  expect(still.asked).toEqual([])
  expect(still.text).toBe('Answer x.\n\nWhat you read here is my copy of hh:mm.')
  down.clear()
})

it('tells the model what it can know of a tool whose server says nothing of it', async () => {
  const word = scripts.word()
  scripts.on(word, { text: 'Yes.' })
  const eve = webClient(app.address, 'Eve', 'trouble-Eve')
  await eve.say(`What about the stock and an order, ${word}?`)
  await eve.answer()
  const offered = scripts.requests(word)[0]!.tools!
  const told = (name: string) => offered.find((tool) => tool.function.name === name)?.function.description
  expect(told('mcp__shop__stock')).toMatch(
    /^"Stock" of the server shop, which says nothing more .* It only looks\./,
  )
  expect(told('mcp__shop__order')).toMatch(/It changes something there, after a person has confirmed it\./)
})

it('tells an empty result as empty, with the filters, and does not ask again', async () => {
  const ask = thread('Fay')
  const tickets = await ask('list_tickets', { query: 'zebra', status: 'open' })
  expect(JSON.parse(tickets.told)).toEqual({
    total: 0,
    filters: { query: 'zebra', status: 'open' },
    tickets: [],
  })
  const empty = await ask('mcp__shop__empty')
  expect(empty.told).toMatch(/^Nothing was found \(no filters were used\)\./)
  expect(empty.asked).toEqual(['empty'])
  expect(
    await rows.query(`SELECT 1 FROM failure WHERE tool IN ('list_tickets', 'mcp__shop__empty')`),
  ).toEqual([])
})
