import { readClause } from './clause.ts'
import { type Conditional, readCondition, startsWithCondition } from './condition.ts'
import type { Reading } from './english.ts'
import { mayBeNoun } from './english-verbs.ts'
import type { Condition, Request } from './intent.ts'
import { type Passage, sentencesOf } from './reading.ts'

/** The most requests that the beginning of a message is taken apart into, and its end where it is a long one. */
const mostRequests = 8
/** The most places where a message is looked at for a new request. */
const mostPlaces = 80

/** A request with how sure its reading is. */
export interface FoundRequest extends Request {
  readonly confidence: number
}

/** What a message asks for, in its order, with the conditions that hold between its parts. */
export function readRequests(passages: readonly Passage[]): readonly FoundRequest[] {
  const found: FoundRequest[] = []
  let places = mostPlaces
  let pending: (Omit<Condition, 'dependsOn'> & { readonly other?: boolean }) | undefined
  for (const passage of passages) {
    const most = found.length + mostRequests
    for (const sentence of sentencesOf(passage)) {
      const clauses = clausesOf(sentence.text, places)
      places = Math.max(0, places - clauses.places)
      for (const [position, clause] of clauses.texts.entries()) {
        const isLast = position === clauses.texts.length - 1
        const { condition, rest } = conditional(clause, isLast)
        if (condition) pending = condition
        if (
          rest === '' ||
          ((found.length > 0 || !isLast) && qualifies.test(rest)) ||
          (!isLast && changedMind.test(rest))
        )
          continue
        const { reading, text } = readClause(rest)
        if (!reading || (position > 0 && !reading.opens && !condition)) continue
        if (found.length >= most) continue
        const before = found.at(-1)
        if (before?.primary === reading.primary && pointsBack.test(text)) continue
        if (before?.primary === 'modify' && /^(?:不要|不是|别|而不是)\S{1,6}$/u.test(text)) continue
        if (before?.primary === 'query' && /^提醒我一下$/.test(text)) continue
        if (reading.primary === 'cancel' && callsOff.test(before?.text ?? '')) continue
        // "We are not going, so cancel the tickets": the first says why.
        if (reading.primary === 'cancel' && before?.primary === 'cancel' && tellsWhy.test(before.text))
          found.pop()
        found.push(requestOf(text, reading, found, pending))
        pending = undefined
      }
    }
  }
  return found
}

// "Don't use the cached one" says how; "I changed my mind" says why.
const qualifies =
  /^(?:and |but )?(?:please )?(?:(?:don't|dont|do not|not) (?:use|take|rely)|(?:不要?|别)(?:用|走|读))/iu
const changedMind = /^(?:(?:i|we)(?:'ve| have)? changed (?:my|our) minds?|(?:我|我们)改(?:了)?主意了?)$/iu

// "It should be 10, please change that".
const pointsBack =
  /^(?:\w+ (?:that|it|this|one|some)(?: please)?|(?:麻烦|请)?(?:改|换|调整?|修改)(?:一?下|过来|掉)吧?)[.。!！]*$/iu
const tellsWhy = /^(?:(?:i|we)\b|(?:我|我们|咱们?)(?!把|要取消)|[^取删撤退]{1,8}了$)/iu
const callsOff = /^(?:never ?mind|forget it|stop|no|算了|不用了?|不要了?|停)吧?$/i

/** A condition with nothing behind it, at the end of a sentence, is none: "when will it be fixed?" */
function conditional(clause: string, isLast: boolean): Conditional {
  const read = readCondition(clause)
  return isLast && read.rest === '' && !/^(?:if (?:not|so)|otherwise|否则)/i.test(clause)
    ? { rest: clause }
    : read
}

function requestOf(
  text: string,
  reading: Reading,
  before: readonly FoundRequest[],
  condition: { readonly text: string; readonly negated: boolean; readonly other?: boolean } | undefined,
): FoundRequest {
  const dependsOn = condition ? decidedBy(before, condition.other ?? false) : undefined
  return {
    text: text.replace(/[\s,，;；.。!！]+$/, ''),
    primary: reading.primary,
    confidence: reading.confidence,
    ...(condition
      ? {
          condition: {
            text: condition.text,
            negated: condition.negated,
            ...(dependsOn === undefined ? {} : { dependsOn }),
          },
        }
      : {}),
    ...(before.length > 0 ? { after: before.length - 1 } : {}),
  }
}

/** The request whose outcome a condition speaks of: the last that finds something out; for "otherwise", that of the other branch. */
function decidedBy(before: readonly FoundRequest[], other: boolean): number | undefined {
  const last = before.at(-1)
  if (other && last?.condition) return last.condition.dependsOn
  const asked = before.findLastIndex((request) => request.primary === 'query' && !request.condition)
  if (asked !== -1) return asked
  return before.length > 0 ? before.length - 1 : undefined
}

// Where another request may begin: at a comma, before a word that joins, after a condition.
const joints =
  /[,;，；、]\s*|\s+[—–-]\s+|\s+(?=(?:and|then|but|otherwise)\b)|(?=然后|接着|随后|最后|并(?!不|非|没)|同时|顺便|(?<![不用要必别想会])再(?!次|见|也|说|度|三|者)|以及|否则|不然)|(?<=的话)|\s+(?=if (?:not|so)\b)/giu
// 收件人改一下，换成李娜: the first says that, the second how.
const announces = /(?:改|换|调整?|修改)一下$/u
const bareAnd = /^\s+$/
const saysTo =
  /\b(?:remind|tell|ask|want|get|invite|order|need|like|help)\b.* to \w+|\b(?:that|whether|because|since)\b/i
const tellsOn = /^(?:提醒|告诉|通知|叫|让|跟|请)[^，,]{1,20}$/u

function clausesOf(
  sentence: string,
  most: number,
): { readonly texts: readonly string[]; readonly places: number } {
  const texts: string[] = []
  let from = 0
  let places = 0
  for (const joint of sentence.matchAll(joints)) {
    if (places >= most) break
    places++
    const at = joint.index + joint[0].length
    const rest = sentence.slice(at, at + 160)
    const clause = sentence.slice(from, joint.index)
    if (clause.trim() === '' || !beginsAnew(rest, clause, joint[0])) continue
    texts.push(clause)
    from = at
  }
  texts.push(sentence.slice(from))
  return { texts, places }
}

function beginsAnew(rest: string, clause: string, joint: string): boolean {
  if (startsWithCondition(rest)) return true
  if (announces.test(clause)) return false
  // A condition ends where what it is for begins.
  const inCondition = startsWithCondition(clause)
  const { reading, text } = readClause(rest)
  if (!reading?.opens) return inCondition && reading !== undefined && /^[,，]/.test(joint)
  if (inCondition) return true
  if (bareAnd.test(joint) && /^and\s+(?!then|also|finally|either way|in any case)/i.test(rest)) {
    // "Remind me to call the bank and book a table": both are what to be reminded of.
    return !saysTo.test(readClause(clause).text) && text.length < rest.length && !mayBeNoun(text)
  }
  // 提醒他再发一次: one request. A joint without a mark needs a request on both sides.
  if (joint === '' && !/^(?:然后|接着|随后|最后|同时|顺便|以及)/u.test(rest)) {
    const before = readClause(clause)
    return before.reading?.opens === true && !tellsOn.test(before.text)
  }
  return true
}
