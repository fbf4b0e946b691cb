import { ApiError } from './api-error.ts'

type Path = readonly (string | number)[]
interface ErrorNode {
  [key: string]: ErrorNode | { code: string; message: string }[]
}

/** Collects what is wrong with a body, by path, and refuses it as Discord does: code 50035 with all errors. */
export class Form {
  private readonly errors: ErrorNode = {}
  private count = 0

  add(path: Path, code: string, message: string): void {
    let node = this.errors
    for (const step of path) {
      node[step] ??= {}
      node = node[step] as ErrorNode
    }
    node._errors ??= []
    const list = node._errors as { code: string; message: string }[]
    list.push({ code, message })
    this.count += 1
  }

  /** A text with limits in UTF-16 units, the stricter of the two readings of Discord's limits. */
  text(path: Path, value: unknown, limits: { min?: number; max: number; optional?: boolean }): void {
    if (value === undefined || value === null) {
      if (!limits.optional) this.add(path, 'BASE_TYPE_REQUIRED', 'This field is required')
      return
    }
    if (typeof value !== 'string') {
      this.add(path, 'BASE_TYPE_BAD_TYPE', 'Could not interpret value as string.')
      return
    }
    const min = limits.min ?? 0
    if (value.length < min || value.length > limits.max) {
      if (min > 0) {
        this.add(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${limits.max} in length.`)
      } else {
        this.add(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${limits.max} or fewer in length.`)
      }
    }
  }

  /** A number within limits. */
  number(path: Path, value: unknown, limits: { min: number; max: number }): void {
    if (value === undefined) return
    if (typeof value !== 'number' || value < limits.min || value > limits.max) {
      this.add(path, 'NUMBER_TYPE_MAX', `int value should be between ${limits.min} and ${limits.max}.`)
    }
  }

  /** A list's length. */
  size(path: Path, list: readonly unknown[], limits: { min?: number; max: number }): void {
    const min = limits.min ?? 0
    if (list.length < min || list.length > limits.max) {
      this.add(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${limits.max} in length.`)
    }
  }

  /** Throws if anything was wrong. */
  refuse(): void {
    if (this.count > 0) throw new ApiError(400, 50035, 'Invalid Form Body', { errors: this.errors })
  }
}
