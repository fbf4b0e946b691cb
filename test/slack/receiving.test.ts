import { afterEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from './harness.ts'

let stage: Stage
afterEach(() => stage.stop())

describe.each(['socket', 'http'] as const)('what people do in Slack, delivered by %s', (by) => {
  it('reaches the gateway once as a message for a mention, though Slack tells of it twice', async () => {
    stage = await openStage(by)
    const post = stage.ann.mention(stage.general, '*please* look at <https://example.com|this> &amp; that')
    await stage.heard('message', 2)
    const [first, second] = stage.of('message')
    expect(first!.dedupeKey).toBe(second!.dedupeKey)
    expect(first).toMatchObject({
      text: '**please** look at [this](https://example.com) & that',
      addressed: true,
      threadKind: 'shared',
      postId: post.ts,
      thread: {
        channel: 'slack',
        workspace: stage.slack.workspace.teamId,
        room: stage.general.id,
        thread: post.ts,
      },
      author: { userId: stage.ann.id, name: 'ann', timeZone: 'Asia/Shanghai', language: 'en' },
    })
    expect(first!.at.getTime()).toBeCloseTo(Number(post.ts) * 1000, 0)
  })

  it('passes on what is said in a thread without a mention, and leaves other posts alone', async () => {
    stage = await openStage(by)
    const root = stage.ann.post(stage.general, 'just talking')
    stage.bob.reply(root, 'in the thread')
    const event = await stage.heard('message')
    await stage.slack.deliveries.settled()
    expect(stage.of('message')).toHaveLength(1)
    expect(event).toMatchObject({ addressed: false, text: 'in the thread', thread: { thread: root.ts } })
  })

  it('takes direct messages as one long conversation, threads in them as their own', async () => {
    stage = await openStage(by)
    const first = stage.ann.dm('hello')
    stage.ann.dm('hello again')
    stage.ann.reply(first, 'in a thread')
    await stage.heard('message', 3)
    const threads = stage.of('message').map((event) => [event.text, event.thread.thread, event.threadKind])
    expect(threads).toEqual(
      expect.arrayContaining([
        ['hello', 'main', 'direct'],
        ['hello again', 'main', 'direct'],
        ['in a thread', first.ts, 'direct'],
      ]),
    )
    expect(stage.of('message').every((event) => event.addressed)).toBe(true)
  })

  it('tells of edits and removals, and counts a mention that an edit brings in', async () => {
    stage = await openStage(by)
    const post = stage.ann.post(stage.general, 'look at this')
    stage.ann.edit(post, `<@${stage.slack.workspace.bot.id}> look at this`)
    await stage.heard('edit', 2)
    const [first, second] = stage.of('edit')
    expect(first!.dedupeKey).toBe(second!.dedupeKey)
    expect(first).toMatchObject({ addressed: true, postId: post.ts, text: 'look at this' })

    stage.ann.edit(post, `<@${stage.slack.workspace.bot.id}> look at that`)
    await stage.heard('edit', 3)
    expect(stage.of('edit')[2]!.dedupeKey).not.toBe(first!.dedupeKey)

    stage.ann.remove(post)
    expect(await stage.heard('removal')).toMatchObject({ postId: post.ts, thread: first!.thread })

    // With replies below it, the removed root of a thread leaves a tombstone.
    const root = stage.ann.mention(stage.general, 'start')
    stage.bob.reply(root, 'a reply')
    stage.ann.remove(root)
    expect(await stage.heard('removal', 2)).toMatchObject({
      postId: root.ts,
      author: { userId: stage.ann.id },
    })
  })

  it('never answers itself, other bots, link previews, joins, leaves or reactions', async () => {
    stage = await openStage(by)
    const mention = `<@${stage.slack.workspace.bot.id}>`
    const robot = stage.slack.person('Robot', { bot: true })
    stage.general.members.add(robot.id)
    const post = stage.ann.mention(stage.general, 'https://example.com')
    await stage.heard('message', 2)
    const target = stage.target(post)
    await stage.reply(target).finish(`An answer with ${mention} in it`)
    robot.post(stage.general, `${mention} hello from a robot`)
    robot.reply(post, 'hello from a robot')
    stage.slack.unfurl(post)
    stage.ann.react(post, 'thumbsup')
    stage.bob.leave(stage.general)
    stage.bob.join(stage.general)
    stage.slack.news.event({ type: 'message', channel: stage.general.id, ts: '1.2', event_ts: '1.2' })
    stage.slack.news.event({
      type: 'message',
      subtype: 'never_heard_of',
      channel: stage.general.id,
      ts: '1.3',
    })
    stage.slack.news.event({ type: 'message', subtype: 'message_changed', channel: stage.general.id })
    stage.slack.news.event({ type: 'message' })
    await stage.slack.deliveries.settled()
    expect(stage.events).toHaveLength(2)
    expect(stage.slack.deliveries.all.every((delivery) => delivery.outcome?.acked)).toBe(true)
  })

  it('gives the same key when Slack delivers again', async () => {
    stage = await openStage(by)
    stage.ann.mention(stage.general, 'hello')
    stage.ann.dm('hello')
    await stage.heard('message', 3)
    const before = new Set(stage.events.map((event) => event.dedupeKey))
    for (const delivery of stage.slack.deliveries.all) await stage.slack.deliveries.redeliver(delivery)
    expect(stage.events).toHaveLength(6)
    expect(new Set(stage.events.map((event) => event.dedupeKey))).toEqual(before)
  })

  it('is acknowledged only once the gateway has it, and delivered again where it has not', async () => {
    stage = await openStage(by, { slack: { ackWithinMs: 300 } })
    const order: string[] = []
    let failures = 2
    stage.answer = async () => {
      if (failures > 0) {
        failures -= 1
        throw new Error('the database is gone')
      }
      await new Promise((resolve) => setTimeout(resolve, 60))
      order.push('committed')
      return { kind: 'accepted', sessionId: 'sess_1' }
    }
    stage.ann.dm('do not lose this')
    const delivery = stage.slack.deliveries.all[0]!
    const outcome = await delivery.done
    order.push('acknowledged')
    expect(outcome.acked).toBe(true)
    expect(delivery.attempts.length).toBeGreaterThanOrEqual(3)
    expect(delivery.attempts.at(-1)).toMatchObject({ retryNum: delivery.attempts.length - 1 })
    expect(order).toEqual(['committed', 'acknowledged'])
    expect(stage.of('message')).toHaveLength(1)
  })

  it('reads the text and images of files, and says why it could not read others', async () => {
    stage = await openStage(by, { adapter: { fileLimits: { textBytes: 50 } } })
    const png = Buffer.from('iVBORw0KGgo=', 'base64')
    stage.ann.dm('see these', {
      files: [
        { name: 'notes.md', mimetype: 'text/markdown', content: '# 会议' },
        { name: 'logo.png', mimetype: 'image/png', content: png },
        { name: 'long.txt', mimetype: 'text/plain', content: 'x'.repeat(51) },
        { name: 'talk.mp4', mimetype: 'video/mp4', content: 'x' },
      ],
    })
    const { attachments } = await stage.heard('message')
    expect(attachments.map((file) => [file.name, file.text ?? file.image ?? file.problem])).toEqual([
      ['notes.md', '# 会议'],
      ['logo.png', `data:image/png;base64,${png.toString('base64')}`],
      ['long.txt', 'The file is too large to be read (at most 0 kB).'],
      ['talk.mp4', "Files of type video/mp4 can't be read."],
    ])
  })

  it('keeps a shared channel one conversation for people of both companies', async () => {
    stage = await openStage(by)
    const eve = stage.slack.person('Eve', { teamId: 'T0ELSEWHERE' })
    const shared = stage.slack.channel('partners', [stage.ann, eve], { shared: true })
    const root = stage.ann.mention(shared, 'hi')
    eve.reply(root, 'hello')
    await stage.heard('message', 3)
    const places = new Set(stage.of('message').map((event) => JSON.stringify(event.thread)))
    expect(places.size).toBe(1)
    const reply = stage.reply(stage.target(root, eve))
    reply.write('Good ')
    await stage.slack.until('it began', () => stage.slack.answers(root)[0])
    await reply.finish('Good morning')
    expect(stage.slack.answers(root)[0]?.text).toBe('Good morning')
  })

  it('shows a sign of life at once for what was accepted, and none for what was not', async () => {
    stage = await openStage(by)
    const post = stage.ann.mention(stage.general, 'hello')
    const status = await stage.slack.until('a status is shown', () => stage.slack.workspace.statuses[0])
    expect(status).toMatchObject({ threadTs: post.ts, status: 'Thinking…' })
    expect(status.at - Number(post.ts) * 1000).toBeLessThan(500)
    const root = stage.ann.post(stage.general, 'talk')
    stage.bob.reply(root, 'more talk')
    await stage.slack.deliveries.settled()
    expect(stage.slack.workspace.statuses.every((shown) => shown.threadTs === post.ts)).toBe(true)

    const dm = stage.ann.dm('hello')
    await stage.slack.until('a status is shown', () =>
      stage.slack.workspace.statuses.some((shown) => shown.threadTs === dm.ts),
    )
  })

  it('tells of an opened conversation and shows four prompts there', async () => {
    stage = await openStage(by)
    stage.answer = (event) =>
      event.kind === 'opened' ? { kind: 'answered', notice: 'Welcome.' } : { kind: 'ignored' }
    stage.ann.openHome('home')
    stage.ann.openHome('messages')
    const opened = await stage.heard('opened')
    expect(opened.thread).toMatchObject({ room: stage.ann.direct().id, thread: 'main' })
    const shown = await stage.slack.until('prompts are shown', () => stage.slack.workspace.prompts[0])
    expect(shown.prompts).toHaveLength(4)
    await stage.slack.until('the welcome is there', () =>
      stage.slack.topLevel(stage.ann.direct()).some((message) => message.text === 'Welcome.'),
    )
    expect(stage.of('opened')).toHaveLength(1)
  })
})
