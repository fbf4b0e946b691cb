import { z } from 'zod'
import type { Language } from '../../base/words.ts'
import type { Workflow, WorkflowWords } from '../../config/workflows.ts'
import type { CallStatus } from '../../store/prisma/client.ts'

/** Someone whom a field names, as they are found again on their channel. */
export interface NamedPerson {
  readonly name: string
  /** As `send_message` has it, for example `person:slack:T1:U2`. */
  readonly address: string
}

/** A value that a workflow has collected. */
export type Value = string | number | NamedPerson

/** A declared workflow under way: one row. It keeps the definition that it began with. */
export interface WorkflowInstance {
  readonly id: string
  /** Whose it is: only this person moves it on, but for decisions that are somebody else's. */
  readonly personId: string
  /** The turn that moved it last; in later turns it is only offered. */
  readonly turnId: string | null
  readonly name: string
  /** Of the definition. */
  readonly version: string
  readonly definition: Workflow
  readonly language: Language
  readonly status: 'active' | 'parked' | 'ended'
  readonly state: string
  /** Raised by each step, so that a click or a timer of an earlier one is known as such. */
  readonly visit: number
  /** The last message of the session when the state began: calls of later ones are made in it. */
  readonly enteredSeq: number
  /** Is it on its way out, with the cancel action under way? */
  readonly leaving: boolean
  readonly data: Readonly<Record<string, Value>>
  /** What was wrong with the last input, for the person. */
  readonly problem: string | null
  /** The call that the workflow made in this visit. */
  readonly callId: string | null
  readonly dueAt: Date | null
}

/** An instance as a snapshot holds it: with what became of its call. */
export interface RunningWorkflow extends WorkflowInstance {
  readonly call: {
    readonly status: CallStatus
    readonly resultText: string | null
    readonly arguments: Readonly<Record<string, unknown>>
  } | null
}

/** The words in a language. */
export function wordsIn(words: WorkflowWords, language: Language): string {
  return typeof words === 'string' ? words : words[language]
}

/** A text with the values of its fields; what is not known yet stays empty. */
export function filled(text: string, data: WorkflowInstance['data']): string {
  return text.replace(/\{([a-z][a-z0-9_]*)\}/g, (_, field: string) => shown(data[field]))
}

/** A value as people read it. */
export function shown(value: Value | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? value.name : String(value)
}

/** The arguments of a call: `{field}` alone is the value itself, within a text its words. What is empty is left out. */
export function filledArguments(template: unknown, data: WorkflowInstance['data']): unknown {
  if (typeof template === 'string') {
    const whole = /^\{([a-z][a-z0-9_]*)\}$/.exec(template)?.[1]
    if (whole === undefined) return filled(template, data)
    const value = data[whole]
    return typeof value === 'object' ? value.name : value
  }
  if (Array.isArray(template)) return template.map((item) => filledArguments(item, data))
  if (template === null || typeof template !== 'object') return template
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, item]) => {
      const value = filledArguments(item, data)
      return value === undefined || value === '' ? [] : [[key, value]]
    }),
  )
}

const value = z.union([z.string(), z.number(), z.object({ name: z.string(), address: z.string() })])

/** Reads what the person has confirmed or the model has given, as far as it is values. */
export function readValues(given: Readonly<Record<string, unknown>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, one]) => {
      const read = value.safeParse(one)
      return read.success ? [[name, read.data]] : []
    }),
  )
}
