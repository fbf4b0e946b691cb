/** The environment that a file's `${NAME}` may name. */
export type Variables = Readonly<Record<string, string | undefined>>

// `${NAME}`, `${NAME:-default}`, and `${env:NAME}`, which files written for VS Code hold.
const variable = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Fills in the variables of a text. An empty variable counts as missing: an empty token is a mistake. */
export function fillIn(text: string, variables: Variables): { text: string; missing: readonly string[] } {
  const missing: string[] = []
  const filled = text.replace(variable, (whole, name: string, fallback: string | undefined) => {
    const value = variables[name]
    if (value !== undefined && value !== '') return value
    if (fallback !== undefined) return fallback
    missing.push(name)
    return whole
  })
  return { text: filled, missing }
}
