import type { Tool } from '../tool.ts'
import type { RequestWords } from './request-words.ts'
import type { ToolWords } from './tool-words.ts'

// Where a word of the request stands in a tool's definition, and how much it says there.
const inName = 2.5
const inServer = 1.5
const inText = 1
const inArguments = 0.3
const inNot = -0.3
/** How much longer texts have to say for the same: as BM25 has it, 0 (nothing) to 1. */
const lengthPull = 0.5
/** A sum from which on a tool fits to 63 %. */
const enough = 2

// What speaks against a tool, as a factor.
const verbNotAsked = 0.75
const changesThoughAsked = 0.6
const looksThoughTold = 0.85
const nothingButVerb = 0.7
/** Words of less weight than this are no sign of what the request is about. */
const faint = 0.3

/** How well the words of tools fit a request, each 0 to 1, in the tools' order. */
export function wordFits(
  tools: readonly { readonly tool: Tool; readonly words: ToolWords }[],
  wanted: RequestWords,
  question: boolean,
): readonly number[] {
  const rarity = rarities(tools.map(({ words }) => [...words.name, ...words.server, ...words.text]))
  const rarityOfArguments = rarities(tools.map(({ words }) => [...words.all]))
  const mean = tools.reduce((sum, { words }) => sum + words.text.size, 0) / Math.max(1, tools.length)
  return tools.map(({ tool, words }) => {
    const long = 1 - lengthPull + (lengthPull * words.text.size) / mean
    let sum = 0
    let about = 0
    for (const [word, weight] of wanted) {
      const counts = words.name.has(word)
        ? inName * rarity(word)
        : words.server.has(word)
          ? inServer * rarity(word)
          : words.text.has(word)
            ? (inText * rarity(word)) / long
            : words.arguments.has(word)
              ? inArguments * rarityOfArguments(word)
              : 0
      sum += counts * weight
      if (counts === 0 && words.not.has(word)) sum += inNot * weight * rarity(word)
      if (counts > 0 && word !== words.verb) about += weight
    }
    if (sum <= 0) return 0
    const asked = words.verb !== undefined && wanted.has(words.verb)
    const factors = [
      about < faint ? nothingButVerb : 1,
      // What changes something should be asked for by its verb; sharing a noun is not enough.
      tool.effect !== 'read' && !asked ? verbNotAsked : 1,
      tool.effect !== 'read' && question ? changesThoughAsked : 1,
      tool.effect === 'read' && !question && !asked ? looksThoughTold : 1,
    ]
    return 1 - Math.exp(-factors.reduce((all, factor) => all * factor, sum) / enough)
  })
}

/** How little a word is shared among texts, 0 to 1: what many tools say tells little about any of them. */
function rarities(texts: readonly (readonly string[])[]): (word: string) => number {
  const frequency = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(text)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const all = texts.length
  return (word) => {
    const own = frequency.get(word) ?? 0
    return Math.log(1 + (all - own + 0.5) / (own + 0.5)) / Math.log(1 + all)
  }
}

const politeEnglish = /\b(?:can|could|would|will) you\b|\bpl(?:ea)?se?\b/i
const askingEnglish =
  /^(?:(?:hey|hi|so|ok|okay|and|but|well)\b[ ,]*)*(?:who|what|whats|which|when|where|why|how|is|are|do|does|did|has|have|was|were|any)\b/i
const politeChinese = /^(?:请(?!问)|帮|麻烦|把|给)|帮我|麻烦|吧[。！!]?$/u
const askingChinese = /[吗呢？?]|什么|啥|哪|谁|几|多少|有没有|怎么|是不是/u

/** Does somebody ask, rather than tell what to do? */
export function isQuestion(text: string): boolean {
  const said = text.trim()
  if (/\p{Script=Han}/u.test(said)) return askingChinese.test(said) && !politeChinese.test(said)
  return (said.includes('?') || askingEnglish.test(said)) && !politeEnglish.test(said)
}

/** The least number of tools that a similarity is compared among. */
const leastCompared = 12
/** How far above the others a tool's similarity begins to count, and counts whole, in standard deviations. */
const [outstanding, standingAlone] = [1, 3]
/** And which similarity begins to count, and counts whole, by the one from which on the model calls texts alike. */
const [faintlyAlike, wellAlike] = [0.33, 1.1]

/**
 * How well the meanings of tools fit a request, each 0 to 1: by how near a tool is, and by how much nearer than the
 * others, since what counts as near differs from model to model and from request to request.
 * @param alike the similarity from which on the model calls two texts alike
 */
export function meaningFits(
  similarities: readonly (number | undefined)[],
  alike: number,
): readonly number[] | undefined {
  const known = similarities.filter((one) => one !== undefined)
  if (known.length < leastCompared) return undefined
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length
  const spread = Math.sqrt(known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / known.length) || 1
  return similarities.map((one) =>
    one === undefined
      ? 0
      : ramp((one - mean) / spread, outstanding, standingAlone) *
        ramp(one, alike * faintlyAlike, alike * wellAlike),
  )
}

function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
