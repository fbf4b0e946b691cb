import { App, type Logger, LogLevel } from '@slack/bolt'
import { afterEach, describe, expect, it } from 'vitest'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'
import { buttons, reads } from '../support/slack/sight.ts'

// The stand-in is only worth something where the real Bolt takes it for Slack.

const quiet: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
}

let slack: StandInSlack
let app: App | undefined

afterEach(async () => {
  await app?.stop()
  app = undefined
  await slack.stop()
})

async function echo(): Promise<void> {
  app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logger: quiet,
    clientOptions: { slackApiUrl: slack.apiUrl },
  })
  app.event('app_mention', async ({ event, client }) => {
    await client.chat.postMessage({
      channel: event.channel,
      thread_ts: event.ts,
      text: 'Which one?',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: 'Which one?' } },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { type: 'plain_text', text: 'Ask' }, action_id: 'ask', value: '1' },
          ],
        },
      ],
    })
  })
  app.action('ask', async ({ ack, body, client, respond }) => {
    await ack()
    if (body.type !== 'block_actions') return
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'ask',
        title: { type: 'plain_text', text: 'Ask' },
        submit: { type: 'plain_text', text: 'Send' },
        blocks: [
          {
            type: 'input',
            block_id: 'what',
            label: { type: 'plain_text', text: 'What' },
            element: { type: 'plain_text_input', action_id: 'what' },
          },
        ],
      },
    })
    await respond({ text: 'opened', replace_original: false })
  })
  app.view('ask', async ({ ack, view }) => {
    const said = view.state.values.what?.what?.value
    if (said === 'no') await ack({ response_action: 'errors', errors: { what: 'Say yes' } })
    else await ack()
  })
  app.command('/hermes', async ({ ack, command }) => ack(`You said ${command.text}`))
  await app.start()
}

describe('the stand-in for Slack', () => {
  it('drives a real Bolt app by Socket Mode through a mention, a click, a modal and a command', async () => {
    slack = await startSlack()
    await echo()
    const ann = slack.person('Ann')
    const general = slack.channel('general', [ann])

    const post = ann.mention(general, 'hello')
    const answer = await slack.until('it answered', () => slack.answers(post)[0])
    expect(reads(answer)).toContain('Which one?')
    expect(buttons(answer)).toEqual(['Ask'])

    expect((await ann.click(answer, 'Ask')).acked).toBe(true)
    const modal = await slack.until('the modal is open', () => ann.modal())
    await ann.submit(modal, { What: 'no' })
    expect(ann.modal()?.errors).toEqual({ what: 'Say yes' })
    await ann.submit(modal, { What: 'yes' })
    expect(ann.modal()).toBeUndefined()
    await slack.until('the notice came', () => ann.notices().some((notice) => notice.text === 'opened'))

    await ann.command(general, 'help')
    expect(ann.notices().at(-1)?.text).toBe('You said help')
    expect(ann.errors).toEqual([])
    await slack.deliveries.settled()
    expect(slack.deliveries.all.every((delivery) => delivery.outcome?.acked)).toBe(true)
  })

  it('refuses what Slack refuses', async () => {
    slack = await startSlack({ streamMaxAgeMs: 0 })
    await echo()
    const ann = slack.person('Ann')
    const general = slack.channel('general', [ann])
    const elsewhere = slack.channel('elsewhere', [ann], { app: false })
    const post = ann.post(general, 'hi')
    const { client } = app!
    const channel = general.id
    const thread_ts = post.ts

    const refusals: [Promise<unknown>, string][] = [
      [client.chat.postMessage({ channel: 'C404', text: 'x' }), 'channel_not_found'],
      [client.chat.postMessage({ channel: elsewhere.id, text: 'x' }), 'not_in_channel'],
      [client.chat.postMessage({ channel, text: 'x'.repeat(40_001) }), 'msg_too_long'],
      [client.chat.postMessage({ channel, markdown_text: 'x'.repeat(12_001) }), 'msg_too_long'],
      [
        client.chat.postMessage({
          channel,
          text: 'x',
          blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3_001) } }],
        }),
        'invalid_blocks',
      ],
      [client.chat.update({ channel, ts: post.ts, text: 'x' }), 'cant_update_message'],
      [client.chat.startStream({ channel, thread_ts, markdown_text: 'x' }), 'missing_recipient_user_id'],
      [
        client.views.open({ trigger_id: 'made up', view: { type: 'home', blocks: [] } }),
        'invalid_trigger_id',
      ],
      [client.users.info({ token: 'xoxb-wrong', user: ann.id }), 'invalid_auth'],
    ]
    for (const [call, error] of refusals) await expect(call).rejects.toMatchObject({ data: { error } })

    const recipient = { recipient_user_id: ann.id, recipient_team_id: slack.workspace.teamId }
    const stream = await client.chat.startStream({ channel, thread_ts, markdown_text: 'x', ...recipient })
    await expect(client.chat.update({ channel, ts: stream.ts!, text: 'y' })).rejects.toMatchObject({
      data: { error: 'streaming_state_conflict' },
    })
    await new Promise((resolve) => setTimeout(resolve, 2))
    await expect(
      client.chat.appendStream({ channel, ts: stream.ts!, markdown_text: 'y' }),
    ).rejects.toMatchObject({ data: { error: 'message_not_in_streaming_state' } })
  })

  it('delivers again what was not acknowledged, and connects anew when asked to', async () => {
    slack = await startSlack({ ackWithinMs: 50, retryAfterMs: [10, 10] })
    let tries = 0
    slack.deliverTo(async () => {
      tries += 1
      return new Response(null, { status: tries < 3 ? 500 : 200 })
    })
    const ann = slack.person('Ann')
    ann.post(slack.channel('general', [ann]), 'hi')
    await slack.deliveries.settled()
    expect(slack.deliveries.all[0]).toMatchObject({ attempts: { length: 3 }, outcome: { acked: true } })

    slack.deliverTo(undefined)
    await echo()
    slack.socket.cut()
    await slack.until('it came back', () => slack.socket.opened === 2, 15_000)
    // Bolt leaves a promise behind that rejects where it is stopped before it has heard the greeting.
    expect(await ann.openHome().done).toMatchObject({ acked: true })
  }, 20_000)
})
