import { describe, expect, it } from 'vitest'
import { assertValidOpenAiRequest } from '../support/model.ts'
import { mistakesInOpenAiRequest } from '../support/openai-rules.ts'

const call = (id: string, name = 'recall', text = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})
const user = { role: 'user', content: 'Hi' }
const tool = (parameters: unknown, name = 'recall') => ({
  type: 'function',
  function: { name, description: 'Search.', parameters },
})
const plain = { type: 'object', properties: { query: { type: 'string' } } }
const body = (messages: unknown, more: object = {}) => ({ model: 'm', stream: true, messages, ...more })

describe('the rules of OpenAI', () => {
  it('allow a proper conversation', () => {
    const messages = [
      { role: 'system', content: 'Rules' },
      user,
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'b', content: '1' },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'assistant', content: 'Done' },
    ]
    expect(() =>
      assertValidOpenAiRequest(
        body(messages, { tools: [tool(plain)], stream_options: { include_usage: true } }),
      ),
    ).not.toThrow()
  })

  it.each<[string, unknown]>([
    ['no messages', body([])],
    ['an unknown role', body([{ role: 'person', content: 'Hi' }])],
    ['an unanswered call', body([user, { role: 'assistant', content: '', tool_calls: [call('a')] }])],
    [
      'a message between a call and its result',
      body([
        user,
        { role: 'assistant', content: '', tool_calls: [call('a')] },
        user,
        { role: 'tool', tool_call_id: 'a', content: '' },
      ]),
    ],
    ['a result without a call', body([user, { role: 'tool', tool_call_id: 'a', content: '' }])],
    [
      'a call answered twice',
      body([
        user,
        { role: 'assistant', content: '', tool_calls: [call('a')] },
        { role: 'tool', tool_call_id: 'a', content: '' },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ]),
    ],
    [
      'a doubled id',
      body([
        user,
        { role: 'assistant', content: '', tool_calls: [call('a')] },
        { role: 'tool', tool_call_id: 'a', content: '' },
        { role: 'assistant', content: '', tool_calls: [call('a')] },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ]),
    ],
    ['an empty list of calls', body([user, { role: 'assistant', content: 'Hi', tool_calls: [] }])],
    ['a person’s name with a space', body([{ ...user, name: 'Li Wei' }])],
    ['half a character', body([{ role: 'user', content: '\ud83d' }])],
    ['an empty list of tools', body([user], { tools: [] })],
    ['a tool’s name with a dot', body([user], { tools: [tool(plain, 'a.b')] })],
    ['a doubled tool', body([user], { tools: [tool(plain), tool(plain)] })],
    ['a root that is a list', body([user], { tools: [tool({ type: 'array', items: {} })] })],
    ['a choice at the root', body([user], { tools: [tool({ ...plain, anyOf: [] })] })],
    [
      'a list without items',
      body([user], { tools: [tool({ type: 'object', properties: { ids: { type: 'array' } } })] }),
    ],
    ['two limits', body([user], { max_tokens: 1, max_completion_tokens: 1 })],
    ['an unknown field', body([user], { cache: true })],
    [
      'arguments that are no object',
      body([
        user,
        { role: 'assistant', content: '', tool_calls: [call('a', 'recall', 'oops')] },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ]),
    ],
  ])('refuse %s', (_, wrong) => {
    expect(mistakesInOpenAiRequest(wrong)).not.toEqual([])
    expect(() => assertValidOpenAiRequest(wrong)).toThrow(/OpenAI would refuse/)
  })
})
