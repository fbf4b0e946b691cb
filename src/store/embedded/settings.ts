/** Settings by name, as a client's start-up message gives them. */
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

const identifier = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

const literal = (text: string) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
