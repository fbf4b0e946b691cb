import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

// A message over the size limit is dropped before it is parsed. So that its caller learns of it at once and the
// connection lives on, an answer of our own takes its place. It is a result and not an error, since the HTTP
// transport of the SDK (1.32) fetches a stream again for ever when it ended with an error.
const metaKey = 'hermes/oversize'

const oversize = z.object({ size: z.number().optional(), limit: z.number() })

/** How large a dropped message was (if its end was seen), and what would have been kept. */
export type Oversize = z.infer<typeof oversize>

/** The answer that takes the place of a message that was too large to keep. */
export function oversizeAnswer(id: string | number, facts: Oversize): JSONRPCMessage {
  return { jsonrpc: '2.0', id, result: { _meta: { [metaKey]: facts } } }
}

/** Is a result such an answer? */
export function oversizeOf(result: unknown): Oversize | undefined {
  const parsed = z.object({ _meta: z.object({ [metaKey]: oversize }) }).safeParse(result)
  return parsed.success ? parsed.data._meta[metaKey] : undefined
}

/**
 * The id of the answer in a message of which only the edges are known. Servers write it either first
 * (`{"jsonrpc":"2.0","id":7,"result":…`) or last (`…,"jsonrpc":"2.0","id":7}`).
 */
export function answeredId(head: string, tail: string): number | undefined {
  const first =
    /^(?:data:)?\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,(?!\s*"method")/.exec(head)
  const last = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)
  const id = first?.[1] ?? last?.[1]
  return id === undefined ? undefined : Number(id)
}
