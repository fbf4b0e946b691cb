import type { Anchor, IntentFacts } from './intent.ts'

// Surnames and the titles that follow them: 张工, 王总监, 李经理.
const surnames =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万钱严武戴莫孔向汤'
const titles =
  '工|总监|经理|主管|总裁|总|老师|主任|部长|院长|博士|教授|医生|律师|姐|哥|先生|女士|小姐|处长|科长|局长|书记|董'
const titledChinese = new RegExp(`(?<surname>[${surnames}])(?:${titles})(?!程|作|单|资|结|共|是|会|部)`, 'gu')
const titled =
  /\b(?:Director|Manager|Mr|Mrs|Ms|Miss|Dr|Prof|Professor|President|Engineer|Chairman|Boss)\.? (?<surname>\p{Lu}[\p{L}-]+)(?: \p{Lu}[\p{L}-]+)?/gu
const mention = /(?<![\w.])@(?<name>[\p{L}\d._-]{2,40})/gu
const pronoun = /\b(?:him|he|she|her(?! \w+ (?:is|was))|them)\b|[他她]们?/giu

// Whom one speaks of or turns to, though nobody here knows them yet: "whether Zhang submitted", "remind Bob".
const spokenOf =
  /(?<=\b(?:whether|remind|tell|ask|e-?mail|mail|message|notify|invite|ping|did|has)\s)(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:Director|Manager|Mr|Mrs|Ms|Miss|Dr|Prof|Professor|President|Engineer|Chairman|Boss|Hermes|Slack|Discord)\b)\p{Lu}\p{Ll}[\p{L}'-]*(?:\s\p{Lu}\p{Ll}[\p{L}-]*)?(?<!'s)/gu

/** The most people that one passage is said to name. */
const mostPeople = 24

/** The people that a text names, bound to those who are known here. A title with a surname finds whoever bears it. */
export function readPeople(text: string, facts: IntentFacts): readonly Anchor[] {
  const found: Anchor[] = []
  const add = (words: string, index: number, ids: readonly string[]) => {
    if (found.length >= mostPeople) return
    if (found.some((one) => index < one.index + one.words.length && one.index < index + words.length)) return
    found.push({ words, index, type: 'person', ids, ambiguous: ids.length > 1 })
  }
  const longestFirst = [...new Set(facts.people)].toSorted((a, b) => b.length - a.length)
  const lower = text.toLowerCase()
  for (const name of longestFirst) {
    if (name.length < 2) continue
    for (
      let at = lower.indexOf(name.toLowerCase());
      at !== -1;
      at = lower.indexOf(name.toLowerCase(), at + name.length)
    )
      if (isWhole(text, at, name)) add(text.slice(at, at + name.length), at, [idOf(name, facts)])
  }
  // Who bears no name that is known here is known by the words themselves.
  const orItself = (words: string, ids: readonly string[]) => (ids.length > 0 ? ids : [words])
  for (const match of [...text.matchAll(titled), ...text.matchAll(titledChinese)])
    add(match[0], match.index, orItself(match[0], bearing(match.groups?.surname ?? '', facts)))
  for (const match of text.matchAll(mention))
    add(match[0], match.index, bearing(match.groups?.name ?? '', facts))
  // A first name or surname alone, where it is part of a known name.
  for (const match of text.matchAll(/\p{Lu}[\p{L}-]+/gu)) {
    if (found.length >= mostPeople) break
    const candidates = bearing(match[0], facts)
    if (candidates.length > 0) add(match[0], match.index, candidates)
  }
  for (const match of text.matchAll(spokenOf)) add(match[0], match.index, orItself(match[0], []))
  for (const match of text.matchAll(pronoun)) {
    if (/^them$/i.test(match[0])) continue
    const before = found
      .filter((one) => one.index < match.index)
      .toSorted((a, b) => a.index - b.index)
      .at(-1)
    add(match[0], match.index, before?.ids ?? lastPeople(facts))
  }
  return found
}

function isWhole(text: string, at: number, name: string): boolean {
  if (/\p{Script=Han}$/u.test(name)) return true
  return (
    !/[\p{L}\d]/u.test(text.charAt(at - 1).replace(/\p{Script=Han}/u, '')) &&
    !/[\p{L}\d]/u.test(text.charAt(at + name.length).replace(/\p{Script=Han}/u, ''))
  )
}

/** Known people of whose name a word is a part. */
function bearing(word: string, facts: IntentFacts): readonly string[] {
  const wanted = word.toLowerCase()
  if (wanted === '') return []
  const isChinese = /\p{Script=Han}/u.test(word)
  return [...new Set(facts.people)]
    .filter((name) =>
      isChinese
        ? name.startsWith(word)
        : name
            .toLowerCase()
            .split(/[\s._-]+/)
            .includes(wanted),
    )
    .map((name) => idOf(name, facts))
}

function idOf(name: string, facts: IntentFacts): string {
  const known = facts.entities.findLast(
    (one) => one.type === 'person' && one.label.toLowerCase() === name.toLowerCase(),
  )
  return known?.id ?? name
}

function lastPeople(facts: IntentFacts): readonly string[] {
  const people = facts.entities.filter((one) => one.type === 'person')
  const last = people.at(-1)
  return last ? people.filter((one) => one.at === last.at).map((one) => one.id) : []
}
