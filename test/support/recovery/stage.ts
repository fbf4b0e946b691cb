import { startTestApp, type TestApp } from '../app.ts'
import { type ChatBody, type ModelStandIn, type ScriptedReply, startModel } from '../model.ts'
import { openRows, type Rows } from '../rows.ts'
import { plainModel } from './plain-model.ts'
import { type SteadyClient, steadyClient } from './steady-client.ts'

/** A whole Hermes in this process, a model that does what it is told, and a look into the database. */
export interface Stage {
  readonly model: ModelStandIn
  readonly app: TestApp
  readonly rows: Rows
  person(name: string, thread: string): SteadyClient
  /** Requests of turns (not of learning) that say this. */
  requests(said: string): readonly ChatBody[]
  /** Pairs of turns of one thread that were at work at the same moment. */
  overlaps(thread: string): Promise<readonly object[]>
  end(): Promise<void>
}

export async function startStage(
  options: { readonly config?: object; readonly script?: (body: ChatBody) => ScriptedReply } = {},
): Promise<Stage> {
  const model = await startModel()
  const script = options.script ?? plainModel
  model.script((body) => (body.tools === undefined ? { text: '[]' } : script(body)))
  const app = await startTestApp({
    variables: {
      ...model.variables(),
      HERMES_MODEL: 'plain',
    },
    config: options.config ?? {},
  })
  const rows = await openRows(app.home)
  return {
    model,
    app,
    rows,
    person: (name, thread) => steadyClient(app.address, name, thread),
    requests: (said) =>
      model.requests
        .map(({ body }) => body)
        .filter(
          ({ tools, messages }) =>
            tools !== undefined &&
            messages.some(({ role, content }) => role === 'user' && String(content).includes(said)),
        ),
    overlaps: (thread) => overlapsOf(rows, thread),
    async end() {
      await rows.close()
      await app.end()
      await model.stop()
    },
  }
}

/** Pairs of turns of one thread that were at work at the same moment, by their traces. */
export async function overlapsOf(rows: Pick<Rows, 'query'>, thread: string): Promise<readonly object[]> {
  const spans = await rows.query<{ id: string; turn_id: string; name: string; from: Date; to: Date }>(
    `SELECT p.id, p.turn_id, p.name, p.started_at AS from, p.ended_at AS to FROM span p
     JOIN session s ON s.id = p.session_id WHERE s.thread = $1 AND p.parent_id IS NOT NULL AND p.ended_at IS NOT NULL`,
    thread,
  )
  if (spans.length === 0) throw new Error(`The thread ${thread} has left no trace.`)
  return spans.flatMap((one) =>
    spans
      .filter((other) => one.turn_id < other.turn_id && one.from < other.to && other.from < one.to)
      .map((other) => ({ one, other })),
  )
}
