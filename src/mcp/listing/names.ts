import { createHash } from 'node:crypto'

const longest = 64

/**
 * The name of a tool for the model, `mcp__server__tool`, in `[a-zA-Z0-9_-]` and at most 64 characters. It is
 * looked up in a table and never parsed. Names that need no change are kept and can't meet each other; a name
 * that had to be changed or cut gets a suffix made from the original, whatever other tools there are.
 */
export function toolName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`
  // A server part with two underscores, or one at its end, could be read in two ways.
  const clear = /^[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*$/.test(server) && /^[a-zA-Z0-9_-]+$/.test(tool)
  if (clear && plain.length <= longest) return plain
  const suffix = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 8)
  const readable = `mcp__${readablePart(server) || 'server'}__${readablePart(tool) || 'tool'}`
  return `${readable.slice(0, longest - suffix.length - 1)}_${suffix}`
}

function readablePart(name: string): string {
  return name.replace(/[^a-zA-Z0-9-]+/g, '_').replace(/^_+|_+$/g, '')
}

/** Does a name match one of the patterns, in which `*` stands for anything? */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const source = pattern
      .split('*')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
    return new RegExp(`^${source}$`, 's').test(name)
  })
}
