// The rules by which api.openai.com refuses a Chat Completions request with status 400, as far as Hermes can
// break them; and some of stricter compatible servers.

type Json = Record<string, unknown>

const toolName = /^[a-zA-Z0-9_-]{1,64}$/
const personName = /^[^\s<|\\/>]{1,64}$/
const knownFields = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
])

/** What OpenAI would refuse in a request body, in sentences; empty where it would take it. */
export function mistakesInOpenAiRequest(body: unknown): string[] {
  if (!isObject(body)) return ['The body is not an object.']
  const mistakes: string[] = []
  for (const field of Object.keys(body))
    if (!knownFields.has(field)) mistakes.push(`Unknown field: ${field}.`)
  if (typeof body.model !== 'string' || body.model === '') mistakes.push('There is no model.')
  if ('max_tokens' in body && 'max_completion_tokens' in body)
    mistakes.push('max_tokens and max_completion_tokens exclude each other.')
  for (const field of ['max_tokens', 'max_completion_tokens'])
    if (field in body && !(Number.isInteger(body[field]) && Number(body[field]) >= 1))
      mistakes.push(`${field} must be a whole number from 1.`)
  if ('stream_options' in body && body.stream !== true) mistakes.push('stream_options needs stream.')
  if (!JSON.stringify(body).isWellFormed() || hasLoneSurrogate(body))
    mistakes.push('A text holds half a character.')
  checkTools(body.tools, mistakes)
  checkMessages(body.messages, mistakes)
  return mistakes
}

/** Fails with all mistakes of a request body that OpenAI would refuse. */
export function assertValidOpenAiRequest(body: unknown): void {
  const mistakes = mistakesInOpenAiRequest(body)
  if (mistakes.length > 0)
    throw new Error(`OpenAI would refuse this request:\n- ${mistakes.join('\n- ')}\n${JSON.stringify(body)}`)
}

function checkMessages(messages: unknown, mistakes: string[]): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    mistakes.push('There are no messages.')
    return
  }
  const ids = new Set<string>()
  let open = new Set<string>()
  for (const [place, message] of messages.entries()) {
    const where = `messages[${place}]`
    if (!isObject(message)) {
      mistakes.push(`${where} is not an object.`)
      continue
    }
    if (message.role !== 'tool' && open.size > 0) {
      mistakes.push(`${where} comes before the calls ${[...open].join(', ')} are answered.`)
      open = new Set()
    }
    switch (message.role) {
      case 'system':
      case 'developer':
        if (typeof message.content !== 'string') mistakes.push(`${where} has no text.`)
        break
      case 'user':
        checkUser(message, where, mistakes)
        break
      case 'assistant':
        open = checkAssistant(message, where, ids, mistakes)
        break
      case 'tool': {
        const id = String(message.tool_call_id)
        if (typeof message.content !== 'string') mistakes.push(`${where} has no text.`)
        if (!open.delete(id)) mistakes.push(`${where} answers ${id}, which is not open.`)
        break
      }
      default:
        mistakes.push(`${where} has the unknown role ${String(message.role)}.`)
    }
  }
  if (open.size > 0) mistakes.push(`The calls ${[...open].join(', ')} are not answered.`)
}

function checkUser(message: Json, where: string, mistakes: string[]): void {
  const { content, name } = message
  if (name !== undefined && !(typeof name === 'string' && personName.test(name)))
    mistakes.push(`${where}.name is not allowed: ${JSON.stringify(name)}.`)
  if (typeof content === 'string') return
  if (!Array.isArray(content) || content.length === 0) {
    mistakes.push(`${where} has no content.`)
    return
  }
  for (const part of content) {
    const isText = isObject(part) && part.type === 'text' && typeof part.text === 'string'
    const isImage =
      isObject(part) &&
      part.type === 'image_url' &&
      isObject(part.image_url) &&
      /^(?:https?:|data:image\/)/.test(String(part.image_url.url))
    if (!isText && !isImage) mistakes.push(`${where} has a part of an unknown kind.`)
  }
}

function checkAssistant(message: Json, where: string, ids: Set<string>, mistakes: string[]): Set<string> {
  const { content, tool_calls: calls } = message
  const open = new Set<string>()
  if (calls === undefined) {
    if (typeof content !== 'string') mistakes.push(`${where} has neither text nor calls.`)
    return open
  }
  if (content !== null && content !== undefined && typeof content !== 'string')
    mistakes.push(`${where}.content is neither text nor null.`)
  if (!Array.isArray(calls) || calls.length === 0) {
    mistakes.push(`${where}.tool_calls is empty.`)
    return open
  }
  for (const call of calls) {
    if (!isObject(call) || call.type !== 'function' || !isObject(call.function)) {
      mistakes.push(`${where} has a call of an unknown kind.`)
      continue
    }
    const id = String(call.id ?? '')
    if (id === '' || id.length > 40)
      mistakes.push(`${where} has a call whose id is not 1 to 40 characters: "${id}".`)
    if (ids.has(id)) mistakes.push(`${where} repeats the call id ${id}.`)
    ids.add(id)
    open.add(id)
    if (!toolName.test(String(call.function.name)))
      mistakes.push(`${where} calls a tool with the name ${JSON.stringify(call.function.name)}.`)
    if (!isJsonObject(call.function.arguments))
      mistakes.push(`${where} has arguments that are no JSON object.`)
  }
  return open
}

function checkTools(tools: unknown, mistakes: string[]): void {
  if (tools === undefined) return
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > 128) {
    mistakes.push('tools must hold 1 to 128 tools.')
    return
  }
  const names = new Set<string>()
  for (const [place, tool] of tools.entries()) {
    const where = `tools[${place}]`
    if (!isObject(tool) || tool.type !== 'function' || !isObject(tool.function)) {
      mistakes.push(`${where} is not a function.`)
      continue
    }
    const { name, description, parameters } = tool.function
    if (!toolName.test(String(name))) mistakes.push(`${where} has the name ${JSON.stringify(name)}.`)
    if (names.has(String(name))) mistakes.push(`${where} repeats the name ${String(name)}.`)
    names.add(String(name))
    if (typeof description !== 'string' || description.length > 1_024)
      mistakes.push(`${where} (${String(name)}) has a description that is missing or over 1,024 characters.`)
    checkSchema(parameters, `${where} (${String(name)})`, mistakes)
  }
}

function checkSchema(schema: unknown, where: string, mistakes: string[]): void {
  if (!isObject(schema) || schema.type !== 'object') {
    mistakes.push(`${where} has parameters whose root is not an object.`)
    return
  }
  for (const word of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
    if (word in schema) mistakes.push(`${where} has ${word} at the root of its parameters.`)
  checkNode(schema, where, mistakes)
}

function checkNode(node: unknown, where: string, mistakes: string[]): void {
  if (!isObject(node)) return
  if (node.type === 'object' && !isObject(node.properties) && !('additionalProperties' in node))
    mistakes.push(`${where} has an object without properties.`)
  if (node.type === 'array' && !('items' in node)) mistakes.push(`${where} has a list without items.`)
  for (const [key, value] of Object.entries(isObject(node.properties) ? node.properties : {}))
    checkNode(value, `${where}.${key}`, mistakes)
  checkNode(node.items, `${where}[]`, mistakes)
  for (const word of ['oneOf', 'anyOf', 'allOf'])
    for (const option of Array.isArray(node[word]) ? node[word] : []) checkNode(option, where, mistakes)
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed()
  if (Array.isArray(value)) return value.some(hasLoneSurrogate)
  return isObject(value) && Object.values(value).some(hasLoneSurrogate)
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
