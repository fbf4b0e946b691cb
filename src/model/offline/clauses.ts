import { type Language, languageOf } from '../../base/words.ts'
import { partlyAnyCase } from './any-case.ts'

/** One request of a message that may hold several. */
export interface Clause {
  /** Without politeness around it. */
  readonly text: string
  readonly language: Language
}

const borders: Readonly<Record<Language, RegExp>> = {
  en: /[,;]\s+(?:and\s+)?(?:then\s+|also\s+)?|[.!?]\s+(?:and\s+|then\s+|also\s+)*|\s*\n+\s*(?:[-*]\s+|\d+[.)]\s+)?|\s+(?:and|then)\s+(?:then\s+|also\s+)?/gi,
  zh: /[，,；;。！!？?\n]\s*(?:然后|接着|再|并且|并|同时|另外|还有|最后|顺便|也)*\s*|\s*(?:然后|接着|并且)\s*/g,
}
// Only what plainly begins a request divides a message: titles and texts may hold commas and verbs, too.
const beginnings: Readonly<Record<Language, RegExp>> = {
  en: partlyAnyCase(
    `^(?:(?i:please ))?(?:(?i:(?:tomorrow|tonight|next \\w+|on \\w+|in (?:\\w+ ){1,2}\\w+),? (?:please )?))?(?:${[
      '(?i:remind me|set (?:me )?a reminder)\\b',
      '(?i:(?:create|open|file|raise|log) (?:a|an|another) (?:new )?(?:[\\w-]+ )?(?:ticket|issue))\\b',
      '(?i:(?:send|share|forward|post) (?:it|this|that|them|the|a (?:message|note)))\\b',
      '(?i:send|tell|message|let) [#\\p{Lu}]',
      '(?i:remember (?:that|:)|remember:|forget (?:my|that|about))',
      '(?i:summari[sz]e|(?:list|show|find)(?: me)? (?:my|the|all|open)|search (?:for|the))\\b',
      '(?i:(?:close|reopen|resolve|assign|set|update|show|comment on) [a-z]+-\\d)',
    ].join('|')})`,
  ),
  zh: /^(?:请|麻烦|帮我|顺便|再)*(?:(?:[^，,。；;]{0,14})提醒我|(?:给|向)[^，,。；;]{1,12}(?:发|加)(?:个|条|一条)?(?:消息|信息|评论)|发(?:消息|信息)给|(?:把|将)[^，,。；;]{0,14}(?:发|发送|转发|告诉|通知|分享)给?|告诉[^诉我]|通知|(?:创建|新建|建|开|提交?)(?:一)?(?:个|张)?[^，,。；;]{0,6}(?:工单|单子)|记住|记一下|忘记|忘掉|总结|概括|归纳|搜索|查找|列出|查看|关闭\s*T-|设(?:置|个|一个)[^，,。；;]{0,3}提醒)/,
}
const questionBeginnings = /^(?:what|who|where|when|how|which|do you|can you|could you)\b/i

const polite: Readonly<Record<Language, readonly RegExp[]>> = {
  en: [
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| hermes)?\s*[,.!]\s*(?=\S)/i,
    /^(?:ok|okay|so|well|also|and|then|now)[,.]?\s+(?=\S)/i,
    /^(?:please|kindly|could you|can you|would you|will you|i(?:'d| would) like you to|i(?:'d| would) like to|i want you to|i need you to|go ahead and)\s+(?:please\s+)?(?:also\s+)?/i,
    /[\s,]*(?:,? please|thanks(?: a lot)?|thank you(?: very much)?|thx)[.!\s]*$/i,
  ],
  zh: [
    /^(?:你好|您好|嗨|早上好|下午好|晚上好)(?:，|,|。|！|!|\s)+(?=\S)/,
    /^(?:好的?|嗯|那|那么)[，,]\s*(?=\S)/,
    /^(?:请问?|麻烦(?:你|您)?|劳驾)?(?:(?:你|您)?(?:能不能|能否|可不可以|可以|能)?(?:帮我|帮忙|替我|请))?\s*(?=\S)/,
    /[，,。\s]*(?:谢谢(?:你|您|啦)?|多谢|好吗|可以吗)[。！!？?\s]*$/,
  ],
}

/** Divides a message into its requests. */
export function readClauses(message: string, language: Language): Clause[] {
  const parts: string[] = []
  let from = 0
  for (const border of message.matchAll(borders[language])) {
    const next = message.slice(border.index + border[0].length)
    const ends = /[.!?\n]/.test(border[0])
    if (border.index <= from) continue
    if (!beginnings[language].test(next) && !(ends && questionBeginnings.test(next))) continue
    parts.push(message.slice(from, border.index + (/[?？]/.test(border[0]) ? 1 : 0)))
    from = border.index + border[0].length
  }
  parts.push(message.slice(from))
  return parts
    .map((part) => courteous(part, language))
    .filter((text) => text !== '')
    .map((text) => ({ text, language }))
}

/** A request without greeting, please and thanks. A mere greeting stays. */
function courteous(text: string, language: Language): string {
  let rest = text.trim()
  for (const pattern of polite[language]) {
    const shorter = rest.replace(pattern, '').trim()
    if (shorter !== '') rest = shorter
  }
  // "Can you create a ticket?" asks for the ticket, not for an answer.
  return /^(?:can|could|would|will) you\b/i.test(text.trim()) ? rest.replace(/\?$/, '') : rest
}

/** A clause for one message as it stands. */
export function wholeClause(text: string): Clause {
  const language = languageOf(text)
  return { text: courteous(text, language), language }
}
