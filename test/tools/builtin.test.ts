import { DateTime } from 'luxon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, type ScriptedCall, startModel } from '../support/model.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

const timeZone = 'Europe/Berlin'

let model: ModelStandIn
let scripts: Scripts
let app: TestApp
let rows: Rows
let clock: MovingClock

beforeAll(async () => {
  model = await startModel()
  scripts = scriptModel(model)
  clock = movingClock(new Date())
  app = await startTestApp({
    variables: model.variables(),
    config: { timeZone },
    clock,
  })
  rows = await openRows(app.home)
})
afterAll(async () => {
  await rows?.close()
  await app?.end()
  await model?.stop()
})

const texts = (word: string) =>
  scripts
    .requests(word)
    .at(-1)!
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
/** What a result holds, below the line about what was changed in the arguments. */
const dataOf = (text: string) => JSON.parse(text.replace(/^\[Changed in the arguments: .*\]\n/, ''))
const results = (word: string) => texts(word).map(dataOf)

/** Ann says something, the model makes the calls, Ann confirms what is asked; gives what the calls told. */
async function ask(calls: readonly ScriptedCall[], name = 'Ann') {
  const word = scripts.word()
  const ann = webClient(app.address, name, word)
  scripts.on(word, { calls }, { text: `That was ${word}.` })
  await ann.say(`Please create, update and comment the tickets as I said, ${word}`)
  const pressed = new Set<string>()
  await ann.until(
    'the answer',
    ({ messages }) => {
      const open = messages
        .flatMap(({ cards }) => cards)
        .find(({ id, tone }) => tone === 'open' && !pressed.has(id))
      if (open) {
        pressed.add(open.id)
        void ann.press('approval.confirm', open.id)
      }
      return messages.some(({ text }) => text.includes(`That was ${word}.`))
    },
    20_000,
  )
  return { word, ann }
}
const create = (title: string, more: object = {}) => ({
  name: 'create_ticket',
  arguments: { title, ...more },
})

it('a due date stands on the card as a time where the person is, and the form gives it back as it was', async () => {
  const word = scripts.word()
  const ann = webClient(app.address, 'Ann', word)
  const made = { title: `${word} lamp`, due: '2027-01-04T16:00:00.000Z' }
  scripts.on(word, { calls: [create(made.title, { due: made.due })] }, { text: `That was ${word}.` })
  await ann.say(`Please create a ticket, ${word}`)
  const dueOn = (card: { fields: readonly { label: string; value: string }[] }) =>
    card.fields.find(({ label }) => label === 'Due')?.value
  const held = async () =>
    (
      await rows.query<{ due: string }>(
        `SELECT arguments->>'due' AS due FROM tool_call WHERE arguments->>'title' LIKE $1`,
        `${word}%`,
      )
    ).map(({ due }) => due)
  const card = await ann.card()
  expect(dueOn(card)).toBe('4 Jan 2027, 17:00 (UTC+1)')
  const opened = await ann.press('approval.edit', card.id)
  const fields = Object.fromEntries(
    (opened.body.form.fields as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
  )
  expect(fields.due).toBe('4 Jan 2027, 17:00 (UTC+1)')
  await ann.submit('approval.edit', `${card.id}:1`, { ...fields, title: `${word} lantern` })
  expect(await held()).toEqual([made.due])
  await ann.submit('approval.edit', `${card.id}:2`, { ...fields, due: '5 Jan 2027, 09:15' })
  expect(await held()).toEqual(['2027-01-05T08:15:00.000Z'])
  const changed = await ann.card()
  expect(dueOn(changed)).toBe('5 Jan 2027, 09:15 (UTC+1)')
  await ann.press('approval.cancel', card.id)
  await ann.until('the answer', ({ messages }) =>
    messages.some(({ text }) => text.includes(`That was ${word}.`)),
  )
})

describe('tickets', () => {
  it('are found by words in any order and in Chinese, by label, priority, assignee and due date', async () => {
    const made = await ask([
      create('Printer on floor 3 is broken', { labels: ['hardware'], priority: 'high', due: '2026-12-04' }),
      create('三楼的打印机坏了，一直卡纸', { assignee: 'ops-team' }),
      create('Order new chairs', {
        labels: ['Furniture'],
        description: 'Six of them, for the room beside the printer',
      }),
    ])
    const [printer, chinese, chairs] = results(made.word).map(({ ticket }) => ticket as string)
    const list = (args: object) => ({ name: 'list_tickets', arguments: args as Record<string, unknown> })
    const { word } = await ask([
      list({ query: 'broken printers' }),
      list({ query: '打印机卡纸' }),
      list({ label: 'furniture' }),
      list({ priority: 'HIGH' }),
      list({ assignee: 'ops' }),
      list({ dueBefore: '2026-12-31' }),
      list({ query: 'elephants' }),
    ])
    const found = results(word).map(({ tickets }) => tickets.map(({ ticket }: { ticket: string }) => ticket))
    expect(found).toEqual([[printer, chairs], [chinese], [chairs], [printer], [chinese], [printer], []])
    expect(results(word)[6]).toMatchObject({
      total: 0,
      filters: { query: 'elephants', status: 'not closed' },
    })
  })

  it('keep who changed what, once each, and have a page with all of it', async () => {
    const made = await ask([
      create('Heating <b>is</b> off', { description: '**Cold** in here\n<script>alert(1)</script>' }),
    ])
    const [{ ticket, page }] = results(made.word)
    expect(page).toBe(`${app.address}/tickets/${ticket}`)
    await ask(
      [
        {
          name: 'update_ticket',
          arguments: {
            ticket,
            status: 'In Progress',
            assignee: 'Bob',
            due: '2026-12-04',
            labels: ['heating'],
          },
        },
      ],
      'Bob',
    )
    await ask([{ name: 'comment_ticket', arguments: { ticket, text: 'A plumber comes on *Friday*' } }], 'Bob')
    await ask([{ name: 'update_ticket', arguments: { ticket, clear: ['due', 'labels'], assignee: 'Bob' } }])
    const { word } = await ask([{ name: 'get_ticket', arguments: { ticket } }])
    const [shown] = results(word)
    expect(shown).toMatchObject({ status: 'in_progress', assignee: 'Bob', comments: [{ by: 'Bob' }] })
    expect(shown.due).toBeUndefined()
    expect(
      shown.changes.map(({ by, field, to }: Record<string, string>) => [by, field, to?.slice(0, 10) ?? null]),
    ).toEqual([
      ['Bob', 'assignee', 'Bob'],
      ['Bob', 'due', '2026-12-04'],
      ['Bob', 'labels', 'heating'],
      ['Bob', 'status', 'in_progres'],
      ['Ann', 'due', null],
      ['Ann', 'labels', null],
    ])

    const html = await (await fetch(page)).text()
    expect(html).toContain(`<h1>Heating &lt;b&gt;is&lt;/b&gt; off</h1>`)
    expect(html).toContain('<strong>Cold</strong>')
    expect(html).not.toContain('<script')
    expect(html).toMatch(/Status:\s+Open → In progress/)
    expect(html).toContain('A plumber comes on <em>Friday</em>')
    const chinese = await (await fetch(page, { headers: { 'Accept-Language': 'zh-CN,zh' } })).text()
    expect(chinese).toContain('历史记录')
    expect((await fetch(`${app.address}/tickets/T-999999`)).status).toBe(404)
    expect((await fetch(page, { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status).toBe(403)
  })
})

describe('reminders', () => {
  const set = (args: object) => ({ name: 'set_reminder', arguments: args as Record<string, unknown> })
  const at = (time: string) => DateTime.fromISO(time, { zone: timeZone }).toJSDate()

  it('come at their time by the wall clock across the change to summer time, once for what was missed, until cancelled', async () => {
    const { word, ann } = await ask([
      set({ text: 'Stretch your back', repeat: 'every day at 9' }),
      set({ text: '写周报', repeat: '每月最后一个工作日下午5点' }),
      set({ text: 'Nothing', repeat: 'whenever I like' }),
      set({ text: 'Never said when' }),
    ])
    const [first, monthly] = texts(word).slice(0, 2).map(dataOf) as Record<string, string>[]
    expect(first).toMatchObject({ repeat: 'every day at 09:00' })
    expect(monthly!.when).toMatch(/T17:00\+0[12]:00$/)
    expect(texts(word)[2]).toMatch(/says no repetition/)
    expect(texts(word)[3]).toMatch(/Missing: when/)
    const said = async () =>
      (await ann.read()).messages.filter(({ role, text }) => role === 'assistant' && text.includes('Stretch'))
        .length
    const dueAt = async () =>
      (await rows.query<{ due_at: Date }>(`SELECT due_at FROM reminder WHERE text = 'Stretch your back'`))[0]!
        .due_at

    // Many days at once, as after a long stop: what was missed is said once.
    clock.moveTo(at('2027-03-27T10:00'))
    await ann.until(
      'the reminder',
      ({ messages }) => messages.some(({ text }) => text.includes('Stretch')),
      20_000,
    )
    await rows.quiet()
    expect(await said()).toBe(1)
    expect(await dueAt()).toEqual(at('2027-03-28T09:00'))
    expect((await dueAt()).toISOString()).toBe('2027-03-28T07:00:00.000Z')

    clock.moveTo(at('2027-03-28T09:00:01'))
    await ann.until(
      'the next one',
      ({ messages }) => messages.filter(({ text }) => text.includes('Stretch')).length === 2,
      20_000,
    )
    expect(await dueAt()).toEqual(at('2027-03-29T09:00'))

    const listed = await ask([{ name: 'list_reminders', arguments: {} }])
    const shown = results(listed.word)[0].reminders as Record<string, string>[]
    expect(shown.map(({ text, repeat }) => [text, repeat])).toEqual([
      ['Stretch your back', 'every day at 09:00'],
      ['写周报', 'on the last working day of every month at 17:00'],
    ])
    await ask([{ name: 'cancel_reminder', arguments: { reminder: 'back' } }])
    const left = await ask([{ name: 'list_reminders', arguments: {} }])
    expect(results(left.word)[0].reminders).toMatchObject([{ text: '写周报' }])
  })
})
