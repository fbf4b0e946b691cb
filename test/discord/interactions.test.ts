import { describe, expect, test } from 'vitest'
import type { Card, Form, FormField } from '../../src/channel/card.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { Receipt } from '../../src/channel/port.ts'
import { fieldsOf, modalText } from '../support/discord/hands.ts'
import type { WorldInteraction, WorldMessage, WorldModal } from '../support/discord/world.ts'
import { directThread, openStage, type Stage, threadUnder } from './harness.ts'

const card: Card = {
  id: 'apr_1',
  title: 'Create ticket',
  fields: [{ label: 'Priority', value: 'high' }],
  tone: 'open',
  actions: [
    { label: 'Confirm', action: 'approval.confirm', value: 'apr_1', style: 'primary' },
    { label: 'Edit', action: 'approval.edit', value: 'apr_1' },
  ],
}
const confirmed: Card = { ...card, tone: 'done', footer: 'Confirmed by Ann, 14:07', actions: [] }

function field(name: string, more: Partial<FormField> = {}): FormField {
  return { name, label: name, kind: 'text', value: '', required: false, ...more }
}

function formOf(fields: readonly FormField[], more: Partial<Form> = {}): Form {
  return {
    action: 'approval.edit',
    value: 'apr_1',
    title: 'Edit: Create ticket',
    submitLabel: 'Save',
    fields,
    ...more,
  }
}

/** A card in Ann's direct messages, or elsewhere, as a person sees it. */
async function posted(stage: Stage, thread: ThreadRef = directThread(stage.ann)): Promise<WorldMessage> {
  const id = await stage.channel.speaker.postCard({ thread }, card, `card-${thread.thread}`)
  return stage.discord.world.messages.get(id)!
}

async function answered(stage: Stage, interaction: WorldInteraction) {
  return await stage.discord.screen.until(() => interaction.answer)
}

async function openedModal(stage: Stage): Promise<WorldModal> {
  return await stage.discord.screen.until(() => stage.discord.screen.modals(stage.ann.id)[0])
}

/** What Ann alone sees last. */
async function hidden(stage: Stage, fits: (text: string) => boolean = () => true): Promise<WorldMessage> {
  return await stage.discord.screen.until(() =>
    stage.discord.screen
      .ephemerals(stage.ann.id)
      .findLast((message) => fits(stage.discord.screen.text(message))),
  )
}

describe('a click', () => {
  test('is handed on with its action, value, message and an own key, and redraws the card', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'answered', card: confirmed, notice: 'Confirmed. I am doing it now.' })
    const message = await posted(stage)
    const click = stage.ann.click(message, 'Confirm')
    expect((await answered(stage, click)).kind).toBe('update')
    expect(await stage.heard('action')).toMatchObject({
      action: 'approval.confirm',
      value: 'apr_1',
      messageId: message.id,
      dedupeKey: `act:discord:${click.id}`,
      thread: directThread(stage.ann),
      threadKind: 'direct',
      author: { userId: stage.ann.id, name: 'Ann', language: 'en' },
    })
    expect(stage.discord.screen.text(message)).toContain('Confirmed by Ann, 14:07')
    expect(stage.discord.screen.buttons(message)).toEqual([])
    expect((await hidden(stage)).content).toBe('Confirmed. I am doing it now.')
    expect(stage.discord.screen.answers(stage.ann.dmChannel)).toHaveLength(1)
  })

  test('of somebody else is answered to them alone and leaves the card', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'answered', notice: 'Only Bob can decide this.' })
    const said = stage.bob.mention('general', 'make a ticket')
    const message = await posted(stage, threadUnder(stage.discord, said))
    const click = stage.ann.click(message, 'Confirm')
    expect(await answered(stage, click)).toMatchObject({ kind: 'message', ephemeral: true })
    expect(stage.discord.screen.ephemerals(stage.bob.id)).toEqual([])
    expect(stage.discord.screen.buttons(message)).toHaveLength(2)
    expect(await stage.heard('action')).toMatchObject({
      thread: threadUnder(stage.discord, said),
      threadKind: 'shared',
    })
  })

  test('that a turn will answer is acknowledged without a word, and a sign of life follows', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'accepted', sessionId: 'sess_1' })
    const click = stage.ann.click(await posted(stage), 'Confirm')
    expect((await answered(stage, click)).kind).toBe('deferred-update')
    await stage.discord.screen.until(() => stage.discord.screen.typing(stage.ann.dmChannel).length > 0)
    expect(stage.discord.screen.ephemerals(stage.ann.id)).toEqual([])
  })

  test('on a forged or forgotten button is answered as the gateway says', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'answered', notice: 'I do not know this card.' })
    const message = await posted(stage)
    for (const id of ['approval.confirm|apr_999', '~a|nokey|approval.edit|apr_1', '~p||', '|||', 'plain']) {
      const click = stage.discord.hands.forge(stage.ann.id, message, id)
      expect((await answered(stage, click)).kind).toBe('message')
    }
    expect(stage.of('action').map(({ action, value }) => [action, value])).toEqual([
      ['approval.confirm', 'apr_999'],
      ['approval.edit', 'apr_1'],
      ['', undefined],
      ['', '||'],
      ['plain', undefined],
    ])
  })

  test('redelivered after a resume is not answered twice', async () => {
    await using stage = await openStage()
    const seen = new Set<string>()
    stage.answer = ({ dedupeKey }): Receipt => {
      if (seen.has(dedupeKey)) return { kind: 'repeated' }
      seen.add(dedupeKey)
      return { kind: 'answered', card: confirmed }
    }
    const click = stage.ann.click(await posted(stage), 'Confirm')
    await answered(stage, click)
    stage.discord.gateway.redeliver(3)
    await stage.heard('action', 2)
    await stage.settle()
    expect(stage.discord.screen.ephemerals(stage.ann.id)).toEqual([])
    expect(click.answer?.kind).toBe('update')
  })

  test('is acknowledged in time while the decision takes long, and answered when it comes', async () => {
    await using stage = await openStage()
    const decided = Promise.withResolvers<Receipt>()
    stage.answer = () => decided.promise
    const message = await posted(stage)
    const click = stage.ann.click(message, 'Confirm')
    expect((await answered(stage, click)).kind).toBe('deferred-update')
    decided.resolve({ kind: 'answered', card: confirmed, notice: 'Confirmed.' })
    await stage.discord.screen.until(() => stage.discord.screen.text(message).includes('Confirmed by Ann'))
    expect((await hidden(stage)).content).toBe('Confirmed.')
    expect(click.failed).toBe(false)
  })

  test('answered too late is no error, and the card still becomes what it is', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'answered', card: confirmed, notice: 'Confirmed.' })
    const message = await posted(stage)
    stage.discord.lateAfter = -1
    stage.ann.click(message, 'Confirm')
    await stage.discord.screen.until(() => stage.discord.screen.text(message).includes('Confirmed by Ann'))
    stage.discord.lateAfter = 3_000
    const again = stage.ann.dm('still there?')
    stage.answer = () => ({ kind: 'accepted', sessionId: 'sess_1' })
    expect((await stage.heard('message')).postId).toBe(again.id)
  })

  test('whose answer is lost on the way is not answered twice', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'answered', notice: 'Noted.' })
    const message = await posted(stage)
    stage.discord.faults.add({ path: /callback$/, does: { kind: 'break', when: 'after', how: 'reset' } })
    const click = stage.ann.click(message, 'Confirm')
    await answered(stage, click)
    await stage.settle()
    expect(stage.discord.screen.ephemerals(stage.ann.id).map(({ content }) => content)).toEqual(['Noted.'])
  })

  test('that can not be taken says so in the language of the client', async () => {
    await using stage = await openStage()
    stage.discord.hands.locale = 'zh-CN'
    stage.answer = () => {
      throw new Error('The database is away.')
    }
    stage.ann.click(await posted(stage), 'Confirm')
    expect((await hidden(stage)).content).toContain('请过一分钟再试')
  })

  test('in a channel without threads belongs to the message that the card answers', async () => {
    await using stage = await openStage({
      before: (discord) => discord.deny('general', 'CreatePublicThreads'),
    })
    stage.answer = () => ({ kind: 'answered', card: confirmed })
    const said = stage.ann.mention('general', 'make a ticket')
    const thread = threadUnder(stage.discord, said)
    stage.ann.click(await posted(stage, thread), 'Confirm')
    expect((await stage.heard('action')).thread).toEqual(thread)
  })
})

describe('a notice', () => {
  test('longer than a message goes on, and very long it is a file, with its buttons at the end', async () => {
    await using stage = await openStage()
    const actions = [{ label: 'Forget', action: 'memory.forget', value: 'mem_1' }]
    stage.answer = () => ({ kind: 'answered', notice: 'word '.repeat(700), actions })
    stage.ann.click(await posted(stage), 'Confirm')
    const last = await stage.discord.screen.until(() => stage.discord.screen.ephemerals(stage.ann.id)[1])
    expect(stage.discord.screen.buttons(last)).toMatchObject([
      { label: 'Forget', customId: 'memory.forget|mem_1' },
    ])
    stage.answer = () => ({ kind: 'answered', notice: 'word '.repeat(5_000) })
    stage.ann.click(stage.discord.screen.answers(stage.ann.dmChannel)[0]!, 'Confirm')
    const file = await stage.discord.screen.until(() => stage.discord.screen.ephemerals(stage.ann.id)[2])
    expect(new TextDecoder().decode(file.attachments[0]!.bytes)).toBe('word '.repeat(5_000))
  })
})

describe('a choice', () => {
  test('comes with what was chosen', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'accepted', sessionId: 'sess_1' })
    const options = Array.from({ length: 30 }, (_, n) => ({ label: `Room ${n}`, value: `room-${n}` }))
    const choice = { label: 'Which room?', action: 'question.choose', options }
    const id = await stage.channel.speaker.postCard(
      { thread: directThread(stage.ann) },
      { ...card, actions: [], choice },
      'n1',
    )
    stage.ann.select(stage.discord.world.messages.get(id)!, 'Room 28')
    expect(await stage.heard('action')).toMatchObject({
      action: 'question.choose',
      value: 'room-28',
      messageId: id,
    })
  })
})

describe('a form', () => {
  test('opens as a modal with its values, hints and choices, and comes back with all fields it showed', async () => {
    await using stage = await openStage()
    const form = formOf([
      field('title', { label: 'Title', value: 'Printer broken', required: true }),
      field('body', { label: 'Body', kind: 'multiline', hint: 'What happened', value: 'It\nsmokes' }),
      field('priority', {
        label: 'Priority',
        kind: 'select',
        value: 'high',
        required: true,
        options: [
          { label: 'High', value: 'high' },
          { label: 'Low', value: 'low' },
        ],
      }),
      field('urgent', { label: 'Urgent', kind: 'boolean', value: 'false' }),
    ])
    stage.answer = (event): Receipt =>
      event.kind === 'form' ? { kind: 'answered', card: confirmed } : { kind: 'answered', form }
    const message = await posted(stage)
    stage.ann.click(message, 'Edit')
    const modal = await openedModal(stage)
    expect(modal.title).toBe('Edit: Create ticket')
    expect(fieldsOf(modal)).toEqual([
      { label: 'Title', hint: '', value: 'Printer broken' },
      { label: 'Body', hint: 'What happened', value: 'It\nsmokes' },
      { label: 'Priority', hint: '', value: 'High' },
      { label: 'Urgent', hint: '', value: 'No' },
    ])
    const sent = stage.ann.submit(modal, { Title: 'Printer on fire', Priority: 'Low', Urgent: 'Yes' })
    expect(await stage.heard('form')).toMatchObject({
      action: 'approval.edit',
      value: 'apr_1',
      fields: { title: 'Printer on fire', body: 'It\nsmokes', priority: 'low', urgent: 'true' },
      dedupeKey: `act:discord:${sent.id}`,
      thread: directThread(stage.ann),
    })
    await stage.discord.screen.until(() => stage.discord.screen.text(message).includes('Confirmed by Ann'))
    expect((await answered(stage, sent)).kind).toBe('update')
  })

  test('that was refused is shown again with what was typed and what is wrong', async () => {
    await using stage = await openStage()
    const first = formOf([
      field('title', { label: 'Title', value: '' }),
      field('due', { label: 'Due', value: '' }),
    ])
    stage.answer = (event): Receipt => {
      if (event.kind !== 'form') return { kind: 'answered', form: first }
      if (event.fields.due === 'tomorrow') return { kind: 'answered', card: confirmed, notice: 'Changed.' }
      const fields = first.fields.map((one) => ({
        ...one,
        value: event.fields[one.name] ?? '',
        ...(one.name === 'due' ? { error: 'Due must be a date.' } : {}),
      }))
      return { kind: 'answered', form: { ...first, fields, error: 'Not valid yet.' } }
    }
    const message = await posted(stage)
    stage.ann.click(message, 'Edit')
    stage.ann.submit(await openedModal(stage), { Title: 'Printer', Due: 'soon' })
    const told = await hidden(stage)
    expect(told.content).toBe('Not valid yet.\n- **Due**: Due must be a date.')
    stage.ann.click(told, 'Edit')
    const again = await openedModal(stage)
    expect(fieldsOf(again)).toEqual([
      { label: 'Title', hint: '', value: 'Printer' },
      { label: 'Due', hint: 'Due must be a date.', value: 'soon' },
    ])
    expect(modalText(again)).toBe('Not valid yet.')
    stage.ann.submit(again, { Due: 'tomorrow' })
    await stage.discord.screen.until(() => stage.discord.screen.text(message).includes('Confirmed by Ann'))
    await stage.discord.screen.until(() => stage.discord.screen.text(told) === 'Changed.')
    expect(stage.discord.screen.buttons(told)).toEqual([])
  })

  test('with more than five fields asks first which to change, and only those come back', async () => {
    await using stage = await openStage()
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
    const form = formOf(
      names.map((name) => field(name, { label: name.toUpperCase(), value: `value of ${name}` })),
    )
    stage.answer = (event): Receipt =>
      event.kind === 'form' ? { kind: 'answered', card: confirmed } : { kind: 'answered', form }
    const message = await posted(stage)
    stage.ann.click(message, 'Edit')
    const question = await hidden(stage)
    expect(question.content).toBe('Which of these do you want to change? Choose up to five.')
    expect(() =>
      stage.ann.select(
        question,
        names.slice(0, 6).map((name) => name.toUpperCase()),
      ),
    ).toThrow('1 to 5')
    stage.ann.select(question, ['SEVEN', 'TWO'])
    const modal = await openedModal(stage)
    expect(fieldsOf(modal).map(({ label, value }) => [label, value])).toEqual([
      ['TWO', 'value of two'],
      ['SEVEN', 'value of seven'],
    ])
    stage.ann.submit(modal, { SEVEN: 'new' })
    expect((await stage.heard('form')).fields).toEqual({ two: 'value of two', seven: 'new' })
    // The question has done its work, and the card that it was about is redrawn.
    await stage.discord.screen.until(() => stage.discord.screen.text(message).includes('Confirmed by Ann'))
    await stage.discord.screen.until(() => question.content === 'Done.' && question.components.length === 0)
  })

  test('survives a restart between the question and the choice', async () => {
    await using stage = await openStage()
    const form = formOf(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => field(name)))
    stage.answer = () => ({ kind: 'answered', form })
    stage.ann.click(await posted(stage), 'Edit')
    const question = await hidden(stage)
    await stage.channel.stop()
    await using later = await openStage({
      adapter: { apiUrl: stage.discord.url, token: stage.discord.token },
    })
    later.answer = () => ({
      kind: 'answered',
      form: formOf(form.fields.map((one) => ({ ...one, value: 'fresh' }))),
    })
    stage.ann.select(question, ['f'])
    expect(fieldsOf(await openedModal(stage))).toMatchObject([{ label: 'f', value: 'fresh' }])
  })

  test('with a value too long for a modal leaves that out and says so', async () => {
    await using stage = await openStage()
    const form = formOf([
      field('title', { label: 'Title', value: 'x' }),
      field('body', { label: 'Body', value: 'y'.repeat(5_000) }),
    ])
    stage.answer = () => ({ kind: 'answered', form })
    stage.ann.click(await posted(stage), 'Edit')
    const modal = await openedModal(stage)
    expect(fieldsOf(modal).map(({ label }) => label)).toEqual(['Title'])
    expect(modalText(modal)).toBe(
      'Too long to edit in a form: Body. Tell me in a message what to change there.',
    )
  })

  test('with long labels, hints and many options stays within the limits', async () => {
    await using stage = await openStage()
    const options = Array.from({ length: 60 }, (_, n) => ({ label: `Option ${n}`, value: `o${n}` }))
    const form = formOf(
      [
        field('a', { label: 'L'.repeat(80), hint: 'H'.repeat(300), value: 'v' }),
        field('b', { label: 'Many', kind: 'select', options, value: 'o41' }),
      ],
      { title: 'T'.repeat(100) },
    )
    stage.answer = () => ({ kind: 'answered', form })
    stage.ann.click(await posted(stage), 'Edit')
    expect(fieldsOf(await openedModal(stage))[1]).toMatchObject({ label: 'Many', value: 'o41' })
  })

  test('that comes after the time for a modal is opened by a button', async () => {
    await using stage = await openStage()
    const decided = Promise.withResolvers<Receipt>()
    stage.answer = () => decided.promise
    const click = stage.ann.click(await posted(stage), 'Edit')
    await answered(stage, click)
    decided.resolve({ kind: 'answered', form: formOf([field('title', { label: 'Title', value: 'x' })]) })
    const told = await hidden(stage)
    stage.ann.click(told, 'Edit')
    expect(fieldsOf(await openedModal(stage))).toMatchObject([{ label: 'Title', value: 'x' }])
  })
})

describe('/hermes', () => {
  test('is registered with its subcommands, and comes as the first word and the rest', async () => {
    await using stage = await openStage()
    stage.answer = () => ({ kind: 'answered', notice: 'You like short answers.' })
    await stage.discord.screen.until(() => stage.discord.world.commands.has('global'))
    const used = stage.ann.command('general', 'hermes memory', { search: 'short answers' })
    expect(await answered(stage, used)).toMatchObject({ kind: 'message', ephemeral: true })
    expect((await hidden(stage)).content).toBe('You like short answers.')
    const general = stage.discord.channel('general').id
    expect(await stage.heard('command')).toMatchObject({
      name: 'memory',
      text: 'short answers',
      thread: { channel: 'discord', workspace: stage.discord.guild.id, room: general, thread: general },
    })
    stage.ann.command(stage.ann.dmChannel, 'hermes private', { state: 'on' })
    stage.ann.command(stage.ann.dmChannel, 'hermes help')
    await stage.heard('command', 3)
    expect(stage.of('command').map(({ name, text }) => [name, text])).toEqual([
      ['memory', 'short answers'],
      ['private', 'on'],
      ['help', ''],
    ])
    expect(stage.of('command')[1]!.thread).toEqual(directThread(stage.ann))
  })

  test('whose answer takes long, or is left to a turn, is acknowledged all the same', async () => {
    await using stage = await openStage()
    await stage.discord.screen.until(() => stage.discord.world.commands.has('global'))
    const decided = Promise.withResolvers<Receipt>()
    stage.answer = () => decided.promise
    const slow = stage.ann.command('general', 'hermes status')
    expect(await answered(stage, slow)).toEqual({ kind: 'deferred', ephemeral: true })
    decided.resolve({ kind: 'answered', notice: 'All is well.' })
    await stage.discord.screen.until(
      () => slow.answer?.kind === 'message' && slow.answer.message.content === 'All is well.',
    )
    stage.answer = () => ({ kind: 'accepted', sessionId: 'sess_1' })
    const left = stage.ann.command('general', 'hermes prompt', { name: 'standup' })
    expect(await answered(stage, left)).toMatchObject({ kind: 'message', ephemeral: true })
  })
})
