import { DateTime } from 'luxon'
import { type Language, phrases } from '../../base/words.ts'
import type { Profile } from '../../session/profiles.ts'
import type { NewAudit } from '../../session/step.ts'
import type { OpenTurn, Snapshot } from '../../session/transcript.ts'
import type { Database } from '../../store/client.ts'
import type { AgentParts, AgentSettings, SpendingLimits, TurnContext } from '../parts.ts'
import { limitWords } from './limit-words.ts'

/** A limit that ends the turn: the sentence for the person, the turn's outcome, and the entry of the audit log. */
export interface Reached {
  readonly sentence: string
  readonly outcome: string
  readonly audit: NewAudit
}

/** Which limit keeps the turn from asking the model again, if any. */
export async function limitReached(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  snapshot: Snapshot,
  startedAt: number,
): Promise<Reached | undefined> {
  const found =
    ofTurn(parts, at, turn, snapshot, startedAt) ?? (await ofDay(parts, at, turn, parts.clock.now()))
  if (!found) return undefined
  const { words, outcome, limit, value } = found
  const done = doneSoFar(parts, at.language, turn, snapshot)
  const data = { limit: outcome, at: value, most: limit, turn: turn.id }
  return {
    sentence: [words, done].filter((part) => part !== '').join('\n\n'),
    outcome,
    audit: {
      id: parts.ids('aud'),
      action: 'limit.reached',
      personId: turn.personId,
      subjectId: turn.id,
      data,
    },
  }
}

interface Found {
  readonly words: string
  readonly outcome: string
  readonly limit: number
  readonly value: number
}

function ofTurn(
  parts: AgentParts,
  at: TurnContext,
  turn: OpenTurn,
  snapshot: Snapshot,
  startedAt: number,
): Found | undefined {
  const { clock } = parts
  const settings = { ...parts.settings, ...limitsOf(at.profile) }
  const words = phrases(at.language)
  const { turnCost, currency } = settings.spending
  const elapsed = clock.monotonic() - startedAt
  const repeats = snapshot.messages
    .filter((message) => message.turnId === turn.id)
    .flatMap((message) => message.calls)
    .filter((call) => call.failureCode === 'repeated').length
  if (turn.step >= settings.steps)
    return { words: words.tooManySteps(turn.step), outcome: 'steps', limit: settings.steps, value: turn.step }
  if (elapsed > settings.turnMs) {
    const minutes = Math.max(1, Math.round(settings.turnMs / 60_000))
    return {
      words: words.tooLong(minutes),
      outcome: 'time',
      limit: settings.turnMs,
      value: Math.round(elapsed),
    }
  }
  if (turn.tokens > settings.turnTokens)
    return { words: words.tooMuch, outcome: 'tokens', limit: settings.turnTokens, value: turn.tokens }
  if (turnCost > 0 && turn.cost >= turnCost) {
    const most = money(turnCost, currency, at.language)
    return {
      words: limitWords(at.language).turnCost(most),
      outcome: 'cost',
      limit: turnCost,
      value: turn.cost,
    }
  }
  if (repeats >= settings.identicalCalls)
    return { words: words.sameCallAgain, outcome: 'repeats', limit: settings.identicalCalls, value: repeats }
  return undefined
}

/** What a profile allows a turn, where it says so. */
function limitsOf({ limits }: Profile): Partial<Pick<AgentSettings, 'steps' | 'turnMs' | 'turnTokens'>> {
  return {
    ...(limits.steps === undefined ? {} : { steps: limits.steps }),
    ...(limits.turnSeconds === undefined ? {} : { turnMs: limits.turnSeconds * 1_000 }),
    ...(limits.turnTokens === undefined ? {} : { turnTokens: limits.turnTokens }),
  }
}

/** The limits of the day, in words. */
async function ofDay(
  parts: AgentParts,
  { language, person }: TurnContext,
  turn: OpenTurn,
  now: Date,
): Promise<Found | undefined> {
  const { spending, timeZone } = parts.settings
  const over = await dayLimit({ db: parts.db, spending, timeZone }, turn.personId, now)
  if (!over) return undefined
  const words = limitWords(language)
  // The day is that of the house for everybody; its end is told by the clock of whoever reads it.
  const tomorrow = DateTime.fromJSDate(now, { zone: timeZone }).startOf('day').plus({ days: 1 })
  const again = `${tomorrow.setZone(person.timeZone).toFormat('HH:mm')} (${person.timeZone})`
  const { outcome, limit } = over
  const most = outcome.endsWith('cost') ? money(limit, spending.currency, language) : words.tokens(limit)
  const sentence = outcome.startsWith('person') ? words.personDay(most, again) : words.day(most, again)
  return { words: sentence, ...over }
}

/** A limit of the day that is reached, for a person or (by nobody's name) for all. Where none is set, nobody is asked. */
export async function dayLimit(
  parts: {
    readonly db: Database
    readonly spending: Omit<SpendingLimits, 'turnCost' | 'currency' | 'prices'>
    readonly timeZone: string
  },
  personId: string,
  now: Date,
): Promise<{ readonly outcome: string; readonly limit: number; readonly value: number } | undefined> {
  const { personDayTokens, personDayCost, dayTokens, dayCost } = parts.spending
  if (personDayTokens + personDayCost + dayTokens + dayCost === 0) return undefined
  const day = DateTime.fromJSDate(now, { zone: parts.timeZone }).startOf('day')
  const spent = await spentSince(parts.db, personId, day.toJSDate(), dayTokens + dayCost > 0)
  const over = (
    [
      ['person_day_tokens', personDayTokens, spent.person.tokens],
      ['person_day_cost', personDayCost, spent.person.cost],
      ['day_tokens', dayTokens, spent.all.tokens],
      ['day_cost', dayCost, spent.all.cost],
    ] as const
  ).find(([, limit, value]) => limit > 0 && value >= limit)
  return over && { outcome: over[0], limit: over[1], value: over[2] }
}

interface Spent {
  readonly tokens: number
  readonly cost: number
}

/** What turns used, and what was used beside them. */
async function spentSince(
  db: Database,
  personId: string,
  since: Date,
  byAll: boolean,
): Promise<{ readonly person: Spent; readonly all: Spent }> {
  const sum = async (ofPerson: boolean): Promise<Spent> => {
    const whose = ofPerson ? { personId } : {}
    const what = { inputTokens: true, outputTokens: true, cost: true } as const
    const sums = await Promise.all([
      db.turn.aggregate({ where: { startedAt: { gte: since }, ...whose }, _sum: what }),
      db.modelUse.aggregate({ where: { at: { gte: since }, ...whose }, _sum: what }),
    ])
    return {
      tokens: sums.reduce((all, { _sum }) => all + (_sum.inputTokens ?? 0) + (_sum.outputTokens ?? 0), 0),
      cost: sums.reduce((all, { _sum }) => all + (_sum.cost ?? 0), 0),
    }
  }
  const [person, all] = await Promise.all([sum(true), byAll ? sum(false) : { tokens: 0, cost: 0 }])
  return { person, all }
}

/** What the turn has done and found by now, in a sentence each. */
function doneSoFar(parts: AgentParts, language: Language, turn: OpenTurn, snapshot: Snapshot): string {
  const calls = snapshot.messages
    .filter((message) => message.turnId === turn.id)
    .flatMap((message) => message.calls)
    .filter((call) => call.status === 'succeeded')
  const title = (name: string) => parts.registry.find(name)?.title(language) ?? name
  const changed = calls.filter((call) => call.effect !== 'read').map((call) => call.told ?? title(call.tool))
  const looked = [...new Set(calls.filter((call) => call.effect === 'read').map((call) => title(call.tool)))]
  const words = limitWords(language)
  return [
    ...(changed.length > 0 ? [words.done(changed)] : []),
    ...(looked.length > 0 ? [words.looked(looked)] : []),
    ...(changed.length === 0 ? [words.nothingChanged] : []),
  ].join(' ')
}

/** An amount as people write it. A currency that nobody knows stands as it is. */
function money(amount: number, currency: string, language: Language): string {
  try {
    const digits = amount < 1 ? 4 : 2
    return new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en', {
      style: 'currency',
      currency,
      maximumFractionDigits: digits,
      minimumFractionDigits: Math.min(digits, 2),
    }).format(amount)
  } catch {
    return `${amount} ${currency}`
  }
}
