import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { webClient } from '../support/web-client.ts'

// As after `npm start` without a key: the offline model, in the web chat.
describe('a newcomer', () => {
  let app: TestApp
  let rows: Rows
  let threads = 0

  beforeAll(async () => {
    app = await startTestApp({ config: { desk: { channel: 'web', room: 'desk' } } })
    rows = await openRows(app.home)
  }, 60_000)
  afterAll(async () => {
    await rows.close()
    await app.end()
  })

  const talk = async (...said: readonly string[]) => {
    const ann = webClient(app.address, 'Ann', `undo-${++threads}`)
    const answers: string[] = []
    for (const text of said) {
      await ann.say(text)
      answers.push((await ann.answer(answers.length + 1)).text)
    }
    return answers
  }

  const en = {
    create: 'Create a ticket: the lamp in the hall flickers, high priority',
    proposed: { title: 'Create ticket', target: 'The lamp in the hall flickers' },
    labels: ['Confirm', 'Edit', 'Cancel'],
    title: 'The lamp in the cellar flickers',
    created: (id: string, title: string) => `Ticket **${id}** is created: ${title}.`,
    told: /^Confirmed by Ann, .* · Ticket (T-\d+) created$/,
    assign: 'assign it to Li Wei',
    history: 'Show the history of it',
    changes: /Changes:\n- Ann \(\d{4}-\d\d-\d\d\): assignee Li Wei$/,
    close: 'close it',
    cancelled: /you cancelled it, so it was not done/,
    remind: 'Remind me tomorrow at 9 to call Bob',
    reminders: 'list my reminders',
    listed: 'Your reminders:\n\n1. tomorrow 09:00: call Bob',
    undo: 'undo that',
    none: 'You have no open reminders.',
    person: 'let me talk to a person',
    handed: /^I have asked the people of the desk to take over/,
  }
  const zh: typeof en = {
    create: '帮我建一个工单：走廊的灯一直闪，高优先级',
    proposed: { title: '创建工单', target: '走廊的灯一直闪' },
    labels: ['确认', '修改', '取消'],
    title: '地下室的灯一直闪',
    created: (id, title) => `工单 **${id}** 已创建：${title}。`,
    told: /^Ann 已于 .* 确认 · 工单 (T-\d+) 已创建$/,
    assign: '把它指派给李伟',
    history: '这个工单的历史',
    changes: /变更:\n- Ann \(\d{4}-\d\d-\d\d\): 负责人 李伟$/,
    close: '关闭它',
    cancelled: /您已取消，没有执行/,
    remind: '明天上午9点提醒我给李伟打电话',
    reminders: '我有哪些提醒？',
    listed: '您的提醒：\n\n1. 明天 09:00：给李伟打电话',
    undo: '撤销',
    none: '您没有未到期的提醒。',
    person: '我想找人工',
    handed: /^我已请人工服务台接手/,
  }
  it.each([
    ['in English', en],
    ['in Chinese', zh],
  ])(
    'sees a card, its edit and cancel, a history, a reminder, "undo" and the desk at work %s',
    async (_, words) => {
      const ann = webClient(app.address, 'Ann', `tour-${++threads}`)
      const said = async (text: string, count: number) => {
        await ann.say(text)
        return (await ann.answer(count)).text
      }
      await ann.say(words.create)
      const card = await ann.card()
      expect(card).toMatchObject(words.proposed)
      expect(card.actions.map(({ label }) => label)).toEqual(words.labels)
      const { form } = (await ann.press('approval.edit', card.id)).body
      await ann.submit('approval.edit', form.value, { title: words.title })
      await ann.press('approval.confirm', card.id)
      const done = await ann.until('the ticket', ({ messages }) =>
        words.told.test(messages[1]?.cards[0]?.footer ?? ''),
      )
      const [, id = ''] = words.told.exec(done.messages[1]!.cards[0]!.footer!)!
      expect((await ann.answer()).text).toBe(words.created(id, words.title))

      await ann.say(words.assign)
      await ann.press('approval.confirm', (await ann.card()).id)
      await ann.answer(2)
      expect(await said(words.history, 3)).toMatch(words.changes)
      await ann.say(words.close)
      await ann.press('approval.cancel', (await ann.card()).id)
      expect((await ann.answer(4)).text).toMatch(words.cancelled)

      await said(words.remind, 5)
      expect(await said(words.reminders, 6)).toBe(words.listed)
      await said(words.undo, 7)
      expect(await said(words.reminders, 8)).toBe(words.none)
      expect(await said(words.person, 9)).toMatch(words.handed)
    },
  )

  it('is reminded again and again in the very way that was said', async () => {
    const [english, chinese] = await talk(
      'Remind me on the last working day of every month at 5 pm to write the report',
      '每月最后一个工作日下午5点提醒我写月报',
    )
    expect(english).toContain('on the last working day of every month at 17:00')
    expect(chinese).toContain('每月最后一个工作日 17:00')
    const held = await rows.query<{ text: string }>(
      `SELECT text FROM reminder WHERE recurrence::jsonb @> '{"unit":"month","on":{"nth":-1},"hour":17}' ORDER BY id`,
    )
    expect(held.map(({ text }) => text)).toEqual(['write the report', '写月报'])
  })

  it('takes back a memory: what it had replaced holds again', async () => {
    const answers = await talk(
      'Remember that my favourite colour is blue',
      'Remember that my favourite colour is green',
      'undo that',
      'What is my favourite colour?',
      'undo that',
      'undo that',
    )
    expect(answers[2]).toBe('I took that back.')
    expect(answers[3]).toContain('blue')
    expect(answers[3]).not.toContain('green')
    expect(answers[5]).toBe('There is nothing here that I could take back.')
    expect(
      await rows.query(`SELECT text FROM memory WHERE status = 'active' AND text LIKE '%favourite colour%'`),
    ).toEqual([])
  })

  it('takes back that something was forgotten', async () => {
    const answers = await talk(
      'Remember that my desk is on floor 3',
      'Forget my desk',
      'Undo',
      'Where is my desk?',
    )
    expect(answers[2]).toBe('I took that back.')
    expect(answers[3]).toContain('floor 3')
  })

  it('takes back a reminder, also in Chinese', async () => {
    await talk('提醒我明天上午9点给王芳打电话', '撤销')
    expect(await rows.query(`SELECT status FROM reminder WHERE text LIKE '%王芳%'`)).toEqual([
      { status: 'cancelled' },
    ])
  })
})
