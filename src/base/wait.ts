import { setTimeout as delay } from 'node:timers/promises'
import { HermesError } from './errors.ts'

/** Waits, and ends early (without an error) when the signal fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}

/** Gives work a limit in milliseconds; the work itself has to listen to its own signal to stop. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HermesError('time.out', `${what} took longer than ${ms} ms.`, { data: { ms } })),
      ms,
    )
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Gives work up the moment the signal fires, with the signal's reason; the work's own end is then ignored. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let giveUp = () => {}
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  work.catch(() => {})
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
