import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Settings } from '../config/environment.ts'
import type { Config } from '../config/file.ts'
import { createLog } from '../observe/log.ts'
import { openEmbeddedDatabase } from '../store/embedded/database.ts'

/** The longest that stopping may take, in ms; then the process ends as it is. */
const patience = 9_000

/** Runs Hermes until it is told to stop. */
export async function start(input: {
  readonly settings: Settings
  readonly config: Config
  readonly root: string
}): Promise<number> {
  const { settings, config, root } = input
  const log = createLog(settings.logLevel)
  const began = performance.now()
  // From here on, since a supervisor may end what it has just begun: what comes while Hermes starts counts after it.
  const told = firstSignal()
  void told.then((why) => {
    log.info({ why }, 'Stopping')
    setTimeout(() => process.exit(0), patience).unref()
  })
  // The database opens on a thread of its own while this one loads the code: each takes about a second.
  const embedded = settings.database.url
    ? undefined
    : openEmbeddedDatabase({ directory: settings.home, log, clock: systemClock })
  embedded?.catch(() => {})
  const { startApp } = await import('../app.ts').catch(async (error: unknown) => {
    await (await embedded)?.close()
    throw error
  })
  const app = await startApp({
    settings,
    config,
    root,
    clock: systemClock,
    log,
    variables: process.env,
    ...(embedded ? { embedded } : {}),
  })
  const ending = new Promise<number>((resolve) => {
    void told.then(() =>
      app.stop().then(
        () => resolve(0),
        (error: unknown) => {
          log.error({ error: messageOf(error) }, 'Stopping failed')
          resolve(1)
        },
      ),
    )
    void app.failed.then((error) => {
      log.error({ error: messageOf(error) }, 'A part that everything needs has ended')
      console.error(`${error.message} Start Hermes again; what was committed is kept.`)
      setTimeout(() => process.exit(1), 3_000).unref()
      void app.stop().finally(() => resolve(1))
    })
  })
  console.log(
    startLines(
      settings,
      app.model.offline ? undefined : app.model.name,
      app.address,
      performance.now() - began,
    ).join('\n'),
  )
  // Else a process that is killed would leave its compiled code for none that comes after it.
  setImmediate(flushCompileCache)
  const code = await ending
  process.exit(code)
}

/** Resolves with what tells this process to end: a signal, or the end of what started it. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
    process.once('disconnect', () => resolve('the parent process is gone'))
    process.channel?.unref()
  })
}

/** What is configured, and what to set for the rest. */
function startLines(
  settings: Settings,
  model: string | undefined,
  address: string,
  ms: number,
): readonly string[] {
  const { slack, discord } = settings
  const line = (part: string, state: string) => `  ${part.padEnd(10)}${state}`
  return [
    '',
    `Hermes is running (${settings.role === 'all' ? 'all in one process' : settings.role}, started in ${(ms / 1000).toFixed(1)} s).`,
    '',
    ...(settings.role === 'worker' ? [] : [line('Web chat', address)]),
    line('Database', settings.database.url ? 'PostgreSQL (DATABASE_URL)' : `embedded, in ${settings.home}`),
    line('Queue', settings.redis.url ? 'Redis (REDIS_URL)' : 'on the database'),
    line(
      'Model',
      model ??
        'offline: a small rule-based stand-in. Set OPENAI_API_KEY (and OPENAI_BASE_URL, HERMES_MODEL) for a real one.',
    ),
    line(
      'Slack',
      slack.state === 'socket'
        ? 'on, Socket Mode'
        : slack.state === 'http'
          ? 'on, events at POST /slack/events'
          : slack.state === 'half'
            ? `off: ${slack.sentence}`
            : 'off. Make an app with `npm run slack:manifest`, then set SLACK_BOT_TOKEN and SLACK_APP_TOKEN.',
    ),
    line(
      'Discord',
      discord.state === 'on'
        ? 'on'
        : discord.state === 'half'
          ? `off: ${discord.sentence}`
          : 'off. Set DISCORD_TOKEN, then invite the bot with `npm run discord:invite`.',
    ),
    '',
  ]
}
