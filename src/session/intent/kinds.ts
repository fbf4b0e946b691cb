import type { KnownEntity } from '../entities.ts'

// The words for kinds of things; the kind is the entity's type, or what its id begins with.
const kinds: readonly { readonly kind: string; readonly en: string; readonly zh: string }[] = [
  { kind: 'ticket', en: 'ticket|issue|bug', zh: '工单|单子|票' },
  { kind: 'order', en: 'order', zh: '订单' },
  { kind: 'invoice', en: 'invoice|bill', zh: '发票|账单' },
  { kind: 'reminder', en: 'reminder', zh: '提醒' },
  { kind: 'document', en: 'document|doc|file|report|guide|pdf', zh: '文档|文件|报告|资料' },
  { kind: 'link', en: 'link|url|page', zh: '链接|网页' },
  { kind: 'message', en: 'message|mail|email|note', zh: '邮件|消息' },
  { kind: 'meeting', en: 'meeting|event|appointment|booking|call', zh: '会议|日程|预约|会(?!议)' },
  { kind: 'claim', en: 'claim|expense|request', zh: '报销单?|申请' },
  { kind: 'memory', en: 'memory|fact', zh: '记忆' },
  { kind: 'task', en: 'task|todo', zh: '任务|待办' },
]

/** All the words, as alternatives of a pattern. */
export const kindWords = {
  en: kinds.map((one) => one.en).join('|'),
  zh: kinds.map((one) => one.zh).join('|'),
}

const patterns = kinds.map((one) => ({
  kind: one.kind,
  word: new RegExp(`^(?:(?:${one.en})s?|${one.zh})$`, 'i'),
}))

/** The kind that a word names. */
export function kindOf(word: string): string | undefined {
  const plain = word.trim().toLowerCase()
  return patterns.find((one) => one.word.test(plain))?.kind
}

/** Is a thing of a kind: by its type, by its id (ORD-17 is an order), or by what it is called? */
export function ofKind(one: KnownEntity, kind: string): boolean {
  if (one.type === kind) return true
  if (one.type !== 'id') return false
  const prefix = /^[A-Z]+/.exec(one.id)?.[0].toLowerCase() ?? ''
  return prefix.length >= 2 && (kind.startsWith(prefix) || prefix.startsWith(kind.slice(0, 3)))
}
