import { type Conversation, endMark, limited, type Platform, question, type Turn } from '../chat.ts'

interface Waiting {
  readonly token: string
  readonly sign: () => void
  readonly finished: () => void
}

/** The web chat, as a browser uses it: messages by POST, the thread by server-sent events. */
export function webPlatform(address: () => string): Platform {
  let count = 0
  return {
    name: 'web',
    async open() {
      count += 1
      return openThread(address(), `bench-${process.pid}-${count}`, `Person ${count}`)
    },
  }
}

async function openThread(address: string, thread: string, user: string): Promise<Conversation> {
  let waiting: Waiting | undefined
  const leaving = new AbortController()
  const place = `${address}/api/threads/${thread}`
  const stream = await fetch(`${place}/events?user=${encodeURIComponent(user)}`, { signal: leaving.signal })
  if (!stream.ok || !stream.body) throw new Error(`The events of ${thread} were refused: ${stream.status}`)
  const following = follow(stream.body, (event, data) => {
    if (!waiting) return
    if (event === 'state') {
      const { state } = data as { state: string }
      if (state !== 'idle' && state !== 'done') waiting.sign()
    } else if (event === 'draft' && data) {
      waiting.sign()
    } else if (event === 'message') {
      const { role, text } = data as { role: string; text: string }
      if (role !== 'assistant') return
      waiting.sign()
      if (text.includes(endMark(waiting.token))) waiting.finished()
    }
  })
  return {
    turn: (token, said = question(token)) =>
      new Promise<Turn>((resolve, reject) => {
        const stop = limited(token, reject)
        const sentAt = performance.now()
        let sign: number | undefined
        let finished: number | undefined
        let ack: number | undefined
        const settle = () => {
          if (finished === undefined || ack === undefined) return
          stop()
          waiting = undefined
          resolve({ token, sentAt, acks: [ack], ...(sign === undefined ? {} : { sign }), finished })
        }
        waiting = {
          token,
          sign: () => {
            sign ??= performance.now() - sentAt
          },
          finished: () => {
            finished ??= performance.now() - sentAt
            settle()
          },
        }
        fetch(`${place}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ user, text: said }),
        }).then((answer) => {
          ack = performance.now() - sentAt
          void answer.arrayBuffer()
          if (answer.status === 202) settle()
          else reject(new Error(`A message was refused: ${answer.status}`))
        }, reject)
      }),
    async end() {
      leaving.abort()
      await following
    },
  }
}

/** Reads server-sent events until the stream ends. */
async function follow(
  body: ReadableStream<Uint8Array>,
  on: (event: string, data: unknown) => void,
): Promise<void> {
  let rest = ''
  try {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + piece).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = /^event: (.*)$/m.exec(frame)?.[1]
        const data = /^data: (.*)$/m.exec(frame)?.[1]
        if (event !== undefined && data !== undefined) on(event, JSON.parse(data))
      }
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  }
}
