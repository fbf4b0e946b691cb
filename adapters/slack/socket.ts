import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt'
import { messageOf } from '../../src/base/errors.ts'
import { pause, within } from '../../src/base/wait.ts'
import type { ChannelHealth } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { boltLogger } from './client.ts'
import { afterCommit } from './durable.ts'
import { refusalOf, tokenErrors } from './refusal.ts'

/** How long connecting may take, and how long to wait after it failed. */
export interface ConnectionTiming {
  /** One try at connecting, ms. */
  readonly connectMs: number
  /** The pause after the first failure, ms; doubled up to the most. */
  readonly retryMs: number
  readonly retryMostMs: number
}

export const connectionTiming: ConnectionTiming = { connectMs: 15_000, retryMs: 1_000, retryMostMs: 60_000 }

/** How long to wait after so many failures in a row. */
export function pauseAfter(failures: number, timing: ConnectionTiming): number {
  return Math.min(timing.retryMs * 2 ** (failures - 1), timing.retryMostMs)
}

/**
 * Socket Mode, with the reconnecting done here: Slack's client waits 5 s before it connects anew, and what goes
 * wrong then is an unhandled rejection (socket-mode 3.1, `delayReconnectAttempt`).
 */
export class SocketReceiver implements Receiver {
  readonly #inner: SocketModeReceiver
  readonly #timing: ConnectionTiming
  readonly #log: Log
  #health: ChannelHealth = { state: 'starting' }

  constructor(options: {
    readonly appToken: string
    readonly apiUrl: string
    readonly timing: ConnectionTiming
    readonly log: Log
  }) {
    this.#timing = options.timing
    this.#log = options.log
    this.#inner = new SocketModeReceiver({
      appToken: options.appToken,
      logger: boltLogger(options.log),
      autoReconnectEnabled: false,
      installerOptions: {
        clientOptions: {
          slackApiUrl: options.apiUrl,
          retryConfig: { retries: 0 },
          timeout: Math.floor(options.timing.connectMs / 2),
          rejectRateLimitedCalls: true,
        },
      },
      processEventErrorHandler: async ({ error }) => {
        options.log.error(
          { error: messageOf(error) },
          'An event from Slack was not kept; Slack delivers it again',
        )
        return false
      },
    })
    this.#guardFrames()
  }

  init(app: App): void {
    this.#inner.init(afterCommit(app))
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  health(): ChannelHealth {
    return this.#health
  }

  /** Stays connected until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { client } = this.#inner
    let failures = 0
    while (!signal.aborted) {
      const lost = Promise.withResolvers<void>()
      const onLost = () => lost.resolve()
      const onStop = () => lost.resolve()
      signal.addEventListener('abort', onStop, { once: true })
      try {
        client.once('disconnected', onLost)
        await within(this.#timing.connectMs, 'Connecting to Slack', client.start())
        this.#health = { state: 'up' }
        failures = 0
        this.#log.info({}, 'Connected to Slack by Socket Mode')
        await lost.promise
        if (!signal.aborted) {
          this.#health = { state: 'down', reason: 'The connection to Slack was lost; connecting anew.' }
          this.#log.info({}, 'The connection to Slack ended; connecting anew')
        }
      } catch (error) {
        failures += 1
        const wait = pauseAfter(failures, this.#timing)
        this.#health = { state: 'down', reason: reasonOf(error) }
        this.#log.warn({ error: messageOf(error), waitMs: wait }, 'Slack could not be reached by Socket Mode')
        await this.#disconnect()
        await pause(wait, signal)
      } finally {
        signal.removeEventListener('abort', onStop)
        client.off('disconnected', onLost)
      }
    }
    this.#health = { state: 'down', reason: 'Stopped.' }
    await this.#disconnect()
  }

  /** Closes the socket; by force where Slack does not close its end within a second. */
  async #disconnect(): Promise<void> {
    const { client } = this.#inner
    await within(1_000, 'Closing the connection to Slack', client.disconnect()).catch(() => {})
    // A second time while it is closing, the client lets go at once.
    if (client.websocket) client.websocket.disconnect()
  }

  /** A frame that is not as Slack words it would be an unhandled rejection. */
  #guardFrames(): void {
    const { client } = this.#inner
    const handlers = client.listeners('ws_message')
    client.removeAllListeners('ws_message')
    client.on('ws_message', async (...frame: unknown[]) => {
      for (const handler of handlers) {
        try {
          await handler(...frame)
        } catch (error) {
          this.#log.warn({ error: messageOf(error) }, 'A frame from Slack could not be read')
        }
      }
    })
  }
}

function reasonOf(error: unknown): string {
  if (error === undefined) return 'Slack closed the connection before it was ready.'
  const { code } = refusalOf('apps.connections.open', error)
  return tokenErrors.has(code)
    ? `Slack refused the app token (SLACK_APP_TOKEN): ${code}.`
    : `Slack's Socket Mode can't be reached: ${code}.`
}
