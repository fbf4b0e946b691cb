import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

// What a run of the tests needs at most, in bytes, and what the machine should have left beside it.
const needed = 2 * 1024 ** 3
const spare = 4 * 1024 ** 3

/**
 * Gives a run of the tests a folder for everything temporary, in memory where the machine has room for that:
 * a copy of a database's directory is made there twenty times as fast as on a disk. Called by vitest before any test.
 */
export default function openRoom(): () => void {
  // Templates and compiled code stay for the next run.
  process.env.HERMES_TEST_KEPT ??= tmpdir()
  const rooms = join(inMemory() ?? tmpdir(), `hermes-tests-${userInfo().uid}`)
  mkdirSync(rooms, { recursive: true, mode: 0o700 })
  // What a run left behind that was killed.
  for (const name of readdirSync(rooms)) if (!alive(Number(name))) remove(join(rooms, name))
  const room = join(rooms, String(process.pid))
  mkdirSync(room, { recursive: true })
  process.env.TMPDIR = room
  return () => remove(room)
}

/** Where templates and compiled code are kept from one run to the next. */
export function keptFolder(): string {
  return process.env.HERMES_TEST_KEPT ?? tmpdir()
}

function inMemory(): string | undefined {
  const path = '/dev/shm'
  try {
    accessSync(path, constants.W_OK)
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= needed && freemem() >= spare ? path : undefined
  } catch {
    return undefined
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 })
}
