import { afterAll, beforeAll, expect, test } from 'vitest'
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

const tell = (asker: Asker, text: string, place = direct) =>
  memory.remember({ asker, place, text, sourceId: bench.source() })
const known = async (asker: Asker) => texts((await memory.list({ asker, place: direct })).memories).reverse()

test('relative times are kept as dates in the speaker’s time zone, with the words they were said in', async () => {
  const ann = await bench.person()
  const bea = await bench.person({ timeZone: 'America/Los_Angeles' })
  const [english] = (await tell(ann, 'Remember that the demo is next Friday')).stored
  expect([english?.memory.text, english?.memory.original]).toEqual([
    'the demo is 2026-12-11',
    'the demo is next Friday',
  ])
  const [chinese] = (await tell(ann, '记住下周三上午十点交报告')).stored
  expect([chinese?.memory.text, chinese?.memory.original]).toEqual([
    '2026-12-09 10:00交报告',
    '下周三上午十点交报告',
  ])
  // It is still the first of December in Los Angeles.
  const [western] = (await tell(bea, 'Remember that the auditor comes tomorrow')).stored
  expect(western?.memory.text).toBe('the auditor comes on 2026-12-02')
})

test('a statement that holds until a day ends with it', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that I am on leave until Friday')
  expect(await known(ann)).toEqual(['I am on leave until 2026-12-04'])
  bench.clock.set('2026-12-06T00:00:00Z')
  expect(await known(ann)).toEqual([])
  await memory.upkeep()
  bench.clock.set('2026-12-02T03:30:00Z')
  expect(await known(ann)).toEqual([])
})

test('each sentence becomes a memory of its own', async () => {
  const ann = await bench.person()
  const { stored } = await tell(
    ann,
    "Remember that I'm allergic to peanuts. My desk is on floor 3. It is by the window.",
  )
  expect(texts(stored.map((each) => each.memory))).toEqual([
    "I'm allergic to peanuts",
    'My desk is on floor 3. It is by the window',
  ])
})

test.each([
  ['Remember that my favourite colour is blue', 'Remember that my favourite colour is green'],
  ['Remember that I live in Berlin', 'Remember that I now live in Hamburg'],
  ['Remember that the demo is next Friday', 'Remember that the demo is moved to next Monday'],
  ['Remember that the demo starts at 3pm tomorrow', 'Remember that the demo starts at 4pm tomorrow'],
  ['Remember that I like coffee', "Remember that I don't like coffee any more"],
  ['记住项目的负责人是张工', '记住项目的负责人是李工'],
  ['记住我住在上海', '记住我现在住在杭州'],
  ['记住例会是周三下午3点', '记住例会改到周四下午3点'],
])('%s is replaced by: %s', async (first, second) => {
  const ann = await bench.person()
  const [old] = (await tell(ann, first)).stored
  bench.clock.pass(1000)
  const [fresh] = (await tell(ann, second)).stored
  expect(fresh?.replaced.map(({ id, status }) => [id, status])).toEqual([[old?.memory.id, 'superseded']])
  expect(await known(ann)).toEqual([fresh?.memory.text])
  // The old one is history: still there for an export, and pointing at what took its place.
  const row = await bench.database.memory.findUniqueOrThrow({ where: { id: old?.memory.id } })
  expect([row.text, row.supersededBy]).toEqual([old?.memory.text, fresh?.memory.id])
  expect(texts(await memory.exportAll(ann))).toContain(old?.memory.text)
})

test.each([
  ['Remember that my dog is called Rex', 'Remember that my dog is five years old'],
  ['Remember that I like coffee', 'Remember that I like tea'],
  ["Remember that I'm allergic to peanuts", "Remember that I'm allergic to cats"],
  ['记住我喜欢喝咖啡', '记住我喜欢爬山'],
])('%s stands beside: %s', async (first, second) => {
  const ann = await bench.person()
  await tell(ann, first)
  await tell(ann, second)
  expect(await known(ann)).toHaveLength(2)
})

test('the same statement again is confirmed, not kept twice', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that my desk is on floor 3')
  const again = await tell(ann, 'Please remember: My desk is on floor 3.')
  expect([again.stored, texts(again.known)]).toEqual([[], ['my desk is on floor 3']])
  expect(await known(ann)).toHaveLength(1)
})

test('the same event again writes nothing twice, also when both come at once', async () => {
  const ann = await bench.person()
  const request = {
    asker: ann,
    place: direct,
    text: 'Remember that I own a boat. The boat is red.',
    sourceId: bench.source(),
  }
  await Promise.all([memory.remember(request), memory.remember(request), memory.remember(request)])
  const { stored } = await memory.remember(request)
  expect(texts(stored.map((each) => each.memory))).toEqual(['I own a boat', 'The boat is red'])
  expect(await known(ann)).toHaveLength(2)
})

test('of many statements about one thing at once, exactly one holds in the end', async () => {
  const ann = await bench.person()
  await Promise.all(
    ['red', 'green', 'blue', 'black'].map((colour) =>
      tell(ann, `Remember that my favourite colour is ${colour}`),
    ),
  )
  expect(await known(ann)).toHaveLength(1)
})

test.each([
  'Remember that my password is hunter2',
  'Remember my API key: sk-abcdefghijklmnopqrstuvwx',
  'Remember the wifi password for the office is Blue-Sky-99',
  'Remember that the card is 4111 1111 1111 1111',
  'Remember that my PIN is 4711',
  'remember postgres://app:s3cr3tpw@db.internal/app',
  '记住我的密码是 abc12345',
  '记住服务器的口令：Zx9!kk21',
])('a secret is refused with a sentence and not kept: %s', async (text) => {
  const ann = await bench.person()
  const result = await tell(ann, text)
  expect([result.refused?.reason, result.stored, result.known]).toEqual(['secret', [], []])
  expect(result.refused?.sentence).toMatch(/password manager|密码管理器/)
  expect(await bench.database.memory.count({ where: { personId: ann.personId } })).toBe(0)
})

test.each([
  'Remember that our password policy is strict',
  'Remember that I use a password manager',
  'Remember that the commit is 2ea1cb46fc4c9c1557cc12a376492494eb6ada96',
])('what only speaks of secrets is kept: %s', async (text) => {
  const ann = await bench.person()
  expect((await tell(ann, text)).stored).toHaveLength(1)
})

test('nothing, a question and a novel are refused, each with its sentence', async () => {
  const ann = await bench.person()
  for (const text of ['remember that ', 'Remember that I live where?', `记住${'很长'.repeat(1000)}`])
    expect((await tell(ann, text)).refused?.sentence).toBeTruthy()
  expect(await known(ann)).toEqual([])
})

test('a private statement never replaces what the team knows', async () => {
  const ann = await bench.person()
  await memory.remember({
    asker: ann,
    place: channel,
    text: 'Remember that the deadline of Orion is 2027-01-10',
    sourceId: bench.source(),
  })
  await tell(ann, 'Remember that the deadline of Orion is 2027-02-10')
  const bob = await bench.person({ name: 'Bob' })
  expect(texts(await memory.recall({ asker: bob, place: channel, query: 'deadline of Orion' }))).toEqual([
    'the deadline of Orion is 2027-01-10',
  ])
})

test('taking a writing back erases it, and what it had replaced holds again', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that my favourite colour is blue')
  const { stored } = await tell(ann, 'Remember that my favourite colour is green')
  const back = await memory.undoRemember(ann, [stored[0]?.memory.id ?? ''])
  expect(texts(back)).toEqual(['my favourite colour is blue'])
  expect(texts(await memory.recall({ asker: ann, place: direct, query: 'favourite colour' }))).toEqual([
    'my favourite colour is blue',
  ])
  const row = await bench.database.memory.findUniqueOrThrow({ where: { id: stored[0]?.memory.id } })
  expect([row.status, row.text, row.original]).toEqual(['forgotten', '', ''])
})
