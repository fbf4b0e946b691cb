import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directThreadName } from '../../../src/channel/view.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { openRows, type Rows } from '../../support/rows.ts'
import { type WebThread, webClient } from '../../support/web-client.ts'

const example = JSON.parse(
  readFileSync(new URL('../../../hermes.config.example.json', import.meta.url), 'utf8'),
) as { workflows: object }

const receipt = {
  name: 'receipt.txt',
  mediaType: 'text/plain',
  text: 'Corner Café\nMerchant: Corner Café\nDate: 2026-11-20\n2 lunches\nTOTAL: EUR 42.50\nCurrency: EUR\n',
}

/** What a stranger gets who copies the example and opens the web chat, without a model. */
describe('the expense claim of the example, with the offline model in the web chat', {
  timeout: 60_000,
}, () => {
  let app: TestApp
  let rows: Rows
  let threads = 0

  beforeAll(async () => {
    app = await startTestApp({ config: { workflows: example.workflows } })
    rows = await openRows(app.home)
  }, 60_000)
  afterAll(async () => {
    await rows.close()
    await app.end()
  })

  const begin = () => {
    const thread = `claim-${++threads}`
    return {
      ann: webClient(app.address, 'Ann', thread),
      liWei: webClient(app.address, 'Li Wei', directThreadName('Li Wei')),
    }
  }
  const answers = ({ messages }: WebThread) => messages.filter(({ role }) => role === 'assistant')
  const shows = (text: string) => (thread: WebThread) =>
    answers(thread).some((message) => message.text.includes(text))
  const card = (title: string) => (thread: WebThread) =>
    thread.messages.flatMap(({ cards }) => cards).find((one) => one.title === title && one.tone === 'open')
  const button = (thread: WebThread, title: string, label: string) =>
    card(title)(thread)!.actions.find((action) => action.label === label)!

  it('goes from the receipt to the ticket, with a question in between', async () => {
    const { ann, liWei } = begin()
    await ann.say('I want to file an expense claim')
    await ann.until('the first question', shows('Please attach the receipt'), 20_000)

    await ann.say('Remember that I prefer tea')
    const aside = await ann.until('the answer and the offer', (thread) => answers(thread).length === 2)
    expect(answers(aside)[1]!.text).toMatch(/Noted.*\n\nPlease attach the receipt/s)

    await ann.request('POST', '/api/threads/claim-1/messages', {
      user: 'Ann',
      text: '',
      attachments: [receipt],
    })
    const asked = await ann.until('the card', (thread) => card('Confirm amount')(thread) !== undefined)
    expect(card('Confirm amount')(asked)!.fields).toEqual([
      { label: 'Amount', value: '42.5' },
      { label: 'Currency', value: 'EUR' },
      { label: 'Merchant', value: 'Corner Café' },
      { label: 'Date', value: '2026-11-20' },
    ])
    const confirm = button(asked, 'Confirm amount', 'Confirm')
    await ann.press(confirm.action, confirm.value)
    const choosing = await ann.until(
      'the choice',
      (thread) => card('Expense claim')(thread) !== undefined && shows('Who shall approve 42.5 EUR?')(thread),
    )
    expect(card('Expense claim')(choosing)!.actions.map(({ label }) => label)).toEqual([
      'Li Wei',
      'Maria Santos',
    ])
    const choice = button(choosing, 'Expense claim', 'Li Wei')
    await ann.press(choice.action, choice.value)
    // Li Wei can't see the thread, so the card is in a thread of their own.
    const deciding = await liWei.until('the card', (thread) => card('Create ticket')(thread) !== undefined)
    const approve = button(deciding, 'Create ticket', 'Confirm')
    const refused = await ann.press(approve.action, approve.value)
    expect(refused.body.notice).toBe('Only Li Wei can decide this.')
    await liWei.press(approve.action, approve.value)
    await ann.until('the end', shows('Li Wei approved it. The claim is submitted as T-'))
    await rows.quiet()
    const tickets = await rows.query(`SELECT title, assignee, labels FROM ticket`)
    expect(tickets).toEqual([
      { title: 'Expense claim of Ann: 42.5 EUR', assignee: 'Li Wei', labels: ['expense'] },
    ])
  })
})

it('a tool that there is not is told at start, with its place', async () => {
  const { expense_claim: claim } = structuredClone(example.workflows) as {
    expense_claim: { states: { submitting: { call: { tool: string } }; uploading: object } }
  }
  claim.states.submitting.call.tool = 'create_tickets'
  claim.states.uploading = { ...claim.states.uploading, tools: { allowed: ['look_up', 'mcp__crm__find'] } }
  await expect(startTestApp({ config: { workflows: { claim } } })).rejects.toThrow(
    /^hermes\.config\.json: workflows\.claim\.states\.uploading\.tools\.allowed names "look_up", which is no tool here\. There are: .*\nhermes\.config\.json: workflows\.claim\.states\.submitting\.call\.tool names "create_tickets", which is no tool here\. Did you mean create_ticket\?$/,
  )
})
