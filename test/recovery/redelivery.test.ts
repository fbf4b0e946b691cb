import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stage, startStage } from '../support/recovery/stage.ts'
import { answersOf, cardsOf } from '../support/recovery/steady-client.ts'

describe('what is delivered again and again', { timeout: 240_000 }, () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await startStage()
  }, 120_000)
  afterAll(() => stage?.end())

  const often = <T>(send: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 5 }, send))
  const events = (thread: string) =>
    stage.rows.query<{ kind: string; status: string; n: number }>(
      `SELECT e.kind, e.status, count(*)::int AS n FROM inbound_event e JOIN session s ON s.id = e.session_id
       WHERE s.thread = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
      thread,
    )
  const tickets = (thread: string) =>
    stage.rows.query<{ title: string }>(
      'SELECT t.title FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = $1',
      thread,
    )

  it('counts once: a message, an edit, a form, a click', async () => {
    const ann = stage.person('Ann', 'again')
    const said = await often(() => ann.say('ticket Old lamp', 'the-post'))
    expect(said.map(({ status }) => status)).toEqual(Array(5).fill(202))
    const { id } = said[0]!.body
    expect(new Set(said.map(({ body }) => body.id)).size).toBe(1)
    await ann.card()
    expect(await events('again')).toEqual([{ kind: 'message', status: 'taken', n: 1 }])

    await often(() => ann.edit(id, 'ticket New lamp', 'the-edit'))
    await ann.until('a new card', (seen) =>
      cardsOf(seen).some(({ tone, target }) => tone === 'open' && target === 'New lamp'),
    )
    await often(() => ann.edit(id, 'ticket New lamp', 'the-edit'))
    const card = await ann.card()
    expect(cardsOf(await ann.read()).map(({ tone }) => tone)).toEqual(['void', 'open'])

    const { form } = (await ann.pressLabel(card, 'Edit')).body
    await often(() => ann.submit(form.action, form.value, { priority: 'urgent' }, 'the-form'))
    const edited = await ann.card()
    expect(edited.fields).toContainEqual({ label: 'Priority', value: 'urgent' })
    expect(
      await stage.rows.query(
        `SELECT a.version FROM approval a JOIN session s ON s.id = a.session_id WHERE s.thread = 'again' AND a.status = 'open'`,
      ),
    ).toEqual([{ version: 2 }])

    const clicks = await often(() => ann.pressLabel(edited, 'Confirm', 'the-click'))
    expect(clicks.filter(({ body }) => body.notice === 'Confirmed. I am doing it now.')).toHaveLength(1)
    await ann.answer()
    await often(() => ann.pressLabel(edited, 'Confirm', 'the-click'))
    expect(await tickets('again')).toEqual([{ title: 'New lamp' }])
    expect(answersOf(await ann.read())).toHaveLength(1)
    expect(await events('again')).toEqual([
      { kind: 'message', status: 'taken', n: 1 },
      { kind: 'edit', status: 'dropped', n: 1 },
      { kind: 'action', status: 'taken', n: 1 },
      { kind: 'form', status: 'taken', n: 1 },
    ])
  })

  it('counts once: a removal, a stop, a command', async () => {
    const ann = stage.person('Ann', 'gone')
    await ann.say('slowly one')
    await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
    await often(() => ann.press('turn.stop', undefined, 'the-stop'))
    expect((await ann.answer()).text).toBe('Stopped.')
    const { id } = (await ann.say('two')).body
    await ann.answer(2)
    await often(() => ann.remove(id))
    await ann.until(
      'one message less',
      ({ messages }) => messages.filter(({ role }) => role === 'user').length === 1,
    )
    const commands = await often(() => ann.say('/private off', 'the-command'))
    expect(new Set(commands.map(({ body }) => body.receipt.notice)).size).toBe(1)
    expect(await events('gone')).toEqual([
      { kind: 'message', status: 'taken', n: 2 },
      { kind: 'removal', status: 'dropped', n: 1 },
      { kind: 'action', status: 'dropped', n: 1 },
    ])
    expect(answersOf(await ann.read())).toHaveLength(2)
  })

  it('loses none of 500 messages that come in a burst, and answers them in a few turns', async () => {
    const ann = stage.person('Ann', 'burst')
    const started = performance.now()
    const said = await Promise.all(Array.from({ length: 500 }, (_, index) => ann.say(`burst ${index}`)))
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    expect(said.map(({ status }) => status)).toEqual(Array(500).fill(202))
    await ann.until('the end', (seen) => seen.state === 'done')
    await stage.rows.quiet(120_000)
    const texts = await stage.rows.query<{ text: string; seq: number }>(
      `SELECT m.text, m.seq FROM message m JOIN session s ON s.id = m.session_id WHERE s.thread = 'burst' AND m.role = 'user'`,
    )
    expect(texts).toHaveLength(500)
    expect(new Set(texts.map(({ text }) => text)).size).toBe(500)
    const turns = await stage.rows.query<{ status: string }>(
      `SELECT t.status FROM turn t JOIN session s ON s.id = t.session_id WHERE s.thread = 'burst'`,
    )
    expect(turns.every(({ status }) => status === 'done')).toBe(true)
    expect(turns.length).toBeLessThanOrEqual(10)
    expect(await stage.overlaps('burst')).toEqual([])
    const requests = stage.requests('burst')
    console.log(
      `500 messages were taken in ${seconds} s, with ${turns.length} turns and ${requests.length} requests to the model.`,
    )
    // What does not fit is not passed over in silence.
    const last = requests.at(-1)!.messages.map(({ content }) => String(content))
    const left = last.map((text) => Number(/^\[Hermes note\] (\d+) earlier messages/.exec(text)?.[1] ?? 0))
    expect(last.filter((text) => text.startsWith('burst')).length + Math.max(...left)).toBe(500)
    await ann.say('and now')
    await ann.until('an answer to the last', (seen) => answersOf(seen).at(-1)?.text === 'You said: and now')
  })

  it('keeps the order of what several people say at once', async () => {
    const names = ['Ann', 'Bob', 'Cem']
    await Promise.all(
      names.map(async (name) => {
        const person = stage.person(name, 'crowd')
        for (let index = 0; index < 5; index++) await person.say(`crowd ${name} ${index}`)
      }),
    )
    await stage.rows.quiet(60_000)
    const said = await stage.rows.query<{ text: string }>(
      `SELECT m.text FROM message m JOIN session s ON s.id = m.session_id WHERE s.thread = 'crowd' AND m.role = 'user' ORDER BY m.seq`,
    )
    for (const name of names)
      expect(said.map(({ text }) => text).filter((text) => text.includes(name))).toEqual(
        Array.from({ length: 5 }, (_, index) => `crowd ${name} ${index}`),
      )
    expect(await stage.overlaps('crowd')).toEqual([])
  })
})
