import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { ChatMessage, ChatRequest, ContentPart, ModelToolCall } from '../chat.ts'
import { readArguments } from '../json.ts'
import type { Dialect } from './dialect.ts'

/** The request as the endpoint takes it. */
export function writeRequest(
  request: ChatRequest,
  model: string,
  dialect: Dialect,
): ChatCompletionCreateParamsStreaming {
  const limit = Math.min(request.maxOutputTokens, dialect.mostOutput ?? Number.POSITIVE_INFINITY)
  return {
    model,
    messages: request.messages.map((message) => writeMessage(message, dialect)),
    stream: true,
    [dialect.limit]: limit,
    ...(dialect.usageInStream ? { stream_options: { include_usage: true } } : {}),
    // An empty list is refused.
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters: { ...parameters } },
          })),
        }),
  }
}

function writeMessage(message: ChatMessage, dialect: Dialect): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: wellFormed(message.content) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: wellFormed(message.content) }
    case 'user': {
      const name = dialect.names && message.name ? safeName(message.name) : ''
      return {
        role: 'user',
        content:
          typeof message.content === 'string'
            ? wellFormed(message.content)
            : message.content.map((part) => writePart(part, dialect)),
        ...(name === '' ? {} : { name }),
      }
    }
    case 'assistant':
      return message.toolCalls === undefined || message.toolCalls.length === 0
        ? { role: 'assistant', content: wellFormed(message.content) }
        : {
            role: 'assistant',
            content: message.content === '' ? null : wellFormed(message.content),
            tool_calls: message.toolCalls.map((call) => ({
              id: call.id,
              type: 'function' as const,
              function: { name: call.name, arguments: validArguments(call) },
            })),
          }
  }
}

function writePart(part: ContentPart, dialect: Dialect): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: wellFormed(part.text) }
  return dialect.images
    ? { type: 'image_url', image_url: { url: part.url } }
    : { type: 'text', text: '[A picture is attached here, which you cannot see. Say so if it matters.]' }
}

/** Some servers parse the arguments of earlier calls and refuse the whole request where they can't. */
function validArguments(call: ModelToolCall): string {
  const reading = readArguments(call.arguments)
  if (!reading.ok) return '{}'
  return reading.repaired || call.arguments.trim() === '' ? JSON.stringify(reading.value) : call.arguments
}

/** OpenAI takes `^[^\s<|\\/>]+$`, 64 characters at most. */
function safeName(name: string): string {
  return [...name.trim().replace(/[\s<|\\/>]+/g, '_')].slice(0, 64).join('')
}

/** Half a surrogate pair, left by a cut elsewhere, makes endpoints refuse the whole request. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}
