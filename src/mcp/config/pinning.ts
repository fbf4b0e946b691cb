import { basename } from 'node:path'

const exactVersion = /^v?\d+\.\d+\.\d+(?:[-+.][\w.+-]+)?$/
// Flags of the launchers that take a value, which is therefore no package.
const valued = new Set(['-c', '--call', '--registry', '--cache', '--python', '--index-url', '--directory'])

/**
 * The package that a launcher such as npx fetches without an exact version, if it does: what runs
 * tomorrow then is not what was looked at today.
 */
export function unpinnedPackage(command: string, args: readonly string[]): string | undefined {
  const launcher = basename(command)
    .toLowerCase()
    .replace(/\.(?:cmd|exe)$/, '')
  const rest = packageArguments(launcher, args)
  if (rest === undefined) return undefined
  const spec = packageOf(rest)
  if (spec === undefined || /^(?:\.|\/|file:)/.test(spec)) return undefined
  const at = spec.lastIndexOf('@')
  const version = spec.includes('==') ? spec.slice(spec.indexOf('==') + 2) : at > 0 ? spec.slice(at + 1) : ''
  return exactVersion.test(version) ? undefined : spec
}

function packageArguments(launcher: string, args: readonly string[]): readonly string[] | undefined {
  switch (launcher) {
    case 'npx':
    case 'bunx':
    case 'pnpx':
    case 'uvx':
      return args
    case 'npm':
      return args[0] === 'exec' || args[0] === 'x' ? args.slice(1) : undefined
    case 'pnpm':
    case 'yarn':
      return args[0] === 'dlx' ? args.slice(1) : undefined
    case 'bun':
      return args[0] === 'x' ? args.slice(1) : undefined
    case 'pipx':
      return args[0] === 'run' ? args.slice(1) : undefined
    default:
      return undefined
  }
}

function packageOf(args: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!
    const named = /^(?:--package|--from|--spec)=(.+)$/.exec(arg)
    if (named) return named[1]
    if (arg === '-p' || arg === '--package' || arg === '--from' || arg === '--spec') return args[index + 1]
    if (valued.has(arg)) index++
    else if (!arg.startsWith('-')) return arg
  }
  return undefined
}
