/**
 * Frames of PostgreSQL's protocol 3: what a client sends, what a backend answers, and the few answers
 * that the server gives by itself. https://www.postgresql.org/docs/18/protocol-message-formats.html
 */

/** Requests that come in place of a start-up message; they share its shape and have these version numbers. */
export const startupCode = {
  protocol3: 196608,
  cancel: 80877102,
  ssl: 80877103,
  gssEncryption: 80877104,
} as const

/** One message with its type letter; `frame` is the whole of it, header included. */
export interface Frame {
  readonly type: string
  readonly frame: Buffer
}

/** A client that breaks the protocol; the connection can't go on. */
export class ProtocolViolation extends Error {}

/** Cuts a client's bytes into messages. The start-up message has no type letter, all others do. */
export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
  }

  /** The next start-up message without its length, or nothing while it is incomplete. */
  startup(limit: number): Buffer | undefined {
    const length = this.#peekLength(0)
    if (length === undefined) return undefined
    if (length < 8 || length > limit) throw new ProtocolViolation('invalid length of startup packet')
    return this.#take(length)?.subarray(4)
  }

  /** The next message, or nothing while it is incomplete. */
  frame(): Frame | undefined {
    const length = this.#peekLength(1)
    if (length === undefined) return undefined
    if (length < 4 || length > this.#limit) throw new ProtocolViolation('invalid message length')
    const frame = this.#take(length + 1)
    return frame && { type: String.fromCharCode(frame[0]!), frame }
  }

  #peekLength(offset: number): number | undefined {
    if (this.#size < offset + 4) return undefined
    if (this.#chunks[0]!.length < offset + 4) this.#join()
    return this.#chunks[0]!.readInt32BE(offset)
  }

  #take(size: number): Buffer | undefined {
    if (this.#size < size) return undefined
    if (this.#chunks[0]!.length < size) this.#join()
    const first = this.#chunks[0]!
    if (first.length === size) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(size)
    this.#size -= size
    return first.subarray(0, size)
  }

  #join(): void {
    this.#chunks = [Buffer.concat(this.#chunks, this.#size)]
  }
}

/** Walks over the messages of a whole answer. */
export function* framesOf(answer: Buffer): Generator<Frame> {
  let offset = 0
  while (offset + 5 <= answer.length) {
    const end = offset + 1 + answer.readInt32BE(offset + 1)
    if (end > answer.length || end < offset + 5) throw new ProtocolViolation('incomplete answer')
    yield { type: String.fromCharCode(answer[offset]!), frame: answer.subarray(offset, end) }
    offset = end
  }
  if (offset !== answer.length) throw new ProtocolViolation('incomplete answer')
}

/** The zero-terminated string at an offset, and where it ends. */
export function stringAt(frame: Buffer, offset: number): { text: string; end: number } {
  const end = frame.indexOf(0, offset)
  if (end < 0) throw new ProtocolViolation('invalid string in message')
  return { text: frame.toString('utf8', offset, end), end: end + 1 }
}

function frame(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  )
  const header = Buffer.alloc(5)
  header.write(type, 0, 'latin1')
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** A message with the same type and a new body. */
export const reframed = (type: string, ...parts: (Buffer | string)[]): Buffer => frame(type, ...parts)

export const authenticationOk = frame('R', int32(0))
export const cleartextPasswordRequest = frame('R', int32(3))
export const sync = frame('S')
export const parameterStatus = (name: string, value: string): Buffer => frame('S', name, value)
export const backendKeyData = (id: number, secret: number): Buffer => frame('K', int32(id), int32(secret))
export const readyForQuery = (status: 'I' | 'T' | 'E'): Buffer => frame('Z', Buffer.from(status))
export const simpleQuery = (sql: string): Buffer => frame('Q', sql)
export const closeStatement = (name: string): Buffer => frame('C', Buffer.from('S'), name)

/** An ErrorResponse; `code` is an SQLSTATE. */
export function errorResponse(severity: 'ERROR' | 'FATAL', code: string, message: string): Buffer {
  return frame('E', `S${severity}`, `V${severity}`, `C${code}`, `M${message}`, Buffer.from([0]))
}

/** The fields of an ErrorResponse that a sentence needs. */
export function errorOf(answer: Buffer): { code: string; message: string } {
  let code = ''
  let message = ''
  for (let offset = 5; answer[offset]; ) {
    const field = String.fromCharCode(answer[offset]!)
    const { text, end } = stringAt(answer, offset + 1)
    if (field === 'C') code = text
    if (field === 'M') message = text
    offset = end
  }
  return { code, message }
}
