import { readAnchors } from './anchors.ts'
import { readClause } from './clause.ts'
import { isCorrection } from './correct.ts'
import { readDecision } from './decision.ts'
import type { Intent, IntentFacts, Primary } from './intent.ts'
import { readModifiers } from './modifiers.ts'
import { passagesOf, sentencesOf } from './reading.ts'
import { readRequests } from './requests.ts'

/**
 * What a message wants, found by rules, without the model: what kind of message it is, what it refers to, how it
 * shall be done, and its requests in their order. A pure function; the time it takes is bounded, whatever the length.
 */
export function readIntent(text: string, facts: IntentFacts): Intent {
  const passages = passagesOf(text)
  const anchors = readAnchors(passages, facts)
  const modifiers = readModifiers(passages.map((passage) => passage.text).join('\n'))
  const requests = readRequests(passages)
  const { primary, confidence } = primaryOf(text, passages, requests, modifiers.length > 0, facts)
  const single = whole.has(primary) || requests.length === 0
  return {
    primary,
    anchors,
    modifiers,
    confidence,
    requests: single
      ? primary === 'chat'
        ? []
        : [{ text: text.slice(0, 300).trim(), primary }]
      : requests.map(({ confidence: _, ...request }) =>
          requests.length === 1 ? { ...request, primary } : request,
        ),
  }
}

// What such a message says is one thing, however many clauses it takes.
const whole: ReadonlySet<Primary> = new Set(['correct', 'confirm', 'chat', 'remember', 'forget'])

// "…, remember that", ……，忘了吧: it is about all that was said before.
const pointsBack = /^\S+ (?:that|this|it)(?: please)?$|^.{2,6}$/i

// "What I said about Bob - forget that": it is about what was said, not a call to stop.
const letsGo =
  /^.{6,300}[,，;；.。\s–—-]\s*(?:please |just |so |请|就|你)*(?:forget (?:that|this|about (?:it|that)|(?<=\b(?:told|said|thing)\b.*)it)|忘[了掉记](?:它|这个)?)[吧了]*[.。!！\s]*$/iu

// "The title is wrong, change it to …": what is asked for is the change.
const thingIsWrong =
  /^(?!(?:不对|错了|不是|no\b|wrong|i\b))[^，,。.]{2,24}(?:错了|不对|有误|\b(?:is|are|was) (?:wrong|incorrect|off))/iu

interface Judged {
  readonly primary: Primary
  readonly confidence: number
}

function primaryOf(
  text: string,
  passages: ReturnType<typeof passagesOf>,
  requests: ReturnType<typeof readRequests>,
  modified: boolean,
  facts: IntentFacts,
): Judged {
  const decision = readDecision(text)
  if (decision?.verdict) {
    // Without a card a yes answers a question, and a turn at work is not what "ok" speaks to.
    const confidence = facts.approvalOpen ? 0.97 : facts.running ? 0.5 : 0.65
    return { primary: decision.verdict === 'confirmed' ? 'confirm' : 'cancel', confidence }
  }
  const kept = requests.find(
    ({ primary, confidence, text: words }, index) =>
      (primary === 'forget' || primary === 'remember') &&
      confidence >= 0.8 &&
      (index === 0 || pointsBack.test(words)),
  )
  if (kept) return kept
  const head = passages[0]?.text ?? ''
  if (letsGo.test(head)) return { primary: 'forget', confidence: 0.75 }
  const changes = requests.find((request) => request.primary === 'modify')
  if (isCorrection(head) && !(changes && thingIsWrong.test(head)))
    return { primary: 'correct', confidence: 0.8 }
  const first = requests[0]
  if (first) return first
  const clauses = passages.flatMap(sentencesOf).map((sentence) => readClause(sentence.text))
  if (clauses.length > 0 && clauses.every((clause) => clause.smallTalk))
    return { primary: 'chat', confidence: 0.85 }
  if (modified) return { primary: 'query', confidence: 0.5 }
  return { primary: 'chat', confidence: clauses.some((clause) => clause.smallTalk) ? 0.6 : 0.4 }
}
