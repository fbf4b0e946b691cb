import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** The figures that Hermes counts. */
export interface Metrics {
  readonly registry: Registry
  /** From an event's arrival to its being committed, in seconds. */
  readonly accepted: Histogram<'channel' | 'kind'>
  /** Turns by how they ended. */
  readonly turns: Counter<'outcome'>
  /** From the first to the last step, in seconds. */
  readonly turnSeconds: Histogram<'outcome'>
  /** Tokens that endpoints used beside the requests of turns, by what for. */
  readonly asideTokens: Counter<'task'>
  /** Work beside the conversation that a limit of the day has put off. */
  readonly putOff: Counter<'task' | 'limit'>
}

/** Makes the counters, with Node's own beside them. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'hermes_' })
  const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
  return {
    registry,
    accepted: new Histogram({
      name: 'hermes_event_accept_seconds',
      help: 'From the arrival of an event to its commit',
      labelNames: ['channel', 'kind'],
      buckets: seconds,
      registers: [registry],
    }),
    turns: new Counter({
      name: 'hermes_turns_total',
      help: 'Turns by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    asideTokens: new Counter({
      name: 'hermes_model_aside_tokens_total',
      help: 'Tokens used beside the requests of turns: learning, summaries, vectors',
      labelNames: ['task'],
      registers: [registry],
    }),
    putOff: new Counter({
      name: 'hermes_put_off_total',
      help: 'Work beside the conversation that a limit of the day has put off',
      labelNames: ['task', 'limit'],
      registers: [registry],
    }),
    turnSeconds: new Histogram({
      name: 'hermes_turn_seconds',
      help: 'Length of turns, waiting for people not counted',
      labelNames: ['outcome'],
      buckets: seconds,
      registers: [registry],
    }),
  }
}
