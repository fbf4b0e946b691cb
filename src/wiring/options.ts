import type { Clock } from '../base/clock.ts'
import type { Settings } from '../config/environment.ts'
import type { Config } from '../config/file.ts'
import type { Log } from '../observe/log.ts'
import type { Embedder } from '../search/embedder.ts'
import type { Words } from '../search/words.ts'
import type { EmbeddedDatabase } from '../store/embedded/database.ts'

/** What an app is built of besides its settings. */
export interface AppOptions {
  readonly settings: Settings
  readonly config: Config
  /** The folder of the project: prompts, migrations, samples, example files. */
  readonly root: string
  readonly clock: Clock
  readonly log: Log
  /** The embedded database, where it is being opened already: that takes as long as loading all this code. */
  readonly embedded?: Promise<EmbeddedDatabase>
  /** Variables that files may refer to with `${NAME}`. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** How often the sweep looks for what no bell wakes, in ms. */
  readonly sweepMs?: number
  /** The dictionary and the shipped encoder, where several apps of a process share them. */
  readonly loaded?: { readonly words: Words; readonly embedder: Embedder }
}
