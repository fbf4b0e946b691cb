import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { questionCard, questionForm } from '../../src/agent/asking/card.ts'
import { questionOf } from '../../src/agent/asking/question.ts'
import { settleArguments } from '../../src/agent/proposing/settling.ts'
import type { QuestionStatus } from '../../src/store/prisma/client.ts'
import { isSecretField } from '../../src/tools/arguments/secret-fields.ts'
import { defineTool } from '../../src/tools/definition.ts'
import type { Tool } from '../../src/tools/tool.ts'

const now = new Date('2026-11-30T02:00:00Z')
const tomorrow = new Date('2026-12-01T02:00:00Z')
const thread = { channel: 'web', workspace: 'local', room: 'web', thread: 'one' } as const
const context = { now, timeZone: 'UTC', language: 'en', personId: 'per_ann', thread } as const
const people = [
  { id: 'U1', label: 'Zhang Wei' },
  { id: 'U2', label: 'Zhang Wei' },
]

function toolWith(shape: z.ZodRawShape): Tool {
  return defineTool({
    name: 'book_room',
    title: { en: 'Book room', zh: '预订会议室' },
    useWhen: 'somebody wants a room.',
    notWhen: 'nobody wants a room.',
    returns: 'the room that was booked.',
    failsWith: 'a sentence that says why.',
    effect: 'read',
    idempotent: true,
    activity: { en: 'Booking', zh: '预订中' },
    input: z.object(
      Object.fromEntries(
        Object.entries(shape).map(([name, field]) => [name, (field as z.ZodType).describe(`The ${name}`)]),
      ),
    ),
    run: async () => ({ content: 'ok' }),
  })
}

/** The card and the form of what a call leaves open. */
async function asked(
  shape: z.ZodRawShape,
  args: Record<string, unknown>,
  status: QuestionStatus = 'open',
  timeZone = 'UTC',
) {
  const tool = toolWith(shape)
  const directory = { named: () => [], people: async () => people }
  const settled = await settleArguments(tool, args, context, directory)
  if (settled.ok || !settled.problems) throw new Error('Nothing is open.')
  const question = questionOf(tool, settled.problems, 'en', tomorrow)
  if (!question) throw new Error('Nothing can be asked.')
  const facts = { id: 'call_1', status, question, arguments: settled.args!, person: 'Ann', timeZone }
  return {
    settled,
    card: questionCard(facts, now),
    late: questionCard(facts, tomorrow),
    form: questionForm(facts),
  }
}

describe('the card of a question', () => {
  const size = z.enum(['small', 'middle', 'large'])

  it('has a button for each of a few possibilities', async () => {
    const { settled, card, late } = await asked({ size, at: z.string() }, { at: 'noon' })
    expect(settled).toMatchObject({ code: 'missing' })
    expect(card).toMatchObject({
      title: 'Book room',
      fields: [{ label: 'At', value: 'noon' }],
      risk: 'Still needed: Size.',
      footer: 'waits for Ann',
      actions: [
        { label: 'Small', action: 'question.choose', value: 'call_1:0' },
        { label: 'Middle', action: 'question.choose', value: 'call_1:1' },
        { label: 'Large', action: 'question.choose', value: 'call_1:2' },
      ],
    })
    expect(late).toMatchObject({ tone: 'void', footer: 'No longer asked', actions: [] })
  })

  it('tells times as the person reads them, on the card and in its form', async () => {
    const until = '2026-12-04T16:00:00.000Z'
    const { card, form } = await asked(
      { until: z.iso.datetime(), room: z.string() },
      { until },
      'open',
      'Europe/Berlin',
    )
    const shown = '4 Dec 2026, 17:00 (UTC+1)'
    expect(card.fields).toEqual([{ label: 'Until', value: shown }])
    expect(form.fields.map(({ name, value }) => [name, value])).toEqual([
      ['room', ''],
      ['until', shown],
    ])
  })

  it('asks yes or no by two buttons', async () => {
    const { card } = await asked({ catering: z.boolean() }, {})
    expect(card.actions.map(({ label }) => label)).toEqual(['Yes', 'No'])
  })

  it('has a list for more than four, and a form for more than fit into a list', async () => {
    const options = (count: number) =>
      z.enum(Array.from({ length: count }, (_, index) => `r${index}`) as [string])
    expect((await asked({ room: options(5) }, {})).card).toMatchObject({
      actions: [],
      choice: { label: 'Room' },
    })
    const many = await asked({ room: options(26) }, {})
    expect(many.card.actions.map(({ label }) => label)).toEqual(['Fill in'])
    expect(many.form.fields[0]).toMatchObject({ kind: 'select', required: true })
  })

  it('names all that is missing in one sentence, and its form begins with it', async () => {
    const shape = { note: z.string().optional(), at: z.iso.date(), size, people: z.number() }
    const { settled, card, form } = await asked(shape, { note: 'quiet', people: 4 })
    expect(settled).toMatchObject({ sentence: expect.stringMatching(/^Missing: at, size\. .*one sentence/) })
    expect(card).toMatchObject({ risk: 'Still needed: At, Size.' })
    expect(card.actions.map(({ label }) => label)).toEqual(['Fill in'])
    expect(form.fields.map(({ name, value }) => [name, value])).toEqual([
      ['at', ''],
      ['size', ''],
      ['note', 'quiet'],
      ['people', '4'],
    ])
  })

  it('tells two of one name apart, and asks for everything else beside them in a form', async () => {
    const who = z.string().meta({ 'x-entity': 'person' })
    const alone = await asked({ who }, { who: 'Zhang Wei' })
    expect(alone.settled).toMatchObject({ code: 'ambiguous' })
    expect(alone.card.actions.map(({ label }) => label)).toEqual(['Zhang Wei (U1)', 'Zhang Wei (U2)'])
    const both = await asked({ who, size }, { who: 'Zhang Wei' })
    expect(both.settled).toMatchObject({ code: 'missing' })
    expect(both.card.risk).toBe('Still needed: Size.\nWho: several fit "Zhang Wei". Which one?')
    expect(both.form.fields.map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ['size', 'select', ''],
      ['who', 'select', ''],
    ])
  })

  it('says what is wrong with a value, on the card and beside its field', async () => {
    const { settled, card, form } = await asked({ people: z.number() }, { people: 'a lot' })
    expect(settled).toMatchObject({ code: 'invalid' })
    expect(card.risk).toMatch(/^People: .*number/)
    expect(form.fields[0]).toMatchObject({ value: 'a lot', error: expect.stringContaining('number') })
  })

  it.each(['given', 'answered'] as const)('%s asks nothing any more', async (status) => {
    const { card } = await asked({ size }, {}, status)
    expect(card).toMatchObject({ tone: 'done', footer: 'Answered by Ann', actions: [] })
  })
})

it.each([
  ['password', {}, true],
  ['dbPassword', {}, true],
  ['api_key', {}, true],
  ['accessToken', {}, true],
  ['pin', {}, true],
  ['word', { format: 'password' }, true],
  ['word', { writeOnly: true }, true],
  ['maxTokens', {}, false],
  ['token_count', {}, false],
  ['key', {}, false],
  ['primary_key', {}, false],
  ['pinned', {}, false],
])('the field %s %j is a secret: %s', (name, schema, secret) => {
  expect(isSecretField(name, schema)).toBe(secret)
})
