/** The three kinds of envelopes. */
export type EnvelopeKind = 'events_api' | 'interactive' | 'slash_commands'

/** One try at telling the app something. */
export interface Attempt {
  readonly kind: EnvelopeKind
  readonly body: object
  readonly retryNum: number
  readonly retryReason?: string
}

/** What became of one try. */
export type Answer =
  | { readonly taken: true; readonly payload?: unknown }
  | { readonly taken: false; readonly reason: string }

/** A way to the app: Socket Mode or signed HTTP. */
export interface Transport {
  send(attempt: Attempt, limitMs: number): Promise<Answer>
}

/** How a delivery ended. */
export interface Outcome {
  readonly acked: boolean
  /** What the app answered with its acknowledgement. */
  readonly payload?: unknown
  readonly reason?: string
  /** From the happening to the acknowledgement. */
  readonly tookMs: number
}

/** Something that the app is told, with all tries at it. */
export interface Delivery {
  readonly kind: EnvelopeKind
  readonly body: object
  readonly attempts: Attempt[]
  outcome?: Outcome
  readonly done: Promise<Outcome>
}

/** What is on its way to the app. */
export interface Deliveries {
  readonly all: readonly Delivery[]
  /** Events are tried again when they are not acknowledged; interactions are not. */
  send(kind: EnvelopeKind, body: object): Delivery
  /** Sends the same body once more, as Slack does when an acknowledgement got lost. */
  redeliver(delivery: Delivery): Promise<Outcome>
  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void>
  stop(): void
}

export function createDeliveries(options: {
  readonly transport: () => Transport
  readonly ackWithinMs: number
  /** The pauses before each further try of an event. */
  readonly retryAfterMs: readonly number[]
}): Deliveries {
  const all: Delivery[] = []
  const timers = new Map<NodeJS.Timeout, () => void>()
  let stopped = false

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.set(timer, resolve)
    })

  async function attempt(delivery: Delivery, next: Attempt): Promise<Answer> {
    delivery.attempts.push(next)
    return options.transport().send(next, options.ackWithinMs)
  }

  async function run(delivery: Delivery, startedAt: number): Promise<Outcome> {
    const pauses = delivery.kind === 'events_api' ? options.retryAfterMs : []
    let reason: string | undefined
    for (let retryNum = 0; retryNum <= pauses.length && !stopped; retryNum += 1) {
      if (retryNum > 0) await pause(pauses[retryNum - 1]!)
      if (stopped) break
      const answer = await attempt(delivery, {
        kind: delivery.kind,
        body: delivery.body,
        retryNum,
        ...(reason === undefined ? {} : { retryReason: reason }),
      })
      const tookMs = performance.now() - startedAt
      if (answer.taken) return { acked: true, payload: answer.payload, tookMs }
      reason = answer.reason
    }
    return { acked: false, reason: reason ?? 'stopped', tookMs: performance.now() - startedAt }
  }

  return {
    all,
    send(kind, body) {
      const startedAt = performance.now()
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      const delivery: Delivery = { kind, body, attempts: [], done: promise }
      all.push(delivery)
      // The happening comes first, its news after: a test sees its own post before any answer.
      setImmediate(() => {
        run(delivery, startedAt).then((outcome) => {
          delivery.outcome = outcome
          resolve(outcome)
        })
      })
      return delivery
    },
    async redeliver(delivery) {
      const startedAt = performance.now()
      const answer = await attempt(delivery, {
        kind: delivery.kind,
        body: delivery.body,
        retryNum: delivery.attempts.length,
        retryReason: 'http_timeout',
      })
      const tookMs = performance.now() - startedAt
      return answer.taken
        ? { acked: true, payload: answer.payload, tookMs }
        : { acked: false, reason: answer.reason, tookMs }
    },
    async settled() {
      for (let open = all.filter((item) => !item.outcome); open.length > 0; ) {
        await Promise.all(open.map((item) => item.done))
        open = all.filter((item) => !item.outcome)
      }
    },
    stop() {
      stopped = true
      for (const [timer, resolve] of timers) {
        clearTimeout(timer)
        resolve()
      }
      timers.clear()
    },
  }
}
