import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshEmbedded, type TestDatabase } from '../support/database.ts'
import { type KillPoint, pointName } from '../support/recovery/kill-points.ts'
import { pointsOf } from '../support/recovery/killer.ts'
import { randomFrom } from '../support/recovery/random.ts'
import { runTicketScenario, ticketScript } from '../support/recovery/ticket-scenario.ts'
import { startWorld, type World } from '../support/recovery/world.ts'

/** How many more kills than the chosen ones, at random points; each costs a start of the process. */
const randomKills = Number(process.env.HERMES_KILLS ?? 0)
const seed = Number(process.env.HERMES_KILLS_SEED ?? Date.now() % 1_000_000)

// One of every kind that matters; those of one line happen in one conversation, one after the other. The
// committed steps are: 1 begun, 2 read proposed, 3 read begins, 4 read done, 5 write proposed, 6 waiting,
// 7 write begins, 8 write done, 9 resumed, 10 answered, 11 done. A restart begins to count anew.
const chosen: readonly (readonly string[])[] = [
  ['after event accepted 1', 'after lease taken 1', 'before step committed 1'],
  ['after step committed 1', 'after model 1', 'after step committed 2', 'before step committed 2'],
  ['after step committed 5', 'after delivery reserved 1', 'before decision 1', 'after decision 1'],
  ['before ticket created 1', 'after ticket created 1', 'after model 1', 'before step committed 2'],
]

describe('a process that is killed', () => {
  let database: TestDatabase
  let world: World
  let plan: KillPoint[] = []
  let threads = 0

  beforeAll(async () => {
    database = await freshEmbedded()
    world = await startWorld({ url: database.url, nextPoint: () => plan.shift() })
    world.script(ticketScript)
  }, 240_000)
  afterAll(async () => {
    await world?.close()
    await database?.close()
  }, 60_000)

  /** Has the conversation with kills at these points, and gives those that were reached. */
  const converse = async (points: readonly KillPoint[]): Promise<readonly KillPoint[]> => {
    await world.child()
    plan = [...points]
    world.killer.arm(plan.shift())
    try {
      return await runTicketScenario(world, `kill-${++threads}`)
    } catch (error) {
      const child = await world.child().catch(() => undefined)
      const kills = world.takeKills().map(pointName).join(', ')
      throw new Error(
        `With kills planned ${points.map(pointName).join(', ')} (seed ${seed}; so far ${kills}): ${error}\n${child?.errors()}`,
        { cause: error },
      )
    }
  }

  test.for(chosen)('loses and doubles nothing, killed %j', { timeout: 300_000 }, async (names) => {
    const reached = await converse(names.map(pointOf))
    expect(reached.map(pointName)).toEqual(names)
  })

  if (randomKills === 0) return
  test(`loses and doubles nothing, killed ${randomKills} times at random points`, {
    timeout: 60_000 + randomKills * 60_000,
  }, async () => {
    await converse([])
    const points = pointsOf(world.killer.seen)
    const random = randomFrom(seed)
    const counts = new Map<string, number>()
    let reached = 0
    let conversations = 0
    while (reached < randomKills) {
      const kills = await converse(
        Array.from({ length: 1 + random(3) }, () => points[random(points.length)]!),
      )
      conversations += 1
      reached += kills.length
      for (const point of kills.map(pointName)) counts.set(point, (counts.get(point) ?? 0) + 1)
    }
    console.log(
      `${reached} kills at ${counts.size} of ${points.length} points in ${conversations} conversations (seed ${seed}):\n` +
        [...counts]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([point, count]) => `${count} × ${point}`)
          .join(', '),
    )
  })
})

function pointOf(name: string): KillPoint {
  const [, at, kind, nth] = /^(before|after) (.*) (\d+)$/.exec(name) ?? []
  return { at: at as KillPoint['at'], kind: kind!, nth: Number(nth) }
}
