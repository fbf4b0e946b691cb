import { afterEach, describe, expect, it } from 'vitest'
import { createSlack } from '../../adapters/slack/adapter.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/observe/log.ts'
import { openStage, quick, type Stage } from './harness.ts'

let stage: Stage
afterEach(() => stage.stop())

const gateway = { receive: async () => ({ kind: 'ignored' as const }) }

describe('the health of the Slack channel', () => {
  it('is red with Slack’s reason while the bot token is wrong, and green once it works', async () => {
    stage = await openStage('socket', { listen: false })
    const right = stage.slack.botToken
    stage.slack.botToken = 'xoxb-another-token'
    expect(stage.channel.health()).toEqual({ state: 'starting' })
    await stage.channel.listen(gateway)
    await stage.slack.until('it is down', () => stage.channel.health().state === 'down')
    expect(stage.channel.health().reason).toBe('Slack refused the bot token (SLACK_BOT_TOKEN): invalid_auth.')
    await stage.slack.until('it asked again', () => stage.slack.callsOf('auth.test').length > 2)
    expect(stage.slack.socket.opened).toBe(0)
    stage.slack.botToken = right
    await stage.slack.until('it is up', () => stage.channel.health().state === 'up')
  })

  it('is red while the app token is wrong, without an unhandled rejection', async () => {
    stage = await openStage('socket', { listen: false })
    const right = stage.slack.appToken
    stage.slack.appToken = 'xapp-another-token'
    await stage.channel.listen(gateway)
    await stage.slack.until('it is down', () => stage.channel.health().state === 'down')
    expect(stage.channel.health().reason).toBe('Slack refused the app token (SLACK_APP_TOKEN): invalid_auth.')
    stage.slack.appToken = right
    await stage.slack.until('it is up', () => stage.channel.health().state === 'up')

    // The same at reconnecting, where Slack's own client lets the rejection go unhandled.
    stage.slack.appToken = 'xapp-another-token'
    stage.slack.socket.cut()
    await stage.slack.until('it is down', () => stage.channel.health().reason?.includes('invalid_auth'))
    stage.slack.appToken = right
    await stage.slack.until('it is up again', () => stage.channel.health().state === 'up')
  })

  it('is red where Slack can’t be reached, and the rest goes on', async () => {
    stage = await openStage('socket', { listen: false })
    const lonely = createSlack({
      botToken: 'xoxb-x',
      appToken: 'xapp-x',
      apiUrl: 'http://127.0.0.1:9/api/',
      clock: systemClock,
      log: silentLog,
      timing: quick,
    })
    await lonely.listen(gateway)
    await stage.slack.until('it is down', () => lonely.health().state === 'down')
    expect(lonely.health().reason).toMatch(/^Slack can't be reached: /)
    const started = performance.now()
    await lonely.stop()
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('tells when the socket dies and comes back, and loses no event meanwhile', async () => {
    stage = await openStage('socket')
    stage.slack.faults.always('apps.connections.open', { kind: 'status', status: 500 })
    stage.slack.socket.cut()
    await stage.slack.until('it is down', () => stage.channel.health().state === 'down')
    stage.ann.dm('said while nobody listened')
    stage.slack.faults.always('apps.connections.open', undefined)
    await stage.slack.until('it is up', () => stage.channel.health().state === 'up')
    expect(await stage.heard('message')).toMatchObject({ text: 'said while nobody listened' })
  })

  it('connects anew at once when Slack asks for it', async () => {
    stage = await openStage('socket')
    const started = performance.now()
    stage.slack.socket.askToReconnect()
    await stage.slack.until('it came back', () => stage.slack.socket.opened === 2)
    expect(performance.now() - started).toBeLessThan(1_000)
    stage.ann.dm('still there?')
    await stage.heard('message')
  })

  it('survives frames that are not as Slack words them', async () => {
    stage = await openStage('socket')
    for (const frame of [
      'not json',
      '{}',
      '{"type":"events_api","payload":{}}',
      '{"type":"events_api"}',
      '[]',
      'null',
    ]) {
      stage.slack.socket.sendRaw(frame)
    }
    stage.ann.dm('still there?')
    await stage.heard('message')
  })

  it('turns red when the token is revoked while it runs, and green when it works again', async () => {
    stage = await openStage('socket')
    const post = stage.ann.mention(stage.general, 'hi')
    await stage.heard('message')
    const right = stage.slack.botToken
    stage.slack.botToken = 'xoxb-revoked'
    const answer = stage.reply(stage.target(post)).finish('Hello.')
    await expect(answer).rejects.toMatchObject({ failure: 'refused' })
    expect(stage.channel.health()).toMatchObject({
      state: 'down',
      reason: expect.stringContaining('SLACK_BOT_TOKEN'),
    })
    stage.slack.botToken = right
    await stage.slack.until('it is up', () => stage.channel.health().state === 'up')
  })

  it('asks Slack to wait while the token is not known to work, by HTTP', async () => {
    stage = await openStage('http', { listen: false, slack: { retryAfterMs: [20, 100, 300, 600] } })
    const right = stage.slack.botToken
    stage.slack.botToken = 'xoxb-another-token'
    await stage.channel.listen({
      receive: async (event) => {
        stage.events.push(event)
        return { kind: 'ignored' }
      },
    })
    stage.ann.dm('early bird')
    await stage.slack.until(
      'it was sent away once',
      () => (stage.slack.deliveries.all[0]?.attempts.length ?? 0) > 1,
    )
    stage.slack.botToken = right
    await stage.heard('message')
  })

  it('stops within its time while an event is being worked on', async () => {
    stage = await openStage('socket')
    stage.answer = () => new Promise(() => {})
    stage.ann.dm('this never ends')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const started = performance.now()
    await stage.channel.stop()
    expect(performance.now() - started).toBeLessThan(5_000)
    await stage.slack.until('the socket is closed', () => stage.slack.socket.connected === 0)
  })

  it('is refused at once without a way to be reached', () => {
    const options = { botToken: 'xoxb-x', clock: systemClock, log: silentLog }
    expect(() => createSlack(options)).toThrow('SLACK_APP_TOKEN or SLACK_SIGNING_SECRET')
  })
})
