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

  it('is founded for what others did, where a look-up told of it', () => {
    const looked = [call('mcp__expenses__find_expenses', 'succeeded', 'read')]
    expect(unfounded('张工上周的报销已经提交。', looked)).toEqual([])
    expect(unfounded('我已经帮您提交了报销单。', looked)).toHaveLength(1)
    expect(unfounded('The ticket has been closed.', [call('get_ticket', 'succeeded', 'read')])).toEqual([])
  })
})
