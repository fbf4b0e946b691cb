/** The environment that a file's `${NAME}` may name. */
export type Variables = Readonly<Record<string, string | undefined>>

// `${NAME}`, `${NAME:-default}`, and `${env:NAME}`, which files written for VS Code hold.
const variable = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Fills in the variables of a text. An empty variable counts as missing: an empty token is a mistake. */
export function fillIn(
  text: string,
  variables: Variables,
): {
  readonly text: string
  readonly missing: readonly string[]
  readonly used: readonly { readonly name: string; readonly value: string }[]
} {
  const missing: string[] = []
  const used: { name: string; value: string }[] = []
  const filled = text.replace(variable, (whole, name: string, fallback: string | undefined) => {
    const value = variables[name]
    if (value !== undefined && value !== '') {
      used.push({ name, value })
      return value
    }
    if (fallback !== undefined) return fallback
    missing.push(name)
    return whole
  })
  return { text: filled, missing, used }
}
