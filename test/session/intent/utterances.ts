import { createHash } from 'node:crypto'
import type { KnownEntity } from '../../../src/session/entities.ts'
import type { Intent, IntentFacts, Modifier, Primary } from '../../../src/session/intent/intent.ts'
import { readIntent } from '../../../src/session/intent/read.ts'
import english from './utterances.en.json' with { type: 'json' }
import chinese from './utterances.zh.json' with { type: 'json' }

/** A message as somebody labelled it by hand. */
export interface Utterance {
  readonly text: string
  readonly primary: Primary
  /** Words that refer to something; not all of them need be named. */
  readonly anchors?: readonly string[]
  readonly modifiers?: readonly Modifier[]
  /** How many things are asked for; one where it is left out. */
  readonly requests?: number
  readonly facts?: { readonly approvalOpen?: boolean }
}

/** The labelled messages of each language. */
export const utterances: Readonly<Record<'en' | 'zh', readonly Utterance[]>> = {
  en: english as readonly Utterance[],
  zh: chinese as readonly Utterance[],
}

/** Is it of the third that no rule was written by? Decided by the text alone, so that it stays the same third. */
export function isHeldBack(utterance: Utterance): boolean {
  return createHash('sha256').update(utterance.text).digest().readUInt32BE(0) % 3 === 0
}

const ticket: KnownEntity = {
  type: 'ticket',
  id: 'T-1042',
  label: 'Printer broken',
  at: '2026-12-02T01:30:00.000Z',
  by: 'Create ticket',
}
const facts: IntentFacts = {
  entities: [ticket],
  people: ['Li Wei', 'Zhang Wei', 'Wang Fang', 'Li Na', '李伟', '张伟', '王芳', '李娜'],
  now: new Date('2026-12-02T02:00:00Z'),
  timeZone: 'Asia/Shanghai',
  approvalOpen: false,
  running: false,
}

/** Reads one as in a session where a ticket was named and some people are known. */
function read(utterance: Utterance): Intent {
  return readIntent(utterance.text, { ...facts, ...utterance.facts })
}

/** How many of how many were right. */
export interface Share {
  readonly right: number
  readonly of: number
}

/** How well messages were understood. */
export interface Accuracy {
  readonly primary: Share
  readonly byIntent: ReadonlyMap<Primary, Share>
  readonly anchors: Share
  readonly modifiers: Share
  readonly requests: Share
}

/** Compares what the rules read with the labels. */
export function accuracyOf(list: readonly Utterance[]): Accuracy {
  const results = list.map((utterance) => ({ utterance, intent: read(utterance) }))
  const share = (of: readonly boolean[]): Share => ({ right: of.filter(Boolean).length, of: of.length })
  const byIntent = new Map<Primary, Share>()
  for (const primary of new Set(list.map((utterance) => utterance.primary))) {
    const own = results.filter(({ utterance }) => utterance.primary === primary)
    byIntent.set(primary, share(own.map(({ intent }) => intent.primary === primary)))
  }
  return {
    primary: share(results.map(({ utterance, intent }) => utterance.primary === intent.primary)),
    byIntent,
    anchors: share(
      results.flatMap(({ utterance, intent }) =>
        (utterance.anchors ?? []).map((words) => intent.anchors.some((anchor) => alike(anchor.words, words))),
      ),
    ),
    modifiers: share(
      results.map(
        ({ utterance, intent }) => (utterance.modifiers ?? []).join(' ') === intent.modifiers.join(' '),
      ),
    ),
    requests: share(
      results.map(
        ({ utterance, intent }) => (utterance.requests ?? 1) === Math.max(1, intent.requests.length),
      ),
    ),
  }
}

// "on Friday" and "Friday" are the same anchor.
function alike(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
  return one.includes(other) || other.includes(one)
}
