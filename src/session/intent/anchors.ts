import { readDates, writeDate } from '../../search/dates.ts'
import { idShapes, type KnownEntity } from '../entities.ts'
import { datedStretches } from './dated.ts'
import type { Anchor, IntentFacts } from './intent.ts'
import { kindOf, kindWords, ofKind } from './kinds.ts'
import { readPeople } from './naming.ts'
import type { Passage } from './reading.ts'
import { byList, newest, others } from './salience.ts'

/** The most that are looked for by one rule in one passage. */
const mostOfAKind = 24
/** The most anchors that one message is said to have. */
const mostAnchors = 16

/** Words that refer to something, bound to what they refer to. */
export function readAnchors(passages: readonly Passage[], facts: IntentFacts): readonly Anchor[] {
  const found: Anchor[] = []
  for (const passage of passages) {
    const taken: Anchor[] = []
    const take = (anchors: readonly Anchor[]) => {
      for (const anchor of anchors.slice(0, mostOfAKind))
        if (!taken.some((other) => overlaps(other, anchor))) taken.push(anchor)
    }
    const { text } = passage
    take(explicit(text))
    take(belongings(text, facts))
    take(ordinals(text, facts))
    take(dates(passage, facts))
    take(demonstratives(text, facts, taken))
    take(readPeople(text, facts))
    take(pronouns(text, facts, taken))
    found.push(
      ...taken
        .toSorted((a, b) => a.index - b.index)
        .map((anchor) => ({ ...anchor, index: anchor.index + passage.index })),
    )
  }
  return found.slice(0, mostAnchors)
}

function overlaps(a: Anchor, b: Anchor): boolean {
  return a.index < b.index + b.words.length && b.index < a.index + a.words.length
}

function bound(
  match: RegExpExecArray,
  type: string,
  candidates: readonly KnownEntity[],
  sure = false,
): Anchor {
  const ids = [...new Set(candidates.map((one) => one.id))]
  return {
    words: match[0].trim(),
    index: match.index + (match[0].length - match[0].trimStart().length),
    type: candidates.length === 1 ? candidates[0]!.type : type,
    ids: sure ? ids.slice(0, 1) : ids,
    ambiguous: !sure && ids.length > 1,
  }
}

/** Ids, links and file names as they stand. */
function explicit(text: string): readonly Anchor[] {
  return idShapes.flatMap(({ type, shape }) =>
    [...text.matchAll(shape)].map((match) => ({
      words: match[0],
      index: match.index,
      type,
      ids: [match[0]],
      ambiguous: false,
    })),
  )
}

function dates(passage: Passage, facts: IntentFacts): readonly Anchor[] {
  return datedStretches(passage.text, passage.index > 0).flatMap((stretch) =>
    datesIn(stretch.text, stretch.index, facts),
  )
}

function datesIn(text: string, from: number, facts: IntentFacts): readonly Anchor[] {
  return readDates(text, {
    now: facts.now,
    timeZone: facts.timeZone,
    lean: /\b(?:did|was|were|had|what happened|yesterday|ago|last)\b|[了过]|已经|之前/i.test(text)
      ? 'past'
      : 'future',
  })
    .filter((range) => range.hasDay)
    .map((range) => ({
      words: range.text,
      index: range.index + from,
      type: 'date',
      ids: [],
      range: {
        start: range.start.toISOString(),
        end: range.end.toISOString(),
        written: writeDate(range, facts.timeZone),
      },
      ambiguous: false,
    }))
}

const english = `(?:${kindWords.en})s?`
const chinese = `(?:${kindWords.zh})`
const counters = '(?:一)?(?:个|张|份|封|条|笔|场|次|篇|项|单)'

// "Li Wei's version", 李伟的那个版本: what somebody named or made.
const owned = new RegExp(
  String.raw`(?<name>\p{Lu}[\p{L}.-]*(?: \p{Lu}[\p{L}.-]*)?)'s (?<thing>(?:latest |last |own )?(?:version|one|draft|copy|${english}))\b`,
  'gu',
)
const ownedChinese = new RegExp(
  `(?<name>\\p{Script=Han}{2,4}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\\s?的(?:那|这|最新)?(?:一)?(?:个|份|张|条|封)?(?<thing>版本|草稿|副本|${chinese})`,
  'gu',
)

function belongings(text: string, facts: IntentFacts): readonly Anchor[] {
  return [...text.matchAll(owned), ...text.matchAll(ownedChinese)].flatMap((match) => {
    const given = match.groups?.name ?? ''
    const name = facts.people.find((person) => given.toLowerCase().endsWith(person.toLowerCase()))
    // 上周的工单 is nobody's; a name that is not known must look like one.
    if (!name && !/^\p{Lu}[\p{L}.-]* \p{Lu}/u.test(given)) return []
    const cut = name ? given.length - name.length : 0
    const thing = match.groups?.thing ?? ''
    const kind = kindOf(thing)
    const theirs = facts.entities.filter(
      (one) =>
        one.type !== 'date' &&
        one.type !== 'person' &&
        sameName(one.by, name ?? given) &&
        (kind === undefined || ofKind(one, kind)),
    )
    const isLast = /latest|last|最新/.test(match[0])
    const anchor = bound(match, kind ?? 'any', newest(theirs), isLast)
    return [{ ...anchor, words: anchor.words.slice(cut), index: anchor.index + cut }]
  })
}

function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}

const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const ordinal = new RegExp(
  String.raw`(?<![\w-])(?:the )?(?:(?<word>${places.join('|')}|last|\d{1,2}(?:st|nd|rd|th)) (?<noun>ones?|${english})|(?:number|no\.|item|option|#) ?(?<digit>\d{1,2})(?![\d-]))\b|\bthe (?<alone>${places.join('|')})(?=\s*(?:[.,!?;]|$|please\b|and the\b))`,
  'gi',
)
const ordinalChinese = new RegExp(
  `第(?<digit>[一二两三四五六七八九十]|\\d{1,2})(?:个|张|份|封|条|笔|项|篇)(?<noun>${chinese})?|(?<last>最后)一?(?:个|张|份|封|条|笔|项)(?<lastNoun>${chinese})?`,
  'gu',
)

function ordinals(text: string, facts: IntentFacts): readonly Anchor[] {
  return [...text.matchAll(ordinal), ...text.matchAll(ordinalChinese)].map((match) => {
    const groups = match.groups ?? {}
    const word = (groups.word ?? groups.alone)?.toLowerCase()
    const digit = groups.digit
    const place =
      word === 'last' || groups.last
        ? -1
        : word
          ? places.indexOf(word) + 1 || Number.parseInt(word, 10)
          : /\d/.test(digit ?? '')
            ? Number(digit)
            : '一二三四五六七八九十'.indexOf((digit ?? '').replace('两', '二')) + 1
    const noun = groups.noun ?? groups.lastNoun
    const kind = noun ? kindOf(noun) : undefined
    const lists = byList(kind ? facts.entities.filter((one) => ofKind(one, kind)) : facts.entities)
    // "The last ticket" is the newest one where nothing was listed.
    if (lists.length === 0 && place === -1)
      return bound(match, kind ?? 'any', newest(others(facts, kind)), true)
    const at = (list: readonly KnownEntity[]) => (place === -1 ? list.at(-1) : list[place - 1])
    return bound(
      match,
      kind ?? 'any',
      lists.flatMap((list) => at(list) ?? []),
    )
  })
}

const demonstrative = new RegExp(
  String.raw`\b(?:(?<recent>(?:the|my|that|this) (?:last|latest|previous|newest|most recent))|(?<same>the (?:same|above))|(?<that>that|this|those|these)|(?<other>the other)|the) (?<noun>${english})\b`,
  'gi',
)
const demonstrativeChinese = new RegExp(
  `(?<recent>刚才|刚刚|刚|上次|上回|最近|最后|最新)?(?:提到|说|建|发|订|创建)?的?(?:(?<that>那|这|该|此)(?:${counters}|几个|些)?|(?<before>上|前)一(?:个|张|份|封|条|笔|次)|(?<other>另)外?一?(?:个|张|份|封|条|笔))的?(?<noun>${chinese})|(?<late>刚才|刚刚|上次)(?:提到|说|建|发|订|创建)?的(?<lateNoun>${chinese})`,
  'gu',
)

function demonstratives(text: string, facts: IntentFacts, taken: readonly Anchor[]): readonly Anchor[] {
  return [...text.matchAll(demonstrative), ...text.matchAll(demonstrativeChinese)].flatMap((match) => {
    const groups = match.groups ?? {}
    const kind = kindOf(groups.noun ?? groups.lateNoun ?? '')
    if (kind === undefined) return []
    const known = others(facts, kind)
    const points = groups.that ?? groups.same ?? groups.recent ?? groups.other ?? groups.before ?? groups.late
    // "The ticket" alone may be one that is yet to be made.
    if (points === undefined && known.length === 0) return []
    const inText = taken.findLast(
      (anchor) => anchor.index < match.index && anchor.type === kind && anchor.ids.length === 1,
    )
    if (inText && !groups.other) return [{ ...bound(match, kind, []), ids: inText.ids, type: inText.type }]
    if (groups.other) {
      const latest = newest(known)
      return [bound(match, kind, known.filter((one) => !latest.includes(one)).toReversed())]
    }
    const isLatest = /last|latest|newest|recent|最后|最新|最近/i.test(groups.recent ?? '')
    return [bound(match, kind, newest(known), isLatest)]
  })
}

const pronoun =
  /\b(?:it|them|this one|that one)\b|(?<=\b(?:do|undo|cancel|close|delete|send|change|move|open|reopen|update|resolve|book|stop|about|with|for|on|drop|remove|approve|check|show|explain|assign|mail|forward|share) )(?:that|this|these|those)\b(?=\s*(?:$|[.,!?;]|please\b|again\b|now\b|too\b|to\b|into\b|from\b|for\b|by\b|until\b))|它们?|[那这](?:个|张|份|封|条|笔)(?=$|[\s，。！？,.!?]|吧|呢|也|和|是|取消|关|删|改|发|给|撤|退|换|重)/giu
// "It is raining", "is it possible": it stands for nothing.
const standsForNothing =
  /^it(?:'s| is| was| would be|'d be|'ll be| will be)? (?:raining|snowing|cold|hot|warm|late|early|possible|ok|okay|fine|great|nice|good|best|better|time|true|clear|important|necessary|easy|hard|likely|urgent|monday|tuesday|wednesday|thursday|friday|saturday|sunday|depends|seems|appears|looks like|takes|helps)\b/i
const makesNothing = /\b(?:is|was|would|does|make|if) $/i
// A thing that the message itself brings in: "mail the report to Li and archive it".
const broughtIn =
  /\b(?:an?|the|my|our|your|his|her|their|some|new) (?!(?:mind|favou?r|problem|rest|same|best|moment|minute|second|bit|lot|while|way|time)\b)[a-z]{3,}|[一这那几](?:个|张|份|封|条|笔|下)(?!吧)\p{Script=Han}{2,}|把\p{Script=Han}{2,}/iu

function pronouns(text: string, facts: IntentFacts, taken: readonly Anchor[]): readonly Anchor[] {
  return [...text.matchAll(pronoun)].flatMap((match) => {
    const rest = text.slice(match.index, match.index + 40)
    const before = text.slice(Math.max(0, match.index - 200), match.index)
    if (standsForNothing.test(rest)) return []
    if (
      /^it$/i.test(match[0]) &&
      makesNothing.test(before) &&
      /^it (?:possible|ok|okay|true|time|rain\w*)\b/i.test(rest)
    )
      return []
    const inText = taken.findLast(
      (anchor) => anchor.index < match.index && anchor.type !== 'date' && anchor.type !== 'person',
    )
    if (inText) return [{ ...inText, words: match[0], index: match.index }]
    if (broughtIn.test(before)) return []
    return [bound(match, 'any', newest(others(facts)))]
  })
}
