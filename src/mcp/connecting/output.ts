import { redacted, redactText } from '../../observe/redact.ts'

/** The end of what a server printed: often the only place where it says why it does not run. */
export class OutputTail {
  readonly #limit: number
  readonly #conceal: (text: string) => string
  #text = ''

  constructor(conceal: (text: string) => string, limit = 4000) {
    this.#conceal = conceal
    this.#limit = limit
  }

  add(text: string): void {
    this.#text = (this.#text + text).slice(-this.#limit * 2)
  }

  /** Begins anew, for another process. */
  clear(): void {
    this.#text = ''
  }

  /** The last lines, without secrets. */
  text(): string {
    return this.#conceal(withoutControls(this.#text)).trim().slice(-this.#limit)
  }

  /** The last words, short enough for a sentence. */
  lastWords(): string {
    const lines = this.text()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    return lines.slice(-3).join(' / ').slice(-400)
  }
}

/** Takes secrets out of a text: by shape, and the very values that the configuration holds. */
export function concealer(values: readonly string[]): (text: string) => string {
  // Short values are words like "true" or "debug", which would tear holes into every sentence.
  const known = values.filter((value) => value.length >= 8).sort((a, b) => b.length - a.length)
  return (text) => redactText(known.reduce((rest, value) => rest.replaceAll(value, redacted), text))
}

function withoutControls(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}
