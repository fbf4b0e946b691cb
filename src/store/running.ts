import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const name = 'running.json'

/** Notes where the embedded database of a running process is reached, readable by its owner alone. */
export function noteRunning(home: string, url: string): void {
  writeFileSync(join(home, name), JSON.stringify({ url }), { mode: 0o600 })
}

export function forgetRunning(home: string): void {
  rmSync(join(home, name), { force: true })
}

/** Where the database of a process that runs on this folder may be reached; it may be gone. */
export function runningUrl(home: string): string | undefined {
  try {
    const { url } = JSON.parse(readFileSync(join(home, name), 'utf8')) as { url?: unknown }
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}
