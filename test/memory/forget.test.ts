import { afterAll, beforeAll, expect, test } from 'vitest'
import { undoMs } from '../../src/memory/forget.ts'
import type { Memory } from '../../src/memory/memory.ts'
import type { Asker } from '../../src/memory/record.ts'
import { createLocalEmbedder } from '../../src/search/local-embedder.ts'
import { type Bench, channel, direct, openBench, texts } from './place.ts'

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
const asked = async (asker: Asker, query: string) =>
  texts(await memory.recall({ asker, place: direct, query }))

test('a wish to forget shows first what would go, and changes nothing yet', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that my address is 12 Elm Street')
  await tell(ann, 'Remember that my desk is on floor 3')
  const preview = await memory.forgetPreview({ asker: ann, place: direct, what: { query: 'my address' } })
  expect(texts(preview.candidates)).toEqual(['my address is 12 Elm Street'])
  expect(await asked(ann, 'What is my address?')).toEqual(['my address is 12 Elm Street'])
})

test('where others read, the preview says only how many private ones there are', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that my address is 12 Elm Street')
  await tell(ann, 'Remember that the office address is 1 Main Street', channel)
  const preview = await memory.forgetPreview({ asker: ann, place: channel, what: { query: 'address' } })
  expect([texts(preview.candidates), preview.hidden]).toEqual([['the office address is 1 Main Street'], 1])
})

test('what is forgotten is gone from every later answer, list, preview and export, with what it had replaced', async () => {
  const ann = await bench.person()
  await tell(ann, 'Remember that my favourite colour is blue')
  const { stored } = await tell(ann, 'Remember that my favourite colour is green')
  const id = stored[0]?.memory.id ?? ''
  const gone = await memory.forget(ann, [id])
  expect(texts(gone)).toEqual(['my favourite colour is green', 'my favourite colour is blue'])
  expect(await asked(ann, 'What is my favourite colour?')).toEqual([])
  expect((await memory.list({ asker: ann, place: direct })).total).toBe(0)
  expect((await memory.forgetPreview({ asker: ann, place: direct, what: 'everything' })).candidates).toEqual(
    [],
  )
  expect(await memory.byIds(ann, direct, [id])).toEqual([])
  expect(await memory.exportAll(ann)).toEqual([])
})

test('forgetting can be undone for ten minutes', async () => {
  const ann = await bench.person()
  const { stored } = await tell(ann, 'Remember that I play the violin')
  const id = stored[0]?.memory.id ?? ''
  await memory.forget(ann, [id])
  bench.clock.pass(undoMs - 1000)
  await memory.upkeep()
  expect(texts(await memory.undoForget(ann, [id]))).toEqual(['I play the violin'])
  expect(await asked(ann, 'violin')).toEqual(['I play the violin'])
  expect(await asked(ann, 'Which musical instrument is mine?')).toEqual(['I play the violin'])
})

test('after ten minutes no trace of the content is left in the tables', async () => {
  const ann = await bench.person()
  const { stored } = await tell(ann, 'Remember that I collect Xylographs')
  const id = stored[0]?.memory.id ?? ''
  await memory.forget(ann, [id])
  bench.clock.pass(undoMs)
  expect(await memory.undoForget(ann, [id])).toEqual([])
  expect((await memory.upkeep()).erased).toBeGreaterThan(0)
  expect(await memory.undoForget(ann, [id])).toEqual([])
  const rows = await bench.database.$queryRaw<{ whole: string }[]>`
    SELECT (memory.*)::text || coalesce(string_agg((memory_revision.*)::text, ' '), '') AS whole
    FROM memory LEFT JOIN memory_revision ON memory_revision.memory_id = memory.id
    WHERE memory.id = ${id} GROUP BY memory.id`
  expect(rows).toHaveLength(1)
  expect(rows[0]?.whole).not.toMatch(/xylograph/i)
})

test('the same event does not bring a forgotten memory back', async () => {
  const ann = await bench.person()
  const request = { asker: ann, place: direct, text: 'Remember that I own a kayak', sourceId: bench.source() }
  const { stored } = await memory.remember(request)
  await memory.forget(ann, [stored[0]?.memory.id ?? ''])
  expect(await memory.remember(request)).toMatchObject({ stored: [], known: [] })
  expect(await asked(ann, 'kayak')).toEqual([])
})

test('a wrong memory is void, or replaced by what is right', async () => {
  const ann = await bench.person()
  const first = await tell(ann, 'Remember that the printer is on floor 2')
  const id = first.stored[0]?.memory.id ?? ''
  const corrected = await memory.correct({
    asker: ann,
    place: direct,
    id,
    text: 'the printer is on floor 4',
    sourceId: bench.source(),
  })
  expect(corrected).toMatchObject({
    kind: 'replaced',
    old: { id },
    memory: { text: 'the printer is on floor 4' },
  })
  expect(await asked(ann, 'Where is the printer?')).toEqual(['the printer is on floor 4'])
  const second = corrected.kind === 'replaced' ? corrected.memory.id : ''
  expect(
    await memory.correct({ asker: ann, place: direct, id: second, sourceId: bench.source() }),
  ).toMatchObject({
    kind: 'voided',
  })
  expect(await asked(ann, 'Where is the printer?')).toEqual([])
})

test('a team member corrects what the team knows, not what is private to another', async () => {
  const ann = await bench.person()
  const bob = await bench.person({ name: 'Bob' })
  const { stored } = await tell(ann, 'Remember that the owner of Borealis is Kim', channel)
  const corrected = await memory.correct({
    asker: bob,
    place: channel,
    id: stored[0]?.memory.id ?? '',
    text: 'the owner of Borealis is Lee',
    sourceId: bench.source(),
  })
  expect(corrected.kind).toBe('replaced')
  expect(
    texts(await memory.recall({ asker: ann, place: channel, query: 'Who owns Borealis? owner' })),
  ).toEqual(['the owner of Borealis is Lee'])
})

test('a correction that holds a secret is refused', async () => {
  const ann = await bench.person()
  const { stored } = await tell(ann, 'Remember that the printer is on floor 2')
  const id = stored[0]?.memory.id ?? ''
  const result = await memory.correct({
    asker: ann,
    place: direct,
    id,
    text: 'the password is hunter2',
    sourceId: bench.source(),
  })
  expect(result.kind).toBe('refused')
  expect(await asked(ann, 'printer')).toEqual(['the printer is on floor 2'])
})

test('a list goes page by page from new to old, with its totals', async () => {
  const ann = await bench.person()
  for (const thing of ['kayak', 'tandem', 'sledge']) await tell(ann, `Remember that I own a ${thing}`)
  const first = await memory.list({ asker: ann, place: direct, limit: 2 })
  expect([texts(first.memories), first.total, first.hidden]).toEqual([
    ['I own a sledge', 'I own a tandem'],
    3,
    0,
  ])
  const next = await memory.list({ asker: ann, place: direct, limit: 2, before: first.memories[1]?.id })
  expect(texts(next.memories)).toEqual(['I own a kayak'])
  expect(await memory.list({ asker: ann, place: channel })).toEqual({ memories: [], total: 0, hidden: 3 })
})
