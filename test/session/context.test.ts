import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../src/model/chat.ts'
import { createTokens } from '../../src/model/tokens.ts'
import { assembleContext, type ContextBudget, type ContextSections } from '../../src/session/context.ts'
import type { LedgerCall, Snapshot, TranscriptMessage } from '../../src/session/transcript.ts'
import { CallStatus } from '../../src/store/prisma/client.ts'
import { mistakesInOpenAiRequest } from '../support/openai-rules.ts'
import fc from '../support/properties.ts'
import { callWith, messageWith, snapshotWith, turnWith } from './snapshots.ts'

const runs = Number(process.env.HERMES_PROPERTY_RUNS ?? 40)
const tokens = createTokens()
const count = (text: string) => tokens.countTokens(text)

const budget: ContextBudget = {
  window: 8_000,
  inputShare: 0.5,
  toolResultShare: 0.2,
  memoryShare: 0.1,
  systemTokens: 4_000,
}
const sections: ContextSections = {
  rules: 'Be brief.',
  abilities: '',
  state: 'State: collecting.',
  memories: [],
  toolTokens: 0,
}

/** What the request takes, counted as the model's endpoint would. */
function taken(messages: readonly ChatMessage[], toolTokens = 0): number {
  return tokens.countRequest({ messages, tools: [] }) + toolTokens
}

function bodyOf(messages: readonly ChatMessage[]) {
  return {
    model: 'any',
    messages: messages.map((message) =>
      message.role === 'tool'
        ? { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
        : message.role === 'assistant'
          ? {
              role: 'assistant',
              content: message.content,
              ...(message.toolCalls
                ? {
                    tool_calls: message.toolCalls.map((call) => ({
                      id: call.id,
                      type: 'function',
                      function: { name: call.name, arguments: call.arguments },
                    })),
                  }
                : {}),
            }
          : {
              role: message.role,
              content:
                typeof message.content === 'string'
                  ? message.content
                  : message.content.map((part) =>
                      part.type === 'text' ? part : { type: 'image_url', image_url: { url: part.url } },
                    ),
            },
    ),
  }
}

const statuses = Object.values(CallStatus)

/** Text of any length in any writing, short more often than long. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('word ', '汉字，', 'T-1042 ', 'x', '👩‍👩‍👧 ', '\n'),
        fc.integer({ min: 1, max: 4_000 }),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
)

const call = fc.record({
  status: fc.constantFrom(...statuses),
  resultText: fc.option(text),
  resultRef: fc.option(fc.constant('ref_019aaaaaaaaaaaaaaaaaaaaaaaaaaaaa')),
  arguments: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.oneof(text, fc.integer())),
})

interface Draft {
  readonly role: TranscriptMessage['role']
  readonly text: string
  readonly removed: boolean
  readonly own: boolean
  readonly images: number
  readonly calls: readonly Partial<LedgerCall>[]
}

const draft: fc.Arbitrary<Draft> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const, 'note' as const),
  text,
  removed: fc.boolean().map((one) => one),
  own: fc.boolean(),
  images: fc.constantFrom(0, 0, 0, 1, 3),
  calls: fc.array(call, { maxLength: 5 }),
})

function snapshotOf(drafts: readonly Draft[], kind: Snapshot['kind'], summary: string | null): Snapshot {
  return snapshotWith({
    kind,
    summary,
    turns: [turnWith('turn_now')],
    messages: drafts.map((one, index) =>
      messageWith(index + 1, {
        role: one.role,
        text: one.text,
        removed: one.removed && index % 3 === 0,
        turnId: one.own ? 'turn_now' : 'turn_before',
        final: one.calls.length === 0,
        attachments:
          one.role === 'user'
            ? Array.from({ length: one.images }, (_, n) => ({
                name: `picture ${n}.png`,
                mediaType: 'image/png',
                size: 10,
                image: 'data:image/png;base64,AAAA',
              }))
            : [],
        calls:
          one.role === 'assistant'
            ? one.calls.map((parts, at) => callWith(`${index}_${at}`, { position: at, ...parts }))
            : [],
      }),
    ),
  })
}

describe('the context of a request', () => {
  beforeAll(() => tokens.load(), 30_000)

  it('is valid for the API and keeps to its budget, whatever the conversation holds', () => {
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 24 }),
        fc.constantFrom('direct' as const, 'shared' as const),
        fc.option(text),
        fc.array(text, { maxLength: 4 }),
        fc.constantFrom(0, 600),
        (drafts, kind, summary, memories, toolTokens) => {
          const snapshot = snapshotOf(drafts, kind, summary)
          const given = { ...sections, memories, toolTokens }
          const assembled = assembleContext(snapshot, given, budget, count)
          expect(mistakesInOpenAiRequest(bodyOf(assembled.messages))).toEqual([])
          expect(taken(assembled.messages, toolTokens)).toBeLessThanOrEqual(budget.window * budget.inputShare)
          // What is recorded is what was sent, or a little more.
          expect(assembled.tokens.input).toBeGreaterThanOrEqual(taken(assembled.messages, toolTokens))
        },
      ),
      { numRuns: runs, seed: 7 },
    )
  })

  it('never leaves out what the running turn is to answer, however long its steps are', () => {
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 16 }),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        (drafts, results) => {
          const snapshot = snapshotOf(
            [
              ...drafts.map((one) => ({ ...one, own: false })),
              { role: 'user', text: 'QUESTION of today', removed: false, own: true, images: 0, calls: [] },
              ...results.map((resultText) => ({
                role: 'assistant' as const,
                text: '',
                removed: false,
                own: true,
                images: 0,
                calls: [{ status: 'succeeded' as const, resultText, arguments: { note: resultText } }],
              })),
            ],
            'direct',
            null,
          )
          const { messages } = assembleContext(snapshot, sections, budget, count)
          const asked = messages.filter(
            (one) => one.role === 'user' && String(one.content).includes('QUESTION of today'),
          )
          expect(asked).toHaveLength(1)
          // The newest result stands last, so that the model goes on from it.
          expect(messages.at(-1)?.role).toBe('tool')
        },
      ),
      { numRuns: runs, seed: 8 },
    )
  })

  it('holds each message once and in its order, the newest ones first of all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 60 }),
        (lengths) => {
          const snapshot = snapshotWith({
            messages: lengths.map((length, index) =>
              messageWith(index + 1, {
                role: index % 2 === 0 ? 'user' : 'assistant',
                text: `<${index}> ${'word '.repeat(length)}`,
              }),
            ),
          })
          const { messages, leftOut } = assembleContext(snapshot, sections, budget, count)
          const places = messages.flatMap((one) => {
            const place = /^<(\d+)>/.exec(String(one.content))?.[1]
            return place === undefined ? [] : [Number(place)]
          })
          expect(places).toEqual(
            Array.from({ length: lengths.length - leftOut }, (_, index) => leftOut + index),
          )
        },
      ),
      { numRuns: runs, seed: 9 },
    )
  })

  it('cuts a long message in its middle, so that what is asked at its end is read', () => {
    const long = `Here is a log. ${'line of the log '.repeat(8_000)} What is wrong with it?`
    const snapshot = snapshotWith({ messages: [messageWith(1, { role: 'user', text: long })] })
    const { messages, tokens: sizes } = assembleContext(snapshot, sections, budget, count)
    expect(String(messages.at(-1)?.content)).toMatch(
      /^Here is a log\.[\s\S]*\[… \d+ characters left out\][\s\S]*What is wrong with it\?$/,
    )
    expect(sizes.history).toBeGreaterThan(2_000)
    expect(sizes.input).toBeLessThanOrEqual(4_000)
  })

  it('counts pictures and files, and says so where pictures do not fit', () => {
    const picture = { name: 'a.png', mediaType: 'image/png', size: 1, image: 'data:image/png;base64,AA' }
    const withPictures = (n: number) =>
      assembleContext(
        snapshotWith({
          messages: [
            messageWith(1, {
              role: 'user',
              text: 'What is this?',
              attachments: Array.from({ length: n }, () => picture),
            }),
          ],
        }),
        sections,
        budget,
        count,
      )
    expect(withPictures(2).tokens.history).toBeGreaterThan(2_200)
    expect(withPictures(2).messages.at(-1)?.content).toHaveLength(3)
    expect(String(withPictures(9).messages.at(-1)?.content)).toContain('9 pictures are left out')

    const file = { name: 'a.txt', mediaType: 'text/plain', size: 9, text: 'line of text '.repeat(400) }
    const withFile = snapshotWith({
      messages: [messageWith(1, { role: 'user', text: 'Read it', attachments: [file] })],
    })
    expect(assembleContext(withFile, sections, budget, count).tokens.history).toBeGreaterThan(1_000)
  })

  it('lets memories give way before the conversation does', () => {
    const memories = ['The person lives in Berlin. '.repeat(20)]
    const full = assembleContext(
      snapshotWith({ messages: [messageWith(1, { role: 'user', text: 'Hello' })] }),
      { ...sections, rules: 'word '.repeat(2_950), memories },
      budget,
      count,
    )
    expect(JSON.stringify(full.messages)).not.toContain('Berlin')
    expect(full.messages.at(-1)?.content).toBe('Hello')
    const roomy = assembleContext(snapshotWith(), { ...sections, memories }, budget, count)
    expect(JSON.stringify(roomy.messages)).toContain('Berlin')
  })
})
