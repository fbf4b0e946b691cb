import { afterEach, describe, expect, it } from 'vitest'
import { ChannelError } from '../../src/channel/failure.ts'
import { labelsOf } from '../support/slack/buttons.ts'
import { pings, reads } from '../support/slack/sight.ts'
import type { Message } from '../support/slack/workspace.ts'
import { only, openStage, type Stage } from './harness.ts'

let stage: Stage
afterEach(() => stage.stop())

const why = { label: 'Why', action: 'answer.why', value: 'turn_1', style: 'quiet' } as const

async function asked(): Promise<Message> {
  const post = stage.ann.mention(stage.general, 'tell me')
  await stage.heard('message')
  return post
}

/** Waits until the one answer in a thread shows that text. */
function shows(post: Message, text: string): Promise<Message> {
  return stage.slack.until(`the answer shows "${text}"`, () =>
    stage.slack.answers(post).find((message) => reads(message).includes(text)),
  )
}

describe('an answer in a thread', () => {
  it('is streamed into one message and ends with its buttons', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    reply.write('The first ')
    await shows(post, 'The')
    reply.write('The first half,\n\nand the')
    await shows(post, 'half,')
    reply.write('The first half,\n\nand the second\n\nhalf')
    await shows(post, 'second')
    const whole = 'The first half,\n\nand the second\n\nhalf.'
    const { messageIds } = await reply.finish(whole, { actions: [why] })

    const answer = only(stage, post)
    expect(messageIds).toEqual([answer.ts])
    expect(answer.stream).toMatchObject({ state: 'completed', recipient: stage.ann.id })
    expect(answer.text).toBe(whole)
    expect(answer.history.map((look) => look.how)).toEqual(['post', 'append', 'append', 'stop'])
    expect(stage.slack.callsOf('chat.update')).toEqual([])
    // Nothing that was appended begins with white space, which Slack may swallow.
    for (const call of [
      ...stage.slack.callsOf('chat.appendStream'),
      ...stage.slack.callsOf('chat.stopStream'),
    ]) {
      expect((call.args.chunks as { text: string }[])[0]!.text).toMatch(/^\S/)
    }
    await stage.ann.click(answer, 'Why')
    expect(await stage.heard('action')).toMatchObject({ action: 'answer.why', value: 'turn_1' })
  })

  it('is one post where it is short', async () => {
    stage = await openStage('socket')
    const post = await asked()
    await stage.reply(stage.target(post)).finish('Yes.')
    expect(only(stage, post).history.map((look) => look.how)).toEqual(['post'])
    expect(stage.slack.callsOf('chat.startStream')).toEqual([])
  })

  it('is replaced in place when the person said more meanwhile', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    reply.write('I think that you want the first one because')
    await shows(post, 'I think')
    reply.restart()
    reply.write('Now I know that it is another one')
    await shows(post, 'Now I know')
    await reply.finish('Now I know that it is another one.')
    const answer = only(stage, post)
    expect(reads(answer)).toBe('Now I know that it is another one.')
    expect(answer.stream?.state).toBe('completed')
  })

  it('goes on by edits when the stream gets old, and when Slack ended it', async () => {
    stage = await openStage('socket', { adapter: { timing: { appendMs: 10, updateMs: 10, rotateMs: 80 } } })
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    let text = ''
    for (let word = 0; word < 40; word += 1) {
      text += `word${word} `
      reply.write(text)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await reply.finish(text)
    let answer = only(stage, post)
    expect(reads(answer)).toBe(text.trim())
    expect(answer.stream?.state).toBe('completed')
    expect(answer.history.some((look) => look.how === 'update')).toBe(true)
    await stage.stop()

    stage = await openStage('socket', { slack: { streamMaxAgeMs: 80 } })
    const next = await asked()
    const second = stage.reply(stage.target(next))
    second.write('Before the end ')
    await shows(next, 'Before')
    await new Promise((resolve) => setTimeout(resolve, 100))
    second.write('Before the end and after the end')
    await shows(next, 'after')
    await second.finish('Before the end and after the end.')
    answer = only(stage, next)
    expect(reads(answer)).toBe('Before the end and after the end.')
  })

  it('falls back to a post that is edited where Slack does not stream', async () => {
    stage = await openStage('socket')
    stage.slack.faults.always('chat.startStream', { kind: 'error', error: 'channel_type_not_supported' })
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    reply.write('Half')
    await shows(post, 'Half')
    reply.write('Half and more')
    await shows(post, 'more')
    await reply.finish('Half and all.', { actions: [why] })
    expect(reads(only(stage, post))).toContain('Half and all.')
    const second = stage.reply(stage.target(post))
    second.write('Again')
    await shows(post, 'Again')
    await second.finish('Again.')
    // Where it was refused once, it is not tried for every answer.
    expect(stage.slack.callsOf('chat.startStream')).toHaveLength(1)
  })

  it('is edited by another process that knows nothing of the stream', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const target = stage.target(post)
    const surface = stage.channel.speaker.surface(target)
    const id = await surface.create({ text: 'Half of an', final: false }, 'n1')
    const elsewhere = stage.channel.speaker.surface(target)
    await elsewhere.edit(id, { text: 'The whole answer', final: true })
    expect(reads(only(stage, post))).toBe('The whole answer')
    expect(only(stage, post).stream?.state).toBe('completed')
  })

  it('stands still once the person pressed Slack’s own stop, until its final text', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    reply.write('One two ')
    const answer = await shows(post, 'One')
    stage.ann.stopStream(answer)
    reply.write('One two three four')
    await stage.slack.until('an append was refused', () =>
      stage.slack.callsOf('chat.appendStream').some((call) => call.error === 'stopped_by_user'),
    )
    reply.write('One two three four five')
    await reply.finish('Stopped.')
    expect(reads(only(stage, post))).toBe('Stopped.')
    expect(stage.slack.callsOf('chat.update')).toHaveLength(1)
  })

  it('leaves no stream running when it is given up', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    reply.write('Half of an answer')
    await shows(post, 'Half')
    await reply.abandon()
    expect(only(stage, post).stream?.state).toBe('completed')
  })
})

describe('an answer in a direct message', () => {
  it('stands at the top level, posted and edited, while a thread there is streamed', async () => {
    stage = await openStage('socket')
    const post = stage.ann.dm('hello')
    await stage.heard('message')
    const reply = stage.reply(stage.target(post))
    const direct = stage.ann.direct()
    const answers = () => stage.slack.topLevel(direct).filter((message) => message.botId)
    reply.write('Good')
    await stage.slack.until('the draft is there', () => answers()[0])
    reply.write('Good morning')
    await stage.slack.until('the draft grew', () => answers()[0]!.text.includes('morning'))
    await reply.finish('Good morning, Ann.')
    expect(answers().map((message) => message.text)).toEqual(['Good morning, Ann.'])
    expect(answers()[0]!.threadTs).toBeUndefined()
    await stage.slack.until('the status under the post is gone', () => {
      const shown = stage.slack.workspace.statuses.filter((status) => status.threadTs === post.ts)
      return shown[0]?.status === 'Thinking…' && shown.at(-1)?.status === ''
    })

    const inThread = stage.ann.reply(post, 'and here?')
    const second = stage.reply(stage.target(inThread))
    second.write('Here ')
    await stage.slack.until('it streams', () => stage.slack.answers(inThread)[0]?.stream)
    await second.finish('Here too.')
  })
})

describe('when the way to Slack is bad', () => {
  it.each([
    ['chat.postMessage', { kind: 'reset-after' }],
    ['chat.postMessage', { kind: 'status-after', status: 502 }],
    ['chat.postMessage', { kind: 'reset-before' }],
    ['chat.postMessage', { kind: 'error', error: 'internal_error' }],
    ['chat.postMessage', { kind: 'rate-limited-softly' }],
  ] as const)('%s with %j gives one message', async (method, fault) => {
    stage = await openStage('socket')
    const post = await asked()
    stage.slack.faults.plan(method, fault)
    await stage.reply(stage.target(post)).finish('Once only.')
    expect(reads(only(stage, post))).toBe('Once only.')
  })

  it.each([
    ['chat.startStream', { kind: 'reset-after' }],
    ['chat.startStream', { kind: 'status-after', status: 500 }],
    ['chat.startStream', { kind: 'reset-before' }],
    ['chat.appendStream', { kind: 'reset-after' }],
    ['chat.appendStream', { kind: 'reset-before' }],
    ['chat.appendStream', { kind: 'error', error: 'streaming_mode_mismatch' }],
    ['chat.stopStream', { kind: 'reset-after' }],
    ['chat.stopStream', { kind: 'status', status: 503 }],
    ['chat.stopStream', { kind: 'error', error: 'fatal_error' }],
  ] as const)('%s with %j gives one message with the whole text', async (method, fault) => {
    stage = await openStage('socket')
    const post = await asked()
    stage.slack.faults.plan(method, fault)
    const reply = stage.reply(stage.target(post))
    reply.write('One two ')
    await shows(post, 'One')
    reply.write('One two three four ')
    await shows(post, 'three')
    await reply.finish('One two three four five.', { actions: [why] })
    expect(reads(only(stage, post))).toBe('One two three four five.')
    expect(labelsOf(only(stage, post).blocks)).toEqual(['Why'])
    expect(only(stage, post).stream?.state ?? 'completed').toBe('completed')
  })

  it('waits as Slack asks, and keeps the order', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const target = stage.target(post)
    stage.slack.faults.plan('chat.postMessage', { kind: 'rate-limited', retryAfter: 1 })
    const surface = stage.channel.speaker.surface(target)
    const started = performance.now()
    await Promise.all([
      surface.create({ text: 'first', final: true }, 'n1'),
      surface.create({ text: 'second', final: true }, 'n2'),
      surface.create({ text: 'third', final: true }, 'n3'),
    ])
    expect(performance.now() - started).toBeGreaterThan(990)
    expect(stage.slack.answers(post).map(reads)).toEqual(['first', 'second', 'third'])
  })

  it('sends nothing more once the reply is closed, though Slack would take it later', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const surface = stage.channel.speaker.surface(stage.target(post))
    stage.slack.faults.plan('chat.postMessage', { kind: 'rate-limited', retryAfter: 1 })
    const waiting = surface.create({ text: 'too late', final: true }, 'n1')
    const behind = surface.create({ text: 'even later', final: true }, 'n2')
    await stage.slack.until('it was sent away', () => stage.slack.callsOf('chat.postMessage')[0])
    await surface.close()
    await expect(waiting).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(behind).rejects.toMatchObject({ failure: 'unavailable' })
    expect(stage.slack.answers(post)).toEqual([])
    expect(stage.slack.callsOf('chat.postMessage')).toHaveLength(1)
  })

  it('says what Slack said where a message is refused or Slack stays away', async () => {
    stage = await openStage('socket', { adapter: { timing: { backoffMs: 10, patienceMs: 100 } } })
    const post = await asked()
    const surface = stage.channel.speaker.surface(stage.target(post))
    stage.general.archived = true
    await expect(surface.create({ text: 'x', final: true }, 'n1')).rejects.toMatchObject({
      failure: 'refused',
      message: 'Slack refused chat.postMessage: is_archived.',
    })
    stage.general.archived = false
    stage.slack.faults.always('*', { kind: 'status', status: 503 })
    const lost = await surface.create({ text: 'x', final: true }, 'n2').catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(ChannelError)
    expect((lost as ChannelError).failure).toBe('unknown')
    await expect(surface.edit('1.2', { text: 'x', final: true })).rejects.toMatchObject({
      failure: 'unavailable',
    })
  })

  it('finds its own messages again by their nonce', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const target = stage.target(post)
    const since = new Date()
    const surface = stage.channel.speaker.surface(target)
    const first = await surface.create({ text: 'first', final: true }, 'n1')
    const second = await surface.create({ text: 'sec', final: false }, 'n2')
    expect(await stage.channel.speaker.ownMessages(target.thread, since)).toMatchObject([
      { messageId: first, nonce: 'n1' },
      { messageId: second },
    ])
    await surface.edit(second, { text: 'second', final: true })
    expect(await stage.channel.speaker.ownMessages(target.thread, since)).toMatchObject([
      { messageId: first, nonce: 'n1' },
      { messageId: second, nonce: 'n2' },
    ])
  })
})

describe('long and odd answers', () => {
  const table = `| Name | 数量 |\n| --- | --- |\n${Array.from({ length: 900 }, (_, row) => `| 打印机 ${row} | ${row} |`).join('\n')}`
  const code = `\`\`\`ts\n${Array.from({ length: 900 }, (_, line) => `const line${line} = '😀 ${line}'`).join('\n')}\n\`\`\``

  it.each([
    ['words', 'The quick brown fox jumps. '.repeat(1_200)],
    ['Chinese without spaces', '今天下午三点在三楼会议室开会讨论项目进展。'.repeat(1_200)],
    ['emoji', '👩‍👩‍👧‍👦🎉 '.repeat(2_500)],
    ['a long table', table],
    ['a long fence', code],
    ['nothing but sequences that would ping', '<!channel> <@U12345678> <!here>'.repeat(700)],
  ])('keeps every character of %s within Slack’s limits', async (_, text) => {
    stage = await openStage('socket')
    const post = await asked()
    const reply = stage.reply(stage.target(post))
    for (let end = 4_000; end < text.length; end += 4_000) reply.write(text.slice(0, end))
    await stage.slack.until('a draft is there', () => stage.slack.answers(post)[0])
    await reply.finish(text)
    const answers = stage.slack.answers(post)
    expect(answers.length).toBeGreaterThan(1)
    const characters = (value: string) => value.replaceAll(/[\s\u200b|`-]|ts\n/g, '')
    const shown = answers.map(reads).join('\n')
    expect(characters(shown).length).toBeGreaterThanOrEqual(characters(text).length)
    expect(answers.flatMap(pings)).toEqual([])
    for (const answer of answers) expect((reads(answer).match(/^```/gm) ?? []).length % 2).toBe(0)
    const refused = stage.slack.calls.filter((call) => call.error)
    expect(refused.map((call) => `${call.method}: ${call.error}`)).toEqual([])
  })

  it('attaches the rest beyond four messages as a file in the thread', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const text = 'All work and no play makes Jack a dull boy.\n\n'.repeat(1_500)
    const { messageIds } = await stage.reply(stage.target(post)).finish(text)
    const answers = stage.slack.answers(post)
    expect(answers).toHaveLength(5)
    expect(reads(answers[3]!)).toContain('The whole answer is attached.')
    expect(answers[4]!.files[0]).toMatchObject({ name: 'answer.md' })
    expect(String(answers[4]!.files[0]!.content)).toBe(text)
    expect(messageIds).toEqual(answers.map((answer) => answer.ts))
  })

  it('pings nobody but the person who asked, not even across two pieces of a stream', async () => {
    stage = await openStage('socket')
    const post = await asked()
    const bob = stage.bob.id
    const text = `Ask <@${bob}> or <!channel>, <!here|here>, <!everyone>, <!subteam^S123|team>; <@${stage.ann.id}> knows.`
    const reply = stage.reply(stage.target(post))
    for (let end = 1; end <= text.length; end += 1) {
      reply.write(text.slice(0, end))
      if (end % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 21))
    }
    await reply.finish(text)
    const answer = only(stage, post)
    expect(answer.history.length).toBeGreaterThan(3)
    expect(stage.slack.callsOf('chat.update')).toEqual([])
    for (const look of answer.history) {
      expect(pings({ ...answer, text: look.text, blocks: look.blocks })).not.toContain(`<@${bob}>`)
    }
    expect(new Set(pings(answer))).toEqual(new Set([`<@${stage.ann.id}>`]))
    expect(reads(answer).replaceAll('\u200b', '')).toBe(text)
  })
})

describe('what stands around an answer', () => {
  it('shows what happens in the status line and takes it away', async () => {
    stage = await openStage('socket')
    const post = await asked()
    await stage.slack.until('the first sign is shown', () => stage.slack.workspace.statuses[0])
    await stage.channel.speaker.showActivity(stage.target(post), 'Looking through the knowledge base…')
    await stage.channel.speaker.showActivity(stage.target(post), null)
    const shown = stage.slack.workspace.statuses.map((status) => status.status)
    expect(shown.slice(-2)).toEqual(['Looking through the knowledge base…', ''])
    stage.slack.faults.always('assistant.threads.setStatus', { kind: 'error', error: 'missing_scope' })
    await stage.channel.speaker.showActivity(stage.target(post), 'x')
  })

  it('reads what was said before, with names', async () => {
    stage = await openStage('socket')
    const root = stage.ann.post(stage.general, `Is <@${stage.bob.id}> here?`)
    stage.bob.reply(root, '*Yes*')
    const post = stage.ann.reply(root, 'good')
    await stage.reply(stage.target(post)).finish('Hello.')
    const history = await stage.channel.speaker.history(stage.target(post).thread, 3)
    expect(history.map((item) => [item.author, item.text, item.own])).toEqual([
      ['bob', '**Yes**', false],
      ['ann', 'good', false],
      ['Hermes', 'Hello.', true],
    ])
    const all = await stage.channel.speaker.history(stage.target(post).thread, 10)
    expect(all[0]?.text).toBe('Is @bob here?')
  })

  it('finds channels by name and people by id, to write there', async () => {
    stage = await openStage('socket')
    const { speaker } = stage.channel
    const team = stage.slack.workspace.teamId
    const room = await speaker.findRoom(team, '#General')
    expect(room).toEqual({ channel: 'slack', workspace: team, room: stage.general.id, thread: 'main' })
    expect(await speaker.findRoom(team, 'nowhere')).toBeUndefined()
    await speaker.surface({ thread: room! }).create({ text: 'To all', final: true }, 'n1')
    expect(stage.slack.topLevel(stage.general).map((message) => message.text)).toEqual(['To all'])
    const direct = await speaker.directThread(team, stage.bob.id)
    expect(direct.room).toBe(stage.bob.direct().id)
    await expect(speaker.directThread(team, 'U404')).rejects.toMatchObject({ failure: 'refused' })
  })

  it('finds a private channel, by name or id, only for who is in it', async () => {
    stage = await openStage('socket')
    const { slack, ann, bob } = stage
    const { speaker } = stage.channel
    const team = slack.workspace.teamId
    const secret = slack.channel('board', [ann], { kind: 'group' })
    for (const name of ['#board', secret.id]) {
      expect(await speaker.findRoom(team, name, ann.id)).toMatchObject({ room: secret.id })
      expect(await speaker.findRoom(team, name, bob.id)).toBeUndefined()
      expect(await speaker.findRoom(team, name)).toBeUndefined()
    }
    secret.members.delete(ann.id)
    expect(await speaker.findRoom(team, '#board', ann.id)).toBeUndefined()
  })

  it('finds people who never wrote by any of their names, and leaves out bots and those who left', async () => {
    stage = await openStage('socket')
    const { slack } = stage
    const { speaker } = stage.channel
    const find = async (name: string) => (await speaker.findPeople!(slack.workspace.teamId, name)) ?? []
    const li = slack.person('Li Wei', { handle: 'lwei', displayName: '李伟 (Li Wei)' })
    slack.person('Li Robot', { bot: true, displayName: 'Li Bot' })
    slack.person('Li Gone', { deleted: true })
    const [one, other] = ['maria.s', 'maria.k'].map((handle) =>
      slack.person('Maria Santos', { handle, displayName: 'Maria' }),
    )
    for (const name of ['Li Wei', 'li wei', '@lwei', '李伟', 'Li', li.id]) {
      expect([name, await find(name)]).toEqual([name, [{ userId: li.id, name: '李伟 (Li Wei)' }]])
    }
    for (const name of ['Slackbot', 'Hermes', 'nobody', '', 'ei'])
      expect([name, await find(name)]).toEqual([name, []])
    const marias = await find('Maria')
    expect(marias).toEqual([
      { userId: one!.id, name: 'Maria (@maria.s)' },
      { userId: other!.id, name: 'Maria (@maria.k)' },
    ])
    expect(await find(marias[1]!.name)).toEqual([{ userId: other!.id, name: 'Maria' }])
  })

  it('reads a long list of people once, page by page, and by one at a time', async () => {
    stage = await openStage('socket')
    const { slack } = stage
    const last = Array.from({ length: 1_100 }, (_, index) => slack.person(`Guest ${index}`)).at(-1)!
    const find = () => stage.channel.speaker.findPeople!(slack.workspace.teamId, 'Guest 1099')
    const found = await Promise.all([find(), find(), find()])
    expect(found).toEqual(Array(3).fill([{ userId: last.id, name: 'guest 1099' }]))
    await find()
    expect(slack.callsOf('users.list')).toHaveLength(3)
  })
})
