import { dirname, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { codeOf } from '../base/errors.ts'
import { type Environment, filesOf, type NamedFile, readEnvironment, type Settings } from './environment.ts'
import { type Config, readConfig } from './file.ts'

/** Reads a text file by its absolute path: `undefined` where there is none, throws where it can't be read. */
export type ReadFile = (path: string) => string | undefined

/** Everything that was set, or every mistake in it. Warnings say what will be off or ignored. */
export type Loaded =
  | { readonly settings: Settings; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly mistakes: readonly string[] }

/**
 * Reads the environment, the `.env` file beside it (which never overrides the environment) and the config
 * file. All mistakes come at once, each as one line that says what to do.
 * @param options.role what `--role` was given, if anything
 * @param options.folder where `.env` is, and what relative paths start from
 */
export function loadSettings(
  environment: Environment,
  options: { readonly role?: string; readonly folder: string },
  readFile: ReadFile,
): Loaded {
  const unreadable: string[] = []
  const read = (file: NamedFile): string | undefined => {
    const name = nameOf(file, options.folder)
    try {
      const text = readFile(file.path)
      if (text === undefined && file.namedBy)
        unreadable.push(
          `${file.namedBy} names ${name}, which does not exist: create it or name another file.`,
        )
      return text
    } catch (error) {
      unreadable.push(`${name} can't be read (${codeOf(error)}): it must be a file that Hermes may read.`)
      return undefined
    }
  }

  const dotenv = read({ path: resolve(options.folder, '.env') })
  const all = { ...(dotenv === undefined ? {} : parseEnv(dotenv)), ...present(environment) }
  const files = filesOf(all, options.folder)
  const spoken = readEnvironment(all, options)
  const beside = (path: string) => read({ path: resolve(dirname(files.config.path), path) })
  const written = readConfig(read(files.config), nameOf(files.config, options.folder), beside)
  if (files.mcp.namedBy) read(files.mcp)

  if ('mistakes' in spoken || 'mistakes' in written || unreadable.length > 0)
    return {
      mistakes: [
        ...('mistakes' in spoken ? spoken.mistakes : []),
        ...unreadable,
        ...('mistakes' in written ? written.mistakes : []),
      ],
    }
  return { settings: spoken.settings, config: written.config, warnings: spoken.warnings }
}

// A path inside the folder is shorter without it.
function nameOf(file: NamedFile, folder: string): string {
  const name = relative(folder, file.path)
  return name.startsWith('..') ? file.path : name
}

// `NAME= npm start` is how a shell unsets what .env sets, so an empty variable still counts as present.
function present(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
