import { describe, expect, test } from 'vitest'
import { ChannelError } from '../../src/channel/failure.ts'
import { selectsOf } from '../support/discord/screen.ts'
import { ticketCard as card } from '../support/ticket-card.ts'
import { directThread, openStage, threadUnder } from './harness.ts'

describe('an answer', () => {
  test('grows in one message by edits and ends with its buttons', async () => {
    await using stage = await openStage({ listen: false })
    const reply = stage.reply({ thread: directThread(stage.ann), recipientId: stage.ann.id })
    reply.write('The answer')
    const draft = await stage.discord.answer(stage.ann.dmChannel)
    reply.write('The answer is')
    reply.write('The answer is forty')
    await stage.discord.answer(stage.ann.dmChannel, (text) => text === 'The answer is forty')
    const { messageIds } = await reply.finish('The answer is **42**.', {
      actions: [{ label: 'Why', action: 'answer.why', value: 'turn_1' }],
    })
    expect(messageIds).toEqual([draft.id])
    expect(draft.content).toBe('The answer is **42**.')
    expect(stage.discord.screen.buttons(draft)).toMatchObject([
      { label: 'Why', customId: 'answer.why|turn_1', disabled: false },
    ])
    // The middle text was never sent: the latest wins, at most once a second.
    expect(draft.looks.map((look) => look.content)).toEqual([
      'The answer',
      'The answer is forty',
      'The answer is **42**.',
    ])
    expect(draft.looks[1]!.at - draft.looks[0]!.at).toBeGreaterThanOrEqual(950)
  })

  test('longer than a message goes on in the next, with its fences whole', async () => {
    await using stage = await openStage({ listen: false })
    const code = Array.from({ length: 120 }, (_, n) => `line ${n}: ${'x'.repeat(20)}`).join('\n')
    await stage
      .reply({ thread: directThread(stage.ann) })
      .finish(`Here:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`)
    const answers = stage.discord.screen.answers(stage.ann.dmChannel)
    expect(answers.length).toBeGreaterThan(1)
    expect(answers.length).toBeLessThanOrEqual(4)
    for (const { content } of answers) {
      expect(content.length).toBeLessThanOrEqual(2000)
      expect((content.match(/^```/gm) ?? []).length % 2).toBe(0)
    }
    expect(answers[1]!.content.startsWith('```ts\n')).toBe(true)
    const all = answers.map(({ content }) => content).join('\n')
    for (let n = 0; n < 120; n += 1) expect(all).toContain(`line ${n}:`)
  })

  test('longer than four messages is attached whole', async () => {
    await using stage = await openStage({ listen: false })
    const text = Array.from({ length: 400 }, (_, n) => `Paragraph ${n}. ${'word '.repeat(10)}`).join('\n\n')
    const { messageIds } = await stage.reply({ thread: directThread(stage.ann) }).finish(text)
    const answers = stage.discord.screen.answers(stage.ann.dmChannel)
    expect(messageIds).toHaveLength(5)
    expect(answers.map(({ id }) => id)).toEqual(messageIds)
    const file = answers[4]!.attachments[0]!
    expect(file.filename).toBe('answer.md')
    expect(new TextDecoder().decode(file.bytes)).toBe(text)
  })

  test('has its tables aligned in a fence, small headings in bold, and pictures as links', async () => {
    await using stage = await openStage({ listen: false })
    await stage
      .reply({ thread: directThread(stage.ann) })
      .finish(
        '#### Stock\n\n| Item | 数量 |\n| --- | ---: |\n| Paper | 12 |\n| 打印机 | 3 |\n\n![plan](https://x.example/p.png)',
      )
    expect((await stage.discord.answer(stage.ann.dmChannel)).content).toBe(
      [
        '**Stock**',
        '',
        '```',
        'Item    数量',
        '──────  ────',
        'Paper     12',
        '打印机     3',
        '```',
        '',
        '[plan](https://x.example/p.png)',
      ].join('\n'),
    )
  })

  test('that is nearly all table still fits, as the table that it was', async () => {
    await using stage = await openStage({ listen: false })
    const rows = Array.from({ length: 60 }, (_, n) => `| ${n} | a | b |`).join('\n')
    const text = `| A rather long heading here | B | C |\n| - | - | - |\n${rows}`
    await stage.reply({ thread: directThread(stage.ann) }).finish(text)
    const [answer] = stage.discord.screen.answers(stage.ann.dmChannel)
    expect(answer!.content).toBe(text)
  })

  test('notifies nobody but the one who is answered, whatever the model writes', async () => {
    await using stage = await openStage({ listen: false })
    const role = stage.discord.guild.roles[1]!
    const said = stage.ann.mention('general', 'hello')
    const text = `@everyone @here <@${stage.bob.id}> <@&${role.id}> <@${stage.ann.id}>`
    await stage.reply({ thread: threadUnder(stage.discord, said), recipientId: stage.ann.id }).finish(text)
    await stage.channel.speaker.postCard(
      { thread: threadUnder(stage.discord, said) },
      { ...card, target: text },
      'n1',
    )
    expect(stage.discord.screen.pings().map(({ who }) => who)).toEqual([[stage.ann.id]])
    expect(stage.discord.screen.answers(said.id)).toHaveLength(2)
  })
})

describe('where an answer goes', () => {
  test('a process without a connection opens the thread under the message itself', async () => {
    await using stage = await openStage({ listen: false })
    const said = stage.ann.mention(
      'general',
      'a question of some length that goes on and on until it is no name for a thread any more',
    )
    await stage.reply({ thread: threadUnder(stage.discord, said) }).finish('Here.')
    expect(stage.discord.screen.answers(said.id).map(({ content }) => content)).toEqual(['Here.'])
    const [thread] = stage.discord.screen.threads(said.channelId)
    expect(thread!.name).toBe('a question of some length that goes on and on until it is…')
  })

  test('two processes that open it at once both succeed', async () => {
    await using stage = await openStage({ listen: false })
    await using other = await openStage({ listen: false, adapter: { apiUrl: stage.discord.url } })
    const said = stage.ann.mention('general', 'both')
    const target = { thread: threadUnder(stage.discord, said) }
    await Promise.all([stage.reply(target).finish('one'), other.reply(target).finish('two')])
    expect(
      stage.discord.screen
        .answers(said.id)
        .map(({ content }) => content)
        .sort(),
    ).toEqual(['one', 'two'])
    expect(stage.discord.screen.threads(said.channelId)).toHaveLength(1)
  })

  test('without the permission to open threads it is a reply in the channel that says so', async () => {
    await using stage = await openStage({
      listen: false,
      before: (discord) => discord.deny('general', 'CreatePublicThreads'),
    })
    const said = stage.ann.mention('general', '这个怎么办？')
    const target = { thread: threadUnder(stage.discord, said) }
    const reply = stage.reply(target)
    reply.write('先看')
    await stage.discord.answer('general')
    await reply.finish('先看说明书。')
    await stage.reply(target).finish('Second leg.')
    const id = await stage.channel.speaker.postCard(target, card, 'n1')
    await stage.channel.speaker.updateCard(target, id, { ...card, tone: 'done', footer: 'Done', actions: [] })
    const answers = stage.discord.screen.answers(said.channelId)
    expect(answers.map((answer) => stage.discord.screen.text(answer).split('\n')[0])).toEqual([
      '先看说明书。',
      'Second leg.',
      '### Create ticket',
    ])
    expect(answers[0]!.content).toContain('没有创建子区的权限')
    expect(answers.every((answer) => answer.replyTo === said.id)).toBe(true)
    expect(stage.discord.screen.pings()).toEqual([])
  })

  test('an archived thread is opened again, also for an edit; a locked one refuses', async () => {
    await using stage = await openStage({ listen: false })
    const said = stage.ann.mention('general', 'hello')
    const target = { thread: threadUnder(stage.discord, said) }
    const surface = stage.channel.speaker.surface(target)
    const id = await surface.create({ text: 'draft', final: false }, 'n1')
    const thread = stage.discord.world.channels.get(said.id)!
    thread.archived = true
    await surface.edit(id, { text: 'final', final: true })
    expect(stage.discord.screen.answers(said.id)[0]!.content).toBe('final')
    thread.archived = true
    thread.locked = true
    await expect(surface.create({ text: 'more', final: true }, 'n2')).rejects.toMatchObject({
      failure: 'refused',
    })
  })

  test('a channel that not everyone sees is found only for who is let into it', async () => {
    await using stage = await openStage({ listen: false })
    const { ann, bob, discord } = stage
    const { speaker } = stage.channel
    discord.channel('support').visibleTo = new Set([ann.id])
    expect(await speaker.findRoom(discord.guild.id, '#Support', ann.id)).toBeDefined()
    for (const asker of [bob.id, undefined]) {
      expect(await speaker.findRoom(discord.guild.id, '#Support', asker)).toBeUndefined()
      expect(await speaker.findRoom(discord.guild.id, '#general', asker)).toBeDefined()
    }
  })

  test('a channel or a person can be written to at top level', async () => {
    await using stage = await openStage({ listen: false })
    const { speaker } = stage.channel
    const room = await speaker.findRoom(stage.discord.guild.id, '#Support')
    await stage.reply({ thread: room! }).finish('Maintenance tonight.')
    const direct = await speaker.directThread(stage.discord.guild.id, stage.bob.id)
    await stage.reply({ thread: direct }).finish('Hello Bob.')
    expect((await stage.discord.answer('support')).content).toBe('Maintenance tonight.')
    expect((await stage.discord.answer(stage.bob.dmChannel)).content).toBe('Hello Bob.')
    expect(direct).toEqual(directThread(stage.bob))
    expect(await speaker.findRoom(stage.discord.guild.id, 'nowhere')).toBeUndefined()
    stage.discord.world.users.get(stage.bob.id)!.takesDms = false
    await expect(stage.reply({ thread: direct }).finish('again')).rejects.toMatchObject({
      failure: 'refused',
    })
  })
})

describe('trouble on the way out', () => {
  const create = { method: 'POST', path: /\/messages$/ }

  test('a connection that breaks after Discord took the message gives one message', async () => {
    for (const how of ['reset', 'close'] as const) {
      await using stage = await openStage({ listen: false })
      const fault = stage.discord.faults.add({
        ...create,
        times: 2,
        does: { kind: 'break', when: 'after', how },
      })
      await stage.reply({ thread: directThread(stage.ann) }).finish('Once.')
      expect(fault.left()).toBe(0)
      expect(stage.discord.screen.answers(stage.ann.dmChannel).map(({ content }) => content)).toEqual([
        'Once.',
      ])
    }
  })

  test('5xx and rate limits are waited out, in order', async () => {
    await using stage = await openStage({ listen: false })
    stage.discord.faults.add({ ...create, does: { kind: 'status', status: 503 } })
    stage.discord.faults.add({ ...create, does: { kind: 'rate-limit', retryAfter: 0.1 } })
    stage.discord.faults.add({ ...create, does: { kind: 'rate-limit', retryAfter: 0.1, global: true } })
    const text = `${'a '.repeat(900)}\n\n${'b '.repeat(900)}`
    await stage.reply({ thread: directThread(stage.ann) }).finish(text)
    expect(stage.discord.screen.answers(stage.ann.dmChannel).map(({ content }) => content[0])).toEqual([
      'a',
      'b',
    ])
  })

  test("Discord's own pace of messages in a channel is kept without losing one", async () => {
    await using stage = await openStage({
      listen: false,
      discord: { channelLimit: { count: 2, perMs: 300 } },
    })
    const thread = directThread(stage.ann)
    await Promise.all(
      Array.from({ length: 5 }, (_, n) => stage.reply({ thread: { ...thread } }).finish(`message ${n}`)),
    )
    expect(stage.discord.screen.answers(thread.thread)).toHaveLength(5)
  })

  test('a platform that stays away is unavailable, one that never answers is unknown', async () => {
    await using stage = await openStage({ listen: false })
    const surface = stage.channel.speaker.surface({ thread: directThread(stage.ann) })
    stage.discord.faults.add({ ...create, times: 4, does: { kind: 'status', status: 502 } })
    const failure = await surface.create({ text: 'x', final: true }, 'n1').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ChannelError)
    expect(failure).toMatchObject({ failure: 'unavailable' })
    stage.discord.faults.add({ ...create, times: 4, does: { kind: 'break', when: 'after', how: 'reset' } })
    await expect(surface.create({ text: 'y', final: true }, 'n2')).rejects.toMatchObject({
      failure: 'unknown',
    })
    await stage.discord.goDark()
    await expect(surface.create({ text: 'z', final: true }, 'n3')).rejects.toMatchObject({
      failure: 'unavailable',
    })
  })

  test('the cap on edits of old messages is an error at once and no endless wait', async () => {
    await using stage = await openStage({ listen: false })
    stage.discord.oldEdits = { after: -1, allowed: 1 }
    const surface = stage.channel.speaker.surface({ thread: directThread(stage.ann) })
    const id = await surface.create({ text: 'a', final: false }, 'n1')
    await surface.edit(id, { text: 'b', final: false })
    const started = Date.now()
    await expect(surface.edit(id, { text: 'c', final: true })).rejects.toMatchObject({ failure: 'refused' })
    expect(Date.now() - started).toBeLessThan(2_000)
  })

  test('a removed draft is replaced by a new message', async () => {
    await using stage = await openStage({ listen: false })
    const reply = stage.reply({ thread: directThread(stage.ann) })
    reply.write('draft')
    stage.discord.posts.remove(await stage.discord.answer(stage.ann.dmChannel))
    await reply.finish('The answer.')
    expect(stage.discord.screen.answers(stage.ann.dmChannel).map(({ content }) => content)).toEqual([
      'The answer.',
    ])
  })

  test('a wrong token is refused in words, with nothing of the token in them', async () => {
    await using stage = await openStage({ listen: false, adapter: { token: 'wrong.token.value' } })
    for (let n = 0; n < 2; n += 1) {
      const error = await stage
        .reply({ thread: directThread(stage.ann) })
        .finish('x')
        .catch((problem: unknown) => problem)
      expect(error).toMatchObject({ failure: 'refused' })
      expect(JSON.stringify(error) + String(error)).not.toContain('wrong.token.value')
    }
  })
})

describe('a card', () => {
  test('shows action, target, every argument exactly, risk, footer and buttons, and becomes what came of it', async () => {
    await using stage = await openStage({ listen: false })
    const target = { thread: directThread(stage.ann) }
    const exact = { label: 'Text', value: 'a **b** <@1> [c](http://d)\n# e\n- f' }
    const id = await stage.channel.speaker.postCard(
      target,
      { ...card, fields: [...card.fields, exact] },
      'n1',
    )
    const posted = stage.discord.world.messages.get(id)!
    expect(stage.discord.screen.text(posted)).toBe(
      [
        '### Create ticket',
        '**Printer on floor 3 is broken**',
        '**Priority**  high',
        '**Assignee**  ops-team',
        '**Text**',
        '> a \\*\\*b\\*\\* \\<@1\\> \\[c\\](http://d)',
        '> \\# e',
        '> \\- f',
        'A new ticket will be visible to everyone in the workspace.',
        '-# waits for Ann · until tomorrow 14:05',
      ].join('\n'),
    )
    expect(stage.discord.screen.buttons(posted).map(({ label, customId }) => [label, customId])).toEqual([
      ['Confirm', 'approval.confirm|apr_1'],
      ['Edit', 'approval.edit|apr_1'],
      ['Cancel', 'approval.cancel|apr_1'],
    ])
    const done = {
      ...card,
      tone: 'done',
      footer: 'Confirmed by Ann, 14:07 · Ticket T-1042 created',
      actions: [],
    } as const
    await stage.channel.speaker.updateCard(target, id, done)
    expect(stage.discord.screen.text(posted)).toContain('-# Confirmed by Ann, 14:07 · Ticket T-1042 created')
    expect(stage.discord.screen.buttons(posted)).toEqual([])
  })

  test('with arguments beyond the limits is attached in full, and says so where it is cut', async () => {
    await using stage = await openStage({ listen: false })
    const target = { thread: directThread(stage.ann) }
    const long = Array.from({ length: 500 }, (_, n) => `*line ${n}*`).join('\n')
    const fields = [...card.fields, { label: 'Body', value: long }, { label: 'Copy', value: long }]
    const id = await stage.channel.speaker.postCard(target, { ...card, fields }, 'n1')
    const posted = stage.discord.world.messages.get(id)!
    const shown = stage.discord.screen.text(posted)
    expect(shown).toContain('**Priority**  high')
    expect(shown.match(/in full in the attached file/g)).toHaveLength(2)
    const file = new TextDecoder().decode(posted.attachments[0]!.bytes)
    expect(file.split(long)).toHaveLength(3)
    await stage.channel.speaker.updateCard(target, id, { ...card, actions: [] })
    expect(posted.attachments).toEqual([])
  })

  test('with a choice of many shows them all in selects', async () => {
    await using stage = await openStage({ listen: false })
    const options = Array.from({ length: 40 }, (_, n) => ({ label: `Option ${n}`, value: `v${n}` }))
    const choice = { label: 'Which one?', action: 'question.choose', options }
    const id = await stage.channel.speaker.postCard(
      { thread: directThread(stage.ann) },
      { id: 'q1', title: 'Which one?', fields: [], tone: 'open', actions: [], choice },
      'n1',
    )
    const posted = stage.discord.world.messages.get(id)!
    expect(selectsOf(posted).flatMap((select) => select.options!.map(({ value }) => value))).toEqual(
      options.map(({ value }) => value),
    )
  })

  test('whose button says more than Discord can carry is refused as invalid', async () => {
    await using stage = await openStage({ listen: false })
    const actions = [{ label: 'Go', action: 'x', value: 'v'.repeat(120) }]
    await expect(
      stage.channel.speaker.postCard({ thread: directThread(stage.ann) }, { ...card, actions }, 'n1'),
    ).rejects.toMatchObject({ failure: 'invalid' })
  })
})

describe('what stands in a thread', () => {
  test('own messages are found again after a lost answer, and others are not', async () => {
    await using stage = await openStage({ listen: false })
    const said = stage.ann.mention('general', 'hello')
    const target = { thread: threadUnder(stage.discord, said) }
    const since = new Date()
    expect(await stage.channel.speaker.ownMessages(target.thread, since)).toEqual([])
    const surface = stage.channel.speaker.surface(target)
    const first = await surface.create({ text: 'one', final: true }, 'n1')
    stage.bob.post(said.id, 'not mine')
    const second = await stage.channel.speaker.postCard(target, card, 'n2')
    const found = await stage.channel.speaker.ownMessages(target.thread, since)
    expect(found.map(({ messageId }) => messageId)).toEqual([first, second])
    const later = await stage.channel.speaker.ownMessages(target.thread, new Date(Date.now() + 10_000))
    expect(later).toEqual([])
  })

  test('are found among the replies in a channel without threads', async () => {
    await using stage = await openStage({
      listen: false,
      before: (discord) => discord.deny('general', 'CreatePublicThreads'),
    })
    const [one, two] = [stage.ann.mention('general', 'one'), stage.bob.mention('general', 'two')]
    const since = new Date()
    await stage.reply({ thread: threadUnder(stage.discord, one) }).finish('to one')
    await stage.reply({ thread: threadUnder(stage.discord, two) }).finish('to two')
    const found = await stage.channel.speaker.ownMessages(threadUnder(stage.discord, two), since)
    expect(found.map(({ messageId }) => stage.discord.world.messages.get(messageId)!.replyTo)).toEqual([
      two.id,
    ])
  })

  test('history is what was said, oldest first, from the message that the thread hangs on', async () => {
    await using stage = await openStage({ listen: false })
    const said = stage.ann.mention('general', 'the start')
    const thread = threadUnder(stage.discord, said)
    expect((await stage.channel.speaker.history(thread, 10)).map(({ text }) => text)).toHaveLength(1)
    await stage.reply({ thread }).finish('an answer')
    stage.bob.post(said.id, 'a remark')
    await stage.channel.speaker.postCard(
      { thread },
      { ...card, fields: [], risk: undefined, footer: undefined },
      'n2',
    )
    const history = await stage.channel.speaker.history(thread, 10)
    expect(history.map(({ author, own, text }) => [author, own, text])).toEqual([
      // Whom it mentions of ours is not part of what was said.
      ['Ann', false, 'the start'],
      ['hermes', true, 'an answer'],
      ['Bob', false, 'a remark'],
      ['hermes', true, '### Create ticket\n**Printer on floor 3 is broken**'],
    ])
    expect(await stage.channel.speaker.history(thread, 2)).toHaveLength(2)
  })
})

describe('finding people', () => {
  test('goes by user name and nickname, and leaves bots out', async () => {
    await using stage = await openStage({ listen: false })
    const { discord } = stage
    const find = (name: string) => stage.channel.speaker.findPeople!(discord.guild.id, name, stage.ann.id)
    const li = discord.person('Li Wei')
    const other = discord.person('Maria K')
    const maria = discord.person('Maria S')
    discord.bot('Li Bot')
    discord.guild.nicks.set(maria.id, 'Maria')
    discord.guild.nicks.set(other.id, 'Maria')
    for (const name of ['Li Wei', 'li', '@li_wei', 'Li W']) {
      expect([name, await find(name)]).toEqual([name, [{ userId: li.id, name: 'Li Wei' }]])
    }
    for (const name of ['nobody', 'Hermes', '', ' ', 'Wei']) {
      expect([name, await find(name)]).toEqual([name, []])
    }
    const marias = await find('Maria')
    expect(marias.map(({ name }) => name)).toEqual(['Maria (@maria_k)', 'Maria (@maria_s)'])
    expect(await find(marias[1]!.name)).toEqual([{ userId: maria.id, name: 'Maria' }])
  })

  test('in direct messages knows those alone who share a server with the asker', async () => {
    await using stage = await openStage({ listen: false })
    const { discord } = stage
    const elsewhere = discord.world.addGuild('Elsewhere')
    const near = discord.person('Bobby')
    const far = discord.person('Boris')
    elsewhere.memberIds.delete(stage.ann.id)
    discord.guild.memberIds.delete(far.id)
    const find = (asker?: string) => stage.channel.speaker.findPeople!('@me', 'Bo', asker)
    expect((await find(stage.ann.id)).map(({ userId }) => userId).sort()).toEqual(
      [stage.bob.id, near.id].sort(),
    )
    expect((await find(far.id)).map(({ userId }) => userId).sort()).toEqual(
      [stage.bob.id, near.id, far.id].sort(),
    )
    expect(await find(undefined)).toEqual([])
    const asked = discord.requests.length
    await find(stage.ann.id)
    // Where the asker is, is kept; the search alone is made again.
    expect(discord.requests.length - asked).toBe(1)
  })
})

describe('the typing sign', () => {
  test('shows at once, opens the thread it belongs to, and ends with the reply', async () => {
    await using stage = await openStage({ listen: false })
    const said = stage.ann.mention('general', 'hello')
    const target = { thread: threadUnder(stage.discord, said) }
    await stage.channel.speaker.showActivity(target, 'Looking through the knowledge base…')
    expect(stage.discord.screen.typing(said.id)).toHaveLength(1)
    await stage.channel.speaker.showActivity(target, 'Writing…')
    expect(stage.discord.screen.typing(said.id)).toHaveLength(1)
    await stage.channel.speaker.showActivity(target, null)
  })

  test('is renewed while the turn runs', { timeout: 20_000 }, async () => {
    await using stage = await openStage({ listen: false })
    const target = { thread: directThread(stage.ann) }
    await stage.channel.speaker.showActivity(target, '…')
    await stage.discord.screen.until(
      () => stage.discord.screen.typing(stage.ann.dmChannel).length === 2,
      10_000,
    )
    const [first, second] = stage.discord.screen.typing(stage.ann.dmChannel)
    expect(second! - first!).toBeLessThan(10_000)
    await stage.channel.speaker.showActivity(target, null)
  })

  test('never fails, whatever Discord says', async () => {
    await using stage = await openStage({
      listen: false,
      before: (discord) => discord.deny('general', 'SendMessages', 'SendMessagesInThreads'),
    })
    const said = stage.ann.mention('general', 'hello')
    await stage.channel.speaker.showActivity({ thread: threadUnder(stage.discord, said) }, '…')
    await stage.channel.speaker.showActivity({ thread: threadUnder(stage.discord, said) }, null)
  })
})
