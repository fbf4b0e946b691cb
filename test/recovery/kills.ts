import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { type KillPoint, pointName } from '../support/recovery/kill-points.ts'
import { pointsOf } from '../support/recovery/killer.ts'
import { randomFrom } from '../support/recovery/random.ts'
import { runScenario, type Scenario } from '../support/recovery/scenario.ts'
import { confirming, scenarioModel, scenarios } from '../support/recovery/scenarios.ts'
import { startWorld, type World } from '../support/recovery/world.ts'

/** How many more kills than the chosen ones, at random points of all scenarios; each costs a start. */
const randomKills = Number(process.env.HERMES_KILLS ?? 0)
const seed = Number(process.env.HERMES_KILLS_SEED ?? Date.now() % 1_000_000)
/** Only these scenarios, by their names. */
const only = process.env.HERMES_KILLS_SCENARIOS?.split(',')

/** What a process that is killed promises, at these points and at random ones. */
export function describeKills(
  where: string,
  open: () => Promise<TestDatabase>,
  chosen: readonly (readonly string[])[],
  how: { readonly apart?: boolean } = {},
): void {
  describe(`a process that is killed, ${where},`, () => {
    let database: TestDatabase
    let world: World
    let plan: KillPoint[] = []
    let threads = 0

    beforeAll(async () => {
      database = await open()
      world = await startWorld({ url: database.url, nextPoint: () => plan.shift(), ...how })
      world.script(scenarioModel)
    }, 240_000)
    afterAll(async () => {
      await world?.close()
      await database?.close()
    }, 60_000)

    /** Has the conversation with kills at these points, and gives those that were reached. */
    const converse = async (
      scenario: Scenario,
      points: readonly KillPoint[],
    ): Promise<readonly KillPoint[]> => {
      await world.child()
      plan = points.slice(1)
      try {
        return await runScenario(world, scenario, `${scenario.name}-${++threads}`, points[0])
      } catch (error) {
        const child = await world.child().catch(() => undefined)
        const kills = world.takeKills().map(pointName).join(', ')
        throw new Error(
          `${scenario.name}, with kills planned ${points.map(pointName).join(', ')} (seed ${seed}; so far ${kills}): ${error}\n${child?.errors()}`,
          { cause: error },
        )
      }
    }

    test.for(chosen)('loses and doubles nothing: %j', { timeout: 300_000 }, async (names) => {
      const reached = await converse(confirming, names.map(pointOf))
      expect(reached.map(pointName)).toEqual(names)
    })

    // Only for those who ask for it: a kill costs seconds.
    if (randomKills > 0)
      test(`loses and doubles nothing: ${randomKills} times, at random points of all scenarios`, {
        timeout: 60_000 + randomKills * 60_000,
      }, async () => {
        const random = randomFrom(seed)
        const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
        const points = new Map<Scenario, readonly KillPoint[]>()
        for (const scenario of scenarios) {
          if (only && !only.includes(scenario.name)) continue
          await converse(scenario, [])
          points.set(scenario, pointsOf(world.killer.seen))
        }
        const counts = new Map<string, number>()
        let reached = 0
        let conversations = 0
        while (reached < randomKills) {
          const scenario = pick([...points.keys()])
          const planned = Array.from({ length: 1 + random(3) }, () => pick(points.get(scenario)!))
          const kills = await converse(scenario, planned)
          conversations += 1
          reached += kills.length
          for (const point of kills) {
            const name = `${scenario.name}: ${pointName(point)}`
            counts.set(name, (counts.get(name) ?? 0) + 1)
          }
        }
        const known = [...points.values()].flat().length
        const [all] = await world.query<Record<string, number>>(
          `SELECT (SELECT count(*) FROM inbound_event WHERE kind = 'message')::int AS messages,
            (SELECT count(*) FROM message WHERE role = 'assistant' AND final)::int AS answers,
            (SELECT count(*) FROM tool_call WHERE effect = 'write' AND status = 'succeeded')::int AS effects,
            (SELECT count(*) FROM tool_call WHERE status = 'unknown')::int AS unknown`,
        )
        console.log(
          `${JSON.stringify(all)}\n${reached} kills at ${counts.size} of ${known} points in ${conversations} conversations (seed ${seed}):\n` +
            [...counts]
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([point, count]) => `${count} × ${point}`)
              .join('\n'),
        )
      })
  })
}

function pointOf(name: string): KillPoint {
  const [, at, kind, nth] = /^(before|after) (.*) (\d+)$/.exec(name) ?? []
  return { at: at as KillPoint['at'], kind: kind!, nth: Number(nth) }
}
