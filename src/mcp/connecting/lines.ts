/** A line of a stream, or what is left of one that was too long to keep. */
export type Line =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'dropped'; readonly size: number; readonly head: string; readonly tail: string }

const keptEdge = 512

/** Cuts a stream into lines without ever holding more than the limit; longer lines are dropped, not the stream. */
export class LineCutter {
  readonly #limit: number
  #parts: Buffer[] = []
  #size = 0
  #head = ''
  #tail = Buffer.alloc(0)
  #dropping = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The lines that this chunk completes, without their ends. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = []
    let from = 0
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      this.#take(chunk.subarray(from, at))
      lines.push(this.#cut())
      from = at + 1
    }
    this.#take(chunk.subarray(from))
    return lines
  }

  /** What came after the last line end, if anything did. */
  rest(): Line | undefined {
    return this.#size === 0 ? undefined : this.#cut()
  }

  #take(part: Buffer): void {
    if (part.length === 0) return
    this.#size += part.length
    if (!this.#dropping && this.#size <= this.#limit) {
      this.#parts.push(part)
      return
    }
    if (!this.#dropping) {
      const kept = Buffer.concat(this.#parts)
      this.#dropping = true
      this.#head = Buffer.concat([kept.subarray(0, keptEdge), part.subarray(0, keptEdge)])
        .subarray(0, keptEdge)
        .toString('utf8')
      this.#tail = kept.subarray(-keptEdge)
      this.#parts = []
    }
    this.#tail = Buffer.concat([this.#tail, part.subarray(-keptEdge)]).subarray(-keptEdge)
  }

  #cut(): Line {
    const line: Line = this.#dropping
      ? { kind: 'dropped', size: this.#size, head: this.#head, tail: this.#tail.toString('utf8') }
      : { kind: 'whole', bytes: this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts) }
    this.#parts = []
    this.#size = 0
    this.#head = ''
    this.#tail = Buffer.alloc(0)
    this.#dropping = false
    return line
  }
}
