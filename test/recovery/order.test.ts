import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stage, startStage } from '../support/recovery/stage.ts'
import { answersOf, cardsOf } from '../support/recovery/steady-client.ts'

describe('a thread with more than one thing open', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await startStage()
  }, 120_000)
  afterAll(() => stage?.end())

  const turnsOf = (thread: string) =>
    stage.rows.query<{ status: string; leg: number }>(
      `SELECT t.status, t.leg FROM turn t JOIN session s ON s.id = t.session_id WHERE s.thread = $1 ORDER BY t.id`,
      thread,
    )
  const ticketsOf = async (thread: string) =>
    (
      await stage.rows.query<{ title: string }>(
        `SELECT t.title FROM ticket t JOIN session s ON s.id = t.session_id WHERE s.thread = $1 ORDER BY t.number`,
        thread,
      )
    ).map(({ title }) => title)

  it('does each card when it is decided, the last one first, with a message between', {
    timeout: 240_000,
  }, async () => {
    const ann = stage.person('Ann', 'reverse')
    await ann.say('ticket First lamp')
    const first = await ann.card(1)
    await ann.say('ticket Second lamp')
    const second = await ann.card(2)
    await ann.pressLabel(second, 'Confirm')
    expect((await ann.answer(1)).text).toMatch(/^Told: .*Second lamp/)
    await ann.say('how are you')
    expect((await ann.answer(2)).text).toBe('You said: how are you')
    expect(await ticketsOf('reverse')).toEqual(['Second lamp'])
    await ann.pressLabel(first, 'Confirm')
    expect((await ann.answer(3)).text).toMatch(/^Told: .*First lamp/)

    const view = await ann.until('the end', ({ state }) => state === 'done')
    expect(cardsOf(view).map(({ target, tone }) => [target, tone])).toEqual([
      ['First lamp', 'done'],
      ['Second lamp', 'done'],
    ])
    expect(answersOf(view)).toHaveLength(3)
    expect(await ticketsOf('reverse')).toEqual(['Second lamp', 'First lamp'])
    expect(await turnsOf('reverse')).toEqual([
      { status: 'done', leg: 2 },
      { status: 'done', leg: 2 },
      { status: 'done', leg: 1 },
    ])
    expect(await stage.overlaps('reverse')).toEqual([])
  })

  it('runs what is confirmed while another answer is being written, and tells of it after that', {
    timeout: 240_000,
  }, async () => {
    const ann = stage.person('Ann', 'while')
    await ann.say('ticket Lamp')
    const card = await ann.card()
    await ann.say('slowly now')
    await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
    await ann.pressLabel(card, 'Confirm')
    const view = await ann.until(
      'both answers',
      (thread) => answersOf(thread).length === 2 && thread.state === 'done',
    )
    expect(answersOf(view)[0]?.text).toMatch(/^You said: slowly now\. (And so on and on\.\s*){20}$/)
    expect(answersOf(view)[1]?.text).toMatch(/^Told: .*Lamp/)
    expect(cardsOf(view)).toMatchObject([{ target: 'Lamp', tone: 'done' }])
    expect(await ticketsOf('while')).toEqual(['Lamp'])
    expect(await stage.overlaps('while')).toEqual([])
  })

  it('cancels one and does the other where both are decided at the same moment', {
    timeout: 240_000,
  }, async () => {
    const ann = stage.person('Ann', 'both')
    await ann.say('ticket First lamp')
    const first = await ann.card(1)
    await ann.say('ticket Second lamp')
    const second = await ann.card(2)
    await Promise.all([ann.pressLabel(first, 'Cancel'), ann.pressLabel(second, 'Confirm')])
    const view = await ann.until(
      'both answers',
      (thread) => answersOf(thread).length === 2 && thread.state === 'done',
    )
    expect(cardsOf(view).map(({ tone }) => tone)).toEqual(['void', 'done'])
    expect(await ticketsOf('both')).toEqual(['Second lamp'])
    expect(await stage.overlaps('both')).toEqual([])
  })
})
