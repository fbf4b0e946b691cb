import { describe, expect, it } from 'vitest'
import { builtIn, openThread } from './thread.ts'

/** What the stand-in calls first for a message, said in a thread that has begun. */
async function firstCalls(text: string, options: { shared?: boolean } = {}) {
  const { tools } = builtIn()
  const thread = openThread({ tools, ...options })
  thread.messages.push({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello.' })
  const { calls } = await thread.say(text)
  return calls.map(({ name, args }) => [name, args] as const)
}

const cases: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  // Tickets
  [
    'create a ticket: the printer on floor 3 is broken, high priority',
    'create_ticket',
    { title: 'The printer on floor 3 is broken', priority: 'high' },
  ],
  ['Create a ticket for the broken door', 'create_ticket', { title: 'The broken door' }],
  [
    'Hello, could you please open an urgent ticket: the server room is 40 degrees. Fans are off.',
    'create_ticket',
    { title: 'The server room is 40 degrees', description: 'Fans are off', priority: 'urgent' },
  ],
  [
    'Can you create an urgent ticket for the broken door, assign it to ops-team, due next Friday?',
    'create_ticket',
    { title: 'The broken door', priority: 'urgent', assignee: 'ops-team', due: 'next Friday' },
  ],
  [
    '帮我建一个工单：三楼打印机坏了，高优先级',
    'create_ticket',
    { title: '三楼打印机坏了', priority: 'high' },
  ],
  [
    '请创建一个紧急的工单，内容是空调漏水，指派给李伟',
    'create_ticket',
    { title: '空调漏水', priority: 'urgent', assignee: '李伟' },
  ],
  ['show T-1001', 'get_ticket', { ticket: 'T-1001' }],
  ["What's the status of T-1042?", 'get_ticket', { ticket: 'T-1042' }],
  ['T-1042 怎么样了？', 'get_ticket', { ticket: 'T-1042' }],
  ['list open tickets', 'list_tickets', { status: 'open' }],
  ['Which tickets are assigned to Li Wei?', 'list_tickets', { assignee: 'Li Wei' }],
  ['Show my tickets', 'list_tickets', { assignee: 'Ann' }],
  ['列出我的工单', 'list_tickets', { assignee: 'Ann' }],
  ['有哪些未处理的工单？', 'list_tickets', { status: 'open' }],
  ['set T-1001 to urgent', 'update_ticket', { ticket: 'T-1001', priority: 'urgent' }],
  ['please close t-1001', 'update_ticket', { ticket: 'T-1001', status: 'closed' }],
  ['把 T-1001 改成紧急', 'update_ticket', { ticket: 'T-1001', priority: 'urgent' }],
  ['关闭 T-1001', 'update_ticket', { ticket: 'T-1001', status: 'closed' }],
  ['assign T-1001 to Li Wei', 'update_ticket', { ticket: 'T-1001', assignee: 'Li Wei' }],
  ['comment on T-1001: it works again', 'comment_ticket', { ticket: 'T-1001', text: 'it works again' }],
  ['给T-1001加评论：已经修好', 'comment_ticket', { ticket: 'T-1001', text: '已经修好' }],
  // Memory
  ['Remember that I prefer short answers', 'remember', { text: 'I prefer short answers' }],
  ['my manager is Li Wei', 'remember', { text: 'My manager is Li Wei' }],
  ['记住我喜欢简短的回答', 'remember', { text: '我喜欢简短的回答' }],
  ['我的经理是李伟', 'remember', { text: '我的经理是李伟' }],
  ['What do you know about me?', 'recall', {}],
  ['你记得我什么？', 'recall', {}],
  ['forget my address', 'forget', { query: 'my address' }],
  ['忘记我的地址', 'forget', { query: '我的地址' }],
  // Reminders
  ['Remind me tomorrow at 9 to call Ann', 'set_reminder', { text: 'call Ann', when: 'tomorrow at 9' }],
  ['remind me to send the report next week', 'set_reminder', { text: 'send the report', when: 'next week' }],
  ['In 20 minutes remind me about the tea', 'set_reminder', { text: 'the tea', when: 'In 20 minutes' }],
  [
    'Remind me every Monday at 8am to water the plants',
    'set_reminder',
    { text: 'water the plants', when: 'Monday at 8am', repeat: 'weekly' },
  ],
  [
    'Remind me on the last Friday of every month at 4pm to write the report',
    'set_reminder',
    { text: 'write the report', repeat: 'on the last Friday of every month at 4pm' },
  ],
  [
    '每月最后一个工作日下午5点提醒我写月报',
    'set_reminder',
    { text: '写月报', repeat: '每月最后一个工作日下午5点' },
  ],
  ['remind me at 9 to stretch', 'set_reminder', { text: 'stretch', when: 'tomorrow at 9' }],
  ['remind me at 5pm to stretch', 'set_reminder', { text: 'stretch', when: 'at 5pm' }],
  ["don't forget to call Bob on Friday", 'set_reminder', { text: 'call Bob', when: 'on Friday' }],
  ['下周提醒我补充后续计划', 'set_reminder', { text: '补充后续计划', when: '下周' }],
  ['明天上午9点提醒我给李伟打电话', 'set_reminder', { text: '给李伟打电话', when: '明天上午9点' }],
  ['提醒我每天18点写日报', 'set_reminder', { text: '写日报', when: '明天 18点', repeat: 'daily' }],
  ['提醒我下周三下午三点提交报告', 'set_reminder', { text: '提交报告', when: '下周三下午三点' }],
  ['list my reminders', 'list_reminders', {}],
  ['我有哪些提醒？', 'list_reminders', {}],
  // Messages
  [
    'Send Li Wei a message: the printer works again',
    'send_message',
    { to: 'Li Wei', text: 'the printer works again' },
  ],
  ['send a message to Ann saying lunch is at 12', 'send_message', { to: 'Ann', text: 'lunch is at 12' }],
  ['Tell Ann that lunch is at 12', 'send_message', { to: 'Ann', text: 'lunch is at 12' }],
  ['let Bob know the door is fixed', 'send_message', { to: 'Bob', text: 'the door is fixed' }],
  [
    'Tell Zhang on Discord that lunch is at 12',
    'send_message',
    { to: 'Zhang on Discord', text: 'lunch is at 12' },
  ],
  ['post deploy done in #ops on Slack', 'send_message', { to: '#ops on Slack', text: 'deploy done' }],
  ['告诉 Discord 上的张伟：打印机修好了', 'send_message', { to: 'Discord 上的张伟', text: '打印机修好了' }],
  ['message #ops: deploy done', 'send_message', { to: '#ops', text: 'deploy done' }],
  ['给李伟发消息：打印机修好了', 'send_message', { to: '李伟', text: '打印机修好了' }],
  ['告诉李伟：打印机修好了', 'send_message', { to: '李伟', text: '打印机修好了' }],
]

describe('the stand-in understands', () => {
  it.each(cases)('"%s"', async (text, name, args) => {
    const calls = await firstCalls(text)
    expect(calls[0]).toEqual([name, args])
  })

  it.each(['@Hermes list open tickets', 'Hermes, list open tickets', 'hermes: list open tickets'])(
    '"%s" in a thread that others read too',
    async (text) => {
      expect(await firstCalls(text, { shared: true })).toEqual([['list_tickets', { status: 'open' }]])
    },
  )

  it('several requests in one message', async () => {
    const calls = await firstCalls('Create a ticket: the door is stuck; remind me on Thursday to check it')
    expect(calls.map(([name]) => name)).toEqual(['create_ticket', 'set_reminder'])
    const chinese = await firstCalls('记住我喜欢喝茶。明天9点提醒我开会，然后给李伟发消息：会议改到明天')
    expect(chinese.map(([name]) => name)).toEqual(['remember', 'set_reminder', 'send_message'])
  })

  it('the order of requests, so that what is listed holds what was made before', async () => {
    const { tools } = builtIn()
    const said = await openThread({ tools }).say('remind me tomorrow at 9 to rest and list my reminders')
    expect(said.calls.map(({ name }) => name)).toEqual(['set_reminder', 'list_reminders'])
    expect(said.text).toMatch(/I will remind you[\s\S]*Your reminders:[\s\S]*rest/)
  })

  it('messages that were sent in a row', async () => {
    const { tools } = builtIn()
    const thread = openThread({ tools })
    const { calls } = await thread.say('create a ticket: the printer is broken', 'high priority please')
    expect(calls.map(({ name, args }) => [name, args])).toEqual([
      ['create_ticket', { title: 'The printer is broken', priority: 'high' }],
    ])
    const other = openThread({ tools })
    const both = await other.say('remember that I like tea', 'and remind me tomorrow at 9 to buy some')
    expect(both.calls.map(({ name }) => name)).toEqual(['remember', 'set_reminder'])
  })
})

describe('the stand-in says', () => {
  const says = async (text: string, tools = builtIn().tools) => (await openThread({ tools }).say(text)).text

  it('what it is in the first answer of a thread only, in the language of the person', async () => {
    const thread = openThread({ tools: builtIn().tools })
    expect((await thread.say('hello')).text).toMatch(/rule-based stand-in/)
    expect((await thread.say('how are you?')).text).not.toMatch(/stand-in/)
    const chinese = openThread({ tools: builtIn().tools })
    expect((await chinese.say('你好')).text).toMatch(/规则的替身/)
    expect((await chinese.say('谢谢')).text).toBe('不客气。')
  })

  it('what it is also where its first answer follows a look-up', async () => {
    const thread = openThread({ tools: builtIn().tools })
    expect((await thread.say('list my reminders')).text).toMatch(
      /rule-based stand-in[\s\S]+no open reminders/,
    )
  })

  it.each([
    ['help', /Tickets[\s\S]*Reminders[\s\S]*Documents/],
    ['What can you do here?', /Tickets[\s\S]*Reminders[\s\S]*Documents/],
    ['帮助', /工单[\s\S]*提醒[\s\S]*文档/],
    ['你能做什么？', /工单[\s\S]*提醒[\s\S]*文档/],
    ['good morning', /Hello Ann/],
    ['thanks a lot', /welcome/],
    ['who are you?', /without a language model/],
    ['what day is it today?', /2026-11-30/],
    ['the printer is broken', /create a ticket: the printer is broken/],
    ['三楼打印机坏了', /创建工单：三楼打印机坏了/],
    ['colourless green ideas sleep furiously', /did not understand/],
    ['无色的绿色思想狂怒地睡觉', /没有听懂/],
    ['confirm', /Nothing waits/],
  ])('something fitting to "%s"', async (text, answer) => {
    expect(await says(text)).toMatch(answer)
  })

  it('that a thing can not be done where its tools are not offered', async () => {
    for (const text of [
      'create a ticket: door',
      'remember that I like tea',
      'remind me tomorrow to rest',
      'tell Ann that it works',
      'summarise the handbook',
    ])
      expect(await says(text, {})).toMatch(/can't do that here/)
    expect(await says('创建工单：门坏了', {})).toMatch(/做不到/)
  })

  it('its answer word by word', async () => {
    const { drafts, text } = await openThread({ tools: builtIn().tools }).say('hello')
    expect(drafts.length).toBeGreaterThan(10)
    expect(drafts.at(-1)).toBe(text)
    expect(drafts.every((draft, place) => place === 0 || draft.startsWith(drafts[place - 1]!))).toBe(true)
  })
})
