import pg from 'pg'
import { type DatabaseProxy, startDatabaseProxy } from '../database-proxy.ts'
import { answerLearning } from '../learning.ts'
import { type ChatBody, type ModelStandIn, type ScriptedReply, startModel } from '../model.ts'
import { type Child, freePort, freshHome, spawnChild } from './child.ts'
import type { KillPoint } from './kill-points.ts'
import { createKiller, type Killer } from './killer.ts'

/** One Hermes in a process of its own that is killed and started again, and everything around it that stays. */
export interface World {
  readonly address: string
  readonly model: ModelStandIn
  readonly proxy: DatabaseProxy
  readonly killer: Killer
  /** The database itself, beside the proxy. */
  query<T extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
  /** Decides what the model answers; learning has its own answer. */
  script(script: (body: ChatBody) => ScriptedReply): void
  /** Where the process was killed since this was asked last. */
  takeKills(): readonly KillPoint[]
  /** The process that runs now, when it is ready. */
  child(): Promise<Child>
  close(): Promise<void>
}

export interface WorldOptions {
  /** The database that everything is in; it is not closed. */
  readonly url: string
  readonly config?: object
  readonly variables?: Readonly<Record<string, string>>
  /** The points for the next processes; asked at each restart. */
  readonly nextPoint?: () => KillPoint | undefined
  /** A gateway and a worker, each a process of its own, instead of one that is both. */
  readonly apart?: boolean
}

/** Which processes a kill ends: those that run the statement, and each third time all of them. */
const gatewayKinds: ReadonlySet<string> = new Set(['event accepted', 'decision', 'bell rung'])

/** Starts Hermes behind a proxy to its database, at the port where it will always be found. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const proxy = await startDatabaseProxy(options.url)
  const model = await startModel()
  const home = await freshHome(options.config)
  const port = await freePort()
  const database = new pg.Client({ connectionString: options.url })
  await database.connect()
  let kills: KillPoint[] = []
  let closing = false
  const roles = options.apart ? (['gateway', 'worker'] as const) : ([undefined] as const)
  const spawn = (role: (typeof roles)[number]) =>
    spawnChild({
      home: home.path,
      port: role === 'worker' ? 0 : port,
      ...(role ? { role } : {}),
      variables: {
        DATABASE_URL: proxy.url,
        ...model.variables(),
        ...options.variables,
      },
    })
  const children: Child[] = roles.map(spawn)
  const allReady = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.ready))
  }
  let standing = allReady()
  let count = 0

  const victimsOf = (point: KillPoint): readonly number[] => {
    count += 1
    if (!options.apart) return [0]
    return count % 3 === 0 ? [0, 1] : gatewayKinds.has(point.kind) ? [0] : [1]
  }
  const restart = async (victims: readonly number[]) => {
    await Promise.all(victims.map((index) => children[index]!.ended))
    // The lease of a process that is gone lives on for up to 15 s. That it ends is shown elsewhere; here it is
    // made to have ended already, so that a hundred kills don't take half an hour.
    if (victims.includes(children.length - 1))
      await database.query(
        `UPDATE session SET lease_expires_at = now() - interval '1 second' WHERE lease_owner IS NOT NULL`,
      )
    killer.arm(options.nextPoint?.())
    for (const index of victims) children[index] = spawn(roles[index])
    await allReady()
  }
  const killer = createKiller(proxy, (point) => {
    if (closing) return
    kills.push(point)
    const victims = victimsOf(point)
    for (const index of victims) children[index]!.kill('SIGKILL')
    standing = restart(victims)
    // Killed again while it starts: the next restart tells.
    standing.catch(() => {})
  })
  await standing

  answerLearning(model)
  return {
    address: `http://127.0.0.1:${port}`,
    model,
    proxy,
    killer,
    async query<T extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) {
      return (await database.query<T>(sql, [...values])).rows
    },
    script(script) {
      model.script((body) => {
        if (body.tools === undefined) return { text: '[]' }
        const going = killer.modelAsked()
        if (going === 'none') return { hang: true }
        const reply = script(body)
        return going === 'half' && 'text' in reply ? { ...reply, chunkSize: 8, delayMs: 60 } : reply
      })
    },
    takeKills() {
      const taken = kills
      kills = []
      return taken
    },
    async child() {
      let before: Promise<void> | undefined
      while (before !== standing) {
        before = standing
        await before.catch(() => {})
      }
      await standing
      return children[0]!
    },
    async close() {
      closing = true
      proxy.watch(undefined)
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => child.ended))
      await database.end()
      await proxy.close()
      await home.remove()
      await model.stop()
    },
  }
}
