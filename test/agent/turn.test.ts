import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { answerLearning } from '../support/learning.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { webClient } from '../support/web-client.ts'

describe('a turn in the web chat', () => {
  let model: ModelStandIn
  let app: TestApp
  let threads = 0
  const thread = () => `turn-${++threads}`

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

  it('answers a message', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.reply({ text: 'Hello Ann.' })
    expect((await ann.say('Hello')).status).toBe(202)
    expect((await ann.answer()).text).toBe('Hello Ann.')
  })

  it('holds a write back until the person confirms it, then does it once and says so', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.reply(
      {
        calls: [
          { name: 'create_ticket', arguments: { title: 'Printer on floor 3 is broken', priority: 'high' } },
        ],
      },
      { text: 'The ticket is made.' },
    )
    await ann.say('Please make a ticket: the printer on floor 3 is broken, high priority')
    const card = await ann.card()
    expect(card).toMatchObject({
      title: 'Create ticket',
      target: 'Printer on floor 3 is broken',
      risk: 'A new ticket will be visible to everyone in the workspace.',
    })
    expect(card.fields).toContainEqual({ label: 'Priority', value: 'high' })
    expect(card.actions.map((action) => action.label)).toEqual(['Confirm', 'Edit', 'Cancel'])
    const clicked = await ann.press('approval.confirm', card.id)
    expect(clicked.status).toBe(200)
    expect((await ann.answer()).text).toBe('The ticket is made.')
    const view = await ann.read()
    expect(view.messages.flatMap((message) => message.cards)[0]?.footer).toMatch(
      /^Confirmed by Ann, .* · Ticket T-\d+ created$/,
    )
  })

  it('does not show an answer that claims what was not done, and asks the model once more', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.reply({ text: 'I have created the ticket.' }, { text: 'I can create it; tell me what is broken.' })
    await ann.say('make a ticket')
    expect((await ann.answer()).text).toBe('I can create it; tell me what is broken.')
  })

  it.each([
    [
      'another ticket that the first one stands for',
      'Make another ticket for the door',
      'I have created the ticket.',
    ],
    ['in Chinese', '再建一个工单：门坏了', '工单已创建，如果需要修改请告诉我。'],
    [
      'in a table',
      'Open a ticket for the door, too',
      '| Ticket | State |\n| --- | --- |\n| T-4711 | created |',
    ],
  ])('is not misled by what was done before: %s', async (_, wish, claim) => {
    const ann = webClient(app.address, 'Ann', thread())
    const call = { name: 'create_ticket', arguments: { title: 'Lift' } }
    model.reply({ calls: [call] }, { text: 'The ticket is made.' })
    await ann.say('Make a ticket for the lift')
    await ann.press('approval.confirm', (await ann.card()).id)
    await ann.answer()
    model.reply({ text: claim }, { text: 'Which door is it?' })
    await ann.say(wish)
    expect((await ann.answer(2)).text).toBe('Which door is it?')
  })

  it('does not say above a card that what the card asks was done', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    const call = { name: 'create_ticket', arguments: { title: 'Lift' } }
    model.reply(
      { text: 'Let me see.\nI have created the ticket.', calls: [call] },
      { text: 'The ticket is made.' },
    )
    await ann.say('Make a ticket for the lift')
    const card = await ann.card()
    expect((await ann.read()).messages.map(({ text }) => text)).toEqual([
      'Make a ticket for the lift',
      'Let me see.',
    ])
    await ann.press('approval.confirm', card.id)
    await ann.until('the end', ({ messages }) => messages.at(-1)?.text === 'The ticket is made.')
  })

  it('says that it was not done where the model claims it again', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.reply({ text: 'I have created the ticket.' }, { text: 'I have created the ticket.' })
    await ann.say('make a ticket')
    expect((await ann.answer()).text).toBe('I have created the ticket.\n\nTo be exact: that was not done.')
  })

  it('ends a loop of the same call with a sentence, and the thread is usable after', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.script((body) => {
      if (body.tools === undefined) return { text: '[]' }
      const asked = JSON.stringify(body.messages).includes('again please')
      return asked ? { text: 'Gladly.' } : { calls: [{ name: 'list_tickets', arguments: {} }] }
    })
    await ann.say('list my tickets for ever')
    expect((await ann.answer()).text).toMatch(/^I kept asking the same thing/)
    await ann.say('again please')
    expect((await ann.answer(2)).text).toBe('Gladly.')
  })

  it('says plainly that nobody is set up, where a person is asked for and there is no desk', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    await ann.say('Let me talk to a person')
    expect((await ann.answer()).text).toMatch(/^Nobody is set up to take over from me here\./)
    expect(model.requests.filter(({ body }) => body.tools !== undefined)).toEqual([])
  })

  it('tells the model of unknown tools and malformed or missing arguments, and nothing invalid is proposed', async () => {
    const ann = webClient(app.address, 'Ann', thread())
    model.reply(
      {
        calls: [
          { name: 'launch_rocket', arguments: {} },
          { name: 'create_ticket', arguments: '{"title": ' },
          { name: 'create_ticket', arguments: { priority: 'enormous' } },
        ],
      },
      { text: 'Which title, and how urgent?' },
    )
    await ann.say('ticket')
    const view = await ann.until('the question', ({ messages }) =>
      messages.some(({ cards }) => cards.length > 0),
    )
    const [question] = view.messages.filter(({ role }) => role === 'assistant')
    expect(question!.text).toBe('Which title, and how urgent?')
    const told = model.requests
      .findLast(({ body }) => body.tools !== undefined)!
      .body.messages.filter((message) => message.role === 'tool')
      .map((message) => String(message.content))
    expect(told[0]).toMatch(/no tool called "launch_rocket"/)
    expect(told[2]).toMatch(/Missing: title/)
    expect(question!.cards.map(({ actions }) => actions.map(({ label }) => label))).toEqual([['Fill in']])
    expect(question!.cards[0]!.risk).toMatch(/^Still needed: Title\.\nPriority: /)
  })

  it.each([
    [{ error: { status: 500 } }, /does not answer right now/],
    [{ error: { status: 401 } }, /does not accept our key/],
  ])(
    'says in the thread what is wrong with the model (%o), and goes on with the next message',
    async (failure, sentence) => {
      const ann = webClient(app.address, 'Ann', thread())
      model.script((body) => {
        if (body.tools === undefined) return { text: '[]' }
        return JSON.stringify(body.messages).includes('and now') ? { text: 'Here I am.' } : failure
      })
      await ann.say('hello')
      const first = await ann.until(
        'an answer',
        ({ messages }) => messages.some((message) => message.role === 'assistant'),
        25_000,
      )
      expect(first.messages.find((message) => message.role === 'assistant')?.text).toMatch(sentence)
      await ann.say('and now')
      await ann.until('the second answer', ({ messages }) =>
        messages.some((message) => message.text === 'Here I am.'),
      )
    },
  )
})
