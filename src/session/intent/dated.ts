import type { Passage } from './reading.ts'

// Reading dates costs a hundred times what all the rest does: only so much is read, near words that may name one.
const mostOfHead = 240
const mostOfTail = 120
const before = 12
const after = 24

const mayNameDate =
  /(?:[今明昨前后]|大[前后])[天日晚早年]|[这本上下]个?(?:周|月|星期|礼拜)|周[一二三四五六日天末]|星期|礼拜|月[底初末\d]|\d{1,2}[日号点月]|\d{1,2}:\d{2}|\b(?:to(?:day|morrow|night)|yesterday|(?:next|last|this|past|coming) \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|\d{4}-\d\d|\w+ (?:days?|weeks?|months?|years?|hours?|minutes?) (?:ago|later|from)|in (?:an?|\d+|two|three|a few) \w+|at \d{1,2}|\d{1,2} ?[ap]m)\b/giu

/** The stretches of a text that are read for dates: all of a short one, else what stands around words of time. */
export function datedStretches(text: string, isTail: boolean): readonly Passage[] {
  const most = isTail ? mostOfTail : mostOfHead
  if (text.length <= most) return [{ text, index: 0 }]
  const found: { from: number; to: number }[] = []
  let left = most
  for (const match of text.matchAll(mayNameDate)) {
    const last = found.at(-1)
    const from = Math.max(last?.to ?? 0, match.index - before)
    const to = Math.min(text.length, match.index + match[0].length + after)
    if (to <= from) continue
    if (to - from > left) break
    left -= to - from
    if (last && last.to === from) last.to = to
    else found.push({ from, to })
  }
  return found.map(({ from, to }) => {
    const start = wordStart(text, from)
    return { text: text.slice(start, to), index: start }
  })
}

/** Does not begin in the middle of a word or number. */
function wordStart(text: string, from: number): number {
  let at = from
  while (at > 0 && from - at < 12 && /[a-z0-9]/i.test(text.charAt(at - 1))) at--
  return at
}
