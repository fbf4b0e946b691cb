import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/observe/log.ts'
import { createEndpointEmbedder } from '../../src/search/embedder.ts'
import { type Bench, direct, openBench, texts } from './place.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
}, 240_000)
afterAll(() => bench.close())

// Vectors by theme, of any size: enough to tell search by meaning from search by words.
const themes = [/violin|instrument|piano|乐器|小提琴/i, /desk|seat|工位/i, /order|订单/i]
const byTheme = (name: string, extra = 0, isDown: () => boolean = () => false) =>
  createEndpointEmbedder(name, async (all) => {
    if (isDown()) throw new Error('connect ECONNREFUSED')
    return all.map((text) => [
      ...themes.map((theme) => (theme.test(text) ? 1 : 0)),
      0.1,
      ...Array<number>(extra).fill(0),
    ])
  })

test('while the embedder fails, memories are written and found by words, and the log says so once', async () => {
  const lines: string[] = []
  const log = createLog(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  let down = true
  const ann = await bench.person()
  const memory = bench.open({ embedder: byTheme('moody', 0, () => down), log })
  const tell = (text: string) =>
    memory.remember({ asker: ann, place: direct, text, sourceId: bench.source() })
  await tell('I play the violin')
  await tell('My desk is on floor 3')
  expect(texts(await memory.recall({ asker: ann, place: direct, query: 'desk' }))).toEqual([
    'My desk is on floor 3',
  ])
  expect(await memory.recall({ asker: ann, place: direct, query: 'instrument' })).toEqual([])
  expect(lines.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(1)
  expect(await memory.reembed()).toEqual({ done: 0, left: true })

  down = false
  expect(await memory.reembed()).toMatchObject({ left: false })
  expect(texts(await memory.recall({ asker: ann, place: direct, query: 'instrument' }))).toEqual([
    'I play the violin',
  ])
})

test('after a change of model words find everything at once, and meaning after the vectors are made anew', async () => {
  const ann = await bench.person()
  const old = bench.open({ embedder: byTheme('small') })
  for (const text of ['I play the violin', '我的工位在三楼', 'My desk is on floor 3'])
    await old.remember({ asker: ann, place: direct, text, sourceId: bench.source() })
  // Another model, with vectors of another size.
  const fresh = bench.open({ embedder: byTheme('large', 5) })
  const ask = async (query: string) => texts(await fresh.recall({ asker: ann, place: direct, query }))
  expect(await ask('violin')).toEqual(['I play the violin'])
  expect(await ask('instrument')).toEqual([])
  // Some have new vectors, some old ones.
  await fresh.remember({
    asker: ann,
    place: direct,
    text: 'The order ORD-7 is late',
    sourceId: bench.source(),
  })
  expect(await ask('violin')).toEqual(['I play the violin'])
  expect(await fresh.reembed()).toMatchObject({ left: false })
  expect(await ask('instrument')).toEqual(['I play the violin'])
  expect(await ask('乐器')).toEqual(['I play the violin'])
  expect(await fresh.reembed()).toEqual({ done: 0, left: false })
})

test('making vectors anew stops at the signal', async () => {
  const ann = await bench.person()
  await bench.open().remember({ asker: ann, place: direct, text: 'I own a kayak', sourceId: bench.source() })
  expect(await bench.open({ embedder: byTheme('other') }).reembed(AbortSignal.abort())).toEqual({
    done: 0,
    left: true,
  })
})

test('a memory that is forgotten while vectors are made stays without one', async () => {
  const ann = await bench.person()
  const plain = bench.open()
  const { stored } = await plain.remember({
    asker: ann,
    place: direct,
    text: 'I own a canoe',
    sourceId: bench.source(),
  })
  const id = stored[0]?.memory.id ?? ''
  const embedder = createEndpointEmbedder('slow', async (all) => {
    await plain.forget(ann, [id])
    return all.map(() => [1, 0])
  })
  await bench.open({ embedder }).reembed()
  const row = await bench.database.memory.findUniqueOrThrow({ where: { id } })
  expect([row.status, row.embeddingModel]).toEqual(['forgotten', null])
})
