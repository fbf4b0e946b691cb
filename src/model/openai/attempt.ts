import type OpenAI from 'openai'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import { Stream } from 'openai/streaming'
import { watchBody } from './body.ts'
import { type ModelTimeouts, type Watch, watch } from './limits.ts'
import type { Outcome } from './patience.ts'
import { type AssembledReply, createReplyAssembly, type ReplyAssembly } from './reply.ts'
import { broken, foreign, readErrorObject, readTrouble, type Trouble, timedOut } from './trouble.ts'

/** What one request needs. */
export interface AttemptOptions {
  readonly signal: AbortSignal
  readonly timeouts: ModelTimeouts
  readonly onText: ((textSoFar: string) => void) | undefined
  /** Ids of calls that the conversation has already. */
  readonly takenIds: ReadonlySet<string>
  readonly newId: () => string
  /** Kept out of every error text. */
  readonly secret: string | undefined
}

/** Sends one request and reads its answer. Rejects only with the signal's reason, or with what `onText` throws. */
export async function attempt(
  client: OpenAI,
  body: ChatCompletionCreateParamsStreaming,
  options: AttemptOptions,
): Promise<Outcome<AssembledReply>> {
  const limits = watch(options.signal, options.timeouts)
  const assembly = createReplyAssembly()
  let whole = false
  try {
    const trouble = await read(client, body, options, limits, assembly)
    options.signal.throwIfAborted()
    if (limits.expired) return { ok: false, trouble: timedOut(limits.expired) }
    if (trouble) return { ok: false, trouble }
    whole = true
    return { ok: true, reply: assembly.end(options.takenIds, options.newId) }
  } finally {
    limits.stop()
    // A whole answer keeps its connection for the next request.
    if (!whole) limits.controller.abort()
  }
}

async function read(
  client: OpenAI,
  body: ChatCompletionCreateParamsStreaming,
  options: AttemptOptions,
  limits: Watch,
  assembly: ReplyAssembly,
): Promise<Trouble | undefined> {
  const { controller, beat } = limits
  // The SDK aborts the controller itself after any error, so the controller does not tell who gave up.
  const gaveUp = () => options.signal.aborted || limits.expired !== undefined
  const failed = (error: unknown): Trouble => {
    if (gaveUp()) return givenUp
    const trouble = readTrouble(error, options.secret)
    if (!trouble) throw error
    return trouble
  }

  let response: Response
  try {
    response = await client.chat.completions.create(body, { signal: controller.signal }).asResponse()
  } catch (error) {
    return failed(error)
  }
  beat()
  if (!response.body) return foreign(notCompletions)
  const watched = watchBody(response.body, beat)
  const type = response.headers.get('content-type') ?? ''
  let source = new Response(watched.stream, { headers: { 'content-type': type } })

  if (!type.includes('event-stream')) {
    let text: string
    try {
      text = await source.text()
    } catch (error) {
      return failed(error)
    }
    // Servers that can't stream answer with the whole completion; a few stream under another type.
    if (!/^\s*(?:data|event|id|retry)?:/.test(text)) return readWhole(text, options, assembly)
    source = new Response(text)
  }

  const chunks = Stream.fromSSEResponse<unknown>(source, controller, client)[Symbol.asyncIterator]()
  let shown = ''
  for (;;) {
    let next: IteratorResult<unknown>
    try {
      next = await chunks.next()
    } catch (error) {
      return failed(error)
    }
    if (gaveUp()) return givenUp
    if (next.done) break
    assembly.add(next.value)
    const { text } = assembly
    if (text !== shown) {
      shown = text
      options.onText?.(text)
    }
  }
  if (assembly.finished || (watched.done && assembly.recognised)) return undefined
  return broken('The answer broke off before its end.')
}

function readWhole(text: string, options: AttemptOptions, assembly: ReplyAssembly): Trouble | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text.trimStart().startsWith('{')
      ? broken('The answer broke off before its end.')
      : foreign(notCompletions)
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error)
    return readErrorObject(
      typeof value.error === 'object' ? value.error : { message: String(value.error) },
      options.secret,
    )
  assembly.add(value)
  if (!assembly.recognised) return foreign(notCompletions)
  if (assembly.text !== '') options.onText?.(assembly.text)
  return undefined
}

const givenUp = broken('The request was given up.')

const notCompletions =
  'The address answers with something else than Chat Completions; check OPENAI_BASE_URL (it usually ends in /v1).'
