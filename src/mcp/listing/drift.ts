import { messageOf } from '../../base/errors.ts'
import { within } from '../../base/wait.ts'
import type { Effect, ServerConfig } from '../config/config.ts'
import { canonicalJson } from '../json.ts'
import { type CheckedTool, effectOf, type ToolDefinition } from './definition.ts'

/** The definition of a tool that was accepted, by its first use or by an operator. */
export interface Pin {
  readonly hash: string
  readonly definition: ToolDefinition
}

/** Where pins are kept. `tool` is the server's own name for it. */
export interface PinStore {
  get(server: string, tool: string): Promise<Pin | undefined>
  put(server: string, tool: string, pin: Pin): Promise<void>
}

/** What comparing a tool with its pin says. */
export interface PinVerdict {
  readonly effect: Effect
  /** Why the tool may not be called, in a sentence. */
  readonly blocked?: string
  /** The pin could not be read, so this should be tried again soon. */
  readonly unchecked?: boolean
  /** The accepted definition, where it differs from the present one. */
  readonly accepted?: ToolDefinition
}

// A store that hangs must not hold up the list, nor the stop.
const storeMs = 5000

/** Compares a tool with its pin; the first definition that is ever seen becomes the pin. */
export async function checkPin(pins: PinStore, server: ServerConfig, tool: CheckedTool): Promise<PinVerdict> {
  const { name } = tool.definition
  let pin: Pin | undefined
  try {
    pin = await within(storeMs, 'Reading the accepted definition', pins.get(server.name, name))
    if (pin === undefined)
      await within(storeMs, 'Keeping the definition', pins.put(server.name, name, pinOf(tool)))
  } catch (error) {
    if (tool.effect === 'read') return { effect: 'read', unchecked: true }
    const blocked = `Its definition could not be checked (${messageOf(error)}).`
    return { effect: 'write', unchecked: true, blocked }
  }
  if (pin === undefined || pin.hash === tool.definitionHash) return { effect: tool.effect }

  // A tool that now says it only reads must not get around the confirmation that it needed before.
  const before = effectOf(server, name, pin.definition.annotations)
  const effect = before === 'read' && tool.effect === 'read' ? 'read' : 'write'
  if (effect === 'read') return { effect, accepted: pin.definition }
  const parts = changedParts(pin.definition, tool.definition).join(', ')
  return {
    effect,
    accepted: pin.definition,
    blocked: `Its definition changed since it was accepted (${parts}). It stays blocked until an operator accepts the change.`,
  }
}

/** The pin of a tool as it is now. */
export function pinOf(tool: CheckedTool): Pin {
  return { hash: tool.definitionHash, definition: tool.definition }
}

/** Which parts of a definition differ, in words. */
export function changedParts(before: ToolDefinition, after: ToolDefinition): readonly string[] {
  const parts: readonly (readonly [string, unknown, unknown])[] = [
    ['title', before.title, after.title],
    ['description', before.description, after.description],
    ['arguments', before.inputSchema, after.inputSchema],
    ['annotations', before.annotations, after.annotations],
    ['instructions of the server', before.instructions, after.instructions],
  ]
  return parts.flatMap(([part, old, now]) =>
    canonicalJson(old ?? null) === canonicalJson(now ?? null) ? [] : [part],
  )
}
