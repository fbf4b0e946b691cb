import { randomFillSync } from 'node:crypto'

/** The prefixes of the ids that people and tools see. */
export type IdPrefix =
  | 'per'
  | 'idn'
  | 'link'
  | 'sess'
  | 'evt'
  | 'turn'
  | 'msg'
  | 'ref'
  | 'call'
  | 'apr'
  | 'fail'
  | 'hand'
  | 'mem'
  | 'rev'
  | 'doc'
  | 'chk'
  | 'rem'
  | 'tkt'
  | 'cmt'
  | 'dlv'
  | 'mcp'
  | 'pin'
  | 'grant'
  | 'wfl'
  | 'inst'
  | 'aud'
  | 'span'
  | 'use'

/** Makes a new id: the prefix, an underscore and a UUIDv7 in 32 hex digits, so that ids sort by time. */
export type Ids = (prefix: IdPrefix) => string

/** Ids whose order within one process is the order of their making, also within one millisecond. */
export function createIds(now: () => number = Date.now): Ids {
  let lastMs = 0
  let counter = 0
  // Asking the system for 8 bytes takes as long as asking for 4,096.
  const pool = Buffer.alloc(4_096)
  let used = pool.length
  return (prefix) => {
    let ms = now()
    if (ms <= lastMs) {
      ms = lastMs
      counter += 1
      // RFC 9562, section 6.2, method 1: a counter of 12 bits; when it is full, time is borrowed.
      if (counter > 0xfff) {
        ms = lastMs + 1
        counter = 0
      }
    } else {
      counter = 0
    }
    lastMs = ms
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    pool[used] = (pool[used]! & 0x3f) | 0x80
    const random = pool.toString('hex', used, used + 8)
    used += 8
    const time = ms.toString(16).padStart(12, '0')
    const count = counter.toString(16).padStart(3, '0')
    return `${prefix}_${time}7${count}${random}`
  }
}
