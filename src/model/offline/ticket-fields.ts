import type { Language } from '../../base/words.ts'
import { takeWhen } from './when.ts'

/** Fields of a ticket that words set. */
export interface TicketFields {
  readonly title?: string
  readonly status?: 'open' | 'in_progress' | 'resolved' | 'closed'
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent'
  readonly assignee?: string
  readonly due?: string
}

interface Pattern {
  readonly priority: readonly (readonly [TicketFields['priority'], RegExp])[]
  readonly status: readonly (readonly [TicketFields['status'], RegExp])[]
  readonly assignee: RegExp
  readonly due: RegExp
  readonly title: RegExp
}

const level = (words: string) =>
  new RegExp(
    `[,;(\\s-]*\\b(?:(?:with |at )?(?:a )?(?:${words})[ -]priority|priority(?: is| to|:)?\\s*(?:${words})|(?:set|make|change)(?: it)?(?: to)? (?:${words}))\\b\\)?|^\\s*(?:${words})\\s*$|[,;]\\s*(?:${words})\\s*$|\\bto (?:${words})(?: priority)?\\s*$`,
    'i',
  )
const hanLevel = (words: string) =>
  new RegExp(
    `[，,；;（(\\s]*(?:优先级(?:是|为|：|:|改成|改为|设为|调成)?(?:${words})|(?:${words})优先级?的?|(?:改成|改为|设为|设成|调成|标为)(?:${words})(?:优先级)?)[）)]?|^\\s*(?:${words})\\s*$|[，,]\\s*(?:${words})\\s*$`,
  )

const patterns: Readonly<Record<Language, Pattern>> = {
  en: {
    priority: [
      ['urgent', level('urgent|critical|highest')],
      ['high', level('high')],
      ['low', level('low|lowest')],
      ['normal', level('normal|medium')],
    ],
    status: [
      ['in_progress', /\bin progress\b|\bstart(?:ed)? (?:work(?:ing)? )?on\b/i],
      ['resolved', /\b(?:resolve|resolved|solved|fixed|done)\b/i],
      ['closed', /\bclosed?\b/i],
      ['open', /\b(?:re-?open|reopened)\b/i],
    ],
    assignee:
      /[,;(\s]*\b(?:assign(?:ed)?(?: it| this)?(?: to)?|assignee(?: is|:)?|owner(?: is|:)?)\s+(?:to\s+)?(@?[\w-]+(?: [A-Z][\w-]*)*|\p{Script=Han}{2,4})\)?/iu,
    due: /[,;(\s]*\b(?:due(?: date)?(?: is|:| to)?(?: by| on)?|deadline(?: is|:)?|until|by)\s+(.+?)\)?$/i,
    title: /\b(?:rename(?: it)? to|(?:change|set) the title to|title(?: is|:| to))\s+["“]?(.+?)["”]?$/i,
  },
  zh: {
    priority: [
      ['urgent', hanLevel('紧急|最高|加急|特急')],
      ['high', hanLevel('高')],
      ['low', hanLevel('低')],
      ['normal', hanLevel('普通|中|一般|正常')],
    ],
    status: [
      ['in_progress', /处理中|进行中|开始处理/],
      ['resolved', /(?:已|标记为)?(?:解决|修好|完成)了?/],
      ['closed', /关闭|关掉|关了/],
      ['open', /重新打开|重开/],
    ],
    assignee:
      /[，,；;\s]*(?:指派给|分配给|交给|负责人(?:是|为|：|:|改成|改为))\s*([\w@-]+(?: [A-Z][\w-]*)*|\p{Script=Han}{2,4})/u,
    due: /[，,；;\s]*(?:截止(?:日期|时间)?(?:是|为|：|:|到)?|到期(?:日)?(?:是|为|：|:)?)\s*(.+?)(?:之?前)?$/,
    title: /(?:标题|名称)(?:改成|改为|是|：|:)\s*["“]?(.+?)["”]?$|(?:重命名为|改名为)\s*["“]?(.+?)["”]?$/,
  },
}

/** The fields that words set. */
export function readFields(words: string, language: Language): TicketFields {
  const set = patterns[language]
  const title = set.title.exec(words)
  const rest = title ? words.replace(title[0], ' ') : words
  const priority = set.priority.find(([, pattern]) => pattern.test(rest))?.[0]
  const status = set.status.find(([, pattern]) => pattern.test(rest))?.[0]
  const assignee = set.assignee.exec(rest)?.[1]?.replace(/^@/, '')
  const due = dueIn(rest, language)
  return {
    ...(title ? { title: (title[1] ?? title[2] ?? '').trim() } : {}),
    ...(status ? { status } : {}),
    ...(priority ? { priority } : {}),
    ...(assignee ? { assignee } : {}),
    ...(due ? { due } : {}),
  }
}

/** The words without those that set fields: what is left is a title. */
export function withoutFields(words: string, language: Language): string {
  const set = patterns[language]
  let rest = words
  for (const [, pattern] of set.priority) rest = rest.replace(pattern, ' ')
  rest = rest.replace(set.assignee, ' ')
  if (dueIn(words, language)) rest = rest.replace(set.due, ' ')
  return rest
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/\s+([,，.。])/g, '$1')
    .replace(/^[\s,，;；:：]+|[\s,，;；:：]+$/g, '')
}

/** A due date counts only where the words behind it name a time. */
function dueIn(words: string, language: Language): string | undefined {
  const found = patterns[language].due.exec(words)?.[1]
  if (!found) return undefined
  const { when, rest } = takeWhen(found, language, { today: undefined, minutes: undefined })
  return when !== undefined && rest.replace(/[\s,，.。]/g, '') === '' ? when : undefined
}
