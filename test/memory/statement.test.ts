import { expect, test } from 'vitest'
import { classify, isPersonal } from '../../src/memory/rules.ts'
import { isSecret } from '../../src/memory/secrets.ts'
import { sentencesOf, statementOf } from '../../src/memory/statement.ts'

test.each([
  ['Remember that I own a boat', 'I own a boat'],
  ['please remember: my desk is on floor 3, thanks', 'my desk is on floor 3'],
  ['Can you remember that the demo is on Friday?', 'the demo is on Friday?'],
  ['Remember I own a boat', 'I own a boat'],
  ['remember Kim prefers tea', 'Kim prefers tea'],
  ["Don't forget that Kim prefers tea", 'Kim prefers tea'],
  ['Note for me: the key account is Acme', 'the key account is Acme'],
  ['I own a boat, please remember that.', 'I own a boat'],
  ['记住：我对花生过敏', '我对花生过敏'],
  ['请帮我记一下，工位在三楼', '工位在三楼'],
  ['我对花生过敏，记住了', '我对花生过敏'],
  ['remember', ''],
])('%s asks to remember: %s', (text, statement) => {
  expect(statementOf(text)).toBe(statement)
})

test.each([
  'Remember when we met?',
  'remember to call Bob',
  'Do you remember my desk?',
  'Save the file in the folder',
  'note the difference between both plans',
  'I will always remember it was fun',
  'I will remember that',
  'Do you remember that?',
  '我记住了',
  '你还记得我的工位吗',
])('%s does not ask to remember', (text) => {
  expect(statementOf(text)).toBeUndefined()
})

test('sentences end where people end them', () => {
  expect(sentencesOf('I met Dr. Lee at 3.30 pm. She likes v1.2.3! Really?')).toEqual([
    'I met Dr. Lee at 3.30 pm.',
    'She likes v1.2.3!',
    'Really?',
  ])
  expect(sentencesOf('我住在上海。我喜欢茶；他不喜欢\n周三见')).toEqual([
    '我住在上海。',
    '我喜欢茶；',
    '他不喜欢',
    '周三见',
  ])
})

test('who a statement is about', () => {
  expect(['I like tea', 'my boss is Kim', '我喜欢茶'].map(isPersonal)).toEqual([true, true, true])
  expect(['our boss is Kim', 'the demo is on Friday', '我们周五发布'].map(isPersonal)).toEqual([
    false,
    false,
    false,
  ])
})

test('hostile text is judged in bounded time', () => {
  const started = performance.now()
  for (const text of [
    'ok '.repeat(20_000),
    'a'.repeat(60_000),
    '1 '.repeat(30_000),
    'password '.repeat(8_000),
    '我'.repeat(20_000),
  ]) {
    isSecret(text)
    statementOf(text)
    for (const sentence of sentencesOf(text)) classify(sentence.slice(0, 400))
  }
  expect(performance.now() - started).toBeLessThan(5_000)
})
