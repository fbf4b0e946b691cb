// What tools cost: which are offered of a hundred, what a call takes beside the tool itself, reads side by side, and
// a thousand clicks on one card.
import process from 'node:process'
import { startTestApp } from '../test/support/app.ts'
import { startModel } from '../test/support/model.ts'
import { openRows } from '../test/support/rows.ts'
import { webClient } from '../test/support/web-client.ts'
import { spreadOf } from './figures.ts'
import { measuredChoosing, measureSelection, measureUnseen, type UnseenFigures } from './selection/measure.ts'
import { heldBack } from './selection/requests.ts'

const office = new URL('../test/support/office-server.ts', import.meta.url).pathname
const rounds = 30
const clicks = 1_000

/** What came of it. */
export type ToolFigures = Awaited<ReturnType<typeof measureTools>>

/** Measures the choice of tools and the calls of a whole Hermes. */
export async function measureTools() {
  const choosing = await measuredChoosing()
  return {
    choice: await measureSelection(choosing),
    heldBack: await measureSelection(choosing, heldBack),
    unseen: await measureUnseen(choosing),
    calls: await measureCalls(),
  }
}

/** The figures in lines. */
export function showToolFigures({ choice, heldBack: other, unseen, calls }: ToolFigures): string {
  const share = (value: number) => `${(value * 100).toFixed(1)} %`
  const figures = (one: UnseenFigures) =>
    `recall ${share(one.recall)}, precision ${share(one.precision)}, best one right ${share(one.first)}, ${one.offered.toFixed(1)} offered in the mean`
  return [
    `  offered of ${choice.tools} for ${choice.requests} requests in two languages: ${figures(choice)}, ${choice.ms.toFixed(1)} ms`,
    `  for ${other.requests} more, written after the first rules: ${figures(other)}`,
    `  for ${unseen.reported.requests} by somebody who had not seen the rules: ${figures(unseen.reported)}`,
    `  for those ${unseen.untouched.requests} of them that nobody has read who works on the rules: ${figures(unseen.untouched)}`,
    `  ${Math.round(unseen.reported.tokens)} tokens of tools in the mean instead of ${choice.tokensOfAll}: ${share(1 - unseen.reported.tokens / choice.tokensOfAll)} saved`,
    `  a call of a tool that does nothing, from its begin in the ledger to its result there: p50 ${calls.overhead?.p50.toFixed(1)} ms, p95 ${calls.overhead?.p95.toFixed(1)} ms`,
    `  three independent reads of 300 ms: p50 ${calls.together?.p50.toFixed(0)} ms, most ${calls.together?.max.toFixed(0)} ms (target: under 450)`,
    `  ${clicks} clicks on one card at once: ${calls.clicked.effects} effect, all answered in ${calls.clicked.seconds.toFixed(1)} s, ${calls.clicked.confirmed} told that it counted`,
  ].join('\n')
}

async function measureCalls() {
  const model = await startModel()
  const app = await startTestApp({
    variables: model.variables(),
    mcp: { mcpServers: { office: { command: process.execPath, args: [office], trusted: true } } },
  })
  const rows = await openRows(app.home)
  try {
    await app.mcp.settled(30_000)
    const slow = (ms: number, n: number) => ({ name: 'mcp__office__slow_read', arguments: { ms, n } })
    model.script((body) => {
      if (body.tools === undefined) return { text: '[]' }
      if (body.messages.at(-1)?.role === 'tool') return { text: 'Done.' }
      if (JSON.stringify(body.messages).includes('a lamp'))
        return { calls: [{ name: 'create_ticket', arguments: { title: 'Lamp' } }] }
      const round = body.messages.filter(({ role }) => role === 'user').length
      return JSON.stringify(body.messages.findLast(({ role }) => role === 'user')).includes('three')
        ? { calls: [slow(300, 1), slow(300, 2), slow(300, 3)] }
        : { calls: [{ name: 'list_reminders', arguments: {}, id: `r${round}` }] }
    })
    for (let round = 0; round < rounds; round += 1) {
      // Each in a conversation of its own, so that none is longer than another.
      const ann = webClient(app.address, 'Ann', `bench-${round}`)
      await ann.say(round % 5 === 0 ? 'all three' : 'one')
      await ann.answer()
    }
    const took = async (tool: string) =>
      (
        await rows.query<{ ms: string }>(
          `SELECT extract(epoch FROM max(ended_at) - min(started_at)) * 1000 AS ms FROM tool_call
           WHERE tool = $1 AND status = 'succeeded' GROUP BY turn_id`,
          tool,
        )
      ).map(({ ms }) => Number(ms))
    return {
      overhead: spreadOf(await took('list_reminders')),
      together: spreadOf(await took('mcp__office__slow_read')),
      clicked: await clickAll(app.address, rows),
    }
  } finally {
    await rows.close()
    await app.end()
    await model.stop()
  }
}

/** Ann presses Confirm as often at the same moment; what came of it in the world, and what she was told. */
async function clickAll(address: string, rows: Awaited<ReturnType<typeof openRows>>) {
  const ann = webClient(address, 'Ann', 'bench-clicks')
  await ann.say('a ticket for a lamp, please')
  const card = await ann.card()
  const { action, value } = card.actions.find(({ label }) => label === 'Confirm')!
  const began = performance.now()
  const replies = await Promise.all(
    Array.from({ length: clicks }, (_, index) => ann.press(action, value, `bench-click-${index}`)),
  )
  const seconds = (performance.now() - began) / 1_000
  await ann.answer()
  const [made] = await rows.query<{ count: string }>(`SELECT count(*) FROM ticket WHERE title = 'Lamp'`)
  const confirmed = replies.filter(({ body }) => /^Confirmed\./.test(body?.notice ?? '')).length
  return { effects: Number(made?.count), confirmed, seconds }
}

if (import.meta.main) {
  console.log(showToolFigures(await measureTools()))
  process.exit(0)
}
