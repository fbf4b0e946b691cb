import { expect, test, vi } from 'vitest'
import { parseMcpConfig } from '../../src/mcp/config/config.ts'
import { confirmationParameters } from '../../src/mcp/listing/confirmation.ts'
import { checkTool } from '../../src/mcp/listing/definition.ts'
import { matchesAny, toolName } from '../../src/mcp/listing/names.ts'
import { type JsonSchema, offeredSchema, readableText } from '../../src/mcp/listing/schema.ts'
import fc from '../support/properties.ts'

const config = parseMcpConfig(
  JSON.stringify({ mcpServers: { s: { command: 'node' }, t: { command: 'node', trusted: true } } }),
  {
    file: 'mcp.json',
    variables: {},
  },
)
const [untrusted, trusted] = [config.servers[0]!, config.servers[1]!]
const check = (raw: unknown, server = untrusted) => checkTool(raw, server, '')
const checked = (raw: unknown, server = untrusted) => {
  const result = check(raw, server)
  if ('broken' in result) throw new Error(result.broken.reason)
  return result.tool
}

test('names are always safe for the model, whatever servers and tools are called', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      (server, tool) => {
        expect(toolName(server, tool)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      },
    ),
  )
})

test('different tools never share a name', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', '文'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(part, part), { selector: ([s, t]) => `${s}/${t}`, maxLength: 60 }),
      (tools) => {
        expect(new Set(tools.map(([server, tool]) => toolName(server, tool))).size).toBe(tools.length)
      },
    ),
  )
})

test('a plain name is kept, and the suffix of another does not depend on other tools', () => {
  expect(toolName('git', 'read_file')).toBe('mcp__git__read_file')
  expect(toolName('git', 'a'.repeat(70))).toHaveLength(64)
  expect(toolName('git', 'files.read')).toMatch(/^mcp__git__files_read_[0-9a-f]{8}$/)
  expect(toolName('文档', '查询')).toMatch(/^mcp__server__tool_[0-9a-f]{8}$/)
  expect(toolName('a__b', 'c')).not.toBe(toolName('a', 'b__c'))
})

test('patterns match whole names', () => {
  expect(matchesAny('delete_all', ['delete_*'])).toBe(true)
  expect(matchesAny('undelete_all', ['delete_*'])).toBe(false)
  expect(matchesAny('read.file', ['read?file'])).toBe(false)
  expect(matchesAny('anything', ['*'])).toBe(true)
})

// What OpenAI refuses a request for.
function refusals(schema: unknown, at = 'root'): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [`${at} is no schema`]
  const node = schema as Record<string, unknown>
  const types = Array.isArray(node.type) ? node.type : [node.type]
  const found: string[] = []
  if (at === 'root') {
    if (node.type !== 'object') found.push('the root is no object')
    for (const key of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
      if (key in node) found.push(`the root has ${key}`)
  }
  if (types.includes('object') && !('properties' in node)) found.push(`${at} has no properties`)
  if (types.includes('array') && (!('items' in node) || Array.isArray(node.items)))
    found.push(`${at} has no items`)
  for (const [name, child] of Object.entries((node.properties as object | undefined) ?? {}))
    found.push(...refusals(child, `${at}.${name}`))
  if (node.items !== undefined) found.push(...refusals(node.items, `${at}[]`))
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const child of (node[key] as unknown[] | undefined) ?? []) found.push(...refusals(child, `${at}|`))
  return found
}

const leaf = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: 'array' },
  { type: 'object' },
  { type: ['array', 'null'] },
  {},
)
const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ node: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(tie('node'), fc.boolean())),
    }),
    fc.record({
      type: fc.constant('array'),
      items: fc.oneof(tie('node'), fc.array(tie('node'), { maxLength: 2 })),
    }),
    fc.record({ anyOf: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({
      type: fc.constant('object'),
      oneOf: fc.array(tie('node'), { maxLength: 3 }),
      not: tie('node'),
    }),
    fc.record({
      type: fc.constant('object'),
      allOf: fc.array(tie('node'), { maxLength: 3 }),
      enum: fc.constant([{}]),
    }),
  ),
})).node

test('every schema is offered in a form that the model accepts', () => {
  fc.assert(
    fc.property(schema, (original) => {
      expect(refusals(offeredSchema(original))).toEqual([])
    }),
  )
})

test('alternatives at the root become one object with what all of them require', () => {
  const offered = offeredSchema({
    type: 'object',
    properties: { id: { type: 'string' } },
    anyOf: [
      { properties: { email: { type: 'string' }, name: { type: 'string' } }, required: ['name', 'email'] },
      { properties: { phone: { type: 'string' }, name: { type: 'string' } }, required: ['name', 'phone'] },
    ],
  })
  expect(Object.keys(offered.properties as object).sort()).toEqual(['email', 'id', 'name', 'phone'])
  expect(offered.required).toEqual(['name'])
})

test('a root that only points to a definition is followed', () => {
  const offered = offeredSchema({
    $ref: '#/definitions/Input',
    definitions: { Input: { type: 'object', properties: { tags: { type: 'array' } }, required: ['tags'] } },
  })
  expect(offered).toMatchObject({
    type: 'object',
    properties: { tags: { type: 'array', items: {} } },
    required: ['tags'],
  })
})

test('a description is cut at a sentence and loses characters that nobody can see', () => {
  const hidden = 'Reads a file.\u200b\u{e0049}\u{e0067}\u202e Nothing else.'
  expect(readableText(hidden)).toBe('Reads a file. Nothing else.')
  const long = readableText('This is a sentence about the tool. '.repeat(60))
  expect(long.length).toBeLessThanOrEqual(1024)
  expect(long).toMatch(/tool\.…$/)
})

test('arguments are measured by the original schema and not by the one that was offered', () => {
  const tool = checked({
    name: 'pick',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, when: { type: 'string', format: 'date' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      additionalProperties: false,
    },
  })
  expect(tool.check({ a: 'x' })).toEqual([])
  expect(tool.check({ a: 'x', b: 'y' })).not.toEqual([])
  expect(tool.check({ a: 'x', c: 1 }).join()).toContain('must NOT have additional properties')
  expect(tool.check({ a: 'x', when: 'tomorrow' }).join()).toContain('when must match format "date"')
})

test('a format that nobody knows refuses nothing, and is not told on the console', () => {
  const told = (['log', 'warn', 'error'] as const).map((way) => vi.spyOn(console, way))
  const inputSchema = { type: 'object', properties: { at: { type: 'string', format: 'plus-code' } } }
  expect(checked({ name: 'go', inputSchema }).check({ at: '9F4M+22' })).toEqual([])
  for (const way of told) {
    expect(way).not.toHaveBeenCalled()
    way.mockRestore()
  }
})

test('without an annotation that may be believed, a tool writes', () => {
  const reads = {
    name: 'r',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, idempotentHint: true },
  }
  const writes = { name: 'w', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } }
  expect(checked(reads)).toMatchObject({ effect: 'write', idempotent: false })
  expect(checked(reads, trusted)).toMatchObject({ effect: 'read', idempotent: true })
  expect(checked({ name: 'x', inputSchema: {} }, trusted)).toMatchObject({
    effect: 'write',
    idempotent: false,
  })
  expect(checked(writes, trusted)).toMatchObject({ effect: 'write', idempotent: true })
  const overridden = {
    ...trusted,
    tools: { r: { effect: 'write' as const }, x: { effect: 'read' as const } },
  }
  expect(checked(reads, overridden).effect).toBe('write')
  expect(checked({ name: 'x', inputSchema: {} }, overridden).effect).toBe('read')
})

test.each([
  ['no name', { inputSchema: { type: 'object' } }, 'not valid'],
  ['no schema', { name: 'a' }, 'not valid'],
  ['a list as its schema', { name: 'a', inputSchema: [] }, 'not valid'],
  ['arguments that are no object', { name: 'a', inputSchema: { type: 'string' } }, 'not an object'],
  [
    'a type that does not exist',
    { name: 'a', inputSchema: { type: 'object', properties: { x: { type: 'strnig' } } } },
    'schema is not valid',
  ],
  [
    'a reference to nowhere',
    { name: 'a', inputSchema: { type: 'object', properties: { x: { $ref: '#/gone' } } } },
    'schema is not valid',
  ],
  [
    'a broken pattern',
    { name: 'a', inputSchema: { type: 'object', properties: { x: { pattern: '(' } } } },
    'schema is not valid',
  ],
  ['a broken root reference', { name: 'a', inputSchema: { type: 'object', $ref: '#/%' } }, "can't be read"],
  [
    'a schema of a megabyte',
    { name: 'a', inputSchema: { type: 'object', description: 'x'.repeat(1_000_000) } },
    'too large',
  ],
  [
    'a need for tasks',
    { name: 'a', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
    'task',
  ],
  ['nothing at all', null, 'not valid'],
])('a tool with %s is kept out with a reason', (_, raw, reason) => {
  const result = check(raw)
  expect('broken' in result && result.broken.reason).toContain(reason)
})

test('wrong optional fields do not make a tool unusable', () => {
  const tool = checked(
    { name: 'a', inputSchema: {}, annotations: { readOnlyHint: 'yes' }, title: 7, description: null },
    trusted,
  )
  expect(tool).toMatchObject({ title: 'a', description: '', effect: 'write' })
})

test('the hash of a definition depends on its content and not on the order of its keys', () => {
  const one = { name: 'a', description: 'd', inputSchema: { type: 'object', properties: { x: {}, y: {} } } }
  const same = { inputSchema: { properties: { y: {}, x: {} }, type: 'object' }, description: 'd', name: 'a' }
  const hash = checked(one).definitionHash
  expect(checked(same).definitionHash).toBe(hash)
  for (const change of [
    { description: 'e' },
    { title: 't' },
    { annotations: { readOnlyHint: true } },
    { inputSchema: { type: 'object', properties: { x: {} } } },
  ])
    expect(checked({ ...one, ...change }).definitionHash).not.toBe(hash)
  const instructed = checkTool(one, untrusted, 'Always say yes.')
  expect('tool' in instructed && instructed.tool.definitionHash).not.toBe(hash)
})

test('a schema with the same $id as before is measured anew after it changed', () => {
  const of = (type: string) => ({
    name: 'a',
    inputSchema: { $id: 'https://odd.example/schema', type: 'object', properties: { x: { type } } },
  })
  expect(checked(of('string')).check({ x: 'a' })).toEqual([])
  expect(checked(of('number')).check({ x: 'a' })).not.toEqual([])
})

test("a parameter named like the server's own confirmation is hidden and answered only with a yes", () => {
  const tool = checked({
    name: 'wipe',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        Confirm: { type: 'boolean' },
        user_confirmed: { enum: ['yes', 'no'] },
      },
      required: ['id', 'Confirm'],
    },
  })
  expect(Object.keys(tool.inputSchema.properties as object)).toEqual(['id'])
  expect(tool.inputSchema.required).toEqual(['id'])
  expect(tool.confirmation).toEqual([
    { name: 'Confirm', value: true },
    { name: 'user_confirmed', value: 'yes' },
  ])
})

test('a required confirmation that no yes fits into keeps the tool out', () => {
  const raw = {
    name: 'drop',
    inputSchema: { type: 'object', properties: { confirm: { type: 'string' } }, required: ['confirm'] },
  }
  const result = check(raw)
  expect('broken' in result && result.broken.reason).toContain('confirmation')
})

test("the operator can say which parameters are confirmations, where a name is the tool's subject", () => {
  const schema = {
    type: 'object',
    properties: { approved: { type: 'boolean' }, really: { type: 'boolean' } },
  }
  expect([...confirmationParameters(schema).hidden]).toEqual(['approved'])
  expect([...confirmationParameters(schema, ['really']).hidden]).toEqual(['really'])
  expect([...confirmationParameters(schema, []).hidden]).toEqual([])
})
