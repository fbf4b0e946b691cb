import type { Settings } from '../../config/environment.ts'
import type { Config } from '../../config/file.ts'
import { hasPrice } from '../../model/prices.ts'
import { type Finding, ok, warn } from './finding.ts'

/** Has every model that may be asked a price, where costs are limited? Without one it counts as free. */
export function checkPrices({ model, embedding }: Settings, config: Config): readonly Finding[] {
  const { turnCost, personDayCost, dayCost } = config.limits
  const { prices } = config.model
  if (turnCost + personDayCost + dayCost === 0 && Object.keys(prices).length === 0) return []
  const asked = [
    ...(model.state === 'endpoint' ? [model.name, ...model.fallbacks] : []),
    ...(model.state === 'endpoint' ? config.profiles.flatMap((profile) => profile.model?.name ?? []) : []),
    ...(embedding.state === 'endpoint' ? [embedding.model] : []),
  ]
  const free = [...new Set(asked)].filter((name) => !hasPrice(name, prices))
  if (free.length === 0) return [ok('Prices', `known of every model, in ${config.model.currency}`)]
  return [
    warn(
      'Prices',
      `model.prices has none for ${free.join(', ')}, so limits of cost do not hold for it. Add it to model.prices.`,
    ),
  ]
}
