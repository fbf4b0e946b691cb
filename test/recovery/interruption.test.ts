import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unanswered } from '../support/recovery/plain-model.ts'
import { type Stage, startStage } from '../support/recovery/stage.ts'
import { answersOf, cardsOf, type SteadyClient } from '../support/recovery/steady-client.ts'

describe('while an answer is being written', { timeout: 120_000 }, () => {
  let stage: Stage
  let threads = 0
  let thread = ''
  let ann: SteadyClient
  let bob: SteadyClient

  beforeAll(async () => {
    stage = await startStage()
  }, 120_000)
  afterAll(() => stage?.end())
  beforeEach(() => {
    thread = `interruption-${++threads}`
    ann = stage.person('Ann', thread)
    bob = stage.person('Bob', thread)
  })

  /** A word that this thread's request can be told by. */
  const mark = () => `word${threads}`
  const half = (client = ann) => client.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
  const history = () =>
    stage.rows.query<{ role: string; text: string }>(
      `SELECT m.role, m.text FROM message m JOIN session s ON s.id = m.session_id
       WHERE s.thread = $1 AND m.removed_at IS NULL ORDER BY m.seq`,
      thread,
    )
  const turns = () =>
    stage.rows.query<{ status: string; outcome: string | null }>(
      `SELECT t.status, t.outcome FROM turn t JOIN session s ON s.id = t.session_id WHERE s.thread = $1 ORDER BY t.id`,
      thread,
    )
  const abortedRequests = () =>
    stage.model.requests.filter(
      ({ body, aborted }) => aborted && JSON.stringify(body.messages).includes(mark()),
    ).length

  it('takes up a newer message of the same person, and gives one answer to both', async () => {
    await ann.say(`slowly ${mark()}`)
    await half()
    await ann.say('and quickly')
    const answer = await ann.answer()
    expect(answer.text).toMatch(`You said: slowly ${mark()} + and quickly.`)
    expect((await history()).map(({ role }) => role)).toEqual(['user', 'user', 'assistant'])
    expect(answersOf(await ann.read())).toHaveLength(1)
    expect(stage.requests(mark()).map(unanswered)).toEqual([
      [`slowly ${mark()}`],
      [`slowly ${mark()}`, 'and quickly'],
    ])
    expect(abortedRequests()).toBe(1)
    expect(await turns()).toEqual([{ status: 'done', outcome: null }])
  })

  it('lets another person’s message wait for its own turn', async () => {
    await ann.say(`slowly ${mark()}`)
    await half()
    await bob.say('and me?')
    const view = await ann.until(
      'both answers',
      (seen) => answersOf(seen).length === 2 && seen.state === 'done',
    )
    const [first, second] = answersOf(view)
    expect(first?.text).toMatch(/(And so on and on\.\s*){20}$/)
    expect(second?.text).toBe('You said: Bob: and me?')
    expect(abortedRequests()).toBe(0)
    expect(await turns()).toHaveLength(2)
    expect(await stage.overlaps(thread)).toEqual([])
  })

  it('takes up what the same person says after somebody else has spoken, and a stop as well', async () => {
    await ann.say(`slowly ${mark()}`)
    await half()
    await bob.say('and me?')
    await ann.say('and quickly')
    const view = await ann.until(
      'both answers',
      (seen) => answersOf(seen).length === 2 && seen.state === 'done',
    )
    expect(answersOf(view).map(({ text }) => text)).toEqual([
      expect.stringContaining(`slowly ${mark()} + `),
      'You said: Bob: and me?',
    ])
    expect(stage.requests(mark()).length).toBeLessThanOrEqual(4)

    await ann.say(`slowly again ${mark()}`)
    await half()
    await bob.say('me too')
    await ann.say('Stop.')
    await ann.until('the end', (seen) => answersOf(seen).length === 4 && seen.state === 'done')
    expect((await turns()).map(({ status }) => status).sort()).toEqual(['done', 'done', 'done', 'stopped'])
  })

  it('stops at a stop word, and at the stop button', async () => {
    for (const stop of [() => ann.say('Stop.'), () => ann.press('turn.stop')]) {
      await ann.say(`slowly ${mark()}`)
      await half()
      await stop()
      const before = (await turns()).length
      const view = await ann.until(
        'the end',
        (seen) => seen.state === 'done' && answersOf(seen).length === before,
      )
      expect(answersOf(view).at(-1)?.text).toBe('Stopped.')
      expect(view.draft ?? null).toBeNull()
      expect((await turns()).at(-1)).toEqual({ status: 'stopped', outcome: 'stopped' })
    }
    expect(abortedRequests()).toBe(2)
    await ann.say('go on')
    expect((await ann.answer(3)).text).toBe('You said: go on')
  })

  it('leaves a stop of somebody else to them', async () => {
    await ann.say(`slowly ${mark()}`)
    await half()
    await bob.press('turn.stop')
    expect((await ann.answer()).text).toMatch(/(And so on and on\.\s*){20}$/)
    expect(await turns()).toEqual([{ status: 'done', outcome: null }])
  })

  it('starts again when the message is edited', async () => {
    const { id } = (await ann.say(`slowly ${mark()} old`)).body
    await half()
    await ann.edit(id, `${mark()} new`)
    expect((await ann.answer()).text).toBe(`You said: ${mark()} new`)
    expect(await history()).toEqual([
      { role: 'user', text: `${mark()} new` },
      { role: 'assistant', text: `You said: ${mark()} new` },
    ])
    expect(stage.requests(mark()).map(unanswered)).toEqual([[`slowly ${mark()} old`], [`${mark()} new`]])
    expect(await turns()).toEqual([{ status: 'done', outcome: null }])
  })

  it('goes on writing where an edit changes nothing, as when a platform tells of it twice', async () => {
    const text = `slowly ${mark()} as it was`
    const { id } = (await ann.say(text)).body
    await half()
    await ann.edit(id, text)
    expect((await ann.answer()).text).toContain(`You said: ${text}`)
    expect(stage.requests(mark())).toHaveLength(1)
    expect(await turns()).toEqual([{ status: 'done', outcome: null }])
  })

  it('says nothing more when the message is removed', async () => {
    const { id } = (await ann.say(`slowly ${mark()}`)).body
    await half()
    await ann.remove(id)
    await ann.until('an empty thread', ({ messages, draft }) => messages.length === 0 && !draft)
    await expect.poll(turns, { timeout: 20_000 }).toEqual([{ status: 'stopped', outcome: 'removed' }])
    expect(await history()).toEqual([])
    await ann.say('something else')
    expect((await ann.answer()).text).toBe('You said: something else')
    expect(
      stage
        .requests('something else')
        .at(-1)
        ?.messages.map(({ content }) => content),
    ).not.toContain(`slowly ${mark()}`)
  })

  it('answers two messages that come at once together', async () => {
    await Promise.all([ann.say(`${mark()} one`), ann.say(`${mark()} two`)])
    await ann.until(
      'an answer to both',
      (seen) =>
        seen.state === 'done' &&
        [`${mark()} one`, `${mark()} two`].every((text) =>
          answersOf(seen).some((answer) => answer.text.includes(text)),
        ),
    )
    expect((await history()).filter(({ role }) => role === 'user')).toHaveLength(2)
    expect(await stage.overlaps(thread)).toEqual([])
  })
})

describe('while a card is open', { timeout: 120_000 }, () => {
  let stage: Stage
  let threads = 0
  let thread = ''
  let ann: SteadyClient

  beforeAll(async () => {
    stage = await startStage()
  }, 120_000)
  afterAll(() => stage?.end())
  beforeEach(() => {
    thread = `open-${++threads}`
    ann = stage.person('Ann', thread)
  })
  const tickets = () =>
    stage.rows.query<{ title: string }>(
      'SELECT t.title FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = $1',
      thread,
    )

  it('withdraws it at a stop word; a click comes too late', async () => {
    await ann.say('ticket Lamp')
    const card = await ann.card()
    await ann.say('停')
    const answer = await ann.answer()
    expect(answer.text).toMatch(/^已停止|^Stopped\. What was waiting/)
    expect((await ann.pressLabel(card, 'Confirm')).body.notice).toBe(
      'This card has changed. Decide on the newest one.',
    )
    expect(cardsOf(await ann.read())).toMatchObject([{ tone: 'void', actions: [] }])
    expect(await tickets()).toEqual([])
    const view = await ann.read()
    expect(view.state).toBe('done')
  })

  it('proposes anew when the message is edited', async () => {
    const { id } = (await ann.say('ticket Old lamp')).body
    const old = await ann.card()
    await ann.edit(id, 'ticket New lamp')
    await ann.until('a new card', (seen) =>
      cardsOf(seen).some(({ tone, target }) => tone === 'open' && target === 'New lamp'),
    )
    expect((await ann.pressLabel(old, 'Confirm')).body.notice).toBe(
      'This card has changed. Decide on the newest one.',
    )
    // The model is told at the end, where it looks, not only in the place of the old text.
    expect(String(stage.requests('New lamp')[0]?.messages.at(-1)?.content)).toContain('New lamp')
    await ann.pressLabel(await ann.card(), 'Confirm')
    await ann.answer()
    expect(await tickets()).toEqual([{ title: 'New lamp' }])
    expect(cardsOf(await ann.read()).map(({ target, tone }) => [target, tone])).toEqual([
      ['Old lamp', 'void'],
      ['New lamp', 'done'],
    ])
  })

  it('withdraws it when the message is removed', async () => {
    const { id } = (await ann.say('ticket Lamp')).body
    const card = await ann.card()
    await ann.remove(id)
    await ann.until('a card that is void', (seen) => cardsOf(seen).every(({ tone }) => tone === 'void'))
    expect((await ann.pressLabel(card, 'Confirm')).body.notice).toBe(
      'This card has changed. Decide on the newest one.',
    )
    expect(await tickets()).toEqual([])
    await ann.say('something else')
    expect((await ann.answer()).text).toBe('You said: something else')
  })
})
