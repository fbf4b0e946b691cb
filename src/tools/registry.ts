import { HermesError } from '../base/errors.ts'
import { checkOverride, overridden, type ToolOverride } from './arguments/overrides.ts'
import type { Tool } from './tool.ts'

/** Every tool there is at this moment. What is offered to the model is chosen from it. */
export interface ToolRegistry {
  /** Names of those that are always there. */
  readonly builtin: readonly string[]
  all(): readonly Tool[]
  find(name: string): Tool | undefined
}

/**
 * Joins the built-in tools with those that come and go (MCP servers), each under what the configuration says about it.
 * @throws HermesError where the configuration says something about a built-in tool that can't be
 */
export function createRegistry(
  builtin: readonly Tool[],
  external: () => readonly Tool[],
  overrides: Readonly<Record<string, ToolOverride>> = {},
): ToolRegistry {
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
  for (const [name, override] of Object.entries(overrides)) {
    const tool = builtin.find((one) => one.name === name)
    if (tool) checkOverride(tool, override)
    else if (!name.startsWith('mcp__')) {
      throw new HermesError(
        'config.tools',
        `tools.overrides.${name}: there is no such tool. Built-in ones are in docs/tools.md; others begin with "mcp__".`,
      )
    }
  }
  // The same object each time: what is known about a tool is kept by it.
  const ruled = new WeakMap<Tool, Tool>()
  const underRules = (tool: Tool): Tool => {
    const override = overrides[tool.name]
    if (!override) return tool
    const before = ruled.get(tool)
    if (before) return before
    const after = overridden(tool, override, find)
    ruled.set(tool, after)
    return after
  }
  const find = (name: string) => {
    const tool = builtin.find((one) => one.name === name) ?? external().find((one) => one.name === name)
    return tool && underRules(tool)
  }
  return {
    builtin: [...names],
    all: () => [...builtin, ...external().filter((tool) => !names.has(tool.name))].map(underRules),
    find,
  }
}
