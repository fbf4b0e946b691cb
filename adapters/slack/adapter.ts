import type { Clock } from '../../src/base/clock.ts'
import { HermesError, messageOf } from '../../src/base/errors.ts'
import { pause, within } from '../../src/base/wait.ts'
import type { Channel, ChannelHealth, Gateway } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { connectBolt } from './bolt.ts'
import { type ClientTiming, createClient } from './client.ts'
import { createDirectory } from './directory.ts'
import { type FileLimits, fileLimits } from './files.ts'
import { HttpReceiver } from './http.ts'
import { type Identity, rememberIdentity, whoAmI } from './identity.ts'
import { createIntake } from './intake.ts'
import { createPast } from './past.ts'
import { createPosting } from './posting.ts'
import { createReceiptScreen } from './receipt.ts'
import { codeIn, tokenErrors } from './refusal.ts'
import { type ConnectionTiming, connectionTiming, pauseAfter, SocketReceiver } from './socket.ts'
import { createSpeaker } from './speaker.ts'
import { type StreamTiming, streamTiming } from './stream.ts'

/** What the Slack channel is made of: the bot's token, and one of the two ways to be reached. */
export interface SlackOptions {
  readonly botToken: string
  /** Socket Mode. */
  readonly appToken?: string
  /** Signed HTTP; used where there is no app token. */
  readonly signingSecret?: string
  /** Another Slack API address, ending in `/api/`. */
  readonly apiUrl?: string
  readonly clock: Clock
  readonly log: Log
  readonly timing?: Partial<ClientTiming & StreamTiming & ConnectionTiming>
  readonly fileLimits?: Partial<FileLimits>
}

/** The Slack channel. */
export interface SlackChannel extends Channel {
  /** Takes `POST /slack/events`, where Slack delivers by signed HTTP. */
  readonly handle?: (request: Request) => Promise<Response>
}

/** Makes the channel. `speaker` works at once, in any process; nothing is received before `listen`. */
export function createSlack(options: SlackOptions): SlackChannel {
  return new Slack(options)
}

class Slack implements SlackChannel {
  readonly name = 'slack'
  readonly speaker: Channel['speaker']
  readonly handle?: (request: Request) => Promise<Response>
  readonly #options: SlackOptions
  readonly #log: Log
  readonly #client
  readonly #directory
  readonly #timing: ConnectionTiming
  readonly #receiver: SocketReceiver | HttpReceiver
  readonly #stopping = new AbortController()
  #token: ChannelHealth = { state: 'starting' }
  #running: Promise<void> = Promise.resolve()
  #checking = false

  constructor(options: SlackOptions) {
    const { clock } = options
    const log = options.log.child({ channel: 'slack' })
    this.#options = options
    this.#log = log
    this.#timing = { ...connectionTiming, ...options.timing }
    this.#client = createClient({
      token: options.botToken,
      ...(options.apiUrl === undefined ? {} : { apiUrl: options.apiUrl }),
      clock,
      log,
      ...(options.timing ? { timing: options.timing } : {}),
      onTokenRefused: (code) => this.#suspect(code),
    })
    const client = this.#client
    this.#directory = createDirectory(client, clock)
    const identity = rememberIdentity(client)
    const past = createPast(client, identity, this.#directory)
    const posting = createPosting(client, past, clock)
    this.speaker = createSpeaker({
      client,
      identity,
      directory: this.#directory,
      past,
      posting,
      clock,
      log,
      timing: { ...streamTiming, ...options.timing },
    })
    if (options.appToken !== undefined) {
      this.#receiver = new SocketReceiver({
        appToken: options.appToken,
        apiUrl: client.apiUrl,
        timing: this.#timing,
        log,
      })
    } else {
      const { signingSecret } = options
      if (!signingSecret) {
        throw new HermesError('slack.settings', 'Slack needs SLACK_APP_TOKEN or SLACK_SIGNING_SECRET.')
      }
      const receiver = new HttpReceiver({ signingSecret, clock, log })
      this.#receiver = receiver
      this.handle = receiver.handle
    }
  }

  async listen(gateway: Gateway): Promise<void> {
    this.#running = this.#run(gateway).catch((error: unknown) => {
      this.#token = { state: 'down', reason: `Slack could not be started: ${messageOf(error)}` }
      this.#log.error({ error: messageOf(error) }, 'Slack could not be started')
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#receiver.stop()
    this.#client.stop()
    await within(4_000, 'Leaving Slack', this.#running).catch((error: unknown) =>
      this.#log.warn({ error: messageOf(error) }, 'Slack was left without a goodbye'),
    )
  }

  health(): ChannelHealth {
    if (this.#token.state !== 'up') return this.#token
    return this.#receiver instanceof SocketReceiver ? this.#receiver.health() : { state: 'up' }
  }

  async #run(gateway: Gateway): Promise<void> {
    const identity = await this.#untilTokenWorks()
    if (!identity) return
    const { clock } = this.#options
    const screen = createReceiptScreen(this.#client, this.speaker, this.#log)
    const intake = createIntake({
      client: this.#client,
      identity,
      directory: this.#directory,
      screen,
      gateway,
      clock,
      log: this.#log,
      fileLimits: { ...fileLimits, ...this.#options.fileLimits },
    })
    const client = this.#client
    connectBolt({ receiver: this.#receiver, client, identity, intake, log: this.#log })
    if (this.#receiver instanceof SocketReceiver) await this.#receiver.run(this.#stopping.signal)
  }

  /** Asks Slack until it knows the token; undefined where the channel is stopped before. */
  async #untilTokenWorks(): Promise<Identity | undefined> {
    const { signal } = this.#stopping
    this.#checking = true
    try {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          const identity = await whoAmI(this.#client)
          this.#token = { state: 'up' }
          return identity
        } catch (error) {
          this.#token = { state: 'down', reason: reasonOf(error) }
          const wait = pauseAfter(failures, this.#timing)
          this.#log.warn({ error: messageOf(error), waitMs: wait }, 'Slack does not know the bot token yet')
          await pause(wait, signal)
        }
      }
      return undefined
    } finally {
      this.#checking = false
    }
  }

  /** A call failed because of the token: the channel is down until Slack takes it again. */
  #suspect(code: string): void {
    if (this.#checking || this.#token.state !== 'up') return
    this.#token = { state: 'down', reason: tokenSentence(code) }
    void this.#untilTokenWorks()
  }
}

function reasonOf(error: unknown): string {
  const code = codeIn(error)
  if (code !== undefined && tokenErrors.has(code)) return tokenSentence(code)
  return code === 'not_a_bot' ? messageOf(error) : `Slack can't be reached: ${code ?? messageOf(error)}.`
}

function tokenSentence(code: string): string {
  return `Slack refused the bot token (SLACK_BOT_TOKEN): ${code}.`
}
