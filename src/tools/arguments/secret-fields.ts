const secretWords: ReadonlySet<string> = new Set(
  'password passwd passphrase passcode pwd secret secrets token credential credentials pin otp cvv cvc'.split(
    ' ',
  ),
)
const keyKinds: ReadonlySet<string> = new Set([
  'api',
  'access',
  'private',
  'secret',
  'ssh',
  'encryption',
  'signing',
])

/**
 * Does a field of that name and schema hold a secret, which is never asked for in a conversation? The last word of the
 * name decides: "api_token" is one, "tokenLimit" is none.
 */
export function isSecretField(name: string, schema: Readonly<Record<string, unknown>> = {}): boolean {
  if (schema.format === 'password' || schema.writeOnly === true) return true
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  if (secretWords.has(last)) return true
  return last === 'apikey' || (last === 'key' && keyKinds.has(words.at(-2) ?? ''))
}
