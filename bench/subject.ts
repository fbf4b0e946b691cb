import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

/** A process that is measured. */
export interface Subject {
  /** From its start until it was ready, ms. */
  readonly startMs: number
  /** Resident memory now, and the most it ever was, MB. */
  memory(): { readonly now: number; readonly most: number }
  /** Processor time of all its threads so far, ms. */
  cpu(): number
  /** Waits until it has done what a load leaves to do afterwards (learning, summaries), 20 s at most. */
  rest(): Promise<void>
  /** What it wrote to standard error. */
  errors(): string
  /** Ends it by SIGTERM, and gives the ms that it took. */
  stop(): Promise<number>
}

/** A process that works for less than this in a second, in ms, only waits. */
const busyMs = 150

/** Starts a script on this Node, and waits until it is ready. */
export async function startSubject(
  file: string,
  options: {
    readonly args?: readonly string[]
    readonly nodeArgs?: readonly string[]
    readonly env: Readonly<Record<string, string>>
    readonly cwd?: string
    /** Is it ready, by what it wrote to standard error or otherwise? */
    readonly ready: (printed: string) => boolean | Promise<boolean>
    readonly limitMs?: number
  },
): Promise<Subject> {
  const { args = [], nodeArgs = [], env, cwd, ready, limitMs = 120_000 } = options
  const started = performance.now()
  const child = spawn(process.execPath, [...nodeArgs, file, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr!.on('data', (piece) => {
    errors = (errors + piece).slice(-20_000)
  })
  // Nothing that is measured outlives the measurement, however that ends.
  const leave = () => child.kill('SIGKILL')
  process.once('exit', leave)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await ready(errors))) {
    if (child.exitCode !== null || performance.now() - started > limitMs) {
      child.kill('SIGKILL')
      throw new Error(`${file} did not become ready:\n${errors}`)
    }
    await delay(10)
  }
  return {
    startMs: performance.now() - started,
    memory: () => ({ now: statusOf(child, 'VmRSS'), most: statusOf(child, 'VmHWM') }),
    cpu: () => cpuOf(child),
    async rest() {
      for (let second = 0; second < 20; second += 1) {
        const before = cpuOf(child)
        await delay(1_000)
        if (cpuOf(child) - before < busyMs) return
      }
    },
    errors: () => errors,
    async stop() {
      const asked = performance.now()
      child.kill('SIGTERM')
      const killed = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(killed)
      process.off('exit', leave)
      return performance.now() - asked
    },
  }
}

// Linux only, as are the targets; elsewhere the figures are left at zero.
function statusOf(child: ChildProcess, field: string): number {
  const status = proc(child, 'status')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

// Fields 14 and 15 of proc(5), in hundredths of a second; the name in field 2 may hold spaces.
function cpuOf(child: ChildProcess): number {
  const fields = proc(child, 'stat').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

function proc(child: ChildProcess, file: string): string {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
