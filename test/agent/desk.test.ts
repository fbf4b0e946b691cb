import { afterAll, beforeAll, expect, it } from 'vitest'
import { until, whenUp } from '../contract/waiting.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'
import { buttons, reads } from '../support/slack/sight.ts'
import type { Message, Room } from '../support/slack/workspace.ts'
import { webClient } from '../support/web-client.ts'

// People are on the web, the desk is a channel of Slack.
let model: ModelStandIn
let scripts: Scripts
let slack: StandInSlack
let room: Room
let app: TestApp
let rows: Rows

beforeAll(async () => {
  model = await startModel()
  scripts = scriptModel(model)
  slack = await startSlack()
  room = slack.channel('desk', [])
  app = await startTestApp({
    variables: {
      ...model.variables(),
      ...slack.variables(),
    },
    config: { desk: { channel: 'slack', workspace: slack.workspace.teamId, room: '#desk' } },
  })
  await whenUp(app)
  rows = await openRows(app.home)
})
afterAll(async () => {
  await rows.close()
  await app.end()
  await slack.stop()
  await model.stop()
})

function somebody(name: string) {
  const dana = slack.person(name, { displayName: name })
  room.members.add(dana.id)
  return dana
}

function card(text: string, button: string): Promise<Message> {
  return until(`a card with ${text}`, () =>
    slack
      .topLevel(room)
      .find((message) => reads(message).includes(text) && buttons(message).includes(button)),
  )
}

it('joins people of two platforms', async () => {
  const ann = webClient(app.address, 'Ann', 'across')
  await ann.say('I need a human')
  expect((await ann.answer()).text).toMatch(/^I have asked the people of the desk to take over/)
  const posted = await card('Talk with Ann', 'Claim')
  const dana = somebody('Dana')
  await dana.click(posted, 'Claim')
  await ann.until('Dana', ({ messages }) => messages.at(-1)?.text === 'Dana has taken over and answers here.')
  dana.reply(posted, 'What is *wrong*, Ann?')
  await ann.until(
    'the question',
    ({ messages }) => messages.at(-1)?.text.includes('What is **wrong**, Ann?') === true,
  )
  await ann.say('The printer')
  await until('the answer at the desk', () =>
    slack.answers(posted).some((message) => /Ann.*The printer/s.test(reads(message))),
  )
  dana.reply(posted, 'release')
  await ann.until('Hermes', ({ messages }) => messages.at(-1)?.text.startsWith('Dana has given') === true)
  await until('the card to say so', () =>
    slack.topLevel(room).some((message) => /Released by Dana/.test(reads(message))),
  )
  dana.reply(posted, 'One more thing')
  await until('a word that it is over', () =>
    slack.answers(posted).some((message) => reads(message).includes('This case is closed')),
  )
  await rows.quiet()
  expect((await ann.read()).messages.map(({ text }) => text).join('\n')).not.toContain('One more thing')
})

it('lets the first of many claims win', async () => {
  const word = scripts.word()
  scripts.on(
    word,
    { calls: [{ name: 'hand_over', arguments: { request: `Somebody has to look at ${word}` } }] },
    { text: 'I asked them.' },
  )
  const ann = webClient(app.address, 'Ann', 'many')
  await ann.say(`Nobody but people can settle ${word}`)
  await ann.answer()
  const posted = await card(word, 'Claim')
  // As they all saw it at that moment.
  const shown = { ...posted }
  const people = Array.from({ length: 8 }, (_, n) => somebody(`Helper ${n}`))
  await Promise.all(people.map((person) => person.click(shown, 'Claim')))
  await ann.until('one of them', ({ messages }) => / has taken over/.test(messages.at(-1)?.text ?? ''))
  await until('all to be answered', () => people.every((person) => person.notices().length === 1))
  const told = people.map((person) => reads(person.notices()[0]!))
  expect(told.filter((text) => text.includes('It is yours'))).toHaveLength(1)
  expect(told.filter((text) => /^Helper \d has claimed it already/.test(text))).toHaveLength(7)
  const claims = await rows.query(
    `SELECT 1 FROM audit_event a JOIN hand_over h ON h.id = a.subject_id
     WHERE a.action = 'hand_over.claimed' AND h.request LIKE $1`,
    `%${word}%`,
  )
  expect(claims).toHaveLength(1)
})

it('says so and stays where the desk can not be reached', async () => {
  room.members.delete(slack.workspace.bot.id)
  const ann = webClient(app.address, 'Ann', 'unreachable')
  await ann.say('转人工')
  await ann.until(
    'the truth',
    ({ messages }) => messages.at(-1)?.text.startsWith('我联系不上人工服务台') === true,
  )
  const word = scripts.word()
  scripts.on(word, { text: 'I am here.' })
  await ann.say(`Then you, ${word}`)
  await ann.until('an answer', ({ messages }) => messages.at(-1)?.text === 'I am here.')
})
