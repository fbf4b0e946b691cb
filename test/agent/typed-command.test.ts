import { describe, expect, it } from 'vitest'
import { commandIn } from '../../src/agent/commands/typed.ts'

describe('a message that is a command as a whole', () => {
  it.each([
    ['my reminders', 'reminders', ''],
    ['Tickets.', 'tickets', ''],
    ['我的提醒', 'reminders', ''],
    ['重新开始。', 'reset', ''],
    ['export my data', 'export', ''],
    ['private on', 'private', 'on'],
    ['/hermes memory address', 'memory', 'address'],
    ['Hermes, why?', 'why', ''],
    ['hermes 状态', 'status', ''],
    ['link my accounts', 'link', ''],
    ['关联账号', 'link', ''],
    ['/hermes link ABCD-EF23', 'link', 'ABCD-EF23'],
    ['link abcd-ef23', 'link', 'abcd-ef23'],
    ['Link yes.', 'link', 'yes'],
    ['取消关联', 'link', 'off'],
  ])('%s', (said, name, text) => {
    expect(commandIn(said, 'direct')).toEqual({ name, text })
  })

  it.each([
    'why?',
    'Why did you reset it?',
    'show me my tickets of last week',
    'help me with this',
    'private',
    '/hermes forget my address',
    'link database',
    'link the two tickets',
    '',
  ])('is not one, but for the model: %s', (said) => {
    expect(commandIn(said, 'direct')).toBeUndefined()
  })

  it('counts where others read only if everybody may see the answer', () => {
    expect(commandIn('reset', 'shared')).toEqual({ name: 'reset', text: '' })
    expect(commandIn('status', 'shared')).toEqual({ name: 'status', text: '' })
    for (const said of [
      'my reminders',
      'export my data',
      '/hermes memory',
      'hermes why',
      'link',
      'link ABCD-EF23',
    ])
      expect(commandIn(said, 'shared')).toBeUndefined()
  })
})
