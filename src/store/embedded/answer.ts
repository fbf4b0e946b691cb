import { framesOf } from './frames.ts'

/** What a whole answer of the backend means for the server. */
export interface Answer {
  /** What the client gets. */
  readonly bytes: Buffer
  readonly notifications: readonly Buffer[]
  /** The last ReadyForQuery: idle, in a transaction, or in a failed one. */
  readonly status: string | undefined
  /** Tags of the commands that change what is listened to. */
  readonly tags: ReadonlySet<string>
}

const watchedTags = new Set(['LISTEN', 'UNLISTEN', 'DISCARD ALL'])

/** Takes notifications out of an answer: PGlite gives them to whoever ran the last message. */
export function readAnswer(answer: Buffer): Answer {
  const notifications: Buffer[] = []
  const kept: Buffer[] = []
  const tags = new Set<string>()
  let status: string | undefined
  let from = 0
  let offset = 0
  for (const { type, frame } of framesOf(answer)) {
    if (type === 'A') {
      kept.push(answer.subarray(from, offset))
      from = offset + frame.length
      notifications.push(frame)
    } else if (type === 'Z') {
      status = String.fromCharCode(frame[5]!)
    } else if (type === 'C' && frame.length < 20) {
      const tag = frame.toString('latin1', 5, frame.length - 1)
      if (watchedTags.has(tag)) tags.add(tag)
    }
    offset += frame.length
  }
  const bytes = from === 0 ? answer : Buffer.concat([...kept, answer.subarray(from)])
  return { bytes, notifications, status, tags }
}
