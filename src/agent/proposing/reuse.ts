import type { LedgerCall } from '../../session/transcript.ts'
import type { Tool } from '../../tools/tool.ts'

/**
 * The earlier call of the same person whose result still holds for a read: the same tool as it is defined now, the
 * same arguments, within the tool's time, and nothing was changed from here since then.
 */
export function reusableResult(
  tool: Tool,
  argumentsHash: string,
  at: { readonly calls: readonly LedgerCall[]; readonly personId: string; readonly now: Date },
): { readonly call: LedgerCall; readonly ageSeconds: number } | undefined {
  if (tool.effect !== 'read' || tool.cacheSeconds === 0) return undefined
  const since = at.now.getTime() - tool.cacheSeconds * 1_000
  // A call that was itself answered from an earlier one never started, so an answer does not live on by being reused.
  const ran = at.calls.filter((call) => call.startedAt !== null && Date.parse(call.startedAt) >= since)
  const call = ran.findLast(
    (one) =>
      one.tool === tool.name &&
      one.argumentsHash === argumentsHash &&
      one.definitionHash === tool.definitionHash &&
      one.personId === at.personId &&
      one.status === 'succeeded' &&
      // What was told instead of it is no result of its own.
      one.failureCode === null,
  )
  if (!call) return undefined
  const startedAt = Date.parse(call.startedAt!)
  if (ran.some((other) => other.effect !== 'read' && Date.parse(other.startedAt!) >= startedAt))
    return undefined
  return { call, ageSeconds: Math.max(0, Math.round((at.now.getTime() - startedAt) / 1_000)) }
}

/** The result as the model is told it again: with its age, so that it can say so. */
export function reusedText(text: string, ageSeconds: number): string {
  return `[Looked up ${ageSeconds} s ago in this conversation; where the person wants it looked up anew, tell them to ask for that.]\n${text}`
}
