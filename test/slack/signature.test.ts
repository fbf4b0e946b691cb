import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedRequest } from '../support/slack/signed.ts'
import { openStage, type Stage } from './harness.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage('http')
})
afterEach(() => stage.stop())

const url = 'http://127.0.0.1/slack/events'

function mention(
  changes: Parameters<typeof signedRequest>[3] = {},
  secret = stage.slack.signingSecret,
): Request {
  const event = {
    type: 'app_mention',
    user: stage.ann.id,
    text: `<@${stage.slack.workspace.bot.id}> hi`,
    ts: '1700000000.000100',
    channel: stage.general.id,
    event_ts: '1700000000.000100',
  }
  return signedRequest(
    { kind: 'events_api', body: stage.slack.news.envelope(event), retryNum: 0 },
    secret,
    url,
    changes,
  )
}

describe('a request that says it comes from Slack', () => {
  it('is taken with the right signature', async () => {
    expect((await stage.channel.handle!(mention())).status).toBe(200)
    expect(stage.events).toHaveLength(1)
  })

  it.each([
    ['a wrong secret', () => mention({}, 'guessed')],
    ['a signature of the wrong length', () => mention({ signature: 'v0=abc' })],
    ['a signature of another version', () => mention({ signature: `v1=${'0'.repeat(64)}` })],
    ['a time six minutes ago', () => mention({ at: Date.now() - 360_000 })],
    ['a time six minutes ahead', () => mention({ at: Date.now() + 360_000 })],
    ['no headers at all', () => new Request(url, { method: 'POST', body: '{}' })],
    [
      'a body that was changed on the way',
      () => {
        const request = mention()
        return new Request(url, {
          method: 'POST',
          headers: request.headers,
          body: '{"type":"event_callback"}',
        })
      },
    ],
  ])('is refused with %s', async (_, request) => {
    expect((await stage.channel.handle!(request())).status).toBe(401)
    expect(stage.events).toEqual([])
  })

  it('may be malformed or unknown without harm', async () => {
    const attempt = { kind: 'events_api', body: {}, retryNum: 0 } as const
    const bodies = ['not json', '[]', 'null', '{}', '{"type":"event_callback"}', '{"type":"something_new"}']
    for (const body of bodies) {
      const response = await stage.channel.handle!(
        signedRequest(attempt, stage.slack.signingSecret, url, { body }),
      )
      expect([200, 400]).toContain(response.status)
    }
    const long = signedRequest(attempt, stage.slack.signingSecret, url, { body: 'x'.repeat(2_100_000) })
    expect((await stage.channel.handle!(long)).status).toBe(413)
    expect(stage.events).toEqual([])
  })

  it('may be the check of the address, which is answered with its challenge', async () => {
    const body = { type: 'url_verification', challenge: 'c1' }
    const request = signedRequest({ kind: 'events_api', body, retryNum: 0 }, stage.slack.signingSecret, url)
    const response = await stage.channel.handle!(request)
    expect(await response.json()).toEqual({ challenge: 'c1' })
  })
})
