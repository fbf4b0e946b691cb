import type { Tool } from '../tool.ts'
import { propertiesOf } from './json-schema.ts'

const marks: readonly RegExp[] = [
  // A whole value in angle brackets that is words: <ticket id from above>, <工单号>. No link, mention or address.
  /^\s*<{1,2}\p{L}[\p{L}\p{N}\s_'’-]{0,80}>{1,2}\s*$/u,
  /^\s*〈[^〈〉]{1,80}〉\s*$/,
  // In brackets that people use, too, only what speaks of another call: 【上一步的结果】, [output of list_tickets].
  /^\s*[「【][^「」【】]{0,80}(?:result|output|response|returned|previous|call|step|结果|返回|输出|上一步)[^「」【】]{0,80}[」】]\s*$/i,
  /^\s*[[({«]\s*(?:the |insert |use |new )?(?:results?|outputs?|response|ids?|value|answer) (?:of|from)\b[^[\]{}]{0,80}[\])}»]\s*$/i,
  /^\s*\{\{[^{}]{1,80}\}\}\s*$/,
  /^\s*\$?\{[a-z][\w.-]{0,60}\}\s*$/i,
  /^\s*\$[a-z][a-z0-9]*(?:_\w+|\.[a-z]\w*)[\w.]{0,60}\s*$/,
  // Inside a text, too: {{call_1.id}}, ${step1.output}, $call_1.id, RESULT_OF_CALL_1, T-<id>.
  /\{\{[^{}]{0,40}(?:call|step|result|output|response|tool|\bid\b|_id\b)[^{}]{0,40}\}\}/i,
  /\$\{[^{}]{0,40}(?:call|step|result|output|response|tool)[^{}]{0,40}\}/i,
  /(?<![\w$])\$(?:call|step|result|output|tool|prev)\w{0,20}(?:[.[]\w{1,40}\]?)+/i,
  /\b(?:RESULT|OUTPUT|ID)_(?:OF|FROM)_[A-Z0-9_]{1,40}\b/,
  /<(?:[a-z]{1,20}[ _-])?(?:id|number)>|<(?:编号|工单号|单号)>/i,
  /^https?:\S*(?:\{\w{1,40}\}|<\w{1,40}>)/i,
]

/** The first value in which a model left a place for what another call of the same step would give. */
export function placeholderIn(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const text = value.slice(0, 20_000)
    return marks.some((mark) => mark.test(text)) ? value.slice(0, 80).toWellFormed() : undefined
  }
  if (!value || typeof value !== 'object') return undefined
  for (const inner of Object.values(value)) {
    const found = placeholderIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}

const naming =
  /(?:^|[_\s-])(?:id|ref|uuid|number|no|ticket|issue|order|url|link)s?$|[a-z](?:I[dD]|Ref|Uuid|Number|No|Ticket|Issue|Order|Url|Link)s?$/
// Where something is to be named, these name nothing.
const nothing =
  /^\s*(?:tbd|tba|todo|tbc|n\/?a|null|undefined|none|unknown|placeholder|see above|\?+|_+|x{3,}|待定|待填|待补充?|未知|见上)\s*$/i
const pattern =
  /^\s*(?:[a-z]{1,8}-(?:x{2,}|\?+|#+|n{2,}|_+)|(?:your|the|new|insert|my)[ _-][\w -]{0,40}(?:id|number|key)(?:[ _-]here)?|[a-z]+[ _]id(?:[ _](?:here|from\w*).*)?|#E\d+|\$\.(?:calls|steps|results)\b.*|(?:call|step|tool)_?\d+(?:[.[].*)?)\s*$/i
// These do where there is another call that may give it.
const described =
  /\b(?:ids?|numbers?|keys?|links?|urls?|results?|outputs?)\s+(?:of|from|returned|given)\b|\b(?:from|of|in|by)[ _](?:the )?(?:(?:step|call)[ _#]?\d|(?:previous|first|above|last) (?:call|step|result)\b|above\b)|\b(?:just|newly) (?:created|made|opened)\b|\bnew (?:id|ticket|issue|order|one|event|document|file|record)\b|(?:上面|上述|上一步|前面|刚才?(?:创建|新建|建)|新(?:建|创建)?的?|第.步).{0,8}(?:单|编号|号码|号|id|结果)/i
const pointing = /^\s*(?:it|this|that|the|这个?|那个?|该)\s*(?:one|ticket|issue|order|工单|订单|单子)?\s*$/i

/** A call of the same step, as far as it is known. */
type Beside = Pick<Tool, 'name' | 'effect'>

/**
 * The first value that is to name something, and only says what will be known once another call has run: "TBD",
 * "the id of the new ticket", or "that ticket" beside the call that makes one.
 */
export function unknownYet(
  tool: Pick<Tool, 'parameters'>,
  args: Readonly<Record<string, unknown>>,
  others: readonly Beside[],
): string | undefined {
  for (const [name, property] of propertiesOf(tool.parameters)) {
    const type = property['x-entity']
    const values = [args[name]].flat().filter((value) => typeof value === 'string')
    if (property.enum !== undefined || (typeof type !== 'string' && !naming.test(name))) continue
    const changing = others.filter(({ effect }) => effect !== 'read')
    const makes = changing.some((other) => other.name.includes(String(type)))
    const found = values.find((value) => {
      const words = value.trim().replace(/^[[({<]+|[\])}>]+$/g, '')
      if (words.length > 120) return false
      if (nothing.test(words) || pattern.test(words)) return true
      return (others.length > 0 && described.test(words)) || (makes && pointing.test(words))
    })
    if (found !== undefined) return found.slice(0, 80).toWellFormed()
  }
  return undefined
}
