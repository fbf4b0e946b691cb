import { systemClock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Settings } from '../../config/environment.ts'
import { ModelError } from '../../model/chat.ts'
import { createOpenAiModel } from '../../model/openai.ts'
import { createTokens } from '../../model/tokens.ts'
import { silentLog } from '../../observe/log.ts'
import { localEncoderName } from '../../search/local-embedder.ts'
import { createEmbedder } from '../../wiring/embedding.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The longest that a model may take for its few words, ms. */
const patience = 15_000

// Enough for models that think before they write.
const outputTokens = 256

/** Asks the model for a word, with a tool beside it, since an endpoint without tools is of no use. */
export async function checkModel(settings: Settings['model']): Promise<Finding> {
  if (settings.state === 'offline') {
    return ok(
      'Model',
      'offline: a small rule-based stand-in. Set OPENAI_API_KEY (and OPENAI_BASE_URL, HERMES_MODEL) for a real one.',
    )
  }
  const where = settings.baseUrl ? ` at ${new URL(settings.baseUrl).host}` : ''
  const model = createOpenAiModel(
    {
      model: settings.name,
      contextWindow: settings.contextWindow ?? 128_000,
      ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
      ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
      timeouts: { firstByteMs: patience, betweenMs: patience, wholeMs: patience },
      retry: { retries: 0 },
    },
    { log: silentLog, clock: systemClock, tokens: createTokens() },
  )
  const started = performance.now()
  try {
    await model.complete(
      {
        messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
        tools: [
          {
            name: 'nothing',
            description: 'Does nothing. Do not call it.',
            parameters: { type: 'object', properties: {} },
          },
        ],
        maxOutputTokens: outputTokens,
      },
      { signal: AbortSignal.timeout(patience) },
    )
  } catch (error) {
    // Thoughts alone are an answer too, as far as the settings go.
    if (!(error instanceof ModelError) || error.failure !== 'empty') {
      return fail('Model', `${settings.name}${where}: ${messageOf(error)} ${mendOf(error)}`)
    }
  }
  const ms = Math.round(performance.now() - started)
  const window =
    settings.contextWindow === undefined && settings.baseUrl !== undefined
      ? '; its window is taken to be 128000 tokens, set HERMES_CONTEXT_WINDOW if it is smaller'
      : ''
  return ok('Model', `${settings.name}${where} answered in ${ms} ms${window}`)
}

function mendOf(error: unknown): string {
  const failure = error instanceof ModelError ? error.failure : 'down'
  switch (failure) {
    case 'unauthorized':
      return 'Mend OPENAI_API_KEY.'
    case 'rate_limited':
      return 'Try again in a minute, or look at the account of OPENAI_API_KEY.'
    case 'down':
    case 'timeout':
      return 'Check that it runs and that OPENAI_BASE_URL is right.'
    case 'invalid_request':
    case 'refused':
    case 'context_length':
    case 'empty':
      return 'Set HERMES_MODEL to a model of this endpoint that can use tools.'
    default:
      return failure satisfies never
  }
}

/** Makes one vector. */
export async function checkEmbeddings(settings: Settings): Promise<Finding> {
  const embedder = createEmbedder(settings, { log: silentLog, clock: systemClock })
  try {
    const [vector] = await embedder.embed(['ready'], AbortSignal.timeout(patience))
    if (!vector) throw new Error('No vector came.')
    const text = `${embedder.name}, ${vector.length} dimensions`
    return settings.embedding.state === 'folder' && embedder.name === localEncoderName
      ? warn(
          'Embeddings',
          `${text}: models from a folder are not supported yet. Set HERMES_EMBEDDING_MODEL to an endpoint's model, or to nothing.`,
        )
      : ok('Embeddings', text)
  } catch (error) {
    return fail(
      'Embeddings',
      `${embedder.name}: ${messageOf(error)} Check HERMES_EMBEDDING_MODEL and HERMES_EMBEDDING_BASE_URL; until then memories are found by words alone.`,
    )
  } finally {
    await embedder.stop()
  }
}
