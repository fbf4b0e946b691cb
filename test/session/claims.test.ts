import { describe, expect, it } from 'vitest'
import { claimsIn, unfounded } from '../../src/session/claims.ts'

const call = (tool: string, status = 'succeeded', effect = 'write') => ({ tool, status, effect })

describe('what an answer claims to have done', () => {
  it.each([
    'I have created the ticket for you.',
    "I've sent the message to Li Wei.",
    'The ticket has been created.',
    'I set a reminder for Monday.',
    'Done: reminder set.',
    '工单已创建。',
    '我已经帮您把消息发送给李伟了。',
    '提醒设置好了。',
    'Here is the summary.\n- I have emailed the message to the director.',
    "I've gone ahead and created the ticket.",
    'Done! I’ve sent it to Li Wei.',
    "The ticket's been created.",
    'Created ticket T-12.',
    'Successfully created the ticket.',
    'Sent the message to Bob.',
    '✅ Ticket created',
    '**Ticket T-1042 created**',
    'Your ticket is now open.',
    '[T-1042](https://desk.example/tickets/T-1042) has been created.',
    '| Ticket | Status |\n| --- | --- |\n| T-1042 | created |',
    'The reminder was set for 9 am.',
    'I have created the ticket, and it will be handled soon.',
    "I've created the ticket; can I help with anything else?",
    'I have booked room 4 for you if you need it.',
    'I just closed T-1042, so you can relax.',
    "I've cancelled the meeting.",
    'I have deleted the file notes.txt.',
    'I have refunded the order.',
    'Your refund has been processed.',
    "I've let Bob know.",
    "I've forgotten your address.",
    '工单已创建，如果需要修改请告诉我。',
    '我创建了工单。',
    '已把提醒取消。',
    '已将提醒取消。',
    '我把消息发给李伟了。',
    '已发送给李伟。',
    '文件已删除。',
    '订单已退款，请查收。',
    '| 工单 | 状态 |\n| --- | --- |\n| T-7 | 已创建 |',
  ])('is seen in: %s', (text) => {
    expect(claimsIn(text).length).toBeGreaterThan(0)
    expect(unfounded(text, []).length).toBeGreaterThan(0)
  })

  it.each([
    'I will create the ticket once you confirm.',
    'The ticket was not created.',
    'Shall I send the message?',
    'Please confirm the card, then the ticket is created.',
    'A ticket is a record of a problem.',
    '工单还没有创建，请先确认卡片。',
    '要不要我把消息发给他？',
    '确认后我会发送消息。',
    '> I have created the ticket',
    'The message waits for your confirmation.',
    'You set the priority to high.',
    'I have opened a card for the ticket; press Confirm.',
    "I've prepared the ticket for your confirmation.",
    'I have created a summary of the tickets below.',
    'I tried to send the message but it failed.',
    'I would have created the ticket, but the service failed.',
    'If you confirm, the ticket will be created, and Bob is told.',
    'Once you confirm, the ticket is created.',
    'The card is above; nothing has been sent.',
    'No ticket was created.',
    'The ticket may have been created; I can check.',
    'Tickets are created by the ops team.',
    'The ticket that was closed last week is T-3.',
    'Bob sent the message yesterday.',
    'Which file was deleted?',
    'Set a reminder every Monday at 10, I suggest.',
    'I told you about it.',
    '我没有创建工单。',
    '工单由运维团队创建。',
    '我已为您准备好创建工单的卡片。',
    '一旦您确认，消息就发送了。',
    '工单是昨天关闭的。',
    '创建工单：三楼的打印机坏了',
  ])('is not seen in: %s', (text) => {
    expect(claimsIn(text)).toEqual([])
  })

  it('is founded where the ledger holds such a call that succeeded', () => {
    expect(unfounded('I have created the ticket.', [call('create_ticket')])).toEqual([])
    expect(unfounded('I have sent the message.', [call('mcp__mail__send_mail')])).toEqual([])
  })

  it('is unfounded where the call was only proposed, cancelled or another one', () => {
    expect(unfounded('I have created the ticket.', [call('create_ticket', 'proposed')])).toHaveLength(1)
    expect(unfounded('I have created the ticket.', [call('send_message')])).toHaveLength(1)
  })

  it('is founded by what this turn did, where its person asked for something to be done', () => {
    const earlier = { ...call('create_ticket'), turnId: 'turn_1', told: 'Ticket T-1042 created' }
    const now = { acting: 'turn_2' }
    expect(unfounded('I have created the ticket.', [earlier], now)).toHaveLength(1)
    expect(unfounded('I have created the ticket T-1043.', [earlier], now)).toHaveLength(1)
    expect(unfounded('工单已创建。', [earlier], now)).toHaveLength(1)
    expect(unfounded('I have created the ticket.', [{ ...earlier, turnId: 'turn_2' }], now)).toEqual([])
    expect(unfounded('I have already created that ticket.', [earlier], now)).toEqual([])
    expect(unfounded('I have created T-1042 as a ticket.', [earlier], now)).toEqual([])
    expect(unfounded('Yes, I created the ticket.', [earlier])).toEqual([])
  })

  it('of a workflow is founded by what the workflow did, whatever that is called', () => {
    const workflow = { workflow: true, acting: 'turn_2' }
    const done = { ...call('mcp__finance__push'), turnId: 'turn_2' }
    expect(unfounded('The expense claim is cancelled.', [], workflow)).toEqual([])
    expect(unfounded('I have submitted the expense claim.', [done], workflow)).toEqual([])
    expect(unfounded('I have submitted the expense claim.', [], workflow)).toHaveLength(1)
  })

  it('is founded by what was taken back, and by a tool of another system whose name tells nothing', () => {
    expect(unfounded("I've cancelled your reminder.", [call('undo', 'succeeded', 'own')])).toEqual([])
    expect(unfounded('I have created the event.', [call('mcp__agenda__insert')])).toEqual([])
    expect(unfounded('I have submitted the expense claim.', [call('mcp__finance__file')])).toEqual([])
    expect(unfounded('I have created the event.', [call('mcp__agenda__insert', 'failed')])).toHaveLength(1)
    expect(unfounded('I have created the event.', [call('mcp__agenda__send_mail')])).toHaveLength(1)
    expect(
      unfounded('I have created the event.', [call('mcp__agenda__query', 'succeeded', 'read')]),
    ).toHaveLength(1)
  })

  it('of a hand-over is founded by that', () => {
    expect(unfounded("I've escalated this to the team.", [call('hand_over', 'succeeded', 'own')])).toEqual([])
    expect(unfounded("I've escalated this to the team.", [])).toHaveLength(1)
  })

  it('is founded by what is told of older messages', () => {
    const summary = 'Done: ticket T-12 created.'
    expect(unfounded('Yes, I created the ticket.', [], { summary })).toEqual([])
    expect(unfounded('I created ticket T-12.', [], { summary, acting: 'turn_2' })).toEqual([])
    expect(unfounded('I created ticket T-1.', [], { summary, acting: 'turn_2' })).toHaveLength(1)
  })

  it('of what others did is founded where memories may tell of it', () => {
    expect(unfounded('The ticket has been closed.', [], { recalled: true })).toEqual([])
    expect(unfounded('I have closed the ticket.', [], { recalled: true })).toHaveLength(1)
  })

  it('is founded for what others did, where a look-up told of it', () => {
    const looked = [call('mcp__expenses__find_expenses', 'succeeded', 'read')]
    expect(unfounded('张工上周的报销已经提交。', looked)).toEqual([])
    expect(unfounded('我已经帮您提交了报销单。', looked)).toHaveLength(1)
    expect(unfounded('The ticket has been closed.', [call('get_ticket', 'succeeded', 'read')])).toEqual([])
  })
})
