import { isSmallTalk } from './chat.ts'
import { readChinese } from './chinese.ts'
import { type Reading, readEnglish } from './english.ts'
import { withoutLeads } from './leads.ts'

/** A clause, read: without what leads up to the request, and what it asks for. */
export interface ReadClause {
  readonly text: string
  /** Missing where it asks for nothing that the rules know. */
  readonly reading?: Reading
  readonly smallTalk: boolean
}

const longestClause = 240
const han = /\p{Script=Han}/u
// When something is to be done may stand before what is to be done.
const leadingTime =
  /^(?:(?:大?[后前]|今|明|昨)[天日晚早](?:上|早|晚)?|[今明后去前]年|(?:这|本|下|上)+一?个?(?:周|星期|礼拜|月)[一二三四五六日天末]?|(?:周|星期|礼拜)[一二三四五六日天末]|上午|下午|早上|晚上|中午|凌晨|傍晚|夜里|[\d一二两三四五六七八九十半]+(?:[:：]\d{2}|点半?钟?|号|日|月(?:底|初|份)?|个?半?(?:小时|钟头|分钟|天|周|星期|月))(?:\d{1,2}分?|[一三]刻)?|每(?:天|日|周|月|年|个?(?:周|星期|礼拜|月))(?:[一二三四五六日天末](?!起|个))?|月底|年底|月初|待会儿?|一会儿?|等会儿?|稍后|晚点|过会儿?)(?:的时候|之前|以前|前|之后|以后|后|的)?[，,\s]*(?=.)/u
const leadingEvent =
  /^\p{Script=Han}{2,4}(?:之前|之后|以前|以后|前|后|时|的时候)[，,]?(?=提醒|通知|叫|告诉|发|给|把|帮|请)/u
const leadingEnglishTime =
  /^(?:(?:today|tonight|tomorrow(?: morning| afternoon| evening| night)?|(?:on |next |this |every )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: morning| afternoon| evening)?|next (?:week|month|year)|(?:at|by|before|after) \d{1,2}(?::\d{2})? ?(?:am|pm)?|in (?:an?|\d+|two|three|five|ten) (?:minutes?|hours?|days?|weeks?))\b[\s,]*)+(?=\S)/i

/** Reads one clause of a message. */
export function readClause(clause: string): ReadClause {
  const led = withoutLeads(clause.slice(0, longestClause).replace(/[\s,，;；]+$/, ''))
  if (led.asks) return { text: led.text, reading: asking, smallTalk: false }
  const smallTalk = !led.asked && isSmallTalk(led.text)
  if (smallTalk) return { text: led.text, smallTalk }
  const reading = han.test(led.text) ? readMixed(led.text, led.asked) : readLatin(led.text, led.asked)
  return { text: led.text, ...(reading ? { reading } : {}), smallTalk }
}

const asking: Reading = { primary: 'query', confidence: 0.85, opens: true }

function readLatin(text: string, asked: boolean): Reading | undefined {
  const reading = readEnglish(text, asked)
  if (reading?.opens) return reading
  const timeless = text.replace(leadingEnglishTime, '')
  return (timeless === text ? undefined : readEnglish(timeless, asked)) ?? reading
}

function readMixed(text: string, asked: boolean): Reading | undefined {
  let timeless = text
  for (let round = 0; round < 4 && leadingTime.test(timeless); round++)
    timeless = timeless.replace(leadingTime, '')
  timeless = timeless.replace(leadingEvent, '')
  // What was an empty beginning may leave a lead bare: 明天九点麻烦提醒我.
  const led = withoutLeads(timeless)
  const isAsked = asked || led.asked
  const latin = /^[a-z]/i.test(led.text) ? readEnglish(led.text, isAsked) : undefined
  return latin?.opens ? latin : (readChinese(led.text, isAsked) ?? latin)
}
