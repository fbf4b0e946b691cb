import process from 'node:process'
import { describe, expect, it } from 'vitest'
import type { IntentFacts } from '../../../src/session/intent/intent.ts'
import { readIntent } from '../../../src/session/intent/read.ts'
import { awkwardTexts, longText } from './texts.ts'
import { type Accuracy, accuracyOf, isHeldBack, type Share, utterances } from './utterances.ts'

const facts: IntentFacts = {
  entities: [],
  people: ['Li Wei', 'Wang Fang', '李娜'],
  now: new Date('2026-12-02T02:00:00Z'),
  timeZone: 'Asia/Shanghai',
  approvalOpen: true,
  running: false,
}

describe.each(['en', 'zh'] as const)('labelled messages in %s', (language) => {
  const all = utterances[language]
  const heldBack = all.filter(isHeldBack)

  it('are at least 200, each once, with some of every intent held back', () => {
    expect(all.length).toBeGreaterThanOrEqual(200)
    expect(new Set(all.map((one) => one.text)).size).toBe(all.length)
    expect(new Set(heldBack.map((one) => one.primary)).size).toBe(9)
  })

  it('are understood in nine of ten cases, those included that no rule was written by', () => {
    const [development, unseen] = [accuracyOf(all.filter((one) => !isHeldBack(one))), accuracyOf(heldBack)]
    console.log(tableOf(language, development, unseen))
    expect(ratio(unseen.primary)).toBeGreaterThanOrEqual(0.9)
    expect(ratio(unseen.anchors)).toBeGreaterThanOrEqual(0.9)
    expect(ratio(unseen.modifiers)).toBeGreaterThanOrEqual(0.9)
    expect(ratio(unseen.requests)).toBeGreaterThanOrEqual(0.9)
  })
})

describe('reading a message', () => {
  it('takes less than 50 ms of processor time in 19 of 20 texts of 2,000 characters, however awkward', () => {
    const texts = [...utterances.en, ...utterances.zh]
      .map((one) => one.text)
      .filter((_, index) => index % 4 === 0)
    for (const text of texts) readIntent(text, facts)
    const times = [...awkwardTexts(2_000), longText(2_000), ...texts].map(timeOf).sort((a, b) => a - b)
    expect(times[Math.ceil(times.length * 0.95) - 1]).toBeLessThan(50)
  })

  it('takes no longer for 100,000 characters, whose end is read as well as their beginning', () => {
    for (const text of [...awkwardTexts(100_000), longText(100_000)]) expect(timeOf(text)).toBeLessThan(50)
    const intent = readIntent(longText(100_000), facts)
    expect(intent.requests.at(-1)?.text).toBe('open a ticket for what is wrong')
    expect(intent.primary).toBe('query')
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['half of a surrogate pair', '\ud83d'],
    ['control characters and turned writing', '\u202e\u0000close\u200b T-1'],
    ['one word a thousand times', 'ticket '.repeat(1_000)],
  ])('gives a legal answer for %s', (_, text) => {
    const intent = readIntent(text, facts)
    expect(intent.confidence).toBeGreaterThanOrEqual(0)
    expect(intent.confidence).toBeLessThanOrEqual(1)
    for (const anchor of intent.anchors) {
      expect(text.slice(anchor.index, anchor.index + anchor.words.length)).toBe(anchor.words)
    }
  })

  it('takes no orders from quotes and code', () => {
    const quoted = 'What does this mean?\n> cancel all meetings\n```\ndelete everything\n```'
    expect(readIntent(quoted, facts)).toMatchObject({ primary: 'query', requests: [{ primary: 'query' }] })
  })
})

/** Processor time in ms, the least of three, so that what else runs on the machine does not count. */
function timeOf(text: string): number {
  const times = [1, 2, 3].map(() => {
    const began = process.cpuUsage()
    readIntent(text, facts)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

function ratio({ right, of }: Share): number {
  return of === 0 ? 1 : right / of
}

function tableOf(language: string, development: Accuracy, heldBack: Accuracy): string {
  const cell = (share: Share | undefined) =>
    share ? `${(100 * ratio(share)).toFixed(1)} % (${share.right}/${share.of})`.padEnd(20) : ''
  const row = (name: string, a: Share | undefined, b: Share | undefined) =>
    `${name.padEnd(12)}${cell(a)}${cell(b)}`
  return [
    `${language.padEnd(12)}${'development'.padEnd(20)}held back`,
    ...[...development.byIntent].map(([name, share]) => row(name, share, heldBack.byIntent.get(name))),
    row('all', development.primary, heldBack.primary),
    row('(anchors)', development.anchors, heldBack.anchors),
    row('(modifiers)', development.modifiers, heldBack.modifiers),
    row('(requests)', development.requests, heldBack.requests),
  ].join('\n')
}
