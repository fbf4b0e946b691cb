import { type DateRange, dateKeys, rangeKeys, readDates } from '../search/dates.ts'
import type { Words } from '../search/words.ts'
import type { Asker } from './record.ts'

/** The words by which a memory is found: what was said counts twice as much as what was said around it. */
export function memoryWords(
  words: Words,
  memory: {
    readonly text: string
    readonly original: string
    readonly context: string
    readonly happenedAt: Date
  },
  asker: Asker,
): string {
  const dates = readDates(memory.original, { now: memory.happenedAt, timeZone: asker.timeZone })
  return words.vector(
    [memory.text, memory.text, memory.original === memory.text ? '' : memory.original, memory.context].join(
      '\n',
    ),
    [...new Set([...dateKeys(memory.happenedAt, asker.timeZone), ...keysOf(dates, asker.timeZone)])],
  )
}

function keysOf(dates: readonly DateRange[], timeZone: string): string[] {
  return dates
    .filter((range) => range.hasDay)
    .flatMap((range) => [...rangeKeys(range, timeZone), ...dateKeys(range.start, timeZone)])
}
