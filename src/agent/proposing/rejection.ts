import { isSmallTalk } from '../../session/intent/chat.ts'
import { readDecision } from '../../session/intent/decision.ts'
import type { LedgerCall, Snapshot } from '../../session/transcript.ts'
import { hashOf } from '../../tools/hash.ts'

/**
 * Calls of the turn that a person rejected. Where somebody said something since that is more than the "no" itself,
 * it may ask for them again, and nothing counts as rejected.
 */
export function rejectedIn(snapshot: Snapshot, turnId: string): readonly LedgerCall[] {
  const own = snapshot.messages.filter((message) => message.turnId === turnId && !message.removed)
  return own.flatMap((message) => {
    const cancelled = message.calls.filter((call) => call.status === 'cancelled')
    const asked =
      cancelled.length > 0 &&
      own.some(
        (later) =>
          later.role === 'user' &&
          later.seq > message.seq &&
          readDecision(later.text) === undefined &&
          !isSmallTalk(later.text),
      )
    return asked ? [] : cancelled
  })
}

/** Is it a call that was rejected, with arguments that differ in nothing that matters? */
export function isRejectedAgain(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  rejected: readonly LedgerCall[],
): boolean {
  return rejected.some((call) => call.tool === tool && gist(call.arguments) === gist(args))
}

/** Arguments without what makes no difference to a person: case, spaces, marks, empty fields, the order of lists. */
function gist(args: Readonly<Record<string, unknown>>): string {
  return hashOf(plain(args))
}

function plain(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const words = String(value).normalize('NFKC').toLowerCase()
    // Between digits and before them marks do matter: 1.5 is not 15, and -5 not 5.
    const text = words.replace(/(?<!\d)[.,:]|[.,:](?!\d)|[^\p{L}\p{N}.,:+-]+|[-+](?!\d)/gu, ' ')
    return text.replace(/\s+/g, ' ').trim()
  }
  if (Array.isArray(value)) return value.map(plain).filter(isSaid).map(hashOf).sort()
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, plain(item)] as const)
        .filter(([, item]) => isSaid(item)),
    )
  }
  return undefined
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === '') return false
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}
