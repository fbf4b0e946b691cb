import { describe, expect, test } from 'vitest'
import { customId, readCustomId } from '../../adapters/discord/custom-ids.ts'
import { inviteLink } from '../../adapters/discord/invite.ts'
import { discordMarkdown } from '../../adapters/discord/markdown.ts'
import { readText } from '../../adapters/discord/reading.ts'
import { literal, threadName } from '../../adapters/discord/text.ts'
import fc from '../support/properties.ts'

describe('the id of a button', () => {
  test('comes back as it was, whatever the value', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[|~]/.test(text))
    const value = fc.option(fc.string({ maxLength: 30 }), { nil: undefined })
    const id = fc.oneof(
      fc.record({ kind: fc.constant('action' as const), action: word, value }),
      fc.record({ kind: fc.constant('choice' as const), action: word, part: fc.nat(3) }),
      fc.record({ kind: fc.constant('again' as const), key: word, action: word, value }),
      fc.record({
        kind: fc.constantFrom('pick' as const, 'form' as const),
        action: word,
        value,
        messageId: word,
      }),
    )
    fc.assert(
      fc.property(id, (one) => {
        expect(readCustomId(customId(one))).toEqual(one)
      }),
    )
  })

  test('lets the message go where it is too long with it, and is refused where it is too long without', () => {
    const action = 'a'.repeat(90)
    expect(readCustomId(customId({ kind: 'form', action, messageId: '1'.repeat(19) }))).toEqual({
      kind: 'form',
      action,
    })
    expect(() => customId({ kind: 'action', action, value: 'v'.repeat(20) })).toThrow('too long for a button')
  })
})

describe('the name of a thread', () => {
  test('is 1 to 100 characters of what was said, without mentions and marks', () => {
    expect(threadName('<@123> **Please** look at `this`')).toBe('Please look at this')
    expect(threadName('  <@!123>  ')).toBe('Hermes')
    expect(threadName('总结一下上周的会议记录')).toBe('总结一下上周的会议记录')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const name = threadName(text)
        expect(name.trim().length).toBeGreaterThanOrEqual(1)
        expect(name.length).toBeLessThanOrEqual(100)
        expect(name.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('text that is shown exactly', () => {
  test('has every mark escaped, and addresses left whole', () => {
    expect(literal('*a* _b_ <@1> https://x.example/a_b_c ~~c~~')).toBe(
      '\\*a\\* \\_b\\_ \\<@1\\> https://x.example/a_b_c \\~\\~c\\~\\~',
    )
    expect(literal('# head\n- item\n1. one\n-# small')).toBe('\\# head\n\\- item\n1\\. one\n\\-# small')
  })
})

describe('Markdown for Discord', () => {
  test('is left as it is in code, and never grows beyond a message', () => {
    const code = '```md\n#### not a heading\n![not](a picture)\n```'
    expect(discordMarkdown(code)).toBe(code)
    expect(discordMarkdown('`![a](b)` ![a](b)')).toBe('`![a](b)` [a](b)')
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('| a | b |', '| - | - |', '| long cell here | x |', '#### h', '', 'text', '```'),
          { maxLength: 120 },
        ),
        (lines) => {
          const text = lines.join('\n').slice(0, 1880)
          expect(discordMarkdown(text).length).toBeLessThanOrEqual(1900)
        },
      ),
    )
  })

  test('closes the fence of a draft', () => {
    expect(discordMarkdown('Here:\n```ts\nconst a = 1')).toBe('Here:\n```ts\nconst a = 1\n```')
  })
})

describe('what a person wrote', () => {
  const context = {
    botId: '1',
    botRoleId: '2',
    nameOfUser: (id: string) => (id === '3' ? 'Bob' : undefined),
    nameOfRole: () => 'ops',
    nameOfChannel: () => 'general',
  }

  test('is Markdown without the mention of Hermes, and with names for ids', () => {
    expect(readText('<@1>, ask <@3> and <@9> of <@&7> in <#8> at <t:1767225600:R>', context)).toBe(
      'ask @Bob and @someone of @ops in #general at 2026-01-01T00:00:00Z',
    )
    expect(readText('<@&2> hi <a:wave:55> </hermes help:66>', context)).toBe('hi :wave: /hermes help')
  })

  test('keeps its code and its lines', () => {
    expect(readText('<@1>\n```\n<@3>  x\n```\n  two', context)).toBe('```\n<@3>  x\n```\n  two')
  })
})

test('the invite link asks for what Hermes needs, and for no more', () => {
  const link = new URL(inviteLink('42'))
  expect(link.origin + link.pathname).toBe('https://discord.com/oauth2/authorize')
  expect(link.searchParams.get('client_id')).toBe('42')
  expect(link.searchParams.get('scope')).toBe('bot applications.commands')
  // View, send, send in threads, open threads, history, files, links; not administrator (8), not mention everyone.
  expect(BigInt(link.searchParams.get('permissions')!)).toBe(309237763072n)
})
