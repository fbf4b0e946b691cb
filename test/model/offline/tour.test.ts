import { describe, expect, it } from 'vitest'
import { builtIn, type Handler, openThread } from './thread.ts'

describe('tickets', () => {
  it('are made, shown, changed and closed in one thread', async () => {
    const { tools, tickets } = builtIn()
    const thread = openThread({ tools })
    const asked = await thread.say('Create a ticket: the printer on floor 3 is broken, high priority')
    expect(asked.text).toMatch(/check the card and confirm/)
    expect(tickets).toHaveLength(0)
    expect((await thread.confirm()).text).toMatch(
      /Ticket \*\*T-1001\*\* is created: The printer on floor 3 is broken/,
    )
    expect((await thread.say('show it')).text).toMatch(/T-1001[\s\S]*priority: high/)
    await thread.say('assign it to Li Wei')
    expect((await thread.confirm()).text).toMatch(/T-1001\*\* is updated[\s\S]*assignee: Li Wei/)
    await thread.say('comment on that ticket: toner is ordered')
    expect((await thread.confirm()).text).toMatch(/comment is on \*\*T-1001/)
    await thread.say('close T-1001')
    await thread.confirm()
    expect(tickets).toEqual([
      {
        ticket: 'T-1001',
        title: 'The printer on floor 3 is broken',
        priority: 'high',
        status: 'closed',
        assignee: 'Li Wei',
      },
    ])
    expect((await thread.say('list all tickets')).text).toMatch(/1 ticket:[\s\S]*T-1001[\s\S]*closed/)
  })

  it('are made in Chinese', async () => {
    const { tools, tickets } = builtIn()
    const thread = openThread({ tools })
    await thread.say('帮我建一个工单：三楼打印机坏了，高优先级')
    expect((await thread.confirm()).text).toMatch(/工单 \*\*T-1001\*\* 已创建：三楼打印机坏了/)
    expect((await thread.say('列出工单')).text).toMatch(/共 1 张工单[\s\S]*待处理, 高/)
    await thread.say('把它改成紧急')
    await thread.confirm()
    expect(tickets[0]).toMatchObject({ priority: 'urgent' })
  })

  it('without a title are asked about in one question, and made from the answer', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    const asked = await thread.say('create a high priority ticket')
    expect(asked.text).toMatch(/What should the ticket be about\?$/)
    // It is called with what is known, so that its card asks as well.
    expect(asked.calls).toEqual([{ name: 'create_ticket', args: { priority: 'high' } }])
    const said = await thread.say('the coffee machine leaks')
    expect(said.calls).toEqual([
      { name: 'create_ticket', args: { title: 'The coffee machine leaks', priority: 'high' } },
    ])
    const chinese = openThread({ tools })
    expect((await chinese.say('建一个工单')).text).toMatch(/工单的内容是什么？$/)
    expect((await chinese.say('咖啡机漏水')).calls[0]?.args).toEqual({ title: '咖啡机漏水' })
  })

  it('are told of when the question was answered on its card', async () => {
    const { tools, tickets } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket')
    await thread.fillIn('create_ticket', { title: 'List of doors', priority: 'urgent' })
    expect((await thread.confirm()).text).toMatch(/T-1001\*\* is created: List of doors/)
    expect((await thread.say('update the ticket')).calls).toEqual([
      { name: 'update_ticket', args: { ticket: 'T-1001' } },
    ])
    await thread.fillIn('update_ticket', { ticket: 'T-1001', status: 'resolved' })
    expect((await thread.confirm()).text).toMatch(/T-1001\*\* is updated/)
    expect((await thread.say('remind me to call Ann')).text).toMatch(/When shall I remind you\?$/)
    const set = await thread.fillIn('set_reminder', { text: 'call Ann', when: 'tomorrow' })
    expect(set.text).toMatch(/I will remind you .*: call Ann/)
    expect((await thread.say('send a message to Bob')).calls).toEqual([
      { name: 'send_message', args: { to: 'Bob' } },
    ])
    await thread.fillIn('send_message', { to: 'Bob', text: 'Hello' })
    const said = await thread.confirm()
    expect(said.calls).toEqual([])
    expect(said.text).toMatch(/Bob/)
    expect(tickets).toHaveLength(1)
  })

  it('are not made from a new request that comes instead of the answer', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket')
    expect((await thread.say('list my reminders')).calls.map(({ name }) => name)).toEqual(['list_reminders'])
  })

  it('keep what a person changed on the card', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket: door')
    // The arguments of the call are what was confirmed, not what was proposed.
    const proposal = thread.messages.findLast((message) => message.role === 'assistant')
    if (proposal?.role !== 'assistant') throw new Error('There is no proposal.')
    const call = proposal.toolCalls?.[0]
    Object.assign(call!, { arguments: JSON.stringify({ title: 'Green door', priority: 'low' }) })
    const said = await thread.settle(JSON.stringify({ ticket: 'T-7', title: 'Green door', priority: 'low' }))
    expect(said.calls).toEqual([])
    expect(said.text).toMatch(/T-7\*\* is created: Green door/)
  })
})

describe('proposals that wait', () => {
  it('are taken back by a word', async () => {
    const { tools, tickets } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket: door')
    const said = await thread.say('cancel it')
    expect(said.calls.map(({ name }) => name)).toEqual(['withdraw'])
    expect(said.text).toMatch(/withdrawn; nothing was changed/)
    expect(tickets).toEqual([])
  })

  it('are replaced by new ones where something is to be different', async () => {
    const { tools, tickets } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket: the door is stuck')
    const said = await thread.say('make it urgent')
    expect(said.calls.map(({ name }) => name)).toEqual(['withdraw', 'create_ticket'])
    expect(said.calls[1]?.args).toEqual({ title: 'The door is stuck', priority: 'urgent' })
    expect(said.text).toMatch(/the card and confirm it/)
    expect((await thread.confirm()).text).toMatch(/T-1001\*\* is created/)
    expect(tickets).toHaveLength(1)
  })

  it('go to another person where the person says so', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    await thread.say('tell Ann that lunch is at 12')
    const said = await thread.say('send it to Bob instead')
    expect(said.calls[1]?.args).toEqual({ to: 'Bob', text: 'lunch is at 12' })
  })

  it('are not confirmed by words', async () => {
    const { tools, tickets } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket: door')
    const said = await thread.say('yes, go ahead')
    expect(said.calls).toEqual([])
    expect((await thread.say('yes')).text).toMatch(/press Confirm/)
    expect(tickets).toEqual([])
  })

  it('do not keep other requests waiting', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket: door')
    const said = await thread.say('remember that I like tea')
    expect(said.calls.map(({ name }) => name)).toEqual(['remember'])
  })

  it('that are decided after later messages are told of', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    await thread.say('create a ticket: door')
    await thread.say('hello')
    const said = await thread.note('Create ticket: Ticket T-1001 created')
    expect(said.calls).toEqual([])
    expect(said.text).toMatch(/T-1001 created/)
  })
})

describe('memory', () => {
  it('holds what is said, answers from it and forgets', async () => {
    const { tools, memories } = builtIn()
    const thread = openThread({ tools })
    expect((await thread.say('Remember that I prefer short answers')).text).toMatch(
      /Noted: I prefer short answers/,
    )
    await thread.say('My manager is Li Wei.')
    expect((await thread.say('who is my manager?')).text).toMatch(/My manager is Li Wei/)
    expect((await thread.say('what do you know about me?')).text).toMatch(/short answers[\s\S]*Li Wei/)
    expect((await thread.say('forget my manager')).text).toMatch(/Forgotten: My manager is Li Wei/)
    expect(memories.map(({ text }) => text)).toEqual(['I prefer short answers'])
  })

  it('holds what is said in Chinese', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    expect((await thread.say('记住我的经理是李伟')).text).toMatch(/记住了：我的经理是李伟/)
    expect((await thread.say('我的经理是谁？')).text).toMatch(/我的经理是李伟/)
    expect((await thread.say('不对，我的经理是王芳')).text).toMatch(/已更正：我的经理是王芳/)
    expect((await thread.say('忘记我的经理')).text).toMatch(/已忘记/)
    expect((await thread.say('你记得我什么？')).text).toMatch(/什么都不记得/)
  })

  it('that was recalled for the request is used without a call', async () => {
    const { tools } = builtIn()
    const thread = openThread({
      tools,
      memories: ['- 2026-11-02: My manager is Li Wei', '- 2026-11-03: I like tea'],
    })
    const said = await thread.say('Who is my manager?')
    expect(said.calls).toEqual([])
    expect(said.text).toMatch(/My manager is Li Wei/)
    expect(said.text).not.toMatch(/tea/)
  })

  it('asks before it forgets several things', async () => {
    const { tools, memories } = builtIn()
    const thread = openThread({ tools })
    for (const text of [
      'remember that I like green tea',
      'remember that tea makes me sleepy',
      'remember that I live in Berlin',
    ])
      await thread.say(text)
    const asked = await thread.say('forget tea')
    expect(asked.text).toMatch(/1\. [\s\S]*2\. /)
    expect(memories).toHaveLength(3)
    expect((await thread.say('2')).text).toMatch(/Forgotten: Tea makes me sleepy/)
    await thread.say('forget everything about me')
    expect(memories).toHaveLength(2)
    await thread.say('all')
    expect(memories).toHaveLength(0)
  })

  it('says why something is not kept', async () => {
    const { tools } = builtIn()
    const said = await openThread({ tools }).say('remember that my password is hunter2')
    expect(said.text).toMatch(/I do not keep passwords\./)
  })
})

describe('reminders', () => {
  it('are set, listed and cancelled', async () => {
    const { tools, reminders } = builtIn()
    const thread = openThread({ tools })
    expect((await thread.say('Remind me tomorrow at 9 to call Ann')).text).toMatch(
      /I will remind you tomorrow at 09:00: call Ann/,
    )
    await thread.say('remind me every Monday at 8am to water the plants')
    expect((await thread.say('list my reminders')).text).toMatch(
      /1\. .*call Ann[\s\S]*2\. .*every week.*water the plants/,
    )
    expect((await thread.say('cancel the reminder about the plants')).text).toMatch(
      /cancelled: water the plants/,
    )
    expect(reminders).toHaveLength(1)
  })

  it('without a time or a subject are asked about', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    expect((await thread.say('remind me to call Ann')).text).toMatch(/When shall I remind you\?$/)
    expect((await thread.say('tomorrow at 10')).calls[0]?.args).toEqual({
      text: 'call Ann',
      when: 'tomorrow at 10',
    })
    const other = openThread({ tools })
    expect((await other.say('remind me in 20 minutes')).text).toMatch(/What shall I remind you of\?$/)
    expect((await other.say('the tea')).calls[0]?.args).toEqual({ text: 'the tea', when: 'in 20 minutes' })
    const chinese = openThread({ tools })
    expect((await chinese.say('提醒我给李伟打电话')).text).toMatch(/什么时候提醒您？$/)
    expect((await chinese.say('明天上午十点')).calls[0]?.args).toEqual({
      text: '给李伟打电话',
      when: '明天上午十点',
    })
  })

  it('that were refused are told of with the reason', async () => {
    const { tools } = builtIn()
    const thread = openThread({
      tools: { ...tools, set_reminder: () => 'Not run: Not valid: when: "yesterday" has passed.' },
    })
    expect((await thread.say('remind me on Friday to rest')).text).toMatch(/was not done[\s\S]*has passed/)
  })
})

describe('tools that are not offered', () => {
  /** Offers nothing but `find_tools`, which brings what it is asked for. */
  const searching = (all: Record<string, Handler>) => {
    const offered: Record<string, Handler> = {
      find_tools: ({ query }) => {
        const name = Object.keys(all).find((one) => one.endsWith(String(query).replaceAll(' ', '_')))
        if (name) offered[name] = all[name]!
        return { query, tools: name ? [{ name }] : [] }
      },
    }
    return offered
  }

  it.each([
    ['what do you know about me?', 'recall'],
    ['create a ticket: door', 'create_ticket'],
    ['列出工单', 'list_tickets'],
    ['remind me tomorrow to rest', 'set_reminder'],
    ['tell Ann that it works', 'send_message'],
    ['forget my address', 'forget'],
  ])('are found for "%s"', async (text, tool) => {
    const { tools } = builtIn()
    const said = await openThread({ tools: searching(tools) }).say(text)
    expect(said.calls.map(({ name }) => name)).toEqual(['find_tools', tool])
  })

  it('and can not be found are told of', async () => {
    const said = await openThread({ tools: searching({}) }).say('create a ticket: door')
    expect(said.calls).toHaveLength(1)
    expect(said.text).toMatch(/can't do that here/)
  })

  it('any more do not lose the question that was asked with them', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools: { ...tools } })
    await thread.say('create a ticket')
    const offered = searching(tools)
    const later = openThread({ tools: offered })
    later.messages.push(...thread.messages.slice(1))
    const said = await later.say('the coffee machine leaks')
    expect(said.calls.map(({ name }) => name)).toEqual(['find_tools', 'create_ticket'])
  })
})
