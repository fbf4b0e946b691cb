// `npm run bench`: what Hermes adds to a model that answers at once, beside the least that Bolt and discord.js need.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startDiscord } from '../test/support/discord/discord.ts'
import { startSlack } from '../test/support/slack/server.ts'
import type { Platform } from './chat.ts'
import { measureContext, showContextCost } from './context.ts'
import { prepareHermes } from './hermes.ts'
import { startInstantModel } from './instant-model.ts'
import { measureIntent, showIntentFigures } from './intent.ts'
import { type Measured, measure, warmUp } from './load.ts'
import { discordPlatform } from './platforms/discord.ts'
import { preciseNow, slackPlatform } from './platforms/slack.ts'
import { webPlatform } from './platforms/web.ts'
import { type Run, report, verdicts } from './report.ts'
import { makeServices, type Services } from './services.ts'
import { type Subject, startSubject } from './subject.ts'
import { measureTools, showToolFigures } from './tools.ts'

const { values: given } = parseArgs({
  options: {
    json: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', multiple: true, default: ['web', 'slack', 'discord'] },
    sessions: { type: 'string', default: '1,8,32' },
    on: { type: 'string', multiple: true, default: ['embedded', 'services'] },
    profile: { type: 'string' },
    floor: { type: 'boolean', default: true },
    intent: { type: 'boolean', default: true },
    tools: { type: 'boolean', default: true },
    context: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const seconds = Number(given.seconds)
const sessions = given.sessions.split(',').map(Number)
const say = (line: string) => console.error(line)

const began = performance.now()
const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]!.toFixed(1)} at the start`
const runs: Run[] = []
if (given.on.includes('embedded')) runs.push(await measureHermes('embedded', undefined))
const services = given.on.includes('services') ? await makeServices(process.env) : undefined
if (services) {
  process.once('SIGINT', () => void services.remove().finally(() => process.exit(130)))
  try {
    runs.push(await measureHermes('PostgreSQL and Redis', services))
  } finally {
    await services.remove()
  }
}
if (given.floor && given.only.includes('slack')) runs.push(await measureBolt())
if (given.floor && given.only.includes('discord')) runs.push(await measureDiscordJs())
if (given.intent) say('The rules that read what people want')
const intents = given.intent ? measureIntent() : undefined
if (given.tools) say('Tools: which are offered, and what a call takes')
const tools = given.tools ? await measureTools() : undefined
if (given.context) say('The context of a request, by the length of the conversation')
const contexts = given.context ? await measureContext() : undefined

const took = (performance.now() - began) / 1_000
console.log(report(machine, runs, took))
if (contexts) console.log(`\nReading a session and assembling a request:\n${showContextCost(contexts)}`)
if (intents) console.log(`\nUnderstanding by rules, without a model:\n${showIntentFigures(intents)}`)
if (tools) console.log(`\nTools:\n${showToolFigures(tools)}`)
if (given.json !== undefined) {
  const content = {
    machine,
    at: new Date().toISOString(),
    seconds: took,
    runs,
    targets: verdicts(runs),
    intents,
    tools,
    contexts,
  }
  await writeFile(given.json, `${JSON.stringify(content, null, 2)}\n`)
}
process.exit(0)

async function measureHermes(name: string, services: Services | undefined): Promise<Run> {
  const slack = await startSlack({ now: preciseNow })
  const discord = await startDiscord()
  const model = await startInstantModel()
  const hermes = await prepareHermes({ slack, discord, model, ...services })
  const platforms: Record<string, () => Platform> = {
    web: () => webPlatform(() => hermes.address),
    slack: () => slackPlatform(slack, { mentionAlways: false }),
    discord: () => discordPlatform(discord, { answersIn: 'thread' }),
  }
  const used = given.only.flatMap((one) => platforms[one]?.() ?? [])
  try {
    say(`Hermes, ${name}: starting on nothing`)
    const first = await hermes.start()
    await first.stop()
    say(`Hermes, ${name}: starting again`)
    const subject = await hermes.start(profiling(given.profile))
    const idle = subject.memory().now
    const measured = await loads(name, used, subject, model)
    const memory = { idle, after: subject.memory().now, most: subject.memory().most }
    const stopMs = await subject.stop()
    if (subject.errors() !== '') say(subject.errors())
    return {
      subject: `Hermes, ${name}`,
      floor: false,
      coldStartMs: first.startMs,
      warmStartMs: subject.startMs,
      stopMs,
      memory,
      measured,
    }
  } finally {
    await Promise.all([hermes.remove(), model.stop(), slack.stop(), discord.stop()])
  }
}

async function measureBolt(): Promise<Run> {
  const slack = await startSlack({ now: preciseNow })
  try {
    return await measureFloor('a bare Bolt echo bot', 'slack-echo.ts', {
      env: slack.variables(),
      platform: slackPlatform(slack, { mentionAlways: true }),
    })
  } finally {
    await slack.stop()
  }
}

async function measureDiscordJs(): Promise<Run> {
  const discord = await startDiscord()
  try {
    return await measureFloor('a bare discord.js echo bot', 'discord-echo.ts', {
      env: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
      platform: discordPlatform(discord, { answersIn: 'channel' }),
    })
  } finally {
    await discord.stop()
  }
}

async function measureFloor(
  name: string,
  file: string,
  bot: {
    readonly env: Readonly<Record<string, string>>
    readonly platform: Platform
  },
): Promise<Run> {
  say(`${name}: starting`)
  const subject = await startSubject(new URL(`./floor/${file}`, import.meta.url).pathname, {
    env: bot.env,
    ready: (printed) => printed.includes('ready'),
  })
  const idle = subject.memory().now
  const measured = await loads(name, [bot.platform], subject, undefined)
  const memory = { idle, after: subject.memory().now, most: subject.memory().most }
  await subject.stop()
  return { subject: name, floor: true, warmStartMs: subject.startMs, memory, measured }
}

async function loads(
  name: string,
  platforms: readonly Platform[],
  subject: Subject,
  model: Parameters<typeof measure>[2],
): Promise<readonly Measured[]> {
  const all: Measured[] = []
  for (const platform of platforms) {
    await warmUp(platform, 5)
    for (const count of sessions) {
      await subject.rest()
      say(`${name}: ${platform.name}, ${count} at a time`)
      all.push(await measure(platform, subject, model, { sessions: count, seconds }))
    }
  }
  return all
}

function profiling(folder: string | undefined): readonly string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}
