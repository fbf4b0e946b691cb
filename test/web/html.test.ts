import { describe, expect, it } from 'vitest'
import { createMarkdownHtml } from '../../adapters/web/html.ts'
import fc from '../support/properties.ts'

const html = createMarkdownHtml()

describe('Markdown as HTML', () => {
  it('renders what people write: lists, tables, code, links', () => {
    const text =
      '# T\n\n- [x] done\n\n| a | b |\n|---|--:|\n| 1<br>2 | 3 |\n\n```ts\nconst a = "<b>"\n```\n\nA\nB'
    expect(html(text)).toMatchInlineSnapshot(`
      "<h2>T</h2>
      <ul>
      <li>☑ done</li>
      </ul>
      <table>
      <thead>
      <tr>
      <th>a</th>
      <th align="right">b</th>
      </tr>
      </thead>
      <tbody><tr>
      <td>1<br />2</td>
      <td align="right">3</td>
      </tr>
      </tbody></table>
      <pre><code>const a = "&lt;b&gt;"
      </code></pre>
      <p>A<br />B</p>
      "
    `)
  })

  it('lets headings follow each other without a gap', () => {
    expect(html('### A\n\n##### B\n\n### C').match(/<h\d/g)).toEqual(['<h2', '<h3', '<h2'])
  })

  it('shows tags and scripts as text', () => {
    const shown = html(
      '<script>alert(1)</script> <b onclick="x()">bold</b>\n\n<iframe src="https://a.b"></iframe>',
    )
    expect(shown).not.toMatch(/<(?!\/?p>)/)
    expect(shown).toContain('&lt;script&gt;')
  })

  it('makes no link of a dangerous address', () => {
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
    ]) {
      expect(html(`[here](${address}) ![there](${address})`)).not.toMatch(/href/)
    }
    expect(html('[here](https://example.org)')).toContain(
      'rel="noopener noreferrer nofollow" target="_blank"',
    )
  })

  it('loads no picture, but links to it', () => {
    const shown = html('![Chart](https://evil.example/?secret=1)')
    expect(shown).not.toContain('<img')
    expect(shown).toContain('<a href="https://evil.example/?secret=1"')
  })

  it('gives no tag but the allowed ones and no handler, whatever is in the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<img src=x onerror=alert(1)>',
        '<svg/onload=x>',
        '](javascript:x)',
        '[a',
        '`',
        '|',
        '<!--',
        '-->',
      ),
      fc.constantFrom(
        '<a href="javascript:x">',
        '"onmouseover="x',
        '<style>',
        '</p>',
        '&lt;',
        '\n',
        '**',
        '![x](',
        ')',
      ),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const tags = html(pieces.join('')).match(/<[^>]*>/g) ?? []
        const allowed =
          /^<\/?(?:p|br|hr|strong|em|del|code|pre|blockquote|a|ul|ol|li|h[2-6]|table|thead|tbody|tr|th|td)(?: (?:href|rel|target|start|align)="[^"]*")*(?: \/)?>$/
        for (const tag of tags) expect(tag).toMatch(allowed)
        for (const tag of tags) expect(tag).not.toMatch(/href="(?!https?:|mailto:)/i)
      }),
      { numRuns: 500 },
    )
  })
})
