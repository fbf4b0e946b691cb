import { afterEach, describe, expect, it } from 'vitest'
import { createSlack } from '../../adapters/slack/adapter.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Card, Form } from '../../src/channel/card.ts'
import { silentLog } from '../../src/observe/log.ts'
import type { Json } from '../support/slack/json.ts'
import { buttons, reads } from '../support/slack/sight.ts'
import type { Message } from '../support/slack/workspace.ts'
import { ticketCard } from '../support/ticket-card.ts'
import { openStage, type Stage } from './harness.ts'

let stage: Stage
afterEach(() => stage.stop())

const card: Card = {
  ...ticketCard,
  fields: [
    { label: 'Priority', value: 'high' },
    { label: 'Notes', value: 'a *starred* <tag> & `code`\nand a second line' },
  ],
}

const settledCard: Card = { ...card, tone: 'done', footer: 'Confirmed by Ann, 14:07', actions: [] }

const form: Form = {
  action: 'approval.change',
  value: 'apr_1',
  title: 'Edit "Create ticket" before it is sent',
  submitLabel: 'Save',
  fields: [
    { name: 'title', label: 'Title', kind: 'text', value: 'Printer', required: true },
    {
      name: 'notes',
      label: 'Notes',
      kind: 'multiline',
      value: 'one\ntwo',
      required: false,
      hint: 'Optional.',
    },
    { name: 'count', label: 'Count', kind: 'number', value: '2', required: true },
    { name: 'urgent', label: 'Urgent', kind: 'boolean', value: 'true', required: true },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'select',
      value: 'high',
      required: true,
      options: [
        { label: 'High', value: 'high' },
        { label: 'Low', value: 'low' },
      ],
    },
  ],
}

async function posted(shown: Card = card): Promise<{ root: Message; message: Message }> {
  const root = stage.ann.mention(stage.general, 'create a ticket')
  await stage.heard('message')
  const id = await stage.channel.speaker.postCard(stage.target(root), shown, 'n1')
  return { root, message: stage.slack.workspace.find(stage.general.id, id)! }
}

describe.each(['socket', 'http'] as const)('a card, with clicks delivered by %s', (by) => {
  it('shows every argument exactly, and its buttons carry what the port says', async () => {
    stage = await openStage(by)
    const { root, message } = await posted()
    for (const text of [card.title, card.target, card.risk, card.footer, 'high', card.fields[1]!.value]) {
      expect(reads(message)).toContain(text)
    }
    expect(buttons(message)).toEqual(['Confirm', 'Edit', 'Cancel'])
    expect(message.threadTs).toBe(root.ts)
    const outcome = await stage.ann.click(message, 'Confirm')
    expect(outcome.acked).toBe(true)
    expect(stage.of('action')[0]).toMatchObject({
      action: 'approval.confirm',
      value: 'apr_1',
      messageId: message.ts,
      thread: stage.target(root).thread,
      author: { userId: stage.ann.id, name: 'ann' },
    })
    expect(stage.ann.errors).toEqual([])
  })

  it('has a key of its own for each click, the same for each delivery of it', async () => {
    stage = await openStage(by)
    const { message } = await posted()
    await stage.ann.click(message, 'Confirm')
    await stage.ann.click(message, 'Confirm')
    const last = stage.slack.deliveries.all.at(-1)!
    await stage.slack.deliveries.redeliver(last)
    const [first, second, third] = stage.of('action').map((event) => event.dedupeKey)
    expect(first).not.toBe(second)
    expect(third).toBe(second)
  })

  it('is replaced without buttons once decided, with a notice to the one who clicked alone', async () => {
    stage = await openStage(by)
    const { root, message } = await posted()
    stage.answer = (event) =>
      event.kind === 'action'
        ? { kind: 'answered', card: settledCard, notice: 'Done, **thanks** <!channel>.' }
        : { kind: 'ignored' }
    await stage.ann.click(message, 'Confirm')
    await stage.slack.until('the card is settled', () => reads(message).includes('Confirmed by Ann'))
    expect(buttons(message)).toEqual([])
    const notice = await stage.slack.until('the notice is there', () => stage.ann.notices()[0])
    expect(reads(notice)).toBe('Done, **thanks** <\u200b!channel>.')
    expect(notice.threadTs).toBe(root.ts)
    expect(stage.bob.notices()).toEqual([])
    expect(stage.slack.thread(root)).toHaveLength(2)
  })

  it('can be changed later by its id, from a process that receives nothing', async () => {
    stage = await openStage(by)
    const { root, message } = await posted()
    const worker = createSlack({
      botToken: stage.slack.botToken,
      appToken: stage.slack.appToken,
      apiUrl: stage.slack.apiUrl,
      clock: systemClock,
      log: silentLog,
    })
    await worker.speaker.updateCard(stage.target(root), message.ts, settledCard)
    await worker.stop()
    expect(buttons(message)).toEqual([])
    expect(reads(message)).toContain('Confirmed by Ann')
  })

  it('opens a form that comes back with every value', async () => {
    stage = await openStage(by)
    const { root, message } = await posted()
    stage.answer = (event) => {
      if (event.kind === 'action') return { kind: 'answered', form }
      return event.kind === 'form' ? { kind: 'answered', card: settledCard } : { kind: 'ignored' }
    }
    await stage.ann.click(message, 'Edit')
    const modal = await stage.slack.until('the form is open', () => stage.ann.modal())
    await stage.ann.submit(modal, { Title: 'Printer 3', Count: '3', Urgent: false, Priority: 'Low' })
    expect(stage.ann.modal()).toBeUndefined()
    expect(stage.of('form')[0]).toMatchObject({
      action: 'approval.change',
      value: 'apr_1',
      thread: stage.target(root).thread,
      fields: { title: 'Printer 3', notes: 'one\ntwo', count: '3', urgent: 'false', priority: 'low' },
    })
    await stage.slack.until('the card is settled', () => buttons(message).length === 0)
  })

  it('keeps a form open that is not valid, with a sentence at the field or above all', async () => {
    stage = await openStage(by)
    const { message } = await posted()
    const wrongField: Form = {
      ...form,
      fields: form.fields.map((field) =>
        field.name === 'count' ? { ...field, value: '99', error: 'At most 10.' } : field,
      ),
    }
    const answers: Form[] = [wrongField, { ...wrongField, error: 'The ticket was changed meanwhile.' }]
    stage.answer = (event) => {
      if (event.kind === 'action') return { kind: 'answered', form }
      return { kind: 'answered', form: answers.shift()! }
    }
    await stage.ann.click(message, 'Edit')
    const modal = await stage.slack.until('the form is open', () => stage.ann.modal())
    await stage.ann.submit(modal, { Count: '99' })
    expect(stage.ann.modal()?.errors).toEqual({ 'f:count': 'At most 10.' })
    await stage.ann.submit(modal, { Count: '99' })
    const shown = stage.ann.modal()!
    expect(reads({ blocks: shown.view.blocks })).toContain('The ticket was changed meanwhile.')
    expect(stage.ann.errors).toEqual([])
  })

  it('says so where the form could not be opened', async () => {
    stage = await openStage(by)
    const { message } = await posted()
    stage.answer = () => ({ kind: 'answered', form })
    stage.slack.faults.plan('views.open', { kind: 'error', error: 'expired_trigger_id' })
    await stage.ann.click(message, 'Edit')
    const notice = await stage.slack.until('the notice is there', () => stage.ann.notices()[0])
    expect(reads(notice)).toContain('The form could not be opened.')
  })

  it('leaves a value alone that is too long for a modal', async () => {
    stage = await openStage(by)
    const { message } = await posted()
    const long = 'x'.repeat(3_500)
    stage.answer = (event) =>
      event.kind === 'action'
        ? {
            kind: 'answered',
            form: {
              ...form,
              fields: [
                { name: 'title', label: 'Title', kind: 'text', value: 'Printer', required: true },
                { name: 'body', label: 'Body', kind: 'multiline', value: long, required: true },
              ],
            },
          }
        : { kind: 'answered', notice: 'Saved.' }
    await stage.ann.click(message, 'Edit')
    await stage.ann.submit(await stage.slack.until('the form is open', () => stage.ann.modal()))
    expect(stage.of('form')[0]!.fields).toEqual({ title: 'Printer' })
    await stage.ann.click(message, 'Edit')
    const modal = await stage.slack.until('the form is open', () => stage.ann.modal())
    await stage.ann.submit(modal, { Body: 'short' })
    expect(stage.of('form')[1]!.fields).toEqual({ title: 'Printer', body: 'short' })
  })

  it('answers clicks that nothing here knows, and offers choices', async () => {
    stage = await openStage(by)
    const options = [
      { label: 'Laptop', value: 'laptop' },
      { label: 'Printer', value: 'printer' },
    ]
    const { message } = await posted({
      ...card,
      actions: [
        { label: 'Up', action: 'answer.rate', value: 'up' },
        { label: 'Down', action: 'answer.rate', value: 'down' },
      ],
      choice: { label: 'Which device?', action: 'question.choose', options },
    })
    await stage.ann.choose(message, 'Printer')
    await stage.ann.click(message, 'Up')
    await stage.ann.click(message, 'Down')
    await stage.bob.press(message, { type: 'button', action_id: 'made.up', block_id: 'b', value: 'apr_9' })
    expect(stage.of('action').map((event) => [event.action, event.value, event.author.name])).toEqual([
      ['question.choose', 'printer', 'ann'],
      ['answer.rate', 'up', 'ann'],
      ['answer.rate', 'down', 'ann'],
      ['made.up', 'apr_9', 'bob'],
    ])
    expect([...stage.ann.errors, ...stage.bob.errors]).toEqual([])
  })

  it('tells the person when a click could not be kept', async () => {
    stage = await openStage(by, { slack: { ackWithinMs: 300 } })
    const { message } = await posted()
    stage.answer = () => {
      throw new Error('the database is gone')
    }
    await stage.ann.click(message, 'Confirm')
    expect(stage.ann.errors).toHaveLength(1)
    expect(buttons(message)).toHaveLength(3)
  })

  it('answers a command to the one who gave it, wherever that is', async () => {
    stage = await openStage(by)
    const elsewhere = stage.slack.channel('elsewhere', [stage.ann], { app: false })
    stage.answer = () => ({
      kind: 'answered',
      notice: 'You have **2** memories.',
      actions: [{ label: 'Forget', action: 'memory.forget', value: 'mem_1' }],
    })
    const outcome = await stage.ann.command(elsewhere, 'Memory  printer floor 3')
    expect(outcome.acked).toBe(true)
    expect(stage.of('command')[0]).toMatchObject({
      name: 'memory',
      text: 'printer floor 3',
      thread: { room: elsewhere.id, thread: 'main' },
    })
    const notice = stage.ann.notices()[0]!
    expect(reads(notice)).toContain('You have **2** memories.')
    expect(stage.bob.notices()).toEqual([])

    // A click on a notice changes that notice: nothing else can.
    stage.answer = () => ({ kind: 'answered', notice: 'Forgotten.' })
    await stage.ann.click(notice, 'Forget')
    await stage.slack.until('the notice changed', () => reads(notice) === 'Forgotten.')
    expect(stage.of('action')[0]).toMatchObject({ action: 'memory.forget', thread: { thread: 'main' } })
    expect(stage.ann.notices()).toHaveLength(1)

    await stage.ann.command(stage.general, '')
    expect(stage.of('command')[1]).toMatchObject({ name: 'help', text: '' })
  })

  it('keeps the thread of a notice for the clicks on it', async () => {
    stage = await openStage(by)
    const { root, message } = await posted()
    stage.answer = () => ({
      kind: 'answered',
      notice: 'Because of this memory.',
      actions: [{ label: 'Forget', action: 'memory.forget', value: 'mem_1' }],
    })
    await stage.ann.click(message, 'Confirm')
    const notice = await stage.slack.until('the notice is there', () => stage.ann.notices()[0])
    await stage.ann.click(notice, 'Forget')
    expect(stage.of('action')[1]).toMatchObject({ thread: stage.target(root).thread, value: 'mem_1' })
  })

  it('answers a post on the spot where the gateway does', async () => {
    stage = await openStage(by)
    stage.answer = () => ({ kind: 'answered', notice: 'Here is help.' })
    const post = stage.ann.mention(stage.general, 'help')
    await stage.slack.until('the notice is there', () =>
      stage.ann.notices().some((notice) => notice.threadTs === post.ts),
    )
    stage.ann.dm('help')
    await stage.slack.until('the answer is there', () =>
      stage.slack.topLevel(stage.ann.direct()).some((message) => message.text === 'Here is help.'),
    )
  })
})

describe('a card beyond what Slack takes', () => {
  it('is shown in full all the same: long values over sections, the rest in a file before the card', async () => {
    stage = await openStage('socket')
    const value = 'The quick brown fox 敏捷的狐狸 😀 '.repeat(200)
    const { message } = await posted({
      ...card,
      title: 'T'.repeat(400),
      fields: [
        { label: 'Body', value },
        ...Array.from({ length: 30 }, (_, n) => ({ label: `F${n}`, value: `${n}` })),
      ],
      actions: Array.from({ length: 30 }, (_, n) => ({
        label: `${n} ${'L'.repeat(90)}`,
        action: `a.${n}`,
        value: 'v',
      })),
    })
    const whole = reads(message).replaceAll('\n', '')
    expect(whole).toContain(value)
    expect(whole).toContain('T'.repeat(400))
    expect(buttons(message)).toHaveLength(30)

    const options = Array.from({ length: 120 }, (_, n) => ({ label: `Option ${n}`, value: `o${n}` }))
    const many = await posted({
      ...card,
      actions: [],
      choice: { label: 'Which?', action: 'a.choose', options },
    })
    expect(buttons(many.message)).toEqual(options.map((option) => option.label))

    const huge = 'x'.repeat(60_000)
    const root = stage.slack.workspace.messages[0]!
    const id = await stage.channel.speaker.postCard(
      stage.target(root),
      { ...card, fields: [{ label: 'Body', value: huge }] },
      'n2',
    )
    const before = stage.slack.answers(root).findIndex((answer) => answer.ts === id) - 1
    const file = stage.slack.answers(root)[before]!.files[0]!
    expect(String(file.content)).toContain(huge)
    expect(reads(stage.slack.workspace.find(root.room.id, id)!)).toContain('60000 characters')
  })

  it('is posted once when its answer gets lost', async () => {
    stage = await openStage('socket')
    const root = stage.ann.mention(stage.general, 'create a ticket')
    await stage.heard('message')
    stage.slack.faults.plan('chat.postMessage', { kind: 'reset-after' })
    const id = await stage.channel.speaker.postCard(stage.target(root), card, 'n1')
    expect(stage.slack.answers(root).map((answer) => answer.ts)).toEqual([id])
    const metadata = stage.slack.workspace.find(root.room.id, id)!.metadata as Json
    expect(metadata.event_payload).toEqual({ nonce: 'n1' })
  })
})
