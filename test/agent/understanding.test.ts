import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import {
  type ChatBody,
  type ModelStandIn,
  resultsSinceUser,
  type ScriptedReply,
  startModel,
} from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { webClient } from '../support/web-client.ts'

describe('what rules understand, in a conversation', { timeout: 60_000 }, () => {
  let model: ModelStandIn
  let app: TestApp
  let rows: Rows
  let threads = 0
  let thread = ''

  beforeAll(async () => {
    model = await startModel()
    app = await startTestApp({
      variables: model.variables(),
    })
    rows = await openRows(app.home)
  }, 60_000)
  afterAll(async () => {
    await rows?.close()
    await app?.end()
    await model?.stop()
  })
  beforeEach(() => {
    model.reset()
    thread = `understanding-${++threads}`
  })

  const script = (answer: (body: ChatBody) => ScriptedReply | undefined) =>
    model.script((body) => (body.tools === undefined ? { text: '[]' } : answer(body)))
  const asked = () => model.requests.filter(({ body }) => body.tools !== undefined).map(({ body }) => body)
  const system = (at = -1) => String(asked().at(at)?.messages[0]?.content)
  const plans = async () =>
    (await rows.query<{ plan: unknown }>('SELECT plan FROM session WHERE thread = $1', thread))[0]?.plan

  const task = 'check the open tickets; if there are none, make one; then tell me the number'

  it('keeps a plan that waits for an answer, hands it to the next turn, and ends it with that', async () => {
    const ann = webClient(app.address, 'Ann', thread)
    script((body) => ({
      text: JSON.stringify(body.messages).includes('the printer ones') ? 'There are two.' : 'Which tickets?',
    }))
    await ann.say(task)
    await ann.answer(1)
    await rows.quiet()
    expect(await plans()).toMatchObject({ current: { goal: task, steps: { length: 3 } } })
    // A question in between leaves it as it is.
    await ann.say('What does the printer cost?')
    await ann.answer(2)
    await rows.quiet()
    expect(await plans()).toMatchObject({ current: { goal: task } })
    await ann.say('I mean the printer ones')
    expect((await ann.answer(3)).text).toBe('There are two.')
    expect(system()).toContain('[open] check the open tickets')
    await rows.quiet()
    expect(await plans()).toEqual({ current: null, parked: [] })
  })

  it('puts a plan aside for another one that the person begins, and brings it back after that', async () => {
    const ann = webClient(app.address, 'Ann', thread)
    script((body) => ({
      text: JSON.stringify(body.messages.at(-1)).includes('rooms')
        ? 'All is booked.'
        : 'Which tickets do you mean?',
    }))
    await ann.say(task)
    await ann.answer(1)
    const other = 'look for free rooms; if there is one, book it; then tell the team'
    await ann.say(other)
    await ann.answer(2)
    expect(system()).toContain(`Plan: ${other}`)
    expect(system()).toContain(`Put aside: ${task}. When the plan is done, offer to go on with it.`)
    await rows.quiet()
    expect(await plans()).toMatchObject({ current: { goal: task, aside: 'back' }, parked: [] })
    await ann.say('Thanks')
    await ann.answer(3)
    expect(system()).toContain(`Plan: ${task} (it was put aside; offer to go on with it)`)
  })

  it('gives a plan up at a stop word, and one of an old text when that is edited', async () => {
    const ann = webClient(app.address, 'Ann', thread)
    script((body) =>
      resultsSinceUser(body).length > 0
        ? { text: 'It waits.' }
        : { calls: [{ name: 'create_ticket', arguments: { title: 'Lamp' } }] },
    )
    const { body } = await ann.say(task)
    await ann.card()
    expect(await plans()).toMatchObject({ current: { goal: task } })
    const edited = 'look for lamps; if there are none, make a ticket; then tell me'
    await ann.request('PATCH', `/api/threads/${thread}/messages/${body.id}`, { user: 'Ann', text: edited })
    await ann.until('the new card', ({ messages }) => {
      const tones = messages.flatMap((message) => message.cards.map((card) => card.tone))
      return tones.length === 2 && tones.includes('open')
    })
    expect(await plans()).toMatchObject({ current: { goal: edited }, parked: [] })
    await ann.say('stop')
    await ann.until('the end', ({ state }) => state === 'done')
    await rows.quiet()
    expect(await plans()).toEqual({ current: null, parked: [] })
  })

  it('keeps and ends what the model plans itself', async () => {
    const ann = webClient(app.address, 'Ann', thread)
    const plan = (args: object): ScriptedReply => ({
      calls: [{ name: 'update_plan', arguments: { ...args } }],
    })
    const step = (status: string) => [{ text: 'find a place', status }]
    const told = (body: ChatBody) => resultsSinceUser(body).at(-1)
    script((body) => {
      if (told(body) !== undefined) return { text: 'Good.' }
      const last = JSON.stringify(body.messages.at(-1))
      if (last.includes('begin'))
        return plan({ action: 'set', goal: 'Offsite', steps: step('open'), constraints: ['vegetarian'] })
      if (last.includes('half')) return plan({ action: 'set', goal: 'Offsite', steps: step('done') })
      if (last.includes('nothing')) return plan({ action: 'set' })
      return plan({ action: 'end' })
    })
    await ann.say('begin it')
    await ann.answer(1)
    await ann.say('half of it')
    await ann.answer(2)
    // Constraints hold until the task ends.
    expect(await plans()).toMatchObject({
      current: { goal: 'Offsite', steps: [{ status: 'done' }], constraints: ['vegetarian'] },
    })
    expect(system()).toContain('Must hold: vegetarian')
    await ann.say('nothing at all')
    await ann.answer(3)
    expect(resultsSinceUser(asked().at(-1)!).at(-1)).toMatch(/Missing: goal/)
    await ann.say('that was all')
    await ann.answer(4)
    expect(await plans()).toEqual({ current: null, parked: [] })
    expect(resultsSinceUser(asked().at(-1)!).at(-1)).toBe('There is no plan now.')
  })

  it('tells what "again" is about, and in which form an answer is wanted', async () => {
    const ann = webClient(app.address, 'Ann', thread)
    script((body) =>
      JSON.stringify(body.messages.at(-1)).includes('ticket for the lamp')
        ? { calls: [{ name: 'create_ticket', arguments: { title: 'Lamp' } }] }
        : { text: 'As you say.' },
    )
    await ann.say('a ticket for the lamp')
    await ann.press('approval.confirm', (await ann.card()).id)
    await ann.answer(1)
    await ann.say('do the same again')
    await ann.answer(2)
    expect(system()).toMatch(
      /Asked for: rerun[\s\S]*The last action: create_ticket \{"title":"Lamp"[^\n]*\(succeeded\)\./,
    )
    await ann.say('show that as a table')
    await ann.answer(3)
    expect(system()).toContain('Asked for: format (the same content, shown in another form)')
    expect(system()).not.toContain('The last action')
  })

  it('looks anew where that is asked for while a turn is at work, and not otherwise', async () => {
    for (const [words, status] of [
      ['please check again, I want fresh numbers', 'succeeded'],
      ['and be quick', 'refused'],
    ] as const) {
      thread = `understanding-${++threads}`
      const ann = webClient(app.address, 'Ann', thread)
      model.reset()
      script((body) => {
        const said = JSON.stringify(body.messages)
        const looked = body.messages.filter((message) => message.role === 'tool').length
        if (!said.includes(words)) {
          return looked === 0
            ? { calls: [{ name: 'list_tickets', arguments: {} }] }
            : { text: 'There are none. '.repeat(60), chunkSize: 10, delayMs: 40 }
        }
        return looked < 2 ? { calls: [{ name: 'list_tickets', arguments: {} }] } : { text: 'Looked.' }
      })
      await ann.say('list the tickets')
      await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 20)
      await ann.say(words)
      await ann.until('the answer', ({ messages }) => messages.some((message) => message.text === 'Looked.'))
      const calls = await rows.query<{ status: string }>(
        `SELECT c.status::text FROM tool_call c JOIN session s ON s.id = c.session_id WHERE s.thread = $1 ORDER BY c.id`,
        thread,
      )
      expect(calls).toEqual([{ status: 'succeeded' }, { status }])
    }
  })

  it('asks once more with less where the model finds the context too long, and only once', async () => {
    const ann = webClient(app.address, 'Ann', thread)
    const tooLong: ScriptedReply = {
      error: {
        status: 400,
        code: 'context_length_exceeded',
        message: 'maximum context length is 8192 tokens',
      },
    }
    const lengths: number[] = []
    let answer: ScriptedReply = { text: 'Noted.' }
    script((body) => {
      if (!JSON.stringify(body.messages.at(-1)).includes('melon')) return answer
      lengths.push(JSON.stringify(body.messages).length)
      return lengths.length === 1 ? tooLong : answer
    })
    for (let number = 1; number <= 4; number++) {
      await ann.say(`Number ${number}: ${'some words of a long story '.repeat(700)}`)
      await ann.answer(number)
    }
    answer = { text: 'It fits now.' }
    await ann.say('melon')
    expect((await ann.answer(5)).text).toBe('It fits now.')
    expect(lengths).toHaveLength(2)
    expect(lengths[1]).toBeLessThan(lengths[0]! * 0.7)

    answer = tooLong
    lengths.length = 0
    await ann.say('melon')
    expect((await ann.answer(6)).text).toMatch(/too long/i)
    expect(lengths).toHaveLength(2)
  })
})
