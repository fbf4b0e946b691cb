import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../observe/log.ts'
import { birthOf, endGroup, groupLives, isMarked } from './process-groups.ts'

/** The variable that marks the processes of a server, so that they are known again after a crash. */
export const markVariable = 'HERMES_MCP_CHILD'

/**
 * The children of this process, on disk: when Hermes is killed, its next start ends what stayed behind. One
 * file per child, since several processes may share a home and none may end the children of another.
 */
export interface Children {
  add(child: { readonly pid: number; readonly server: string; readonly mark: string }): void
  remove(pid: number): void
  /** Ends the groups whose owner no longer lives; returns the names of their servers. */
  endOrphans(): Promise<readonly string[]>
}

const record = z.object({
  server: z.string(),
  pid: z.int().min(2),
  birth: z.string().optional(),
  mark: z.string().min(8),
  owner: z.int().min(1),
  ownerBirth: z.string().optional(),
})

export function createChildren(home: string, log: Log): Children {
  const folder = join(home, 'mcp-children')
  const ownerBirth = birthOf(process.pid)
  const fileOf = (pid: number) => join(folder, `${pid}.json`)

  return {
    add({ pid, server, mark }) {
      try {
        mkdirSync(folder, { recursive: true })
        const child = { server, pid, birth: birthOf(pid), mark, owner: process.pid, ownerBirth }
        writeFileSync(fileOf(pid), JSON.stringify(child), { mode: 0o600 })
      } catch (error) {
        // A server without a record works; only its end after a crash of Hermes is not sure.
        log.warn({ server, error: messageOf(error) }, 'The child process of an MCP server is not on record.')
      }
    },

    remove(pid) {
      rmSync(fileOf(pid), { force: true })
    },

    async endOrphans() {
      const found = read(folder).filter(({ child }) => {
        const ours = child.owner === process.pid && child.ownerBirth === ownerBirth
        const ownerLives = child.ownerBirth !== undefined && birthOf(child.owner) === child.ownerBirth
        return !ours && !ownerLives
      })
      const ended = await Promise.all(
        found.map(async ({ file, child }) => {
          const lives = groupLives(child.pid) && isTheSame(child)
          if (lives) await endGroup(child.pid, { askMs: 1000, forceMs: 1000 })
          rmSync(file, { force: true })
          return lives ? [child.server] : []
        }),
      )
      return ended.flat()
    },
  }
}

type ChildRecord = z.infer<typeof record>

// The number of a group may by now belong to others: the leader is known by its birth, and where only
// grandchildren are left, they are known by the mark in their environment.
function isTheSame(child: ChildRecord): boolean {
  if (child.birth !== undefined && birthOf(child.pid) === child.birth) return true
  return isMarked(child.pid, `${markVariable}=${child.mark}`)
}

function read(folder: string): { file: string; child: ChildRecord }[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const file = join(folder, name)
    try {
      const parsed = record.safeParse(JSON.parse(readFileSync(file, 'utf8')))
      if (parsed.success) return [{ file, child: parsed.data }]
    } catch {
      // Half a record of a killed process.
    }
    rmSync(file, { force: true })
    return []
  })
}
