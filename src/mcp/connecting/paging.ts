import { z } from 'zod'
import type { Session } from './session.ts'

// Against servers whose pages never end.
const maxPages = 100
const maxItems = 2000

/**
 * All pages of a list, each item unchecked: the SDK's own list methods (1.32) return one page, and refuse all of it
 * for one bad item.
 */
export async function allPages(
  session: Session,
  method: string,
  key: string,
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<{ readonly items: readonly unknown[]; readonly complete: boolean }> {
  const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.string().nullish() })
  const items: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let count = 0; count < maxPages && items.length < maxItems; count++) {
    const answer = await session.request(
      { method, params: cursor === undefined ? {} : { cursor } },
      page,
      limits,
    )
    items.push(...(answer[key] as unknown[]))
    const next =
      typeof answer.nextCursor === 'string' && answer.nextCursor !== '' ? answer.nextCursor : undefined
    if (next === undefined) return { items, complete: true }
    if (seen.has(next)) return { items, complete: false }
    seen.add(next)
    cursor = next
  }
  return { items: items.slice(0, maxItems), complete: false }
}
