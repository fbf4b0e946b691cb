import { type Spread, short, tableOf } from './figures.ts'
import type { Measured } from './load.ts'

/** Everything that was measured about one process. */
export interface Run {
  readonly subject: string
  /** Is it one of the bare bots, which do nothing else and keep nothing? */
  readonly floor: boolean
  /** On an empty folder or database. */
  readonly coldStartMs?: number
  readonly warmStartMs: number
  readonly stopMs?: number
  /** Resident, MB. */
  readonly memory: { readonly idle: number; readonly after: number; readonly most: number }
  readonly measured: readonly Measured[]
}

/** Whether a target of the project was reached. */
export interface Verdict {
  readonly target: string
  readonly reached: string
  readonly holds: boolean
}

/** The figures as a page of text. */
export function report(machine: string, runs: readonly Run[], seconds: number): string {
  const times = runs.flatMap(({ subject, measured }) => measured.map((one) => timesRow(subject, one)))
  return [
    machine,
    '',
    'Times in ms, p50 / p95. "added" is a turn without the time that the model took: before it was asked, and after',
    'its last word. "cpu" is processor time per turn of the measured process, and of the process that plays the',
    'people, the platforms and the model. "calls" are calls of the platform per turn: discord.js keeps to the 50 a',
    'second that Discord allows a bot, which bounds the turns there. On Slack and Discord the team has a handful of memories, so each turn also looks',
    'for fitting ones by words and by meaning; on the web everybody is new. A load begins when what the one',
    'before it left to do is done.',
    '',
    tableOf([
      [
        '',
        'sessions',
        'turns/s',
        'ack',
        'first sign',
        'finished',
        'added',
        'before',
        'after',
        'cpu',
        'calls',
        'failed',
      ],
      ...times,
    ]),
    '',
    tableOf([
      ['', 'cold start, s', 'warm start, s', 'stop, s', 'memory idle, MB', 'after', 'most'],
      ...runs.map(processRow),
    ]),
    '',
    tableOf([
      ['Target, on 2 cores', 'reached', ''],
      ...verdicts(runs).map(({ target, reached, holds }) => [target, reached, holds ? 'yes' : 'NO']),
    ]),
    '',
    `Took ${seconds.toFixed(0)} s.`,
  ].join('\n')
}

function timesRow(subject: string, one: Measured): string[] {
  return [
    `${subject}: ${one.platform}`,
    String(one.sessions),
    short(one.perSecond),
    ...[one.ack, one.sign, one.finished, one.added, one.before, one.after].map(pair),
    `${short(one.cpu)} + ${short(one.ownCpu)}`,
    one.calls === undefined ? '' : one.calls.toFixed(1),
    String(one.failures),
  ]
}

function processRow({ subject, coldStartMs, warmStartMs, stopMs, memory }: Run): string[] {
  const seconds = (ms: number | undefined) => (ms === undefined ? '' : (ms / 1_000).toFixed(1))
  const { idle, after, most } = memory
  return [
    subject,
    ...[coldStartMs, warmStartMs, stopMs].map(seconds),
    ...[idle, after, most].map((megabytes) => megabytes.toFixed(0)),
  ]
}

function pair(spread: Spread | undefined): string {
  return spread ? `${short(spread.p50)} / ${short(spread.p95)}` : ''
}

/** The targets that this run can speak about. */
export function verdicts(runs: readonly Run[]): readonly Verdict[] {
  const embedded = runs.find(({ subject }) => subject === 'Hermes, embedded')
  const services = runs.find(({ subject }) => subject === 'Hermes, PostgreSQL and Redis')
  const upTo8 = embedded?.measured.filter((one) => one.sessions <= 8) ?? []
  const alone = embedded?.measured.filter((one) => one.sessions === 1) ?? []
  return [
    ...most('acknowledgement p95 < 200 ms, up to 8 busy sessions', upTo8, ({ ack }) => ack?.p95, 200),
    ...most('first sign p95 < 500 ms, up to 8 busy sessions', upTo8, ({ sign }) => sign?.p95, 500),
    ...most('message to finished answer p50 < 60 ms', alone, ({ finished }) => finished?.p50, 60),
    ...rate('embedded: 15 turns/s or more, web and Slack', embedded, 15),
    ...rate('PostgreSQL and Redis: 40 turns/s or more, web and Slack', services, 40),
    ...(embedded ? [below('ready again within 5 s', embedded.warmStartMs / 1_000, 5, 's')] : []),
  ]
}

/** The worst of the platforms has to hold. */
function most(
  target: string,
  measured: readonly Measured[],
  of: (one: Measured) => number | undefined,
  limit: number,
): readonly Verdict[] {
  const values = measured.flatMap((one) => of(one) ?? [])
  return values.length === 0 ? [] : [below(target, Math.max(...values), limit, 'ms')]
}

function below(target: string, value: number, limit: number, unit: string): Verdict {
  return { target, reached: `${short(value)} ${unit}`, holds: value < limit }
}

/** What one process does at its best load, on the platform that it does least on. */
function rate(target: string, run: Run | undefined, limit: number): readonly Verdict[] {
  const own = run?.measured.filter(({ platform }) => platform !== 'discord') ?? []
  if (!run || own.length === 0) return []
  const platforms = [...new Set(own.map(({ platform }) => platform))]
  const best = platforms.map((name) =>
    Math.max(...run.measured.filter(({ platform }) => platform === name).map(({ perSecond }) => perSecond)),
  )
  const least = Math.min(...best)
  return [{ target, reached: `${short(least)} /s`, holds: least >= limit }]
}
