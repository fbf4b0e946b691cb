import type { Socket } from 'node:net'
import {
  authenticationOk,
  backendKeyData,
  cleartextPasswordRequest,
  errorResponse,
  type Frame,
  FrameReader,
  ProtocolViolation,
  parameterStatus,
  readyForQuery,
  stringAt,
} from './frames.ts'
import { readStartup, samePassword } from './handshake.ts'
import { type Batch, Session } from './session.ts'

/** What a connection tells the server that owns the backend. */
export interface ConnectionEvents {
  /** A batch is complete, or the client reads again: there may be something to run. */
  ready(connection: Connection): void
  /** The client is gone, or was sent away. */
  gone(connection: Connection): void
}

/** What a connection has to know of its server. */
export interface Admission {
  readonly user: string
  readonly password: string
  readonly parameters: ReadonlyMap<string, string>
}

const maxMessage = 256 * 1024 * 1024
const maxStartup = 10_000
const handshakeMs = 15_000
// A batch this large runs before its end has come; more than this in waiting batches stops reading.
const largeBatch = 4 * 1024 * 1024

/** One client of the embedded database: its handshake, and its messages in batches. */
export class Connection {
  readonly id: number
  readonly session: Session
  /** Settings from the start-up message, which a real backend would keep for this client alone. */
  settings: ReadonlyMap<string, string> = new Map()
  /** Whether it has run LISTEN. */
  listens = false
  open = true
  readonly #socket: Socket
  readonly #admission: Admission
  readonly #events: ConnectionEvents
  readonly #reader = new FrameReader(maxMessage)
  #state: 'startup' | 'password' | 'running' = 'startup'
  #batches: Batch[] = []
  #waitingBytes = 0
  #frames: Frame[] = []
  #framesBytes = 0

  constructor(id: number, socket: Socket, admission: Admission, events: ConnectionEvents) {
    this.id = id
    this.session = new Session(id)
    this.#socket = socket
    this.#admission = admission
    this.#events = events
    const handshake = setTimeout(() => this.dismiss('08006', 'no complete startup in time'), handshakeMs)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => {
      this.#receive(chunk)
      if (this.#state === 'running') clearTimeout(handshake)
    })
    socket.on('drain', () => events.ready(this))
    // The close event follows an error, and an end since half-open sockets are not allowed.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(handshake)
      this.#leave()
    })
  }

  /** Whether a batch can run: there is one, and the client takes its answers. */
  get runnable(): boolean {
    return this.open && this.#batches.length > 0 && !this.#socket.writableNeedDrain
  }

  next(): Batch | undefined {
    const batch = this.#batches.shift()
    if (batch) {
      this.#waitingBytes -= batch.bytes
      if (this.#socket.isPaused() && this.#waitingBytes < largeBatch) this.#socket.resume()
    }
    return batch
  }

  write(bytes: Buffer): void {
    if (this.open && bytes.length > 0) this.#socket.write(bytes)
  }

  /** Ends the connection with a FATAL error that the client's driver reports. */
  dismiss(code: string, message: string): void {
    if (!this.open) return
    this.#socket.end(errorResponse('FATAL', code, message))
    this.#socket.destroySoon()
    this.#leave()
  }

  #leave(): void {
    if (!this.open) return
    this.open = false
    this.#batches = []
    this.#frames = []
    this.#events.gone(this)
  }

  #receive(chunk: Buffer): void {
    if (!this.open) return
    this.#reader.push(chunk)
    try {
      while (this.open && this.#step());
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error
      this.dismiss('08P01', error.message)
    }
  }

  /** Takes one message; false when none is complete. */
  #step(): boolean {
    if (this.#state === 'startup') {
      const body = this.#reader.startup(maxStartup)
      if (body) this.#start(body)
      return body !== undefined
    }
    const message = this.#reader.frame()
    if (!message) return false
    if (this.#state === 'password') this.#admit(message)
    else this.#take(message)
    return true
  }

  #start(body: Buffer): void {
    const startup = readStartup(body)
    switch (startup.kind) {
      case 'encryption':
        this.#socket.write('N')
        return
      case 'cancel':
        // There is nothing to cancel: a statement that runs holds the thread that would hear of it.
        this.#socket.destroy()
        return
      case 'session':
        if (startup.user !== this.#admission.user) {
          this.dismiss('28P01', 'password authentication failed')
          return
        }
        this.settings = startup.settings
        this.#state = 'password'
        this.#socket.write(cleartextPasswordRequest)
        return
      default:
        startup satisfies never
    }
  }

  #admit({ type, frame }: Frame): void {
    if (type !== 'p') throw new ProtocolViolation('expected password response')
    if (!samePassword(stringAt(frame, 5).text, this.#admission.password)) {
      this.dismiss('28P01', 'password authentication failed')
      return
    }
    this.#state = 'running'
    this.#socket.write(
      Buffer.concat([
        authenticationOk,
        ...[...this.#admission.parameters].map(([name, value]) => parameterStatus(name, value)),
        backendKeyData(this.id, 0),
        readyForQuery('I'),
      ]),
    )
  }

  #take(message: Frame): void {
    switch (message.type) {
      case 'X':
        this.#socket.end()
        this.#leave()
        return
      case 'd':
      case 'c':
      case 'f':
        // COPY data; the COPY itself has already been refused (see session.ts).
        return
      case 'Q':
      case 'S':
        this.#collect(message, true)
        return
      case 'H':
        this.#collect(message, false)
        return
      case 'P':
      case 'B':
      case 'D':
      case 'E':
      case 'C':
        this.#frames.push(message)
        this.#framesBytes += message.frame.length
        if (this.#framesBytes > largeBatch) this.#cut(false)
        return
      default:
        // Also keeps from the backend what would make it exit.
        throw new ProtocolViolation(`unsupported frontend message type ${message.type.charCodeAt(0)}`)
    }
  }

  #collect(message: Frame, ends: boolean): void {
    this.#frames.push(message)
    this.#framesBytes += message.frame.length
    this.#cut(ends)
  }

  #cut(ends: boolean): void {
    this.#batches.push({ frames: this.#frames, bytes: this.#framesBytes, ends })
    this.#waitingBytes += this.#framesBytes
    this.#frames = []
    this.#framesBytes = 0
    if (this.#waitingBytes > largeBatch) this.#socket.pause()
    this.#events.ready(this)
  }
}
