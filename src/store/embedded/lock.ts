import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { HermesError } from '../../base/errors.ts'
import { pause } from '../../base/wait.ts'

/** A directory that belongs to this process until it is released, or the process dies. */
export interface DirectoryLock {
  release(): void
}

/**
 * Takes a directory for this process; throws `store.locked` where another one has it. The lock is the
 * operating system's own lock on a file, taken through SQLite since Node has no call for it: it is gone
 * the moment its process dies, two processes that start together can't both get it, and process ids that
 * are used again mean nothing.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const owner = join(directory, 'hermes.pid')
  const lock = take(join(directory, 'hermes.lock'))
  if (!lock) throw await inUse(directory, owner)
  writeFileSync(owner, `${process.pid}\n`)
  let held = true
  return {
    release: () => {
      if (held) lock.close()
      held = false
    },
  }
}

// SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy
const busy = 5

function take(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written: the file stays empty, and a journal beside it would have no use.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
}

async function inUse(directory: string, owner: string): Promise<HermesError> {
  // The other process writes its id right after it has the lock; give it that moment.
  let pid = livePid(owner)
  for (let tries = 0; pid === undefined && tries < 20; tries += 1) {
    await pause(25)
    pid = livePid(owner)
  }
  const process = pid === undefined ? 'another process' : `process ${pid}`
  return new HermesError(
    'store.locked',
    `Hermes is already running here (${process}). Stop it or set HERMES_HOME to another folder.`,
    { data: { directory, pid } },
  )
}

function livePid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
    if (!(pid > 0)) return undefined
    process.kill(pid, 0)
    return pid
  } catch (error) {
    // EPERM: it lives, and is another user's.
    if (error instanceof Error && 'code' in error && error.code === 'EPERM')
      return Number.parseInt(readFileSync(path, 'utf8'), 10)
    return undefined
  }
}
