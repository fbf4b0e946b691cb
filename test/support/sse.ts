/** One server-sent event. */
export interface SentEvent {
  readonly name: string
  readonly id: string
  /** When it came, by the machine's clock. */
  readonly at: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
  readonly data: any
}

/** A client that keeps every event of a stream. */
export interface EventClient {
  readonly status: number
  readonly events: SentEvent[]
  readonly comments: string[]
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>
  close(): void
}

/** Opens a stream of events and collects what comes. */
export async function openEvents(url: string): Promise<EventClient> {
  const stop = new AbortController()
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal: stop.signal })
  const events: SentEvent[] = []
  const comments: string[] = []
  const ended = collect(response, events, comments).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return { status: response.status, events, comments, ended, close: () => stop.abort() }
}

async function collect(response: Response, events: SentEvent[], comments: string[]): Promise<void> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of response.body!) {
    buffer += decoder.decode(chunk as Uint8Array, { stream: true })
    const blocks = buffer.split('\n\n')
    buffer = blocks.pop()!
    for (const block of blocks) {
      if (block.startsWith(':')) {
        comments.push(block)
        continue
      }
      const fields = new Map<string, string>()
      for (const line of block.split('\n')) {
        const [name = '', ...rest] = line.split(': ')
        const before = fields.get(name)
        fields.set(name, before === undefined ? rest.join(': ') : `${before}\n${rest.join(': ')}`)
      }
      events.push({
        name: fields.get('event') ?? 'message',
        id: fields.get('id') ?? '',
        at: Date.now(),
        data: JSON.parse(fields.get('data') ?? 'null'),
      })
    }
  }
}
