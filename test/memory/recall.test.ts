import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Memory } from '../../src/memory/memory.ts'
import type { Asker } from '../../src/memory/record.ts'
import { createLocalEmbedder } from '../../src/search/local-embedder.ts'
import { type Bench, channel, direct, elsewhere, openBench, texts } from './place.ts'

let bench: Bench
let memory: Memory
const embedder = createLocalEmbedder()
beforeAll(async () => {
  bench = await openBench()
  memory = bench.open({ embedder })
}, 240_000)
afterAll(async () => {
  await embedder.stop()
  await bench.close()
})

const tell = (asker: Asker, text: string, place = direct) =>
  memory.remember({ asker, place, text, sourceId: bench.source() })

test('an English question finds a fact by its words', async () => {
  const ann = await bench.person()
  await tell(ann, "Remember that I'm allergic to peanuts")
  await tell(ann, 'Remember that my desk is on floor 3')
  await tell(ann, 'Remember that the order ORD-2024-0017 belongs to Acme')
  expect(texts(await memory.recall({ asker: ann, place: direct, query: 'Where is my desk?' }))[0]).toBe(
    'my desk is on floor 3',
  )
  expect(texts(await memory.recall({ asker: ann, place: direct, query: 'status of ORD-2024-0017' }))).toEqual(
    ['the order ORD-2024-0017 belongs to Acme'],
  )
})

test('an English question finds a fact that was told in other words', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that I play the violin in an orchestra on Sundays')
  await tell(ann, 'Remember that the staging server restarts at night')
  await tell(ann, 'Remember that I never eat meat')
  const found = await memory.recall({ asker: ann, place: direct, query: 'Which musical instrument is mine?' })
  expect(texts(found)[0]).toBe('I play the violin in an orchestra on Sundays')
})

test('a Chinese question finds a fact', async () => {
  const ann = await bench.person()
  await tell(ann, '记住：我对花生过敏')
  await tell(ann, '请记住数据库的负责人是张工')
  await tell(ann, '帮我记一下，我的工位在三楼靠窗')
  expect(texts(await memory.recall({ asker: ann, place: direct, query: '数据库谁负责？' }))[0]).toBe(
    '数据库的负责人是张工',
  )
  expect(texts(await memory.recall({ asker: ann, place: direct, query: '我吃花生可以吗' }))[0]).toBe(
    '我对花生过敏',
  )
  expect(texts(await memory.recall({ asker: ann, place: direct, query: '我坐在哪个工位' }))[0]).toBe(
    '我的工位在三楼靠窗',
  )
})

test('a question about a week finds what was dated in it', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that the Atlas demo is next Friday')
  await tell(ann, 'Remember that the cat likes tuna')
  bench.clock.set('2026-12-07T03:00:00Z')
  const found = await memory.recall({ asker: ann, place: direct, query: 'What is happening this week?' })
  bench.clock.set('2026-12-02T03:30:00Z')
  expect(texts(found)).toEqual(['the Atlas demo is 2026-12-11'])
})

test('a question that nothing bears on recalls nothing', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that my desk is on floor 3')
  expect(await memory.recall({ asker: ann, place: direct, query: 'What is the capital of Peru?' })).toEqual(
    [],
  )
  expect(await memory.recall({ asker: ann, place: direct, query: '' })).toEqual([])
})

test('standing instructions come with every question, within the token budget', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember: always answer in short sentences')
  await tell(ann, 'Remember that my desk is on floor 3')
  const found = await memory.recall({ asker: ann, place: direct, query: 'Where is my desk?' })
  expect(found.map(({ text, why }) => [text, why])).toEqual([
    ['always answer in short sentences', 'standing'],
    ['my desk is on floor 3', 'match'],
  ])
  expect(
    await memory.recall({ asker: ann, place: direct, query: 'Where is my desk?', tokenBudget: 10 }),
  ).toEqual([])
})

test('recalling counts as a use, in the background', async () => {
  const ann = await bench.person()
  const { stored } = await tell(ann, 'Remember that my desk is on floor 3')
  await memory.recall({ asker: ann, place: direct, query: 'desk' })
  await memory.stop()
  const row = await bench.database.memory.findUniqueOrThrow({ where: { id: stored[0]?.memory.id } })
  expect([row.accessCount, row.lastAccessAt]).toEqual([1, bench.clock.now()])
})

test('an old inferred memory comes back as doubtful', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that the contact at Acme is Jo Miller')
  bench.clock.set('2029-12-02T03:30:00Z')
  const [found] = await memory.recall({ asker: ann, place: direct, query: 'Who is the contact at Acme?' })
  bench.clock.set('2026-12-02T03:30:00Z')
  expect(found?.doubtful).toBe(true)
})

describe('who may see what', () => {
  test('a private memory is not used where others read, until its owner allows that', async () => {
    const ann = await bench.person()
    await tell(ann, 'Remember that my salary band is seven')
    expect(texts(await memory.recall({ asker: ann, place: direct, query: 'salary band' }))).toHaveLength(1)
    expect(await memory.recall({ asker: ann, place: channel, query: 'salary band' })).toEqual([])
    await bench.database.person.update({ where: { id: ann.personId }, data: { privateInShared: true } })
    expect(texts(await memory.recall({ asker: ann, place: channel, query: 'salary band' }))).toHaveLength(1)
  })

  test("nobody reaches another person's private memories, in any way and in any place", async () => {
    const ann = await bench.person({ privateInShared: true })
    const bob = await bench.person({ name: 'Bob' })
    const { stored } = await tell(ann, 'Remember that my surprise party is on 2026-12-24')
    const id = stored[0]?.memory.id ?? ''
    for (const place of [direct, channel, elsewhere]) {
      expect(await memory.recall({ asker: bob, place, query: 'surprise party' })).toEqual([])
      expect(await memory.byIds(bob, place, [id])).toEqual([])
      expect((await memory.list({ asker: bob, place })).memories).toEqual([])
      expect((await memory.forgetPreview({ asker: bob, place, what: { ids: [id] } })).candidates).toEqual([])
      expect(
        (await memory.forgetPreview({ asker: bob, place, what: { query: 'surprise party' } })).candidates,
      ).toEqual([])
      expect(
        await memory.correct({ asker: bob, place, id, text: 'no party', sourceId: bench.source() }),
      ).toEqual({
        kind: 'not-found',
      })
    }
    expect(await memory.forget(bob, [id])).toEqual([])
    expect(await memory.undoRemember(bob, [id])).toEqual([])
    expect(await memory.exportAll(bob)).toEqual([])
    expect(texts(await memory.recall({ asker: ann, place: direct, query: 'surprise party' }))).toEqual([
      'my surprise party is on 2026-12-24',
    ])
  })

  test('what a team is told is known to that workspace and to no other', async () => {
    const ann = await bench.person()
    const bob = await bench.person({ name: 'Bob' })
    const { stored } = await tell(ann, 'Remember that our release train leaves on Thursdays', channel)
    expect(stored[0]?.memory.scope).toBe('team')
    const [found] = await memory.recall({
      asker: bob,
      place: channel,
      query: 'When does the release train leave?',
    })
    expect([found?.text, found?.by]).toEqual(['our release train leaves on Thursdays', 'Ann'])
    expect(await memory.recall({ asker: bob, place: elsewhere, query: 'release train' })).toEqual([])
  })

  test('what somebody says about themselves in a channel stays private', async () => {
    const ann = await bench.person()
    const { stored } = await tell(ann, "Remember that I'm allergic to cats", channel)
    expect(stored[0]?.memory.scope).toBe('private')
  })

  test("words that only others' private memories hold don't show in the ranking", async () => {
    const ann = await bench.person()
    const bob = await bench.person({ name: 'Bob' })
    await tell(bob, 'Remember that the retreat budget is small')
    const before = await memory.recall({ asker: bob, place: direct, query: 'retreat budget' })
    for (let index = 0; index < 20; index++) await tell(ann, `Remember that retreat number ${index} was fine`)
    const after = await memory.recall({ asker: bob, place: direct, query: 'retreat budget', touch: false })
    expect(after.map(({ id, text }) => [id, text])).toEqual(before.map(({ id, text }) => [id, text]))
  })
})
