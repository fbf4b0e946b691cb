import process from 'node:process'
import { describe, expect, it } from 'vitest'
import {
  finishedSummary,
  isSummary,
  planCompaction,
  summaryByRules,
  transcriptText,
} from '../../src/session/compaction.ts'
import { entitiesIn, type KnownEntity, mergeEntities } from '../../src/session/entities.ts'
import type { TranscriptMessage } from '../../src/session/transcript.ts'
import { callWith, messageWith } from './snapshots.ts'

const at = { now: new Date('2026-12-02T02:00:00Z'), timeZone: 'Asia/Shanghai', by: 'Ann' }
const words = (text: string) => Math.ceil(text.length / 4)

/** Turns of a question and an answer each, with so many characters. */
function turnsOf(count: number, length = 40): readonly TranscriptMessage[] {
  return Array.from({ length: count }, (_, index) => [
    messageWith(index * 2 + 1, {
      role: 'user',
      turnId: `turn_${index}`,
      text: `Question ${index}`.padEnd(length),
    }),
    messageWith(index * 2 + 2, { role: 'assistant', turnId: `turn_${index}`, text: `Answer ${index}` }),
  ]).flat()
}

const facts = (more: Partial<Parameters<typeof planCompaction>[1]> = {}) => ({
  openTurns: new Set<string>(),
  tokensOf: (messages: readonly TranscriptMessage[]) =>
    messages.reduce((sum, message) => sum + words(message.text), 0),
  inputLimit: 10_000,
  ...more,
})

describe('when a conversation is summarised', () => {
  it('is after eight turns beside the four that stay', () => {
    expect(planCompaction(turnsOf(11), facts())).toBeUndefined()
    expect(planCompaction(turnsOf(12), facts())?.messages.at(-1)?.text).toBe('Answer 7')
  })

  it('is earlier where it takes 60 % of what a request may', () => {
    const long = turnsOf(6, 4_600)
    expect(planCompaction(long, facts())).toMatchObject({ uptoSeq: 4 })
    expect(planCompaction(turnsOf(6, 3_000), facts())).toBeUndefined()
  })

  it('leaves fewer turns where the newest alone are too long, but always the last', () => {
    const long = turnsOf(4, 12_000)
    expect(planCompaction(long, facts())?.messages.at(-1)?.turnId).toBe('turn_2')
    expect(planCompaction(turnsOf(2, 60_000), facts())?.messages.at(-1)?.turnId).toBe('turn_0')
    expect(planCompaction(turnsOf(1, 90_000), facts())).toBeUndefined()
  })

  it('never takes a turn whose calls are open, nor what comes after it', () => {
    const open = facts({ openTurns: new Set(['turn_3']) })
    expect(planCompaction(turnsOf(14), open)?.messages.at(-1)?.text).toBe('Answer 2')
    expect(planCompaction(turnsOf(14), facts({ openTurns: new Set(['turn_0']) }))).toBeUndefined()
  })
})

describe('a summary', () => {
  const empty =
    '## Confirmed parameters\n- none\n## Decisions\n- none\n## To-dos\n- none\n## Already answered\n- none'
  const entities = (text: string): readonly KnownEntity[] =>
    entitiesIn(text, at).map((one) => ({ ...one, said: true }))
  const finish = (
    text: string,
    before: string | null,
    tokens = 1_000,
    more: readonly TranscriptMessage[] = [],
  ) =>
    finishedSummary(empty, {
      before,
      entities: entities(text),
      messages: [messageWith(1, { role: 'user', text }), ...more],
      ref: 'ref_1',
      tokens,
      count: words,
    })

  it('keeps what people named word for word, however often it is made anew', () => {
    const first = finish('Order ORD-2024-0017, at most €4,000, from last week', null)
    const second = finish('See https://example.com/plan and T-12', first)
    const third = finish('Nothing new', second)
    for (const kept of ['ORD-2024-0017', 'at most €4,000', 'last week', 'https://example.com/plan', 'T-12']) {
      expect(third).toContain(kept)
      expect(third.split(`${kept}\n`).length).toBeLessThanOrEqual(2)
    }
    expect(third.match(/## Key facts/g)).toHaveLength(1)
    expect(third).toMatch(/stored as ref_1: read_result shows it\.$/)
  })

  it('keeps what was done with its arguments', () => {
    const done = callWith('1', {
      tool: 'create_ticket',
      effect: 'write',
      arguments: { title: 'Book room Kaya' },
      told: 'Ticket T-7 created',
    })
    const summary = finish('Please', null, 1_000, [
      messageWith(2, { role: 'assistant', text: '', calls: [done], final: false }),
    ])
    expect(summary).toContain('- done: Ticket T-7 created {"title":"Book room Kaya"}')
  })

  it('keeps to its size, and the first facts longest', () => {
    let summary: string | null = null
    for (let round = 0; round < 40; round++) {
      const ids = Array.from({ length: 10 }, (_, n) => `ORD-${round}${String(n).padStart(3, '0')}`)
      summary = finish(ids.join(', '), summary, 400)
      expect(words(summary)).toBeLessThanOrEqual(400)
    }
    expect(summary).toContain('ORD-0000')
    expect(summary).toContain('ORD-39009')
  })

  it('is made by rules where nobody can be asked, under the same headings, and again from that', () => {
    const said = turnsOf(3).map((message) =>
      message.role === 'user' ? { ...message, text: `The price of item ${message.seq} is 30` } : message,
    )
    const first = summaryByRules(null, said)
    expect(isSummary(first)).toBe(true)
    const second = summaryByRules(first, [messageWith(9, { role: 'user', text: 'Room 12, please' })])
    expect(second).toContain('The price of item 1 is 30')
    expect(second).toContain('Room 12, please')
    expect(second.match(/^## /gm)).toHaveLength(4)
  })

  it('tells results and files of the original, shortened only for whoever summarises', () => {
    const messages = [
      messageWith(1, {
        role: 'user',
        text: 'Read it',
        attachments: [{ name: 'a.txt', mediaType: 'text/plain', size: 9, text: 'x'.repeat(900) }],
      }),
      messageWith(2, {
        role: 'assistant',
        text: '',
        calls: [callWith('1', { resultText: 'y'.repeat(900) })],
      }),
      messageWith(3, { role: 'user', text: 'gone', removed: true }),
    ]
    expect(transcriptText(messages, Number.POSITIVE_INFINITY)).toContain('y'.repeat(900))
    const short = transcriptText(messages, 50)
    expect(short).toContain(`${'x'.repeat(50)}… (900 characters)`)
    expect(short).not.toContain('gone')
    expect(short.length).toBeLessThan(400)
  })
})

describe('what a session knows by name', () => {
  it('keeps what people said when a tool names hundreds of things', () => {
    const said: readonly KnownEntity[] = entitiesIn('Order ORD-2024-0017', at).map((one) => ({
      ...one,
      said: true as const,
    }))
    let known = mergeEntities([], said)
    for (let round = 0; round < 30; round++) {
      const text = Array.from({ length: 20 }, (_, n) => `REC-${round}${n}1`).join(' ')
      known = mergeEntities(known, entitiesIn(text, { ...at, by: 'Find records' }))
    }
    expect(known.length).toBeLessThanOrEqual(120)
    expect(known.find((one) => one.id === 'ORD-2024-0017')?.said).toBe(true)
    expect(known.at(-1)?.id).toBe('REC-29191')
  })

  it('knows sums with the words around them', () => {
    const labels = (text: string) => entitiesIn(text, at).map(({ type, id, label }) => [type, id, label])
    expect(labels('So, the budget is at most €4,000, all in.')).toEqual([
      ['amount', '€4,000', 'the budget is at most €4,000'],
    ])
    expect(labels('预算不超过 30000元，谢谢')).toEqual([['amount', '30000元', '预算不超过 30000元']])
  })

  it('reads no more than a bounded part of a text that is full of dates', () => {
    for (const unit of [
      '明天下午三点',
      '上周五到下周二',
      '2026年12月3日 下午3点',
      'next friday at 3pm and tomorrow ',
    ]) {
      const text = unit.repeat(3_000)
      entitiesIn(text, at)
      const began = process.cpuUsage()
      const found = entitiesIn(text, at)
      const { user, system } = process.cpuUsage(began)
      expect(found.length).toBeLessThanOrEqual(8)
      expect((user + system) / 1_000).toBeLessThan(120)
    }
  })
})
