import { propertiesOf } from '../arguments/alignment.ts'
import type { Tool } from '../definition.ts'

const digits = /\d|[一二三四五六七八九十百千万两]/
const moment =
  /\d|\b(?:today|tomorrow|tonight|noon|morning|evening|next|this|last|every|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|今天|明天|后天|周|星期|月|号|点|下午|上午|早上|晚上/i

/**
 * How much of what a tool must be given seems to be at hand, 0 to 1: a number where one was said, a time where one was
 * named, a thing of the right kind where the conversation knows one. Texts are always at hand.
 * @param known types of what has been named in the conversation
 */
export function readinessOf(tool: Tool, query: string, known: ReadonlySet<string>): number {
  const { required } = tool.parameters
  if (!Array.isArray(required) || required.length === 0) return 1
  const properties = propertiesOf(tool.parameters)
  const parts = required.map((name): number => {
    const property = properties.get(String(name)) ?? {}
    const type = property['x-entity']
    if (typeof type === 'string') return known.has(type) || digits.test(query) || type === 'person' ? 1 : 0
    if (property.type === 'number' || property.type === 'integer') return digits.test(query) ? 1 : 0
    const isTime =
      property.format === 'date' ||
      property.format === 'date-time' ||
      /^(?:when|due|date|at|start|end|time)$/i.test(String(name))
    return isTime && !moment.test(query) ? 0 : 1
  })
  return parts.reduce((sum, part) => sum + part, 0) / parts.length
}
