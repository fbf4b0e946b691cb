import type { Attachment } from '../../channel/events.ts'
import type { InputKind, WorkflowField, WorkflowState } from '../../config/workflows.ts'
import { readDates } from '../../search/dates.ts'
import type { Value, WorkflowInstance } from './instance.ts'
import { missingFields, stateOfInstance } from './machine.ts'
import { valueUnder } from './receipts.ts'

/** What a message gives a workflow. */
export interface ReadInput {
  readonly input: InputKind
  /** By field. A person is still a name, to be looked up. */
  readonly values: Readonly<Record<string, Value>>
  /** Required fields that are still not known. */
  readonly missing: readonly string[]
}

/** When and where the person is, for dates in words. */
export interface ReadingFacts {
  readonly now: Date
  readonly timeZone: string
}

/** The longest text that answers a question for one value. */
const longestAnswer = 120

/**
 * Reads a message as an input of the instance's state: a pure function. Nothing where it gives none of what the
 * state waits for; then it is a digression.
 */
export function readInput(
  instance: WorkflowInstance,
  message: { readonly text: string; readonly attachments: readonly Attachment[] },
  facts: ReadingFacts,
): ReadInput | undefined {
  const state = stateOfInstance(instance)
  if (message.attachments.length > 0 && state.accepts.includes('file')) {
    const values = { ...fromFiles(state, message.attachments, facts), ...named(state, message.text, facts) }
    return { input: 'file', values, missing: missingFields(state, { ...instance.data, ...values }) }
  }
  const text = message.text.trim()
  if (text === '' || message.attachments.length > 0) return undefined
  if (state.accepts.includes('choice')) {
    const values = chosen(state, text)
    if (values)
      return { input: 'choice', values, missing: missingFields(state, { ...instance.data, ...values }) }
  }
  if (!state.accepts.includes('text') || /[?？]/.test(text)) return undefined
  const byName = named(state, text, facts)
  const values = Object.keys(byName).length > 0 ? byName : answer(state, instance, text, facts)
  return values
    ? { input: 'text', values, missing: missingFields(state, { ...instance.data, ...values }) }
    : undefined
}

function fromFiles(
  state: WorkflowState,
  files: readonly Attachment[],
  facts: ReadingFacts,
): Readonly<Record<string, Value>> {
  const found: Record<string, Value> = {}
  for (const [name, field] of Object.entries(state.collect)) {
    if (field.type === 'file') {
      const whole = files.find((file) => file.problem === undefined) ?? files[0]
      if (whole?.problem === undefined && whole !== undefined) found[name] = whole.name
      continue
    }
    for (const file of files) {
      const value =
        file.text === undefined
          ? undefined
          : valueUnder(file.text, keysOf(name, field), (said) => typed(field, said, facts))
      if (value === undefined) continue
      found[name] = value
      break
    }
  }
  return found
}

/** Values that a text names: "amount: 42.50", "the amount is 42.50". */
function named(state: WorkflowState, text: string, facts: ReadingFacts): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(state.collect).flatMap(([name, field]) => {
      if (field.type === 'file') return []
      const value = valueUnder(text, keysOf(name, field), (said) => typed(field, said, facts))
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The one option that is chosen by its words, by its number, or as the only one that a short text holds. */
function chosen(state: WorkflowState, text: string): Readonly<Record<string, Value>> | undefined {
  const said = plain(text)
  for (const [name, { options }] of Object.entries(state.collect)) {
    if (options.length === 0) continue
    const exact = options.find((option, index) => plain(option) === said || String(index + 1) === said)
    const held = options.filter((option) => said.includes(plain(option)))
    const option =
      exact ?? (text.length <= 60 && held.length === 1 && !/[?？]/.test(text) ? held[0] : undefined)
    if (option !== undefined) return { [name]: option }
  }
  return undefined
}

/** A short text that is the one value which is missing. */
function answer(
  state: WorkflowState,
  instance: WorkflowInstance,
  text: string,
  facts: ReadingFacts,
): Readonly<Record<string, Value>> | undefined {
  const open = missingFields(state, instance.data).filter((name) => state.collect[name]!.type !== 'file')
  const [name] = open
  if (open.length !== 1 || name === undefined || text.length > longestAnswer) return undefined
  const value = typed(state.collect[name]!, text, facts)
  return value === undefined ? undefined : { [name]: value }
}

function keysOf(name: string, field: WorkflowField): readonly string[] {
  const { label } = field
  const labels = label === undefined ? [] : typeof label === 'string' ? [label] : [label.en, label.zh]
  return [...field.find, ...labels, name.replaceAll('_', ' ')]
}

/** A text as a value of the field's type; a person stays a name. */
export function typed(field: WorkflowField, said: string, facts: ReadingFacts): Value | undefined {
  const text = said.trim().slice(0, 200).toWellFormed()
  switch (field.type) {
    case 'number':
      return numberIn(text)
    case 'date': {
      const exact = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
      if (exact) return exact
      const [date] = readDates(text, facts)
      return date
        ? new Intl.DateTimeFormat('sv-SE', { timeZone: facts.timeZone, dateStyle: 'short' }).format(
            date.start,
          )
        : undefined
    }
    case 'person': {
      const name = text
        .replace(
          /^(?:(?:the )?approver (?:is|should be|shall be)|please ask|ask|to|it is|it's|审批人是?|让|由|给|找)[\s:：]*/i,
          '',
        )
        .replace(/^@/, '')
        .replace(/[\s.。!！]+$/, '')
      return /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .'_-]{0,59}$/u.test(name) && name.split(/\s+/).length <= 4
        ? name
        : undefined
    }
    case 'text':
      return text === '' ? undefined : text
    case 'file':
      return undefined
    default:
      return field.type satisfies never
  }
}

/** The first number of a text, with either sign as the decimal one: "EUR 1.234,50", "$1,234.50", "￥42". */
function numberIn(text: string): number | undefined {
  const digits = /-?\d[\d.,' ]*/
    .exec(text)?.[0]
    .replace(/[' ]/g, '')
    .replace(/[.,]+$/, '')
  if (digits === undefined) return undefined
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const before = digits.slice(0, Math.max(last, 0))
  // Three digits behind the only kind of sign are thousands, where there are at most three before it.
  const isThousands =
    digits.length - last - 1 === 3 &&
    !before.includes(digits[last] === '.' ? ',' : '.') &&
    /^-?\d{1,3}(?:[.,]\d{3})*$/.test(before)
  const isDecimal = last >= 0 && !isThousands
  const whole = (isDecimal ? digits.slice(0, last) : digits).replace(/[.,]/g, '')
  const value = Number(isDecimal ? `${whole}.${digits.slice(last + 1)}` : whole)
  return Number.isFinite(value) ? value : undefined
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}
