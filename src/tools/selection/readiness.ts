import { propertiesOf } from '../arguments/json-schema.ts'
import type { Tool } from '../tool.ts'
import type { RequestWords } from './request-words.ts'
import { englishWords } from './stems.ts'

/** What arguments can be taken from. */
export interface AtHand {
  /** What was said in this task. */
  readonly said: string
  /** Types of what has been named in the conversation. */
  readonly known: ReadonlySet<string>
  /** What is remembered that bears on it ("my default project is Apollo"), with what its words mean. */
  readonly remembered: readonly { readonly text: string; readonly words: () => RequestWords }[]
}

const digits = /\d|[一二三四五六七八九十百千万两]/
const moment =
  /\d|\b(?:today|tomorrow|tonight|noon|morning|evening|next|this|last|every|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|今天|明天|后天|周|星期|月|号|点|下午|上午|早上|晚上/i
const isTimeName = /^(?:when|due|date|at|start|end|time)$/i

/**
 * How much of what a tool must be given seems to be at hand, 0 to 1: a number where one was said, a time where one was
 * named, a thing of the right kind where the conversation knows one, or any of them where what is remembered speaks of
 * it. Texts are always at hand.
 */
export function readinessOf(tool: Tool, hand: AtHand): number {
  const { required } = tool.parameters
  if (!Array.isArray(required) || required.length === 0) return 1
  const properties = propertiesOf(tool.parameters)
  const parts = required.map((name): number => {
    const property = properties.get(String(name)) ?? {}
    const type = property['x-entity']
    if (typeof type === 'string') {
      if (type === 'person' || hand.known.has(type) || digits.test(hand.said)) return 1
      return speaksOf(hand, type) ? 1 : 0
    }
    if (property.type === 'number' || property.type === 'integer')
      return digits.test(hand.said) || speaksOf(hand, String(name), digits) ? 1 : 0
    const isTime =
      property.format === 'date' || property.format === 'date-time' || isTimeName.test(String(name))
    return isTime && !moment.test(hand.said) && !speaksOf(hand, String(name), moment) ? 0 : 1
  })
  return parts.reduce((sum, part) => sum + part, 0) / parts.length
}

/** Does a memory speak of something of that name, and of a value in that shape? */
function speaksOf({ remembered }: AtHand, name: string, shape?: RegExp): boolean {
  const words = englishWords(name.replaceAll(/[_.-]/g, ' '))
  return remembered.some(
    (memory) => (shape?.test(memory.text) ?? true) && words.every((word) => memory.words().has(word)),
  )
}
