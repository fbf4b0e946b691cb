/** A clause's condition, and what is left of the clause. */
export interface Conditional {
  readonly condition?: { readonly text: string; readonly negated: boolean; readonly other: boolean }
  /** What is to be done; empty where the clause is the condition alone. */
  readonly rest: string
}

const bare =
  /^(?:and |but |or )?(if (?:not|so|yes|no|none|that's not the case|it isn't|it is|he (?:has|did|is)n't|she (?:has|did|is)n't|they (?:have|did|are)n't)|otherwise|or else|else|in that case)\b[\s,:]*/i
const bareChinese =
  /^(?:但是?|不过|而)?(否则(?:的话)?|不然(?:的话)?|要不然?(?:的话)?|(?:如果|要是|若)?(?:没有?|不是|是|有)的话|(?:如果|要是|若)(?:没有|不是|不行|还没有?|没|有|是)(?=[，,就]))[，,：:\s]*(?:就|再)?/u
const opening =
  /^(?:and |but |or )?((?:if|in case|unless|once(?! more| again)|as soon as|when|after|provided(?: that)?|as long as)\s.+)$/i
const openingChinese =
  /^(?:但是?|不过)?((?:如果|要是|假如|假设|倘若|若是?|万一|一旦|只要|等(?!等|一|会|级|于|待|下))[^，,就则]{1,60}?)(?:的话)?[，,]?\s*(?:就|则|那么?就?)\s*(.*)$/u
const onlyChinese =
  /^(?:但是?|不过)?((?:如果|要是|假如|假设|倘若|若是?|万一|一旦|只要)[^，,]{1,60}?)(?:的话)?[，,。]*$/u
const plainChinese = /^((?:没有?|还没|不|未)[^，,就]{1,12})就(.+)$/u
const unopenedChinese = /^((?:没有?|还没|未|不)[^，,。的]{1,12})的话[，,]?\s*(.*)$/u
const trailing = /^(.{3,}?)[\s,]+((?:if|unless|in case|as long as|provided(?: that)?|once|as soon as)\s.+)$/i
// "Ask whether", "tell me if": the if is what is asked.
const asksWhether =
  /\b(?:great|nice|good|lovely|helpful|awesome|appreciated?|grateful|glad|whether|ask|check|see|know|find out|wonder|tell me|sure|verify|look|mind|possible)\b[^,]*$/i
const negation =
  /\b(?:not|no|none|never|unless|otherwise|else|without|nobody|nothing)\b|n't\b|[没不未无]|否则/i

/** Takes the condition off a clause: "if not, remind him", 如果没提交就提醒他, "remind him unless he did". */
export function readCondition(clause: string): Conditional {
  const text = clause.trim()
  const alone = bare.exec(text) ?? bareChinese.exec(text)
  if (alone) return found(alone[1]!, text.slice(alone[0].length))
  const chinese = openingChinese.exec(text)
  if (chinese) return found(chinese[1]!, chinese[2]!)
  const without = plainChinese.exec(text)
  if (without) return found(without[1]!, without[2]!)
  const unopened = unopenedChinese.exec(text)
  if (unopened) return found(unopened[1]!, unopened[2]!)
  const only = onlyChinese.exec(text) ?? opening.exec(text)
  if (only) return found(only[1]!, '')
  const behind = trailing.exec(text)
  if (behind && !asksWhether.test(behind[1]!)) return found(behind[2]!, behind[1]!)
  return { rest: text }
}

/** Does a clause begin with a condition? */
export function startsWithCondition(clause: string): boolean {
  const text = clause.trim()
  return (
    bare.test(text) ||
    bareChinese.test(text) ||
    unopenedChinese.test(text) ||
    /^(?:and |but )?(?:if|in case|unless|otherwise|or else)\b/i.test(text) ||
    /^(?:但是?|不过)?(?:如果|要是|假如|倘若|若是?|万一|否则|不然|一旦)/u.test(text)
  )
}

function found(words: string, rest: string): Conditional {
  const text = words.trim().replace(/[\s,，.。!！]+$/, '')
  const other = /^(?:otherwise|or else|else|否则|不然|要不)/i.test(text)
  return { condition: { text, negated: negation.test(text), other }, rest: rest.trim() }
}
