import { JSONPathEnvironment, JSONPathError, type JSONValue } from 'json-p3'

const paths = new JSONPathEnvironment({ maxRecursionDepth: 100 })
// Paths also come from a model that reads untrusted text, and one pattern can hold the thread for minutes.
for (const name of ['match', 'search']) paths.functionRegister.delete(name)

/** The values at a JSONPath (RFC 9535), at most so many, or what is wrong with the path. */
export function valuesAt(
  path: string,
  data: unknown,
  most: number,
): { readonly values: readonly unknown[] } | { readonly problem: string } {
  try {
    const values: unknown[] = []
    for (const { value } of paths.lazyQuery(path, data as JSONValue)) {
      values.push(value)
      if (values.length >= most) break
    }
    return { values }
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error
    return { problem: error.message }
  }
}
