import { describe, expect, test } from 'vitest'
import { startDiscord } from '../support/discord/discord.ts'
import { directThread, gatewayOf, openStage, threadUnder } from './harness.ts'

describe('a connection that can not be', () => {
  test('for a wrong token is down with the way to mend it, and is not tried again', async () => {
    await using stage = await openStage({ listen: false, adapter: { token: 'not.the.token' } })
    await stage.channel.listen(gatewayOf(stage))
    const { reason } = await stage.discord.screen.until(() => {
      const health = stage.channel.health()
      return health.state === 'down' ? health : undefined
    })
    expect(reason).toMatch(/^Discord does not accept the bot token: .*DISCORD_TOKEN/)
    expect(reason).not.toContain('not.the.token')
    const tries = stage.discord.requests.filter(({ path }) => path === '/gateway/bot').length
    expect(tries).toBe(1)
    expect(stage.discord.gateway.connections).toBe(0)
  })

  test('for a missing intent says which switch to set', async () => {
    await using stage = await openStage({ listen: false, discord: { messageContent: false } })
    await stage.channel.listen(gatewayOf(stage))
    await stage.discord.screen.until(() => stage.channel.health().state === 'down')
    expect(stage.channel.health().reason).toContain('"Message Content Intent"')
    await stage.discord.screen.until(() => stage.discord.gateway.connections === 0)
  })

  test('for a Discord that is away comes about when Discord is back', async () => {
    const discord = await startDiscord()
    const url = discord.url
    await discord.goDark()
    await using stage = await openStage({ listen: false, adapter: { apiUrl: url, token: discord.token } })
    expect(stage.channel.health()).toEqual({ state: 'starting' })
    await stage.channel.listen(gatewayOf(stage))
    await stage.discord.screen.until(() => stage.channel.health().state === 'down')
    expect(stage.channel.health().reason).toMatch(/^Discord can't be reached: /)
    await discord.comeBack()
    await discord.screen.until(() => stage.channel.health().state === 'up', 15_000)
    discord.person('Cleo').dm('hello')
    expect((await stage.heard('message')).text).toBe('hello')
    await stage.channel.stop()
    await discord.stop()
  })
})

describe('a connection that breaks', () => {
  test('is down meanwhile, is taken up again, and misses nothing', async () => {
    await using stage = await openStage()
    stage.ann.dm('before')
    await stage.heard('message')
    stage.discord.gateway.drop()
    await stage.discord.screen.until(() => stage.channel.health().state === 'down')
    stage.ann.dm('meanwhile')
    stage.bob.mention('general', 'meanwhile too')
    await stage.heard('message', 3)
    expect(stage.discord.gateway.resumes).toBe(1)
    await stage.discord.screen.until(() => stage.channel.health().state === 'up')
    expect(stage.of('message').map(({ text }) => text)).toEqual(['before', 'meanwhile', 'meanwhile too'])
  })

  test('and delivers again what it had delivered is heard with the same keys', async () => {
    await using stage = await openStage()
    const said = stage.ann.dm('once')
    await stage.heard('message')
    stage.ann.edit(said, 'once only')
    await stage.heard('edit')
    stage.discord.gateway.drop({ rewind: 10 })
    await stage.discord.screen.until(() => stage.discord.gateway.resumes === 1)
    await stage.settle()
    const keys = stage.events
      .filter(({ author }) => author.userId === stage.ann.id)
      .map(({ dedupeKey }) => dedupeKey)
    expect(new Set(keys).size).toBe(2)
  })

  test('and can not be taken up reads what was missed: direct messages, mentions, threads', {
    timeout: 40_000,
  }, async () => {
    await using stage = await openStage()
    stage.ann.dm('before')
    const root = stage.ann.mention('general', 'a thread')
    await stage.heard('message', 2)
    await stage.discord.screen.until(() => stage.discord.screen.threads(root.channelId)[0])
    stage.discord.gateway.drop({ forget: true })
    stage.ann.dm('missed one')
    stage.ann.dm('missed two')
    stage.bob.post(root.id, 'missed in the thread')
    const mention = stage.bob.mention('support', 'missed in the channel')
    stage.bob.post('support', 'not for Hermes')
    const keys = () => new Set(stage.of('message').map(({ dedupeKey }) => dedupeKey))
    await stage.discord.screen.until(() => keys().size === 6, 20_000)
    await stage.discord.screen.until(() => stage.channel.health().state === 'up')
    expect(stage.discord.gateway.identifies).toHaveLength(2)
    await stage.settle()
    const said = stage.of('message').filter(({ author }) => author.name !== 'Last')
    expect(new Set(said.map(({ dedupeKey }) => dedupeKey)).size).toBe(6)
    const direct = said.filter(({ thread }) => thread.workspace === '@me').map(({ text }) => text)
    expect([...new Set(direct)]).toEqual(['before', 'missed one', 'missed two'])
    expect(said.find(({ text }) => text === 'missed in the channel')!.thread).toEqual(
      threadUnder(stage.discord, mention),
    )
    expect(said.find(({ text }) => text === 'missed in the thread')).toMatchObject({ addressed: false })
  })

  test('without a word is noticed by its silence', { timeout: 20_000 }, async () => {
    await using stage = await openStage({ discord: { heartbeatInterval: 200 } })
    stage.discord.gateway.freeze()
    await stage.discord.screen.until(() => stage.channel.health().state === 'down')
    stage.discord.gateway.restore()
    await stage.discord.screen.until(() => stage.channel.health().state === 'up', 10_000)
    stage.ann.dm('back?')
    await stage.heard('message')
  })

  test('for good says why and stays down', async () => {
    await using stage = await openStage()
    stage.discord.gateway.close(4004)
    await stage.discord.screen.until(() => stage.channel.health().reason?.includes('bot token'))
    expect(stage.discord.gateway.connections).toBe(0)
  })

  test('at the wish of Discord is made again', async () => {
    await using stage = await openStage()
    stage.discord.gateway.askToReconnect()
    await stage.discord.screen.until(() => stage.discord.gateway.resumes === 1)
    stage.ann.dm('hello')
    await stage.heard('message')
  })
})

describe('a start', () => {
  test('reads what was said while no process listened', async () => {
    const since = new Date(Date.now() - 3_600_000)
    let rooms: string[] = []
    await using stage = await openStage({
      adapter: { past: { lastReceived: async () => since, directRooms: async () => rooms } },
      before: (discord) => {
        const cleo = discord.person('Cleo')
        cleo.dm('long ago', { silent: true, at: since.getTime() - 7_200_000 })
        cleo.dm('while you were away', { silent: true, at: since.getTime() + 60_000 })
        cleo.mention('general', 'you too', { silent: true })
        cleo.post('general', 'small talk', { silent: true })
        rooms = [cleo.dmChannel]
      },
    })
    await stage.heard('message', 2)
    await stage.settle()
    const texts = stage.of('message').map(({ text }) => text)
    expect(texts.filter((text) => text !== 'done?').sort()).toEqual(['while you were away', 'you too'])
  })

  test('with more shards recommended connects them all', async () => {
    await using stage = await openStage({ discord: { shards: 2 } })
    expect(stage.discord.gateway.identifies.map(({ shard }) => shard).sort()).toEqual([
      [0, 2],
      [1, 2],
    ])
    stage.ann.dm('hello')
    stage.ann.mention('general', 'hello')
    await stage.heard('message', 2)
  })
})

describe('what Discord should never send', () => {
  test('ends neither the process nor the connection', async () => {
    await using stage = await openStage()
    for (const [t, d] of [
      ['MESSAGE_CREATE', {}],
      ['MESSAGE_CREATE', null],
      ['INTERACTION_CREATE', { id: '1', type: 3 }],
      ['MESSAGE_UPDATE', { id: '1', channel_id: '2' }],
      ['GUILD_CREATE', { id: stage.discord.guild.id, members: 7 }],
      ['SOMETHING_NEW', { a: 1 }],
      ['MESSAGE_DELETE', null],
    ] as const) {
      stage.discord.gateway.dispatchRaw(t, d)
    }
    stage.ann.dm('still there?')
    expect((await stage.heard('message')).text).toBe('still there?')
    expect(stage.channel.health()).toEqual({ state: 'up' })
  })
})

describe('a flood while nothing can be taken', () => {
  test('is held back, and what is too much for that is read again afterwards', {
    timeout: 60_000,
  }, async () => {
    await using stage = await openStage()
    let down = true
    const usual = stage.answer
    stage.answer = (event) => {
      if (event.kind === 'action') return { kind: 'answered', notice: 'Noted.' }
      if (down) throw new Error('The database is away.')
      return usual(event)
    }
    await stage.reply({ thread: directThread(stage.ann) }).finish('A button below.')
    const [own] = stage.discord.screen.answers(stage.ann.dmChannel)
    const people = Array.from({ length: 12 }, (_, n) => stage.discord.person(`P${n}`))
    for (let n = 0; n < 450; n += 1) for (const one of people) one.dm(`message ${n}`)
    const last = stage.ann.dm('the last')
    // Clicks are not held back: once this one is answered, everything before it has come in.
    stage.discord.hands.forge(stage.ann.id, own!, 'x')
    await stage.heard('action')
    down = false
    const keys = () => new Set(stage.of('message').map(({ dedupeKey }) => dedupeKey))
    const reads = () =>
      stage.discord.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages'))
    expect(reads()).toEqual([])
    await stage.discord.screen.until(() => keys().size === 12 * 450 + 1, 50_000)
    expect([...keys()].some((key) => key.endsWith(last.id))).toBe(true)
    expect(reads().length).toBeGreaterThan(0)
  })
})

describe('stopping', () => {
  test('closes the connection at once, and nothing is heard any more', async () => {
    await using stage = await openStage()
    const started = Date.now()
    await stage.channel.stop()
    expect(Date.now() - started).toBeLessThan(5_000)
    await stage.discord.screen.until(() => stage.discord.gateway.connections === 0)
    stage.ann.dm('anyone?')
    expect(stage.channel.health().state).toBe('down')
    expect(stage.events).toEqual([])
  })

  test('takes under five seconds also where Discord is gone or was never there', async () => {
    await using stage = await openStage()
    await stage.discord.goDark()
    const started = Date.now()
    await stage.channel.stop()
    await using other = await openStage({ listen: false, adapter: { apiUrl: 'http://127.0.0.1:1/api' } })
    await other.channel.listen(gatewayOf(other))
    await other.channel.stop()
    expect(Date.now() - started).toBeLessThan(5_000)
  })

  test('a process that only speaks needs no connection', async () => {
    await using stage = await openStage({ listen: false })
    await stage.reply({ thread: directThread(stage.ann) }).finish('From a worker.')
    expect(stage.discord.gateway.connections).toBe(0)
    expect((await stage.discord.answer(stage.ann.dmChannel)).content).toBe('From a worker.')
  })
})
