import { ticketValues } from '../../base/ticket-words.ts'
import type { Language } from '../../base/words.ts'
import type { FormField } from '../../channel/card.ts'
import { choices, propertiesOf, type Schema } from './json-schema.ts'
import { momentOf, type Reader, readMoment, shownMoment } from './moments.ts'

/** The properties of an object schema, in the order of its definition where that is kept with it. */
function inOrder(schema: Schema): ReadonlyMap<string, Schema> {
  const properties = propertiesOf(schema)
  const order: readonly unknown[] = Array.isArray(schema[orderKey]) ? schema[orderKey] : []
  const first = order.flatMap((name) => {
    const property = typeof name === 'string' ? properties.get(name) : undefined
    return property === undefined ? [] : [[name as string, property] as const]
  })
  return new Map([...first, ...properties])
}

const orderKey = 'x-order'

const momentsKey = 'x-moments'

/**
 * A schema that still tells the order of its properties where the database does not keep it, and which of its
 * arguments are exact times though they may be given in words.
 */
export function ordered(schema: Schema, moments: readonly string[] = []): Schema {
  return {
    ...schema,
    [orderKey]: [...propertiesOf(schema).keys()],
    ...(moments.length > 0 ? { [momentsKey]: moments } : {}),
  }
}

/** Is the value of this argument an exact time? A date alone is none. */
function isMoment(name: string, schema: Schema): boolean {
  const property = propertiesOf(schema).get(name)
  const own = Array.isArray(schema[momentsKey]) && schema[momentsKey].includes(name)
  return own || (property !== undefined && plain(property, schema).format === 'date-time')
}

/** The value of an argument as the card and its form show it: times as their reader reads them, the rest as it is. */
export function shownArgument(name: string, value: unknown, schema: Schema, reader: Reader): string {
  return typeof value === 'string' && isMoment(name, schema) ? shownMoment(value, reader) : shownValue(value)
}

/** The schema itself, or the one alternative that is not null, where a reference leads to it, too. */
function plain(schema: Schema, root: Schema): Schema {
  return choices(schema, root).findLast(({ type }) => type !== undefined && type !== 'null') ?? schema
}

const chineseLabels: Readonly<Record<string, string>> = {
  to: '收件人',
  text: '内容',
  title: '标题',
  description: '描述',
  priority: '优先级',
  assignee: '负责人',
  labels: '标签',
  due: '截止时间',
  status: '状态',
  ticket: '工单',
  when: '时间',
  repeat: '重复',
  amount: '金额',
  path: '路径',
  content: '内容',
}

/** "due_date" and "dueDate" as people read them: "Due date". */
export function labelOf(name: string, language: Language = 'en'): string {
  if (language === 'zh' && Object.hasOwn(chineseLabels, name)) return chineseLabels[name]!
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A choice as people read it. */
function optionLabel(option: string, language: Language): string {
  const known: Readonly<Record<string, string>> = ticketValues[language]
  return Object.hasOwn(known, option) ? known[option]! : labelOf(option)
}

/** A value as the card and a form show it: text as it is, lists with commas, the rest as JSON. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(',')))
    return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The fields of a form for arguments, made from their JSON Schema and filled with their values. */
export function formFields(
  schema: Schema,
  args: Readonly<Record<string, unknown>>,
  language: Language = 'en',
  timeZone?: string,
): readonly FormField[] {
  const required = new Set((schema.required as readonly string[] | undefined) ?? [])
  return [...inOrder(schema)].map(([name, property]) => {
    const inner = plain(property, schema)
    const value =
      timeZone === undefined
        ? shownValue(args[name])
        : shownArgument(name, args[name], schema, { timeZone, language })
    const options = (inner.enum as readonly unknown[] | undefined)?.map((option) => ({
      label: optionLabel(String(option), language),
      value: String(option),
    }))
    return {
      name,
      label: typeof property.title === 'string' ? property.title : labelOf(name, language),
      value,
      required: required.has(name),
      kind: options ? 'select' : kindOf(inner, name, value),
      ...(options ? { options } : {}),
      ...(typeof property.description === 'string' ? { hint: property.description } : {}),
    }
  })
}

function kindOf(schema: Schema, name: string, value: string): FormField['kind'] {
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  const long =
    value.length > 80 || value.includes('\n') || /description|body|text|content|comment|message/i.test(name)
  return long ? 'multiline' : 'text'
}

/**
 * The arguments that a sent form means: each field in its schema's type. An empty field that is not required is
 * left out; what can't be read in its type stays text, for the schema check to complain about.
 */
export function argumentsOf(
  schema: Schema,
  fields: Readonly<Record<string, string>>,
  before: Readonly<Record<string, unknown>>,
  timeZone?: string,
): Record<string, unknown> {
  const args: Record<string, unknown> = { ...before }
  for (const [name, property] of inOrder(schema)) {
    const text = fields[name]
    // A form shows some fields only where a platform limits their number.
    if (text === undefined) continue
    if (shownValue(before[name]) === text) continue
    const moment = timeZone !== undefined && isMoment(name, schema) ? readMoment(text, timeZone) : undefined
    if (moment && momentOf(before[name])?.toMillis() === moment.toMillis()) continue
    if (text.trim() === '') delete args[name]
    else if (moment) args[name] = moment.toUTC().toISO({ suppressMilliseconds: true })
    else args[name] = typed(plain(property, schema), text)
  }
  return args
}

function typed(schema: Schema, text: string): unknown {
  switch (schema.type) {
    case 'boolean':
      return /^(true|yes|on|1|是)$/i.test(text.trim())
        ? true
        : /^(false|no|off|0|否)$/i.test(text.trim())
          ? false
          : text
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'array':
      if (text.trim().startsWith('[')) return parsed(text)
      return text
        .split(/[,，、\n]/)
        .map((item) => item.trim())
        .filter((item) => item !== '')
    case 'object':
      return parsed(text)
    default:
      return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
