import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { codeOf } from '../../base/errors.ts'
import { pause } from '../../base/wait.ts'

// A server started through a shell or npx leaves grandchildren behind when only the child is ended, so each
// server gets a process group of its own, which is ended as a whole. Windows has no groups; there the tree is
// ended by taskkill.
const windows = process.platform === 'win32'

/** May a child be started as the leader of its own process group here? */
export const hasProcessGroups = !windows

/** Names one life of a process: ids are used again, the moment of a birth is not. */
export function birthOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      const start = statOf(pid)?.start
      return start === undefined ? undefined : `${boot}:${start}`
    }
    if (windows) return undefined
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 2000 })
    return text.trim() || undefined
  } catch {
    return undefined
  }
}

/** Was a living member of the group started with an environment that holds the mark (known on Linux only)? */
export function isMarked(group: number, mark: string): boolean {
  return livingMembers(group).some((pid) => environOf(pid).includes(mark))
}

/** Does the group have a process that still runs? */
export function groupLives(group: number): boolean {
  try {
    process.kill(windows ? group : -group, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  // Orphans that ended stay in the group until the system's first process takes note of it, which in a container
  // without an init may be never.
  return process.platform !== 'linux' || livingMembers(group).length > 0
}

function livingMembers(group: number): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = statOf(pid)
      return stat?.group === group && stat.state !== 'Z'
    })
}

/** Ends a group: asks, waits, then forces. False when something of it still lives after all that. */
export async function endGroup(
  group: number,
  limits: { readonly askMs: number; readonly forceMs: number },
): Promise<boolean> {
  send(group, 'SIGTERM')
  if (await gone(group, limits.askMs)) return true
  send(group, 'SIGKILL')
  return gone(group, limits.forceMs)
}

function send(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (windows)
      execFileSync('taskkill', ['/PID', String(group), '/T', '/F'], { stdio: 'ignore', timeout: 5000 })
    else process.kill(-group, signal)
  } catch {
    // It has ended by itself, which is what is wanted.
  }
}

async function gone(group: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (groupLives(group)) {
    if (performance.now() >= end) return false
    await pause(25)
  }
  return true
}

function statOf(pid: number): { state: string; group: number; start: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): the command in parentheses may hold anything, the fields after it are state (3), ppid, pgrp (5),
    // and starttime (22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', group: Number(fields[2]), start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}
