import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { codeOf, messageOf } from './base/errors.ts'
import type { Settings } from './config/environment.ts'
import type { Config } from './config/file.ts'
import { loadSettings } from './config/load.ts'

/** What a command is given. */
interface CommandInput {
  readonly settings: Settings
  readonly config: Config
  readonly root: string
  readonly rest: readonly string[]
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// Each command's code is loaded only when it is asked for.
const commands: Readonly<Record<string, (input: CommandInput) => Promise<number>>> = {
  start: async (input) => (await import('./commands/start.ts')).start(input),
  doctor: async (input) => (await import('./commands/doctor.ts')).doctor(input),
  trace: async (input) => (await import('./commands/trace.ts')).trace(input),
  audit: async (input) => (await import('./commands/audit.ts')).audit(input),
  migrate: async (input) => (await import('./commands/migrate.ts')).migrateDatabase(input),
  'slack:manifest': async (input) => (await import('./commands/connect.ts')).slackManifest(input),
  'discord:invite': async (input) => (await import('./commands/connect.ts')).discordInvite(input),
}

/** Commands that read their own options. */
const ownOptions: ReadonlySet<string> = new Set(['audit'])

// Stripping types and compiling half a thousand files takes longer than all else at a start; kept, a start is a
// second or two faster. Where nothing can be written nothing is kept.
enableCompileCache(join(root, 'node_modules/.hermes/compile-cache'))

process.exitCode = await main(process.argv.slice(2))

async function main([name = 'start', ...given]: readonly string[]): Promise<number> {
  const command = commands[name]
  if (!command) {
    console.error(`There is no command ${name}. There are: ${Object.keys(commands).join(', ')}.`)
    return 1
  }
  let parsed: { values: { role?: string }; positionals: string[] }
  try {
    parsed = ownOptions.has(name)
      ? { values: {}, positionals: [...given] }
      : parseArgs({ args: [...given], options: { role: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    console.error(messageOf(error))
    return 1
  }
  const role = parsed.values.role
  const loaded = loadSettings(
    process.env,
    { ...(role === undefined ? {} : { role }), folder: process.cwd() },
    readIfThere,
  )
  if ('mistakes' in loaded) {
    for (const mistake of loaded.mistakes) console.error(mistake)
    return 1
  }
  for (const warning of loaded.warnings) console.error(warning)
  try {
    return await command({ settings: loaded.settings, config: loaded.config, root, rest: parsed.positionals })
  } catch (error) {
    console.error(messageOf(error))
    return 1
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
