import type { z } from 'zod'
import { nearest } from './nearest.ts'

/** How to name a place in what was parsed, and what could stand there. */
export interface Naming {
  /** The place as its writer knows it, for example `hermes.config.json: limits.steps`. */
  readonly place: (path: readonly PropertyKey[]) => string
  /** The keys that an object takes, so that a misspelt one can be told from an unheard-of one. */
  readonly known: (path: readonly PropertyKey[]) => readonly string[]
}

/**
 * One line per mistake: the place and what belongs there. Values are never repeated, since a mistyped
 * secret is a secret; schemas that know better put the sentence's end into their own `error`.
 */
export function mistakesOf(error: z.ZodError, naming: Naming): readonly string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [`${naming.place(issue.path)} ${mend(issue)}.`]
    const known = naming.known(issue.path)
    return issue.keys.map((key) => {
      const meant = nearest(key, known)
      const advice = meant
        ? `Did you mean ${meant}?`
        : known.length > 0
          ? `There are: ${known.join(', ')}.`
          : 'Remove it.'
      return `${naming.place([...issue.path, key])} is not a setting. ${advice}`
    })
  })
}

function mend(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${type(issue.expected)}, not ${kindOf(issue.input)}`
    case 'too_small':
      return `must ${size(issue.origin)} at least ${issue.minimum}`
    case 'too_big':
      return `must ${size(issue.origin)} at most ${issue.maximum}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'custom':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
      return issue.message
  }
}

function size(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have a length of' : 'be'
}

function type(expected: string): string {
  switch (expected) {
    case 'string':
      return 'text'
    case 'number':
      return 'a number'
    case 'int':
      return 'a whole number'
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list'
    default:
      return `an ${expected}`
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a fraction'
  if (typeof value === 'boolean') return String(value)
  return 'an object'
}
