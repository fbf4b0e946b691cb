import { type ChatReply, ModelError } from '../../model/chat.ts'
import type { AssembledContext } from '../../session/context.ts'
import type { Snapshot } from '../../session/transcript.ts'
import type { AgentParts, TurnContext } from '../parts.ts'
import { assemble, recallFor } from './context.ts'
import { offeredTools, prepareOffer, scoreLines } from './offering.ts'
import { queryOf } from './query.ts'
import { watchInbox } from './watching.ts'

/** Thrown inside a step when the person has said something new meanwhile. */
class Interrupted extends Error {}

/** Asks the model, and gives up its reply as soon as the person says something new. */
export async function think(
  parts: AgentParts,
  at: TurnContext,
  snapshot: Snapshot,
  onText: (textSoFar: string) => void,
  /** A share of the usual context, for a model that found it too long. */
  shrink = 1,
): Promise<{ readonly reply: ChatReply; readonly assembled: AssembledContext } | 'interrupted'> {
  const query = queryOf(snapshot, at.turnId)
  prepareOffer(parts, at, query)
  await recallFor(parts, at, query)
  const model = parts.modelOf(at.profile)
  const { tools, scored } = await offeredTools(
    parts,
    at,
    snapshot,
    query,
    model.contextWindow * parts.settings.inputShare * shrink,
  )
  at.offered = tools
  const offers = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const assembled = assemble(parts, at, snapshot, shrink, parts.countTools(offers))
  for (const warning of assembled.warnings) parts.log.warn({ turn: at.turnId }, warning)

  const watch = new AbortController()
  const signal = AbortSignal.any([at.lease.signal, watch.signal])
  const stopWatching = watchInbox(parts, at, () => watch.abort(new Interrupted()))
  try {
    return await at.trace.root.span(
      'model',
      {
        model: model.name,
        sections: assembled.tokens,
        offered: tools.length,
        scores: scoreLines(scored),
      },
      async (span) => {
        const reply = await model.complete(
          {
            messages: assembled.messages,
            tools: offers,
            maxOutputTokens: Math.floor(model.contextWindow * parts.settings.outputShare),
          },
          { signal, onText },
        )
        span.note({
          model: reply.model,
          attempts: reply.attempts,
          inputTokens: reply.usage.inputTokens,
          outputTokens: reply.usage.outputTokens,
          cachedTokens: reply.usage.cachedTokens,
          finish: reply.finish,
          calls: reply.toolCalls.map((call) => call.name),
          leftOut: assembled.leftOut,
        })
        return { reply, assembled }
      },
    )
  } catch (error) {
    if (watch.signal.aborted && !at.lease.signal.aborted) return 'interrupted'
    // A window that is smaller than we believe: half of what was too long, once.
    if (error instanceof ModelError && error.failure === 'context_length' && shrink === 1) {
      stopWatching()
      const usual = model.contextWindow * parts.settings.inputShare
      return think(parts, at, snapshot, onText, Math.min(0.4, (assembled.tokens.input / usual) * 0.5))
    }
    throw error
  } finally {
    stopWatching()
  }
}
