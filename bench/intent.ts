// How well and how fast messages are understood by rules, without the model: accuracy by intent on the labelled
// messages, on those that the rules were written by and on the third that was held back, and the time per message.
//
//   node bench/intent.ts
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readIntent } from '../src/session/intent/read.ts'
import { awkwardTexts, longText } from '../test/session/intent/texts.ts'
import {
  type Accuracy,
  accuracyOf,
  isHeldBack,
  type Share,
  utterances,
} from '../test/session/intent/utterances.ts'

/** The figures of one language. */
interface LanguageFigures {
  readonly language: 'en' | 'zh'
  readonly development: Accuracy
  readonly heldBack: Accuracy
}

/** What was measured; times in ms. */
export interface IntentFigures {
  readonly languages: readonly LanguageFigures[]
  /** The labelled messages, each read on its own. */
  readonly usual: { readonly count: number; readonly p50: number; readonly p95: number; readonly max: number }
  /** Texts of 2,000 characters that are full of what makes reading slow. */
  readonly awkward: {
    readonly count: number
    readonly p50: number
    readonly p95: number
    readonly max: number
  }
  /** The slowest of some texts of 100,000 characters. */
  readonly longest: number
}

/** Measures accuracy and time of the rules. Each text is read `rounds` times. */
export function measureIntent(rounds = 5): IntentFigures {
  const languages = (['en', 'zh'] as const).map((language) => ({
    language,
    development: accuracyOf(utterances[language].filter((one) => !isHeldBack(one))),
    heldBack: accuracyOf(utterances[language].filter(isHeldBack)),
  }))
  const all = [...utterances.en, ...utterances.zh].map((one) => one.text)
  return {
    languages,
    usual: spread(timesOf(all, rounds)),
    awkward: spread(timesOf(awkwardTexts(2_000), rounds)),
    longest: Math.max(...timesOf([...awkwardTexts(100_000), longText(100_000)], 2)),
  }
}

function timesOf(texts: readonly string[], rounds: number): readonly number[] {
  const facts = {
    entities: [],
    people: ['Li Wei', 'Wang Fang', '李娜'],
    now: new Date('2026-12-02T02:00:00Z'),
    timeZone: 'Asia/Shanghai',
    approvalOpen: false,
    running: false,
  }
  for (const text of texts.slice(0, 200)) readIntent(text, facts)
  return Array.from({ length: rounds }, () => texts).flatMap((list) =>
    list.map((text) => {
      const began = performance.now()
      readIntent(text, facts)
      return performance.now() - began
    }),
  )
}

function spread(times: readonly number[]): IntentFigures['usual'] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 }
}

/** The figures as a text to read. */
export function showIntentFigures(figures: IntentFigures): string {
  const { usual, awkward, longest } = figures
  const time = (ms: number) => `${ms.toFixed(2)} ms`
  return [
    ...figures.languages.flatMap(({ language, development, heldBack }) => [
      `${language}: ${percent(development.primary)} on the development part, ${percent(heldBack.primary)} on the held-back third`,
      ...[...heldBack.byIntent].map(
        ([primary, share]) =>
          `  ${primary.padEnd(9)} ${percent(development.byIntent.get(primary) ?? { right: 0, of: 0 }).padEnd(18)} ${percent(share)}`,
      ),
      ...(['anchors', 'modifiers', 'requests'] as const).map(
        (part) => `  (${part}) ${percent(development[part])}, ${percent(heldBack[part])}`,
      ),
    ]),
    `a message: p50 ${time(usual.p50)}, p95 ${time(usual.p95)}, max ${time(usual.max)} (${usual.count})`,
    `2,000 awkward characters: p50 ${time(awkward.p50)}, p95 ${time(awkward.p95)}, max ${time(awkward.max)} (${awkward.count})`,
    `100,000 characters: at most ${time(longest)}`,
  ].join('\n')
}

function percent({ right, of }: Share): string {
  return of === 0 ? 'none' : `${((100 * right) / of).toFixed(1)} % (${right}/${of})`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(showIntentFigures(measureIntent()))
