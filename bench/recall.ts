// How well memory finds again what was said: evidence recall on LoCoMo's ten long conversations, through the
// same index and query that answers use. The data set is CC BY-NC 4.0: for measuring only, brought by whoever
// measures, and no part of the product or its tests.
//
//   node bench/recall.ts <locomo10.json> [how many conversations] [words]
//
// Recall@k of a question is the share of its evidence turns among the first k memories; categories 1 to 4.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { DateTime } from 'luxon'
import { z } from 'zod'
import { systemClock } from '../src/base/clock.ts'
import { createIds } from '../src/base/ids.ts'
import type { MemoryParts } from '../src/memory/fact.ts'
import { createMemory } from '../src/memory/memory.ts'
import type { Asker, Place } from '../src/memory/record.ts'
import { writeFact } from '../src/memory/write.ts'
import { silentLog } from '../src/observe/log.ts'
import { noEmbedder, tolerant } from '../src/search/embedder.ts'
import { createLocalEmbedder } from '../src/search/local-embedder.ts'
import { createWords } from '../src/search/words.ts'
import { openClient } from '../src/store/client.ts'
import { freshDatabase } from '../test/support/database.ts'

const depths = [5, 10, 20] as const
const said = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
})
const conversations = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(
      z.object({ question: z.string(), evidence: z.array(z.string()).default([]), category: z.number() }),
    ),
  }),
)

const [path = process.env.LOCOMO_PATH, count = '10', mode] = process.argv.slice(2)
if (!path) {
  console.error('Name the data: node bench/recall.ts <locomo10.json> [how many conversations] [words]')
  process.exit(1)
}
const data = conversations.parse(JSON.parse(await readFile(path, 'utf8'))).slice(0, Number(count))

const fresh = await freshDatabase()
const database = openClient(fresh.url)
const embedder = mode === 'words' ? noEmbedder : createLocalEmbedder()
const shared = { database, words: createWords(), clock: systemClock, ids: createIds() }
const memory = createMemory({ ...shared, embedder, log: silentLog })
// Written without vectors, which are then made in batches, as after a change of model.
const parts: MemoryParts = { ...shared, embedder: tolerant(noEmbedder, silentLog) }
const place: Place = { workspace: 'bench', shared: false }

const started = performance.now()
const askers: { asker: Asker; turnOf: Map<string, string> }[] = []
let turns = 0
for (const { sample_id, conversation } of data) {
  const asker: Asker = { personId: shared.ids('per'), timeZone: 'UTC' }
  await database.person.create({ data: { id: asker.personId, displayName: sample_id } })
  const turnOf = new Map<string, string>()
  for (const { lines, at } of sessionsOf(conversation)) {
    let before = ''
    for (const line of lines) {
      const text = `${line.speaker}: ${line.text}${line.blip_caption ? ` [shares ${line.blip_caption}]` : ''}`
      const written = await writeFact(parts, asker, place, {
        text,
        context: `${before}\n${at.toFormat('d MMMM yyyy')}`,
        source: 'said',
        sourceId: `${sample_id} ${line.dia_id}`,
        ordinal: 0,
        at: at.toJSDate(),
        scope: 'private',
        // Every turn is its own subject here: nothing is replaced, so that all evidence stays.
        subject: `${sample_id} ${line.dia_id}`,
      })
      if (written.kind === 'stored') turnOf.set(written.memory.id, line.dia_id)
      before = text
      turns += 1
    }
  }
  askers.push({ asker, turnOf })
}
const indexed = performance.now()
const { done } = await memory.reembed()
const encoded = performance.now()
console.log(
  `${data.length} conversations, ${turns} turns: written in ${seconds(started, indexed)}, ${done} vectors in ${seconds(indexed, encoded)}`,
)

const sums = new Map<number, number[]>()
const counts = new Map<number, number>()
const times: number[] = []
for (const [index, { qa }] of data.entries()) {
  const { asker, turnOf } = askers[index]!
  for (const { question, evidence, category } of qa) {
    const wanted = new Set(evidence.join(' ').match(/D\d+:\d+/g) ?? [])
    if (category > 4 || wanted.size === 0) continue
    const from = performance.now()
    const found = await memory.recall({
      asker,
      place,
      query: question,
      limit: Math.max(...depths),
      tokenBudget: 1_000_000,
      standing: false,
      touch: false,
    })
    times.push(performance.now() - from)
    const ranked = found.map(({ id }) => turnOf.get(id) ?? '')
    for (const group of [0, category]) {
      const sum = sums.get(group) ?? depths.map(() => 0)
      for (const [at, depth] of depths.entries())
        sum[at]! += ranked.slice(0, depth).filter((turn) => wanted.has(turn)).length / wanted.size
      sums.set(group, sum)
      counts.set(group, (counts.get(group) ?? 0) + 1)
    }
  }
}
const names = ['all', 'multi-hop', 'temporal', 'open-domain', 'single-hop']
console.log(`recall@${depths.join('/@')} in %, with ${embedder.name}`)
for (const [group, name] of names.entries()) {
  const number = counts.get(group) ?? 0
  const shares = (sums.get(group) ?? []).map((sum) =>
    ((100 * sum) / Math.max(1, number)).toFixed(1).padStart(6),
  )
  console.log(`${name.padEnd(12)}${String(number).padStart(5)} questions ${shares.join(' ')}`)
}
times.sort((a, b) => a - b)
const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`
console.log(`a recall took ${at(0.5)} p50, ${at(0.95)} p95`)

await memory.stop()
await embedder.stop()
await database.$disconnect()
await fresh.close()

function sessionsOf(conversation: Readonly<Record<string, unknown>>) {
  return Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .map((key) => ({
      lines: z.array(said).parse(conversation[key]),
      at: DateTime.fromFormat(String(conversation[`${key}_date_time`]), "h:mm a 'on' d MMMM, yyyy", {
        zone: 'utc',
        locale: 'en',
      }),
    }))
}

function seconds(from: number, to: number): string {
  return `${((to - from) / 1000).toFixed(0)} s`
}
