import type { Approvals, Click, DecideOptions, Decision } from './approvals.ts'

/** The same click again and again: one is being decided, and those that came meanwhile wait for one more. */
interface Line {
  current: Promise<unknown>
  next: { readonly by: string; readonly decision: Promise<Decision> } | undefined
}

/**
 * Approvals whose equal clicks (same person, same button) share decisions. A storm of them would otherwise queue
 * for the database in front of everyone else, until most could not be answered in time.
 */
export function shareClicks(approvals: Approvals): Approvals {
  const lines = new Map<string, Line>()

  const decide: Approvals['decide'] = async (approvalId, verdict, click, options = {}) => {
    const key = keyOf(approvalId, verdict, click, options)
    const run = () => approvals.decide(approvalId, verdict, click, options)
    const line = lines.get(key)
    if (!line) return begin(key, run)
    line.next ??= { by: click.dedupeKey, decision: follow(key, line, run) }
    const { by, decision } = line.next
    const decided = await decision
    if (by === click.dedupeKey) return decided
    // The click that was run for all had come before; so this one is run, or shares with the next.
    if (decided.kind === 'repeated') return decide(approvalId, verdict, click, options)
    return decided.kind === 'found' ? { ...decided, decided: false } : decided
  }
  return { ...approvals, decide }

  function begin(key: string, run: () => Promise<Decision>): Promise<Decision> {
    const current = run()
    const line: Line = { current, next: undefined }
    lines.set(key, line)
    end(key, line, current)
    return current
  }

  /** Runs when what is being decided is through. */
  function follow(key: string, line: Line, run: () => Promise<Decision>): Promise<Decision> {
    const before = line.current
    return before
      .catch(() => {})
      .then(() => {
        line.next = undefined
        const current = run()
        line.current = current
        end(key, line, current)
        return current
      })
  }

  function end(key: string, line: Line, current: Promise<unknown>): void {
    const forget = () => {
      if (line.current === current && !line.next) lines.delete(key)
    }
    current.then(forget, forget)
  }
}

function keyOf(
  approvalId: string,
  verdict: string,
  { thread, author }: Click,
  { version, all = false, always = false }: DecideOptions,
): string {
  return JSON.stringify([
    approvalId,
    verdict,
    version,
    all,
    always,
    thread.channel,
    thread.workspace,
    author.userId,
  ])
}
