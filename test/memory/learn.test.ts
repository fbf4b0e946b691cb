import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LearnModel, mostPerSession } from '../../src/memory/learn.ts'
import type { Memory } from '../../src/memory/memory.ts'
import type { Asker } from '../../src/memory/record.ts'
import { type Bench, channel, direct, openBench, texts } from './place.ts'

let bench: Bench
let memory: Memory
beforeAll(async () => {
  bench = await openBench()
  memory = bench.open()
}, 240_000)
afterAll(() => bench.close())

const turn = (asker: Asker, ...said: readonly string[]) => ({
  asker,
  place: direct,
  turnId: bench.source(),
  lines: said.map((text) => ({
    role: 'person' as const,
    personId: asker.personId,
    text,
    at: bench.clock.now(),
  })),
})
const known = async (asker: Asker) => texts((await memory.list({ asker, place: direct })).memories).reverse()

test.each([
  ['I prefer meetings in the afternoon.', 'preference'],
  ['My favourite editor is Helix', 'preference'],
  ['From now on, answer in Chinese please', 'instruction'],
  ['Always cc Kim on release mails.', 'instruction'],
  ["I'm allergic to peanuts", 'fact'],
  ['My manager is Dana', 'fact'],
  ['Jo is responsible for the billing service.', 'fact'],
  ['We decided to use PostgreSQL for the queue', 'decision'],
  ['I finished the migration of the wiki', 'task'],
  ['My goal is to run a marathon in spring', 'goal'],
  ['No, the demo is on floor 3', 'correction'],
  ['我喜欢喝乌龙茶', 'preference'],
  ['以后请用中文回答我', 'instruction'],
  ['我对花生过敏', 'fact'],
  ['数据库的负责人是张工', 'fact'],
  ['我们决定采用方案B', 'decision'],
  ['我完成了周报', 'task'],
  ['我的目标是今年跑完马拉松', 'goal'],
  ['不对，会议室是三楼那间', 'correction'],
])('it learns without a model: %s (%s)', async (text, category) => {
  const ann = await bench.person()
  const { stored } = await memory.learn(turn(ann, text))
  expect(stored.map((each) => [each.category, each.original])).toEqual([
    [category, text.replace(/[.。]$/, '')],
  ])
})

test.each([
  'I am so tired today',
  "I'm fine, thanks",
  'Hello there!',
  'I love it',
  'What is my favourite colour?',
  'Where does my manager live?',
  'Please create a ticket for the broken printer',
  'Can you summarise the notes of last week?',
  'Remember that my desk is on floor 3',
  'Forget that my desk is on floor 3',
  'My password is hunter2',
  'ok',
  '今天好累啊',
  '你好',
  '我的工位在哪里？',
  '帮我建一个工单',
  '记住我的工位在三楼',
  '忘掉我的地址',
  '我的密码是abc12345',
  '> I prefer tea\nwhat do you think about that quote?',
  '```\nmy name is config\n```',
])('it does not learn from: %s', async (text) => {
  const ann = await bench.person()
  expect(await memory.learn(turn(ann, text))).toEqual({ stored: [], known: 0, archived: 0 })
  expect(await known(ann)).toEqual([])
})

test('it learns nothing from the assistant or from other people', async () => {
  const ann = await bench.person()
  const bob = await bench.person({ name: 'Bob' })
  const at = bench.clock.now()
  await memory.learn({
    asker: ann,
    place: channel,
    turnId: bench.source(),
    lines: [
      { role: 'assistant', text: 'You told me: my favourite colour is blue.', at },
      { role: 'person', personId: bob.personId, text: 'I prefer tea over coffee', at },
      { role: 'person', personId: ann.personId, text: 'Thanks!', at },
    ],
  })
  for (const asker of [ann, bob]) expect(await known(asker)).toEqual([])
})

test('learning from the same turn again writes nothing twice', async () => {
  const ann = await bench.person()
  const finished = turn(ann, 'I prefer tea over coffee. My manager is Dana.')
  await Promise.all([memory.learn(finished), memory.learn(finished)])
  expect((await memory.learn(finished)).stored).toEqual([])
  expect(await known(ann)).toEqual(['I prefer tea over coffee', 'My manager is Dana'])
})

test('what was inferred never replaces what was said; what is said later does', async () => {
  const ann = await bench.person()
  await memory.remember({
    asker: ann,
    place: direct,
    text: 'Remember that I live in Berlin',
    sourceId: bench.source(),
  })
  const guess = item({
    text: 'I live in Hamburg',
    quote: 'see you in Hamburg',
    subject: 'home',
    confidence: 0.5,
  })
  await bench.open({ model: answering(guess) }).learn(turn(ann, 'see you in Hamburg'))
  expect(await known(ann)).toEqual(['I live in Berlin'])
  await memory.learn(turn(ann, 'I live in Munich now'))
  expect(await known(ann)).toEqual(['I live in Munich now'])
})

const item = (fields: Record<string, unknown>) => ({
  text: 'I prefer tea',
  quote: 'tea for me, always',
  speaker: 0,
  category: 'preference',
  importance: 0.6,
  confidence: 0.9,
  replaces: [],
  ...fields,
})
const answering =
  (...items: readonly unknown[]): LearnModel =>
  async () =>
    `Here you are:\n\`\`\`json\n${JSON.stringify(items)}\n\`\`\``

test('what a model proposes counts only where a person said it, and never with a secret in it', async () => {
  const ann = await bench.person()
  const model = answering(
    item({}),
    item({ text: 'I like jazz', quote: 'jazz is great' }),
    item({ text: 'Ann likes chess', quote: 'You like chess', speaker: 1 }),
    item({ text: 'My password is hunter2', quote: 'my password is hunter2', speaker: 2 }),
    item({ text: 'No category', category: 'gossip' }),
    'not even an object',
  )
  const at = bench.clock.now()
  const { stored } = await bench.open({ model }).learn({
    asker: ann,
    place: direct,
    turnId: bench.source(),
    lines: [
      { role: 'person', personId: ann.personId, text: 'Tea for me, always!', at },
      { role: 'assistant', text: 'You like chess.', at },
      { role: 'person', personId: ann.personId, text: 'and my password is hunter2', at },
    ],
  })
  expect(texts(stored)).toEqual(['I prefer tea'])
})

test('a model may replace what it was shown, and nothing else', async () => {
  const ann = await bench.person()
  const bob = await bench.person({ name: 'Bob' })
  const tell = async (asker: Asker, text: string) =>
    (await memory.remember({ asker, place: direct, text, sourceId: bench.source() })).stored[0]?.memory.id
  const own = await tell(ann, 'I bike to work')
  const others = await tell(bob, 'I bike to work')
  const shown: string[] = []
  const model: LearnModel = async ({ input }) => {
    shown.push(input)
    return JSON.stringify([
      item({ text: 'I take the train to work', quote: 'I take the train to work', replaces: [own, others] }),
    ])
  }
  await bench.open({ model }).learn(turn(ann, 'I take the train to work these days'))
  expect(shown[0]).toContain(own)
  expect(shown[0]).not.toContain(others)
  expect(await known(ann)).toEqual(['I take the train to work'])
  expect(await known(bob)).toEqual(['I bike to work'])
})

test('an answer that is no JSON at all is nothing learned; a model that fails makes the job fail', async () => {
  const ann = await bench.person()
  const mute = bench.open({ model: async () => 'I am sorry, but [there is nothing' })
  expect((await mute.learn(turn(ann, 'I prefer tea'))).stored).toEqual([])
  const down = bench.open({ model: () => Promise.reject(new Error('503')) })
  await expect(down.learn(turn(ann, 'I prefer tea'))).rejects.toThrow('503')
})

test('a long session keeps its best memories only', async () => {
  const ann = await bench.person()
  const place = { ...direct, sessionId: bench.source() }
  for (let index = 0; index < mostPerSession + 3; index++) {
    const text = `Plant ${index} is a fern of kind ${index}`
    const model = answering(item({ text, quote: text, category: 'fact', importance: index < 3 ? 0.1 : 0.6 }))
    await bench.open({ model }).learn({ ...turn(ann, text), place })
  }
  const left = await memory.list({ asker: ann, place: direct, limit: 50 })
  expect(left.total).toBe(mostPerSession)
  expect(texts(left.memories)).not.toContain('Plant 0 is a fern of kind 0')
})
