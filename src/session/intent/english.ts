import { type Rule, rules } from './english-rules.ts'
import { asks, isNoun, spelledAsQuestion, startsWithVerb, verbOf } from './english-verbs.ts'
import type { Primary } from './intent.ts'

/** What a clause is, and how sure that is. */
export interface Reading {
  readonly primary: Primary
  readonly confidence: number
  /** It begins as a request does, with a verb: what comes before it is another request. */
  readonly opens: boolean
}

const question: Rule = [/[?？]\s*$/, 'query', 0.75]
// "Grab me a seat": whatever the verb means, something shall be done.
const imperative =
  /^(?!(?:i|you|he|she|it|we|they|there|here|this|that|these|those|the|a|an|my|your|our|his|her|its|their|some|any|no|not|in|on|at|by|for|from|with|about|of|to|as|than|but|because|since|so|too|very|just|only|even|still|already|almost|maybe|perhaps|hope|love|like|hate|sounds|looks|seems|feels|thank|thanks|hi|hey|hello|bye|good|bad|nice|great|what|who|how|why|when|where|both|all|each|every|one|two|three|after|before|during|until|while|though|although|if|once|finally|luckily|sadly|unfortunately|today|tomorrow|yesterday|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|people|everyone|everybody|nobody|somebody|someone|nothing|something|everything|happy|merry|sorry|got|saw|had|went|came|heard|found|made|done|phew|haha|wow|yay|lol)\b)[a-z]{3,12}(?<!ing|ed|ly|ness|tion) (?:me|us|the|an?|my|our|all|this|that|these|those|him|them|everyone|everybody|some|two|three|T-\d+)\b/

const namesSomeone =
  /^[a-z]{3,10}(?<!ing|ed|ly|s) (?:\p{Lu}[\p{L}-]+ )+(?:an?|the|my|our|some|that|to|for|about)\b/u

/** Reads a clause in English, without what leads up to it. `asked` says that the words ask for it to be done. */
export function readEnglish(clause: string, asked: boolean): Reading | undefined {
  const text = clause.toLowerCase().replace(/\s+/g, ' ').trim()
  const rule = rules.find(([pattern]) => pattern.test(text))
  if (rule) return { primary: rule[1], confidence: rule[2], opens: startsWithVerb(clause, asked) || asked }
  const word = /^[a-z][a-z'-]*/.exec(text)?.[0] ?? ''
  const bare = word.replaceAll("'", '')
  const contracted = /^(?:what|who|where|when|how|why)'?(?:s|re|d|ll)$/.test(word)
  if (!asked && (asks.has(word.endsWith("n't") ? bare : word) || contracted)) {
    return { primary: 'query', confidence: /[?]/.test(text) ? 0.9 : 0.8, opens: false }
  }
  if (/^what an? /.test(text)) return undefined
  const verb = verbOf(word, asked)
  if (verb && (asked || !isNoun(verb.word, clause))) {
    return { primary: verb.primary, confidence: verb.exact ? 0.85 : 0.65, opens: true }
  }
  if (!verb && spelledAsQuestion(word)) return { primary: 'query', confidence: 0.65, opens: false }
  if (question[0].test(text)) return { primary: question[1], confidence: question[2], opens: false }
  // "I need somebody to come and fix it": a wish, though the verb is not known.
  if (asked) return { primary: 'action', confidence: 0.6, opens: true }
  if (imperative.test(text) || namesSomeone.test(clause))
    return { primary: 'action', confidence: 0.55, opens: false }
  return undefined
}
