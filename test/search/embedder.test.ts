import { execFile } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '../../src/observe/log.ts'
import { createEndpointEmbedder, noEmbedder, tolerant, type Vector } from '../../src/search/embedder.ts'
import { createLocalEmbedder } from '../../src/search/local-embedder.ts'

const local = createLocalEmbedder()
afterAll(() => local.stop())

const cosine = (a: Vector | undefined, b: Vector | undefined) => {
  if (!a || !b) return 0
  const size = (vector: Vector) => Math.hypot(...vector)
  return Array.from(a).reduce((sum, part, index) => sum + part * (b[index] ?? 0), 0) / size(a) / size(b)
}

test('the encoder of the install puts what means the same close together', async () => {
  const [question, answer, other] = await local.embed([
    'Which musical instrument do I play?',
    'I have been learning the violin for years',
    'The staging server restarts at night',
  ])
  expect(question).toHaveLength(512)
  expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.1)
})

test('texts that the encoder has no words for get no vector, the others keep their places', async () => {
  const vectors = await local.embed([
    '',
    '数据库超时怎么办',
    'The deploy is on Friday',
    '12345',
    '给 ORD-17 的负责人发消息',
  ])
  expect(vectors.map((vector) => vector !== undefined)).toEqual([false, false, true, false, false])
})

test('the encoder works while the main thread goes on, in many batches', async () => {
  let ticks = 0
  const ticking = setInterval(() => {
    ticks += 1
  }, 5)
  const texts = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} about the weather in town`)
  const vectors = await local.embed(texts)
  clearInterval(ticking)
  expect(vectors.every((vector) => vector?.length === 512)).toBe(true)
  expect(ticks).toBeGreaterThan(5)
})

test('callers at the same time each get the vectors of their own texts', async () => {
  const texts = Array.from(
    { length: 24 },
    (_, index) => `Team ${index} eats ${index * 7} apples on ${index} days`,
  )
  const alone: (Vector | undefined)[] = []
  for (const text of texts) alone.push((await local.embed([text]))[0])
  // One, two or three texts a caller, and one that has none to encode.
  const groups = [
    texts.slice(0, 1),
    texts.slice(1, 3),
    [],
    texts.slice(3, 6),
    ...texts.slice(6).map((text) => [text]),
  ]
  const together = (await Promise.all(groups.map((group) => local.embed(group)))).flat()
  expect(together).toHaveLength(alone.length)
  for (const [index, vector] of together.entries())
    expect(cosine(vector, alone[index])).toBeGreaterThan(0.999)
})

test('an aborted embedding ends, and the encoder works afterwards', async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `Sentence number ${index}`)
  const stop = new AbortController()
  const work = local.embed(texts, stop.signal)
  stop.abort()
  await expect(work).rejects.toThrow()
  expect((await local.embed(['still here']))[0]).toHaveLength(512)
})

test('stopping frees the encoder; the next text loads it again', async () => {
  await local.stop()
  expect((await local.embed(['hello again']))[0]).toHaveLength(512)
})

/** What the encoder's thread answers to one text after the other, after this code has run in it. */
async function encodedAfter(changes: string, texts: readonly string[]): Promise<readonly object[]> {
  const file = new URL('../../src/search/local-encoder.ts', import.meta.url).href
  const code = `
    ${changes}
    import(${JSON.stringify(file)})`
  const worker = new Worker(code, { eval: true, execArgv: [] })
  try {
    const answers: object[] = []
    for (const [id, text] of texts.entries()) {
      const answer = once(worker, 'message')
      worker.postMessage({ id, texts: [text] })
      answers.push((await answer)[0])
    }
    return answers
  } finally {
    await worker.terminate()
  }
}

test('the encoder waits for its backend where that is slower than the files of the model', async () => {
  const slowly = `
    const begin = WebAssembly.instantiate
    const late = new Promise((resolve) => setTimeout(resolve, 1_000))
    WebAssembly.instantiate = (...given) => late.then(() => begin(...given))`
  expect(await encodedAfter(slowly, ['hello'])).toMatchObject([{ vectors: [{ length: 512 }] }])
})

test('an encoder that could not be loaded is loaded again at the next text', async () => {
  const failing = `
    const files = require('node:fs/promises')
    const { readFile } = files
    files.readFile = () => {
      files.readFile = readFile
      return Promise.reject(new Error('too many open files'))
    }`
  expect(await encodedAfter(failing, ['hello', 'hello'])).toMatchObject([
    { error: expect.stringContaining('too many open files') },
    { vectors: [{ length: 512 }] },
  ])
})

test('an encoder that nobody uses is unloaded and does not keep the process alive', async () => {
  const code = `
    const { createLocalEmbedder } = await import(${JSON.stringify(new URL('../../src/search/local-embedder.ts', import.meta.url).href)})
    const embedder = createLocalEmbedder()
    const [vector] = await embedder.embed(['hello'])
    console.log(vector.length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    timeout: 60_000,
  })
  expect(stdout.trim()).toBe('512')
}, 60_000)

test('an endpoint that answers too few vectors, or useless ones, is told', async () => {
  const short = createEndpointEmbedder('short', async () => [[1, 0]])
  await expect(short.embed(['a', 'b'])).rejects.toThrow('1 of 2')
  const zero = createEndpointEmbedder('zero', async (texts) => texts.map(() => [0, 0]))
  expect(await zero.embed(['a'])).toEqual([undefined])
})

test('an endpoint gets long lists in parts, and their vectors come back in order', async () => {
  const sizes: number[] = []
  const embedder = createEndpointEmbedder('counting', async (texts) => {
    sizes.push(texts.length)
    return texts.map((text) => [Number(text), 1])
  })
  const vectors = await embedder.embed(Array.from({ length: 150 }, (_, index) => String(index)))
  expect([vectors.map((vector) => vector?.[0]), Math.max(...sizes) <= 64]).toEqual([
    [...Array(150).keys()],
    true,
  ])
})

test('a caller that can go on without vectors gets none when the model hangs or fails', async () => {
  const hanging = tolerant(
    createEndpointEmbedder('hanging', () => new Promise(() => {})),
    silentLog,
  )
  expect(await hanging.embed(['a'], { limitMs: 20 })).toBeUndefined()
  const failing = tolerant(
    createEndpointEmbedder('failing', () => Promise.reject(new Error('503'))),
    silentLog,
  )
  expect(await failing.embed(['a'], { limitMs: 1000 })).toBeUndefined()
  const stopped = hanging.embed(['a'], { limitMs: 60_000, signal: AbortSignal.timeout(20) })
  await expect(stopped).rejects.toThrow()
  expect(await tolerant(noEmbedder, silentLog).embed(['a', 'b'], { limitMs: 1000 })).toEqual([
    undefined,
    undefined,
  ])
})
