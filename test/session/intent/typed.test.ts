import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { answerLearning } from '../../support/learning.ts'
import { type ModelStandIn, startModel } from '../../support/model.ts'
import { webClient } from '../../support/web-client.ts'

const ticket = (title: string) => ({ name: 'create_ticket', arguments: { title } })

describe('a typed yes or no', () => {
  let model: ModelStandIn
  let app: TestApp
  let threads = 0
  const thread = () => `typed-${++threads}`

  beforeAll(async () => {
    model = await startModel()
    app = await startTestApp({
      variables: model.variables(),
    })
  })
  afterAll(async () => {
    await app.end()
    await model.stop()
  })
  beforeEach(() => {
    model.reset()
    answerLearning(model)
  })

  /** Ann in a thread of her own, with open cards for these tickets. */
  const withCards = async (...titles: string[]) => {
    const name = thread()
    const ann = webClient(app.address, 'Ann', name)
    model.reply({ calls: titles.map(ticket) })
    await ann.say(`Please make tickets: ${titles.join(', ')}`)
    await ann.until('the cards', ({ messages, state }) => {
      const open = messages.flatMap(({ cards }) => cards).filter(({ tone }) => tone === 'open')
      return open.length === titles.length && state === 'awaiting_confirmation'
    })
    return { ann, name }
  }
  const cardsOf = async (ann: ReturnType<typeof webClient>) =>
    (await ann.read()).messages.flatMap(({ cards }) => cards)
  const ticketsCalled = async (ann: ReturnType<typeof webClient>, title: string) => {
    model.reply({ calls: [{ name: 'list_tickets', arguments: {} }] }, { text: 'There they are.' })
    const before = (await ann.read()).messages.filter(({ role }) => role === 'assistant').length
    await ann.say('List all tickets of everybody')
    await ann.until('the list', ({ messages, state }) => {
      const answers = messages.filter(({ role }) => role === 'assistant')
      return answers.length > before && answers.at(-1)?.text === 'There they are.' && state !== 'collecting'
    })
    const result = model.requests
      .findLast(({ body }) => body.tools !== undefined)!
      .body.messages.findLast(({ role }) => role === 'tool')
    return String(result?.content).split(title).length - 1
  }

  it.each([
    ['yes', 'Lamp on floor 1 flickers'],
    ['OK, go ahead, thanks!', 'Door of room 7 squeaks'],
    ['好的，执行吧', '四楼空调漏水'],
  ])('"%s" confirms the one open card, and its effect happens once', async (words, title) => {
    const { ann } = await withCards(title)
    model.reply({ text: 'The ticket is made.' })
    await ann.say(words)
    await ann.until('the answer', ({ messages, state }) => {
      return messages.some(({ text }) => text === 'The ticket is made.') && state === 'done'
    })
    const [card] = await cardsOf(ann)
    expect(card?.footer).toMatch(/^(?:Confirmed by Ann|Ann 已于)/)
    expect(
      (await ann.read()).messages.filter(({ role }) => role === 'user').map(({ text }) => text),
    ).toContain(words)
    expect(await ticketsCalled(ann, title)).toBe(1)
  })

  it.each(['no thanks', '不用了', '取消吧'])('"%s" cancels the one open card', async (words) => {
    const title = `Chair number ${threads} wobbles`
    const { ann } = await withCards(title)
    model.reply({ text: 'I left it.' })
    await ann.say(words)
    await ann.until('the answer', ({ messages, state }) => {
      return messages.some(({ text }) => text === 'I left it.') && state === 'done'
    })
    expect((await cardsOf(ann))[0]?.footer).toMatch(/^Cancelled by Ann/)
    expect(await ticketsCalled(ann, title)).toBe(0)
  })

  it('asks which card is meant where two are open, and takes "the second one" for the answer', async () => {
    const { ann } = await withCards('Window of room 3 is stuck', 'Carpet of room 4 is torn')
    await ann.say('yes')
    const { messages } = await ann.until('the question', (view) =>
      view.messages.some(({ text }) => text.includes('Which do you mean?')),
    )
    const question = messages.find(({ text }) => text.includes('Which do you mean?'))!.text
    expect(question).toContain('1. Create ticket: Window of room 3 is stuck')
    expect(question).toContain('2. Create ticket: Carpet of room 4 is torn')
    expect((await cardsOf(ann)).every(({ tone }) => tone === 'open')).toBe(true)

    await ann.say('the second one')
    await ann.until('the second card is decided', ({ messages: all }) =>
      all
        .flatMap(({ cards }) => cards)
        .some(({ footer }) => /^Confirmed by Ann.*created$/.test(footer ?? '')),
    )
    const cards = await cardsOf(ann)
    expect(cards.find(({ target }) => target === 'Window of room 3 is stuck')?.tone).toBe('open')
    expect(cards.find(({ target }) => target === 'Carpet of room 4 is torn')?.footer).toMatch(
      /^Confirmed by Ann/,
    )
  })

  it('is a message like any other where no card is open', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.reply({ text: 'Yes to what?' })
    await ann.say('yes')
    expect((await ann.answer()).text).toBe('Yes to what?')
  })

  it('decides nothing about the card of somebody else', async () => {
    const { ann, name } = await withCards('Plant in the hall is dry')
    const bob = webClient(app.address, 'Bob', name)
    model.reply({ text: 'Only Ann can decide that.' })
    await bob.say('yes')
    await bob.until('the answer', ({ messages }) =>
      messages.some(({ text }) => text === 'Only Ann can decide that.'),
    )
    expect((await cardsOf(ann))[0]?.tone).toBe('open')
  })

  it('decides nothing where it says more than yes, and the model hears what the rules made of it', async () => {
    const { ann } = await withCards('Printer on floor 2 jams')
    model.reply({ text: 'How urgent is it?' })
    await ann.say('yes, but make it urgent')
    await ann.until('the answer', ({ messages }) => messages.some(({ text }) => text === 'How urgent is it?'))
    expect((await cardsOf(ann))[0]?.tone).toBe('open')
    const system = model.requests.findLast(({ body }) => body.tools !== undefined)!.body.messages[0]
    expect(String(system?.content)).toContain('Intent: modify.')
  })
})

describe('several requests with conditions', () => {
  let model: ModelStandIn
  let app: TestApp

  beforeAll(async () => {
    model = await startModel()
    app = await startTestApp({
      variables: model.variables(),
    })
    answerLearning(model)
  })
  afterAll(async () => {
    await app.end()
    await model.stop()
  })

  it.each([
    [
      "Check whether Zhang submitted last week's expenses; if not, remind him; then mail the result to Director Wang",
      [
        /\[open\] Check whether Zhang/,
        /\[open\] \(if not, by the outcome of 1\) remind him/,
        /\[open\] mail the/,
      ],
    ],
    [
      '帮我查张工上周报销，如果没提交就提醒他，再把结果发邮件给王总监',
      [
        /\[open\] 查张工上周报销/,
        /\[open\] \(如果没提交, by the outcome of 1\) 提醒他/,
        /\[open\] 把结果发邮件给王总监/,
      ],
    ],
  ])('are the plan before the model is asked: %s', async (text, steps) => {
    const ann = webClient(app.address, 'Ann', `plan-${text.length}`)
    model.reply({ text: 'I have no access to expenses.' })
    await ann.say(text)
    await ann.answer()
    const system = String(
      model.requests.findLast(({ body }) => body.tools !== undefined)!.body.messages[0]?.content,
    )
    for (const step of steps) expect(system).toMatch(step)
    expect(system).toMatch(/"(?:last week|上周)" = \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/)
  })
})
