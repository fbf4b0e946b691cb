// Shapes of secrets that must not reach a log, a trace, an error, a memory or the model.
const shapes: readonly RegExp[] = [
  /\bxox[abeoprs]-[A-Za-z0-9-]{8,}/g, // Slack tokens
  /\bxapp-[A-Za-z0-9-]{8,}/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g, // OpenAI and compatible keys
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g, // GitHub
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g, // AWS access key ids
  /\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g, // Discord bot tokens
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, // JSON Web Tokens
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\b[a-z][a-z+.-]*:\/\/[^\s:@/]{0,128}:)[^\s@/]+(?=@)/gi, // passwords in URLs
  /(?<=\bBearer\s)[A-Za-z0-9._~+/=-]{12,}/gi,
]

const secretKey =
  /(?:^|[_-])(?:password|passwd|secret|token|api[_-]?key|authorization|cookie|private[_-]?key)$/i
const camelSecretKey = /(?:Password|Secret|Token|ApiKey|PrivateKey)$/

/** What stands in place of a secret. */
export const redacted = '[redacted]'

/** Replaces everything in a text that has the shape of a secret. */
export function redactText(text: string): string {
  let result = text
  for (const shape of shapes) result = result.replace(shape, redacted)
  return result
}

/** Does the text hold something with the shape of a secret? */
export function holdsSecret(text: string): boolean {
  return redactText(text) !== text
}

/** A copy of plain data in which secrets, by key or by shape, are replaced. Cycles become `[circular]`. */
export function redact(value: unknown, seen: ReadonlySet<object> = new Set()): unknown {
  if (typeof value === 'string') return redactText(value)
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? value.toString() : value
  if (seen.has(value)) return '[circular]'
  if (value instanceof Date) return value.toISOString()
  const inside = new Set(seen).add(value)
  if (Array.isArray(value)) return value.map((item) => redact(item, inside))
  if (value instanceof Error) {
    return {
      name: value.name,
      message: redactText(value.message),
      ...(value.stack ? { stack: redactText(value.stack) } : {}),
    }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      (secretKey.test(key) || camelSecretKey.test(key)) && typeof item === 'string' && item !== ''
        ? redacted
        : redact(item, inside),
    ]),
  )
}
