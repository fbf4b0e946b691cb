import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/model/json.ts'
import fc from '../support/properties.ts'

const meant = { title: 'Printer is broken', priority: 'high' }

describe('what a model writes as arguments', () => {
  it('is taken as it stands where it is valid JSON', () => {
    expect(readArguments(JSON.stringify(meant))).toEqual({ ok: true, value: meant, repaired: false })
    expect(readArguments('')).toEqual({ ok: true, value: {}, repaired: false })
    expect(readArguments('  \n ')).toEqual({ ok: true, value: {}, repaired: false })
  })

  it.each([
    ['a code fence around it', '```json\n{"title": "Printer is broken", "priority": "high"}\n```'],
    ['a fence that is not closed', '```\n{"title": "Printer is broken", "priority": "high"}'],
    ['words before it', 'Here you are: {"title": "Printer is broken", "priority": "high"}'],
    ['words after it', '{"title": "Printer is broken", "priority": "high"}\n\nI will create it now.'],
    ['a comma too many', '{"title": "Printer is broken", "priority": "high",}'],
    ['a missing comma', '{"title": "Printer is broken" "priority": "high"}'],
    ['a missing brace at the end', '{"title": "Printer is broken", "priority": "high"'],
    ['a brace too many', '{"title": "Printer is broken", "priority": "high"}}'],
    ['single quotes', "{'title': 'Printer is broken', 'priority': 'high'}"],
    ['names without quotes', '{title: "Printer is broken", priority: "high"}'],
    ['encoded twice', JSON.stringify(JSON.stringify(meant))],
    ['encoded three times', JSON.stringify(JSON.stringify(JSON.stringify(meant)))],
    ['curly quotes', '{“title”: “Printer is broken”, “priority”: “high”}'],
    ['a comment', '{"title": "Printer is broken", /* urgent? */ "priority": "high"}'],
    ['no braces', '"title": "Printer is broken", "priority": "high"'],
    ['a byte order mark', '\uFEFF{"title": "Printer is broken", "priority": "high"}'],
  ])('is understood with %s', (_, text) => {
    const reading = readArguments(text)
    expect(reading).toMatchObject({ ok: true, value: meant })
  })

  it('is understood with the literals of Python', () => {
    expect(readArguments("{'all': True, 'quiet': False, 'assignee': None}")).toEqual({
      ok: true,
      value: { all: true, quiet: false, assignee: null },
      repaired: true,
    })
  })

  it('is understood with line breaks and apostrophes inside texts', () => {
    expect(readArguments('{"text": "Hello Ann,\nit\'s done.\n"}')).toEqual({
      ok: true,
      value: { text: "Hello Ann,\nit's done.\n" },
      repaired: true,
    })
  })

  it.each(['null', 'None', '"{}"', '```json\n{}\n```'])('is empty where the model wrote %s', (text) => {
    expect(readArguments(text)).toMatchObject({ ok: true, value: {} })
  })

  it.each([
    ['a list', '["Printer"]'],
    ['a list with an object', '[{"title": "Printer"}]'],
    ['a broken list with an object', "[{'title': 'Printer'}"],
    ['a number', '42'],
    ['a text', '"Printer is broken"'],
    ['a sentence', 'I would like to create a ticket for the printer'],
    ['two objects', '{"title": "Printer"}{"title": "Door"}'],
    ['two objects in lines', '{"title": "Printer"}\n{"title": "Door"}'],
    ['markup', '<title>Printer</title>'],
  ])('is refused where it is %s', (_, text) => {
    const reading = readArguments(text)
    expect(reading.ok).toBe(false)
    expect(reading).toHaveProperty('sentence', expect.stringMatching(/\.$/))
  })

  it('is refused where a text was cut off, since nobody knows how it went on', () => {
    expect(readArguments('{"to": "Ann", "text": "Please do not del')).toMatchObject({
      ok: false,
      sentence: expect.stringContaining('break off'),
    })
  })

  it('is refused where it is larger than a megabyte or nested without end', () => {
    expect(readArguments(`{"text": "${'x'.repeat(1_000_001)}"}`).ok).toBe(false)
    expect(readArguments(`{"a": ${'['.repeat(400_000)}`).ok).toBe(false)
    expect(readArguments(`{"a": ${'['.repeat(400_000)}${']'.repeat(400_000)}}`).ok).toBe(false)
    expect(readArguments(`{a: ${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`).ok).toBe(false)
  })

  it('keeps every digit of a number that is longer than numbers are kept', () => {
    for (const text of [
      '{"id": 12345678901234567890, "of": [-9007199254740993], "sum": 1234.5}',
      "{id: 12345678901234567890, 'of': [-9007199254740993], sum: 1234.5,}",
    ])
      expect(readArguments(text)).toMatchObject({
        value: { id: '12345678901234567890', of: ['-9007199254740993'], sum: 1234.5 },
      })
    expect(readArguments('{"id": 9007199254740992, "at": 1e20}')).toMatchObject({
      value: { id: 9007199254740992, at: 1e20 },
    })
  })

  it('never changes valid objects and never throws on anything', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        expect(readArguments(text)).toEqual({ ok: true, value: JSON.parse(text), repaired: false })
      }),
      { numRuns: 200 },
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\'`\\ab1 \n') }), (text) => {
        const reading = readArguments(text)
        if (reading.ok) expect(Array.isArray(reading.value)).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })
})
