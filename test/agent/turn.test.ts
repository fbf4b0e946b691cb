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
      variables: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key-of-nobody' },
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
})
