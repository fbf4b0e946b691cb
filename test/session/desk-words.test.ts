import { expect, it } from 'vitest'
import { asksForPerson, givesBack } from '../../src/session/desk-words.ts'

it.each([
  'let me talk to a person',
  'Can I talk to a person, please?',
  'I want to speak with a human',
  "I'd like to talk to someone",
  'Please connect me to an agent',
  'get me a real person',
  'hand me over to a human',
  '转人工',
  '请转人工客服',
  '我要找真人',
  '我想和真人聊聊',
  '人工客服',
])('"%s" asks for a person', (text) => expect(asksForPerson(text)).toBe(true))

it.each([
  'Who should I talk to about the printer?',
  'I talked to a person yesterday',
  'Let me talk to a person about the weather in Rome and then write it down',
  'Send a message to the support team',
  'What does a support agent do?',
  '人工智能是什么？',
  '转人工的流程文档在哪里？',
  '帮我找一下客服的电话',
])('"%s" does not', (text) => expect(asksForPerson(text)).toBe(false))

it('gives back only by that word alone', () => {
  for (const text of ['release', 'Release.', 'hand it back', '交还', '交还。'])
    expect(givesBack(text), text).toBe(true)
  for (const text of ['release notes', 'When is the release?', '交还给谁？'])
    expect(givesBack(text), text).toBe(false)
})
