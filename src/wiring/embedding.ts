import type { Clock } from '../base/clock.ts'
import type { Settings } from '../config/environment.ts'
import { createOpenAiEmbeddings } from '../model/embeddings.ts'
import type { Log } from '../observe/log.ts'
import { createEndpointEmbedder, type Embedder } from '../search/embedder.ts'
import { createLocalEmbedder } from '../search/local-embedder.ts'
import type { Meter } from './meter.ts'

/**
 * The embedder that the settings name: an endpoint's model, else the encoder that ships with the install.
 * @param local the latter, where it is there already
 */
export function createEmbedder(
  settings: Settings,
  parts: { log: Log; clock: Clock; meter?: Pick<Meter, 'used'> },
  local?: Embedder,
): Embedder {
  const { embedding } = settings
  if (embedding.state !== 'endpoint') {
    if (embedding.state === 'folder') {
      parts.log.warn(
        { folder: embedding.path },
        'Encoders from a folder are not supported yet; the shipped one is used',
      )
    }
    return local ?? createLocalEmbedder()
  }
  const { model, apiKey, baseUrl } = embedding
  const endpoint = createOpenAiEmbeddings(
    { model, ...(apiKey === undefined ? {} : { apiKey }), ...(baseUrl === undefined ? {} : { baseUrl }) },
    {
      ...parts,
      onUsage: (inputTokens) => parts.meter?.used(model, { inputTokens, outputTokens: 0, cachedTokens: 0 }),
    },
  )
  return createEndpointEmbedder(`endpoint:${model}`, endpoint)
}
