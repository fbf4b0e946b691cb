import { englishWords, stem } from '../stems.ts'
import { actions } from './actions.ts'
import { office, ownWork } from './office.ts'
import { sayings } from './sayings.ts'
import type { Sense } from './sense.ts'
import { systems } from './systems.ts'
import { things } from './things.ts'
import { trade } from './trade.ts'

/** A way of saying something, as it is looked for. */
export interface Saying {
  readonly means: readonly string[]
  /** Words in their simplest form, or `~`. */
  readonly words: readonly string[]
}

/** A Chinese way of saying something. */
export interface ChineseSaying {
  readonly means: readonly string[]
  readonly word: string
  /** Where it has a gap. */
  readonly shape?: RegExp
}

const senses: readonly Sense[] = [
  ...actions,
  ...ownWork,
  ...office,
  ...trade,
  ...systems,
  ...things,
  ...sayings,
]
const meansOf = (means: string) => means.split(' ').map(stem)

/** English ways of saying things by their first word. */
export const englishSayings: ReadonlyMap<string, readonly Saying[]> = Map.groupBy(
  senses.flatMap(([means, english]) =>
    english.split(', ').map((saying) => ({
      means: meansOf(means),
      words: saying.split(' ').flatMap((word) => (word === '~' ? ['~'] : englishWords(word))),
    })),
  ),
  ({ words }) => words[0]!,
)

/** Chinese ways of saying things; longer ones first, so that a part of one (发 in 发票) is not taken for a word of its own. */
export const chineseSayings: readonly ChineseSaying[] = senses
  .flatMap(([means, , chinese]) =>
    chinese.split(' ').map((word) => ({
      means: meansOf(means),
      word,
      ...(word.includes('~') ? { shape: new RegExp(word.replaceAll('~', '.{0,6}?')) } : {}),
    })),
  )
  .sort((a, b) => b.word.length - a.word.length)
