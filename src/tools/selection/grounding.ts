import { propertiesOf } from '../arguments/json-schema.ts'
import type { Tool } from '../tool.ts'

const numberWords =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|half|both|couple)\b|[一二三四五六七八九十百千万两双半]/i
const moment =
  /\d|\b(?:today|tomorrow|tonight|noon|midday|midnight|morning|afternoon|evening|now|next|this|last|every|daily|weekly|monthly|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|今天|明天|后天|昨天|周|星期|月|号|点|下午|上午|早上|晚上|中午|现在|马上/i
const isTimeName = /^(?:when|due|date|at|start|end|time|until|from|to|spent)$/i
/** An id, a number of something, an address: nothing that a model would word by itself. */
const isToken = /^(?=\S*\d)\S{2,60}$|^\S+@\S+$/

/** What a call's required values were taken from. */
export interface Grounding {
  /** How many of them somebody or something has named, 0 to 1. */
  readonly share: number
  /** The names of those that nothing has. */
  readonly missing: readonly string[]
}

/**
 * How much of what a call must be given was named in what the model has read: numbers, times, ids and addresses. Texts
 * are the model's to word, choices stand in the schema, and what names a person or a thing was looked up already.
 * @param read everything that was said, remembered and found in the task
 */
export function groundingOf(tool: Tool, args: Readonly<Record<string, unknown>>, read: string): Grounding {
  const { required } = tool.parameters
  if (!Array.isArray(required) || required.length === 0) return { share: 1, missing: [] }
  const properties = propertiesOf(tool.parameters)
  const missing = required
    .map(String)
    .filter((name) => !isNamed(name, args[name], properties.get(name) ?? {}, read))
  return { share: 1 - missing.length / required.length, missing }
}

function isNamed(
  name: string,
  value: unknown,
  property: Readonly<Record<string, unknown>>,
  read: string,
): boolean {
  if (property['x-entity'] !== undefined || Array.isArray(property.enum)) return true
  if (value === undefined || value === property.default) return true
  if (typeof value === 'number') return numberWords.test(read) || numbersIn(read).has(Math.abs(value))
  if (typeof value !== 'string') return true
  if (property.format === 'date' || property.format === 'date-time' || isTimeName.test(name))
    return moment.test(read)
  return !isToken.test(value) || read.toLowerCase().includes(value.toLowerCase()) || hasDigitsOf(value, read)
}

function numbersIn(text: string): ReadonlySet<number> {
  const found = text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []
  return new Set(found.map((one) => Number(one.replaceAll(',', ''))))
}

/** "T-1042" where "1042" was said. */
function hasDigitsOf(value: string, text: string): boolean {
  const digits = value.match(/\d+/g) ?? []
  return digits.length > 0 && digits.every((one) => text.includes(one))
}
