import type { Usage } from './chat.ts'

/** What a model costs, in the configured currency. */
export interface Price {
  readonly inputPerMillion: number
  readonly outputPerMillion: number
  /** For input that the endpoint had cached; as other input where not given. */
  readonly cachedPerMillion?: number | undefined
}

/** What a request cost; 0 where the model has no price. A dated name (`gpt-x-2026-01-01`) has the price of its family. */
export function costOf(usage: Usage, model: string, prices: Readonly<Record<string, Price>>): number {
  const name = nameIn(prices, model)
  if (name === undefined) return 0
  const { inputPerMillion, outputPerMillion, cachedPerMillion = inputPerMillion } = prices[name]!
  const cached = Math.min(usage.cachedTokens, usage.inputTokens)
  const fresh = usage.inputTokens - cached
  return (
    (fresh * inputPerMillion + cached * cachedPerMillion + usage.outputTokens * outputPerMillion) / 1_000_000
  )
}

/** Is it known what the model costs? */
export function hasPrice(model: string, prices: Readonly<Record<string, Price>>): boolean {
  return nameIn(prices, model) !== undefined
}

function nameIn(prices: Readonly<Record<string, Price>>, model: string): string | undefined {
  return Object.keys(prices)
    .filter((known) => model === known || model.startsWith(`${known}-`))
    .sort((a, b) => b.length - a.length)[0]
}
