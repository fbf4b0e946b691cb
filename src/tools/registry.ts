import { HermesError } from '../base/errors.ts'
import type { Tool } from './definition.ts'

/** Every tool there is at this moment. What is offered to the model is chosen from it. */
export interface ToolRegistry {
  /** Names of those that are always there. */
  readonly builtin: readonly string[]
  all(): readonly Tool[]
  find(name: string): Tool | undefined
}

/** Joins the built-in tools with those that come and go (MCP servers). */
export function createRegistry(builtin: readonly Tool[], external: () => readonly Tool[]): ToolRegistry {
  const names = new Set<string>()
  for (const tool of builtin) {
    if (names.has(tool.name)) throw new HermesError('tool.definition', `Two tools are called ${tool.name}.`)
    names.add(tool.name)
  }
  for (const { name, fallback } of builtin) {
    // Those of MCP servers come and go.
    if (!fallback || fallback.tool.startsWith('mcp__')) continue
    if (builtin.find((tool) => tool.name === fallback.tool)?.effect !== 'read')
      throw new HermesError('tool.definition', `The fallback ${fallback.tool} of ${name} is no read of ours.`)
  }
  return {
    builtin: [...names],
    all: () => [...builtin, ...external().filter((tool) => !names.has(tool.name))],
    find: (name) =>
      builtin.find((tool) => tool.name === name) ?? external().find((tool) => tool.name === name),
  }
}
