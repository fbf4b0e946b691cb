import type { ModelSettings } from '../config/environment.ts'
import type { ChatModel } from '../model/chat.ts'
import { createModel, type ModelParts } from '../model/selection.ts'
import type { Profile } from '../session/profiles.ts'

/**
 * The model of a profile: another one of the same endpoint where the profile names one, made once. The rule-based
 * stand-in serves every profile.
 */
export function profileModels(
  usual: ChatModel,
  settings: ModelSettings,
  parts: ModelParts,
): (profile: Profile) => ChatModel {
  const made = new Map<string, ChatModel>()
  return ({ model }) => {
    if (!model || settings.state === 'offline') return usual
    const key = `${model.name} ${model.window ?? ''}`
    const known = made.get(key)
    if (known) return known
    const { contextWindow: _, ...endpoint } = settings
    const own = createModel(
      {
        ...endpoint,
        name: model.name,
        ...(model.window === undefined ? {} : { contextWindow: model.window }),
      },
      parts,
    )
    made.set(key, own)
    return own
  }
}
