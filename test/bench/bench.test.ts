import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { spreadOf, tableOf } from '../../bench/figures.ts'
import { type InstantModel, startInstantModel } from '../../bench/instant-model.ts'
import { type Measured, measure, warmUp } from '../../bench/load.ts'
import { discordPlatform } from '../../bench/platforms/discord.ts'
import { preciseNow, slackPlatform } from '../../bench/platforms/slack.ts'
import { webPlatform } from '../../bench/platforms/web.ts'
import { type Run, report, verdicts } from '../../bench/report.ts'
import { type Subject, startSubject } from '../../bench/subject.ts'
import { openClient } from '../../src/store/client.ts'
import { runningUrl } from '../../src/store/running.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type StandInDiscord, startDiscord } from '../support/discord/discord.ts'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'

const load = { sessions: 2, seconds: 0.5 }

/** Figures of turns that were carried out, in the order in which things happen in one. */
function expectSound(measured: Measured) {
  const { turns, failures, perSecond, sign, finished, cpu } = measured
  expect(failures).toBe(0)
  expect(turns).toBeGreaterThan(0)
  expect(perSecond).toBeGreaterThan(0)
  expect(cpu).toBeGreaterThanOrEqual(0)
  expect(sign!.p50).toBeGreaterThan(0)
  expect(sign!.p50).toBeLessThanOrEqual(finished!.p50)
  expect(finished!.count).toBe(turns)
}

describe('the figures', () => {
  it('are the nearest ranks of what was measured', () => {
    const spread = spreadOf(Array.from({ length: 20 }, (_, index) => 20 - index))
    expect(spread).toEqual({ count: 20, p50: 10, p95: 19, max: 20 })
    expect(spreadOf([])).toBeUndefined()
  })

  it('are told beside the targets, and the worst platform counts', () => {
    const time = (p50: number, p95: number) => ({ count: 9, p50, p95, max: p95 })
    const one = (platform: string, sessions: number, perSecond: number, p50: number): Measured => ({
      platform,
      sessions,
      turns: 9,
      failures: 0,
      perSecond,
      ack: time(p50, p50 * 2),
      sign: time(p50, p50 * 2),
      finished: time(p50, p50 * 2),
      cpu: 1,
      ownCpu: 1,
    })
    const run: Run = {
      subject: 'Hermes, embedded',
      floor: false,
      warmStartMs: 4_000,
      memory: { idle: 1, after: 2, most: 3 },
      measured: [
        one('web', 1, 10, 20),
        one('slack', 1, 10, 90),
        one('web', 8, 22, 30),
        one('slack', 8, 18, 70),
      ],
    }
    expect(verdicts([run]).map(({ reached, holds }) => [reached, holds])).toEqual([
      ['180 ms', true],
      ['180 ms', true],
      ['90.0 ms', false],
      ['18.0 /s', true],
      ['4.00 s', true],
    ])
    expect(report('a machine', [run], 3)).toMatch(/message to finished answer p50 < 60 ms +90\.0 ms +NO/)
  })

  it('stand under each other', () => {
    expect(
      tableOf([
        ['', 'a'],
        ['x', '10'],
        ['long', '5'],
      ]),
    ).toBe('       a\nx     10\nlong   5')
  })
})

describe('the bare bots', () => {
  const bot = (name: string, env: Record<string, string>) =>
    startSubject(new URL(`../../bench/floor/${name}.ts`, import.meta.url).pathname, {
      env,
      ready: (printed) => printed.includes('ready'),
    })

  it('Bolt answers in the thread', async () => {
    const slack = await startSlack({ now: preciseNow })
    const platform = slackPlatform(slack, { mentionAlways: true })
    const { botToken, appToken, apiUrl } = slack
    const subject = await bot('slack-echo', {
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      SLACK_API_URL: apiUrl,
    })
    try {
      await warmUp(platform, 1)
      const measured = await measure(platform, subject, undefined, load)
      expectSound(measured)
      expect(measured.ack!.p50).toBeGreaterThan(0)
      expect(measured.calls).toBeCloseTo(1, 0)
      expect(subject.memory().now).toBeGreaterThan(10)
    } finally {
      await subject.stop()
      await slack.stop()
    }
  })

  it('discord.js answers in the channel', async () => {
    const discord = await startDiscord()
    const platform = discordPlatform(discord, { answersIn: 'channel' })
    const subject = await bot('discord-echo', { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url })
    try {
      await warmUp(platform, 1)
      expectSound(await measure(platform, subject, undefined, load))
    } finally {
      await subject.stop()
      await discord.stop()
    }
  })
})

describe('Hermes', () => {
  let slack: StandInSlack
  let discord: StandInDiscord
  let model: InstantModel
  let app: TestApp
  // Here it runs in the test's own process; the bench starts one of its own.
  const subject: Subject = {
    startMs: 0,
    memory: () => ({ now: 0, most: 0 }),
    rest: async () => {},
    cpu: () => process.cpuUsage().user / 1_000,
    errors: () => '',
    stop: async () => 0,
  }

  beforeAll(async () => {
    ;[slack, discord, model] = await Promise.all([
      startSlack({ now: preciseNow }),
      startDiscord(),
      startInstantModel(),
    ])
  })
  afterAll(async () => {
    await app?.end()
    await Promise.all([slack.stop(), discord.stop(), model.stop()])
  })

  it('is measured on every platform, with its own time told from the model’s', {
    timeout: 90_000,
  }, async () => {
    const platforms = [
      webPlatform(() => app.address),
      slackPlatform(slack, { mentionAlways: false }),
      discordPlatform(discord, { answersIn: 'thread' }),
    ]
    app = await startTestApp({
      variables: {
        OPENAI_BASE_URL: model.baseUrl,
        HERMES_MODEL: 'instant',
        ...slack.variables(),
        ...discord.variables(),
      },
    })
    await expect.poll(async () => (await app.readiness()).ready, { timeout: 20_000 }).toBe(true)
    for (const platform of platforms) {
      await warmUp(platform, 2)
      const measured = await measure(platform, subject, model, load)
      expectSound(measured)
      const { added, before, after, finished } = measured
      expect(added!.p50).toBeLessThanOrEqual(finished!.p50)
      expect(before!.p50).toBeGreaterThan(0)
      expect(after!.p50).toBeGreaterThan(0)
    }
    const db = openClient(runningUrl(app.home)!, { connections: 1 })
    onTestFinished(() => db.$disconnect())
    // Two on Slack and two on Discord; on the web they are the person's own.
    expect(await db.memory.count({ where: { scope: 'team', status: 'active' } })).toBe(4)
  })
})
