import { describe, expect, it } from 'vitest'
import { readText } from '../../adapters/slack/reading.ts'
import { escapeText, growth, pieces, settled, withoutPings } from '../../adapters/slack/writing.ts'
import { clip } from '../../src/channel/clip.ts'
import fc from '../support/properties.ts'

const context = {
  botUserId: 'UBOT',
  nameOf: (id: string) => (id === 'U1' ? 'Ann' : undefined),
}

describe('what people write in Slack', () => {
  it.each([
    ['<@UBOT> hello', 'hello'],
    ['<@UBOT|hermes>: hello', 'hello'],
    ['hello <@UBOT>', 'hello'],
    ['ask <@UBOT> about it', 'ask about it'],
    ['<@UBOT>', ''],
    ['<@U1> and <@U2|bob> and <@U3>', '@Ann and @bob and @U3'],
    ['in <#C1|general> or <#C2>', 'in #general or #C2'],
    ['<!channel> <!here|here> <!subteam^S1|@ops>', '@channel @here @ops'],
    ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
    ['<https://a.example/x?y=1&amp;z=2>', 'https://a.example/x?y=1&z=2'],
    ['<https://a.example|the [page]>', '[the \\[page\\]](https://a.example)'],
    ['<mailto:a@b.c|a@b.c>', 'a@b.c'],
    ['*bold* _it_ ~gone~ `*code*`', '**bold** _it_ ~~gone~~ `*code*`'],
    ['2 * 3 * 4 and a*b*c', '2 * 3 * 4 and a*b*c'],
    ['*粗体* 和 *more*, *x*.', '**粗体** 和 **more**, **x**.'],
    ['• one\n• two', '- one\n- two'],
    ['a &lt;b&gt; &amp; c', 'a <b> & c'],
    ['see ```const a = *b* &lt; 1``` here', 'see\n```\nconst a = *b* < 1\n```\n here'],
    ['1 &lt; 2 &amp;amp; 3', '1 < 2 &amp; 3'],
  ])('%j is read as %j', (slack, markdown) => {
    expect(readText(slack, context)).toBe(markdown)
  })
})

describe('what is written to Slack', () => {
  const ping = /<(?:!(?:channel|here|everyone)|!subteam|@[UWB])/i
  const words = fc.constantFrom(
    '<',
    '!',
    '@',
    'channel',
    'here',
    '>',
    'U123',
    ' ',
    '\n',
    '<!everyone>',
    '词',
    '<@U9X>',
    '&lt;',
    'x',
  )
  const texts = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(''))

  it('never pings, says the same, and grows within its bound', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const safe = withoutPings(text)
        expect(safe).not.toMatch(ping)
        expect(safe.replaceAll('\u200b', '')).toBe(text)
        expect(safe.length).toBeLessThanOrEqual(Math.ceil(text.length * growth))
      }),
    )
  })

  it('never pings in any state of a text that grows piece by piece', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 60 })), (text, cuts) => {
        let sent = ''
        for (const cut of [...cuts].sort((a, b) => a - b)) {
          const next = settled(withoutPings(text.slice(0, cut)))
          if (next.startsWith(sent)) sent = next
          expect(sent).not.toMatch(ping)
          // What comes last can always be added to what stands there.
          expect(withoutPings(text).startsWith(sent)).toBe(true)
        }
      }),
    )
  })

  it('lets through only the person who may be mentioned', () => {
    expect(withoutPings('<@U1> <@U12> <@u1>', 'U1')).toBe('<@U1> <\u200b@U12> <\u200b@u1>')
  })

  it('is cut between characters only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 4, max: 50 }), (text, most) => {
        expect(pieces(text, most).join('')).toBe(text)
        for (const piece of [...pieces(text, most), clip(text, most)]) {
          expect(piece.length).toBeLessThanOrEqual(most)
          expect(piece.isWellFormed()).toBe(true)
        }
      }),
    )
    expect(escapeText('a <b> & c')).toBe('a &lt;b&gt; &amp; c')
  })
})
