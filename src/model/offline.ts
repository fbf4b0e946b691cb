import { setImmediate } from 'node:timers/promises'
import { createIds, type Ids } from '../base/ids.ts'
import { pause } from '../base/wait.ts'
import type { ChatModel, ChatReply } from './chat.ts'
import { readConversation } from './offline/conversation.ts'
import { decide } from './offline/requests.ts'
import { wordsOf } from './offline/words.ts'
import type { Tokens } from './tokens.ts'

/** How the stand-in behaves. */
export interface OfflineSettings {
  /** Between two pieces of a text, so that it can be read as it comes. 0 writes without a pause. Default 12. */
  readonly paceMs?: number
  /** Tokens of input and output together; it needs no limit, but contexts are assembled under one. */
  readonly contextWindow?: number
}

/**
 * The rule-based stand-in for a language model. Like a model it knows nothing but the request: its messages and the
 * tools that it offers. In its first answer of a thread it says what it is.
 */
export function createOfflineModel(
  parts: { readonly tokens: Tokens; readonly ids?: Ids },
  settings: OfflineSettings = {},
): ChatModel {
  const ids = parts.ids ?? createIds()
  const paceMs = settings.paceMs ?? 12
  return {
    name: 'offline',
    contextWindow: settings.contextWindow ?? 32_000,
    offline: true,
    async complete(request, { signal, onText }) {
      signal.throwIfAborted()
      const conversation = readConversation(request)
      const move = decide(conversation)
      const introduced = conversation.first && move.text !== ''
      const text = introduced ? `${wordsOf(conversation.language).standIn}\n\n${move.text}` : move.text
      if (text !== '') await write(text, paceMs, signal, onText)
      signal.throwIfAborted()
      const toolCalls = move.calls.map((call) => ({
        id: ids('call'),
        name: call.tool,
        arguments: JSON.stringify(call.arguments),
      }))
      const reply: ChatReply = {
        text,
        toolCalls,
        finish: toolCalls.length > 0 ? 'tool_calls' : 'stop',
        usage: {
          inputTokens: parts.tokens.countRequest(request),
          outputTokens: parts.tokens.countMessage({ role: 'assistant', content: text, toolCalls }),
          cachedTokens: 0,
        },
        model: 'offline',
        attempts: 1,
      }
      return reply
    },
  }
}

/** Writes a text word by word. */
async function write(
  text: string,
  paceMs: number,
  signal: AbortSignal,
  onText: ((textSoFar: string) => void) | undefined,
): Promise<void> {
  let written = ''
  for (const [piece] of text.matchAll(/\s*(?:\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+)|\s+/gu)) {
    written += piece
    signal.throwIfAborted()
    onText?.(written)
    if (paceMs > 0) await pause(paceMs, signal)
  }
  if (paceMs === 0) await setImmediate()
}
