import { describe, expect, test } from 'vitest'
import { ChannelError } from '../../src/channel/failure.ts'
import { directThread, openStage, threadUnder } from './harness.ts'

describe('a direct message', () => {
  test('is for Hermes, without a mention, in the thread that the DM channel is', async () => {
    await using stage = await openStage()
    const said = stage.ann.dm('What is new?')
    const event = await stage.heard('message')
    expect(event).toMatchObject({
      text: 'What is new?',
      addressed: true,
      threadKind: 'direct',
      thread: directThread(stage.ann),
      postId: said.id,
      author: { userId: stage.ann.id, name: 'Ann' },
      attachments: [],
    })
    expect(event.dedupeKey).toBe(`msg:discord:@me:${stage.ann.dmChannel}:${said.id}`)
    expect(Math.abs(event.at.getTime() - Date.now())).toBeLessThan(5_000)
  })

  test('of several people goes to a thread each, in the order of each', async () => {
    await using stage = await openStage()
    for (let n = 1; n <= 5; n += 1) {
      stage.ann.dm(`a${n}`)
      stage.bob.dm(`b${n}`)
    }
    await stage.heard('message', 10)
    const by = (id: string) => stage.of('message').filter((event) => event.author.userId === id)
    expect(by(stage.ann.id).map((event) => event.text)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    expect(by(stage.bob.id).map((event) => event.text)).toEqual(['b1', 'b2', 'b3', 'b4', 'b5'])
    expect(by(stage.bob.id)[0]!.thread).toEqual(directThread(stage.bob))
  })
})

describe('a mention in a channel', () => {
  test('is a thread of its own, which is opened at once with the first words as its name', async () => {
    await using stage = await openStage()
    const said = stage.ann.mention('general', 'please look at the **printer** on floor 3')
    const event = await stage.heard('message')
    expect(event).toMatchObject({
      text: 'please look at the **printer** on floor 3',
      addressed: true,
      threadKind: 'shared',
      thread: threadUnder(stage.discord, said),
    })
    const thread = await stage.discord.screen.until(() => stage.discord.screen.threads(said.channelId)[0])
    expect(thread).toMatchObject({ id: said.id, name: 'please look at the printer on floor 3' })
    await stage.discord.screen.until(() => stage.discord.screen.typing(said.id).length > 0)
  })

  test("counts when it is of the bot's own role, and wherever in the text it stands", async () => {
    await using stage = await openStage()
    stage.ann.mentionRole('general', 'by role')
    stage.ann.post('general', `and you, <@${stage.discord.world.botId}>, in the middle`)
    await stage.heard('message', 2)
    expect(stage.of('message').map((event) => event.text)).toEqual(['by role', 'and you, in the middle'])
  })

  test('is none in @everyone, in a reply that notifies, in code, or of somebody else', async () => {
    await using stage = await openStage()
    const own = stage.ann.mention('general', 'begin')
    await stage.heard('message')
    const thread = directThread(stage.ann)
    await stage
      .reply({
        thread: { ...thread, workspace: stage.discord.guild.id, room: own.channelId, thread: own.channelId },
      })
      .finish('hello')
    const answer = await stage.discord.answer('general')
    stage.bob.reply(answer, 'thanks', { ping: true })
    stage.bob.post('general', '@everyone lunch')
    stage.bob.post('general', `the id is \`<@${stage.discord.world.botId}>\``)
    stage.bob.post('general', `<@${stage.ann.id}> hi`)
    await stage.settle()
    expect(stage.of('message').filter((event) => event.thread.workspace !== '@me')).toHaveLength(1)
    expect(stage.discord.screen.threads(own.channelId)).toHaveLength(1)
  })

  test('names other people, channels and emoji as people read them', async () => {
    await using stage = await openStage()
    const support = stage.discord.channel('support')
    stage.ann.mention('general', `ask <@${stage.bob.id}> in <#${support.id}> <:party:123456789012345678>`)
    expect((await stage.heard('message')).text).toBe('ask @Bob in #support :party:')
  })
})

describe('what is said in a thread', () => {
  test('needs no mention and says so, with the parent as its room', async () => {
    await using stage = await openStage()
    const root = stage.ann.mention('general', 'hello')
    await stage.discord.screen.until(() => stage.discord.screen.threads(root.channelId)[0])
    stage.bob.post(root.id, 'me too')
    stage.bob.mention(root.id, 'and you?')
    await stage.heard('message', 3)
    expect(stage.of('message').slice(1)).toMatchObject([
      { text: 'me too', addressed: false, thread: threadUnder(stage.discord, root) },
      { text: 'and you?', addressed: true, thread: threadUnder(stage.discord, root) },
    ])
  })

  test('belongs to that thread also where somebody else opened it, or where it is a forum post', async () => {
    await using stage = await openStage()
    const thread = stage.bob.thread('general', 'Plans')
    stage.bob.mention(thread, 'what do you think?')
    const post = stage.ann.forumPost('ideas', 'A better door', `<@${stage.discord.world.botId}> sum this up`)
    await stage.heard('message', 2)
    const guild = stage.discord.guild.id
    expect(stage.of('message').map((event) => event.thread)).toEqual([
      { channel: 'discord', workspace: guild, room: stage.discord.channel('general').id, thread: thread.id },
      { channel: 'discord', workspace: guild, room: stage.discord.forum('ideas').id, thread: post.thread.id },
    ])
    await stage.settle()
    expect(stage.discord.screen.threads(stage.discord.channel('general').id)).toHaveLength(1)
  })
})

describe('what is not for Hermes', () => {
  test('is not heard: unaddressed posts, bots, itself, notices of the platform, unfolded links', async () => {
    await using stage = await openStage({ discord: { unfurlAfter: 10 } })
    const other = stage.discord.bot('Logger')
    stage.bob.post('general', 'just chatting')
    other.mention('general', 'beep')
    stage.ann.system('general', 6)
    const link = stage.ann.dm('look: https://example.com/page')
    await stage.heard('message')
    await stage.reply({ thread: directThread(stage.ann) }).finish('I looked at https://example.com/page')
    await stage.discord.screen.until(() => link.embeds.length > 0)
    await stage.settle()
    expect(stage.events.map((event) => event.kind)).toEqual(['message', 'message'])
    expect(stage.of('message')[0]!.text).toBe('look: https://example.com/page')
  })
})

describe('a changed message', () => {
  test('is an edit with its own stamp, and unfolding a link afterwards is none', async () => {
    await using stage = await openStage({ discord: { unfurlAfter: 30 } })
    const said = stage.ann.dm('see https://example.com')
    await stage.heard('message')
    stage.ann.edit(said, 'see https://example.com, please')
    const first = await stage.heard('edit')
    expect(first).toMatchObject({ postId: said.id, text: 'see https://example.com, please', addressed: true })
    await stage.discord.screen.until(() => said.embeds.length > 0)
    stage.ann.edit(said, 'forget it')
    const second = await stage.heard('edit', 2)
    await stage.settle()
    expect(stage.of('edit')).toHaveLength(2)
    expect(second.dedupeKey).not.toBe(first.dedupeKey)
    expect(second.dedupeKey).toMatch(new RegExp(`^edit:discord:@me:${stage.ann.dmChannel}:${said.id}:`))
  })

  test('that adds a mention is told as addressed, and its thread is opened', async () => {
    await using stage = await openStage()
    const said = stage.ann.post('general', 'what is the plan')
    stage.ann.edit(said, `<@${stage.discord.world.botId}> what is the plan?`)
    expect(await stage.heard('edit')).toMatchObject({
      text: 'what is the plan?',
      addressed: true,
      thread: threadUnder(stage.discord, said),
    })
    await stage.discord.screen.until(() => stage.discord.screen.threads(said.channelId)[0])
  })

  test('of before the start of this process is heard as well', async () => {
    await using stage = await openStage()
    const direct = stage.ann.dm('early', { silent: true })
    stage.ann.edit(direct, 'late')
    expect(await stage.heard('edit')).toMatchObject({ postId: direct.id, text: 'late' })
    const thread = stage.bob.thread('general', 'Plans')
    const shared = stage.bob.post(thread, 'early', { silent: true })
    stage.bob.edit(shared, 'late too')
    expect(await stage.heard('edit', 2)).toMatchObject({ postId: shared.id, text: 'late too' })
  })
})

describe('a removed message', () => {
  test('is told with who wrote it', async () => {
    await using stage = await openStage()
    const said = stage.ann.mention('general', 'oops')
    await stage.heard('message')
    stage.ann.remove(said)
    expect(await stage.heard('removal')).toMatchObject({
      postId: said.id,
      thread: threadUnder(stage.discord, said),
      author: { userId: stage.ann.id },
    })
  })

  test('of before the start is told in a direct message, where only one person can have written it', async () => {
    await using stage = await openStage()
    const said = stage.ann.dm('early', { silent: true })
    stage.ann.remove(said)
    expect(await stage.heard('removal')).toMatchObject({ postId: said.id, author: { userId: stage.ann.id } })
    const shared = stage.bob.post('general', 'early', { silent: true })
    stage.bob.remove(shared)
    await stage.settle()
    expect(stage.of('removal')).toHaveLength(1)
  })
})

describe('files', () => {
  test('are read where they are text or pictures, and say why where they are not', async () => {
    await using stage = await openStage()
    const png = new Uint8Array([137, 80, 78, 71])
    stage.ann.dm('', {
      files: [
        { name: 'notes.md', contentType: 'text/markdown; charset=utf-8', content: '# Notes\n中文' },
        { name: 'dot.png', contentType: 'image/png', content: png },
        { name: 'old.csv', contentType: 'text/csv', content: new Uint8Array([0xff, 0xfe, 0x41]) },
        { name: 'a.zip', contentType: 'application/zip', content: 'PK' },
        { name: 'big.txt', contentType: 'text/plain', content: 'x'.repeat(600 * 1024) },
      ],
    })
    const { attachments } = await stage.heard('message')
    expect(attachments).toMatchObject([
      { name: 'notes.md', mediaType: 'text/markdown', text: '# Notes\n中文' },
      { name: 'dot.png', mediaType: 'image/png', image: 'data:image/png;base64,iVBORw==' },
      { name: 'old.csv', problem: 'old.csv could not be read: it is no UTF-8 text.' },
      { name: 'a.zip', problem: "a.zip is of a kind that can't be read here." },
      { name: 'big.txt', size: 600 * 1024, problem: 'big.txt is too large: at most 512 KB are read.' },
    ])
  })
})

describe('a forwarded message', () => {
  test('carries the words and files of the original', async () => {
    await using stage = await openStage()
    const original = stage.bob.post('general', 'The fair is on **Friday**', {
      files: [{ name: 'plan.txt', contentType: 'text/plain', content: '9:00 open' }],
    })
    stage.ann.forward(original, stage.ann.dmChannel)
    expect(await stage.heard('message')).toMatchObject({
      text: '> The fair is on **Friday**',
      attachments: [{ name: 'plan.txt', text: '9:00 open' }],
    })
  })
})

describe('a gateway that can not take an event', () => {
  test('gets it again, in order and unchanged, until it can', async () => {
    await using stage = await openStage()
    let down = true
    let tries = 0
    const usual = stage.answer
    stage.answer = (event) => {
      tries += 1
      if (down) throw new ChannelError('unavailable', 'The database is away.')
      return usual(event)
    }
    const said = stage.ann.dm('one')
    stage.ann.dm('two')
    stage.ann.edit(said, 'one, better')
    stage.bob.dm('three')
    await stage.discord.screen.until(() => tries >= 4)
    down = false
    await stage.heard('edit')
    await stage.heard('message', 3)
    const ofAnn = stage.events.filter((event) => event.author.userId === stage.ann.id)
    expect(ofAnn.map((event) => ('text' in event ? event.text : ''))).toEqual(['one', 'two', 'one, better'])
  })
})
