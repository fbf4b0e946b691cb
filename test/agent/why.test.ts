import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

let model: ModelStandIn
let scripts: Scripts
let app: TestApp

beforeAll(async () => {
  model = await startModel()
  scripts = scriptModel(model)
  app = await startTestApp({ variables: { OPENAI_BASE_URL: model.baseUrl } })
}, 60_000)
afterAll(async () => {
  await app.end()
  await model.stop()
})

it('a memory behind an answer is corrected where it is shown, by the person whose it is', async () => {
  const [word, next, last] = [scripts.word(), scripts.word(), scripts.word()]
  const ann = webClient(app.address, 'Ann', 'why')
  const remember = { name: 'remember', arguments: { text: `The ${word} plant stands in Lyon` } }
  scripts.on(word, { calls: [remember] }, { text: 'Kept.' })
  await ann.say(`Remember that the ${word} plant stands in Lyon`)
  await ann.answer(1)
  scripts.on(next, { text: 'In Lyon.' })
  await ann.say(`Where is the ${word} plant, ${next}?`)
  await ann.answer(2)

  const { messages } = await ann.until(
    'the answer with its button',
    (thread) =>
      (thread.messages.at(-1) as { actions?: readonly object[] } | undefined)?.actions?.length === 1,
  )
  const { actions } = messages.at(-1) as unknown as {
    actions: readonly { label: string; action: string; value: string }[]
  }
  expect(actions).toMatchObject([{ label: 'Why', action: 'answer.why' }])
  const turn = actions[0]!.value
  const bob = webClient(app.address, 'Bob', 'why')
  await bob.say('hello')
  const foreign = await bob.press('answer.why', turn)
  expect(foreign.body.notice).toBe('Only Ann can see this.')
  expect(foreign.body.actions).toEqual([])

  const why = await ann.press('answer.why', turn)
  expect(why.body.notice).toContain('What shaped my answer')
  expect(why.body.notice).toContain('plant stands in Lyon')

  const alone = webClient(app.address, 'Ann', 'alone')
  scripts.on(last, { text: 'In Lyon.' })
  await alone.say(`Where is the ${word} plant, ${last}?`)
  await alone.answer(1)
  const told = await alone.request('POST', '/api/threads/alone/messages', { user: 'Ann', text: '/why' })
  const { receipt } = told.body as {
    receipt: { notice: string; actions: { label: string; action: string; value: string }[] }
  }
  expect(receipt.notice).toContain('plant stands in Lyon')
  const correct = receipt.actions.find(({ action }) => action === 'memory.correct')!
  const opened = await alone.press(correct.action, correct.value)
  expect(opened.body.form).toMatchObject({ action: 'memory.correct', title: 'Correct a memory' })
  const saved = await alone.submit('memory.correct', correct.value, {
    text: `The ${word} plant stands in Metz`,
  })
  expect(saved.body.notice).toContain('stands in Metz')
  const list = await alone.request('POST', '/api/threads/alone/messages', { user: 'Ann', text: '/memory' })
  expect(list.body.receipt.notice).toContain('stands in Metz')
  expect(list.body.receipt.notice).not.toContain('Lyon')
})
