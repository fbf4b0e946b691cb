import { describe, expect, it } from 'vitest'
import { columns, flattenTables } from '../../src/channel/markdown.ts'
import fc from '../support/properties.ts'

describe('flattening tables', () => {
  it('aligns columns in a fence, Chinese and emoji counted as two', () => {
    const table = '| 名称 | Count |\n| --- | ---: |\n| **数据库** | 12 |\n| `x` 👍🏽 | 7 |'
    expect(flattenTables(`Before\n\n${table}\n\nAfter`)).toBe(
      [
        'Before',
        '',
        '```',
        '名称    Count',
        '──────  ─────',
        '数据库     12',
        'x 👍🏽        7',
        '```',
        '',
        'After',
      ].join('\n'),
    )
  })

  it('gives every line of an aligned table the same width', () => {
    const cell = fc.constantFrom('a', '好', '👩‍👩‍👧‍👦', 'é', '🇨🇳', 'long text', '全角，', '')
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 }), (rows) => {
        const source = ['| H | I |', '| --- | ---: |', ...rows.map(([a, b]) => `| ${a} | ${b}x |`)].join('\n')
        const lines = flattenTables(source).split('\n').slice(1, -1)
        expect(new Set(lines.map(columns)).size).toBe(1)
      }),
    )
  })

  it('makes a list of a table that is too wide, and keeps its links', () => {
    const wide = `| Title | Link |\n|---|---|\n| ${'Long title '.repeat(8).trim()} | [here](https://example.org) |`
    expect(flattenTables(wide)).toBe(
      `- **${'Long title '.repeat(8).trim()}**\n  - Link: [here](https://example.org)`,
    )
  })

  it('leaves tables in code and everything else alone', () => {
    const text = '```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n\nA | b\n\n- item | x'
    expect(flattenTables(text)).toBe(text)
  })
})
