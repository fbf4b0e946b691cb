import { framesOf } from './frames.ts'

/** Settings of one session by name: from its start-up message, or set by it later. */
export type Settings = ReadonlyMap<string, string>

/** Equal for equal settings. */
export const settingsKey = (settings: Settings): string =>
  settings.size === 0 ? '' : JSON.stringify([...settings].sort(([a], [b]) => (a < b ? -1 : 1)))

/** SQL that turns the backend from one connection's settings to another's. */
export function settingsChange(from: Settings, to: Settings): string {
  const reset = [...from.keys()].filter((name) => !to.has(name)).map((name) => `RESET ${identifier(name)}`)
  // set_config reads a value as the configuration file does, so that a list of schemas stays a list.
  const set = [...to].map(([name, value]) => `SELECT set_config(${literal(name)}, ${literal(value)}, false)`)
  return [...reset, ...set].join('; ')
}

/** Asks for what the session has set; the role is not among the settings that pg_settings shows. */
export const sessionSettings = `
  SELECT json_build_array(name, setting) FROM pg_settings WHERE source = 'session'
  UNION ALL
  SELECT json_build_array('role', current_setting('role')) WHERE current_setting('role') <> 'none'`

/** Reads the answer to it. A DataRow of one column: 5 bytes of header, 2 of count, 4 of length, the value. */
export function readSettings(answer: Buffer): Settings {
  const settings = new Map<string, string>()
  for (const { type, frame } of framesOf(answer)) {
    if (type !== 'D') continue
    const [name, value] = JSON.parse(frame.toString('utf8', 11)) as [string, string]
    settings.set(name, value)
  }
  return settings
}

const identifier = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

const literal = (text: string) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
