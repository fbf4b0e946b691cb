import { describe, expect, it } from 'vitest'
import { readConversation } from '../../../src/model/offline/conversation.ts'
import { readNotes } from '../../../src/model/offline/notes.ts'
import { findPassages } from '../../../src/model/offline/passages.ts'
import { decide } from '../../../src/model/offline/requests.ts'
import { summarise } from '../../../src/model/offline/summary.ts'
import { wordsOf } from '../../../src/model/offline/words.ts'
import fc from '../../support/properties.ts'

const tools = [
  'create_ticket',
  'update_ticket',
  'remember',
  'recall',
  'forget',
  'set_reminder',
  'send_message',
].map((name) => ({ name, description: '', parameters: {} }))
const answer = (text: string) =>
  decide(
    readConversation({
      messages: [
        { role: 'system', content: 'Now: 2026-11-30T10:00+08:00 (Asia/Shanghai), Monday' },
        { role: 'user', content: text },
      ],
      tools,
      maxOutputTokens: 1,
    }),
  )

/** Generous, since it is about seconds against minutes, on a machine that may be busy. */
const quick = (work: () => unknown) => {
  const started = performance.now()
  work()
  expect(performance.now() - started).toBeLessThan(3_000)
}

describe('hostile text', () => {
  it.each([
    ' ',
    '\n',
    ', ',
    '，',
    '(',
    '给',
    '提醒',
    'tomorrow ',
    'remind me ',
    'send it to ',
    'T-1 ',
    '“',
    '```',
    'a',
  ])(
    'made of %j does not hold the stand-in up',
    (piece) => {
      for (const head of ['', '给', 'comment on T-1 ', 'create a ticket: ', 'remind me ', '我的', 'my '])
        quick(() => answer(`${head}${piece.repeat(50_000)}!`))
      const document = piece.repeat(100_000)
      quick(() => summarise(readNotes('a/2026-11-24-notes.md', document), wordsOf('en')))
      quick(() =>
        findPassages([{ name: 'a.md', text: readNotes('a.md', document).text }], 'how long are backups kept'),
      )
    },
    60_000,
  )

  it('of any kind gets an answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const move = answer(text)
        expect(move.text !== '' || move.calls.length > 0).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('that is very long is read from its beginning, and the person is told', () => {
    const move = answer('Green ideas sleep furiously. '.repeat(500))
    expect(move.text).toMatch(/read only its beginning/)
  })
})
