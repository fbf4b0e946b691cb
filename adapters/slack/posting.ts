import type { types } from '@slack/bolt'
import type { Clock } from '../../src/base/clock.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import { ChannelError } from '../../src/channel/failure.ts'
import type { OwnFile } from '../../src/channel/port.ts'
import type { SlackClient } from './client.ts'
import { metadataFor, type Past } from './past.ts'
import { threadTs } from './place.ts'

/** What a post holds. */
export interface Content {
  readonly text: string
  readonly blocks: types.KnownBlock[]
}

/** New messages, each at most once. */
export interface Posting {
  /** Posts and gives the message's id. Where the answer got lost, the message is looked for by its nonce. */
  post(thread: ThreadRef, content: Content, nonce: string, signal?: AbortSignal): Promise<string>
  /** Shares a file in the thread and gives the id of the message that holds it. */
  share(thread: ThreadRef, file: OwnFile): Promise<string>
}

/** What stands for a message that holds a file and could not be found: `file:` and the file's id. */
export const filePrefix = 'file:'

const tries = 3

export function createPosting(client: SlackClient, past: Past, clock: Clock): Posting {
  async function post(
    thread: ThreadRef,
    content: Content,
    nonce: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const root = threadTs(thread)
    const since = clock.now()
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { ts } = await client.call(
          'chat.postMessage',
          'once',
          (web) =>
            web.chat.postMessage({
              channel: thread.room,
              ...(root === undefined ? {} : { thread_ts: root }),
              ...content,
              metadata: metadataFor(nonce),
              unfurl_links: false,
              unfurl_media: false,
            }),
          signal,
        )
        return idOf(ts, 'chat.postMessage')
      } catch (error) {
        if (!(error instanceof ChannelError) || error.failure !== 'unknown' || attempt === tries) throw error
        const found = await lookFor(thread, since, nonce, error)
        if (found !== undefined) return found
      }
    }
  }

  /** The lost post, if it arrived. Where looking fails too, nobody knows. */
  async function lookFor(thread: ThreadRef, since: Date, nonce: string, lost: ChannelError) {
    try {
      return (await past.find(thread, since, (message) => message.nonce === nonce))?.ts
    } catch {
      throw lost
    }
  }

  return {
    post,
    async share(thread, file) {
      const root = threadTs(thread)
      const bytes = 'text' in file ? Buffer.from(file.text, 'utf8') : Buffer.from(file.bytes)
      const since = clock.now()
      const { upload_url: url, file_id: id } = await client.call(
        'files.getUploadURLExternal',
        'repeatable',
        (web) => web.files.getUploadURLExternal({ filename: file.name, length: bytes.length }),
      )
      if (!url || !id) throw new ChannelError('unavailable', 'Slack gave no address to upload a file to.')
      await upload(url, bytes)
      const where = { channel_id: thread.room, ...(root === undefined ? {} : { thread_ts: root }) }
      await client.call('files.completeUploadExternal', 'once', (web) =>
        web.files.completeUploadExternal({ files: [{ id, title: file.name }], ...where }),
      )
      // Slack's answer names the file, not the message that holds it.
      const holder = await past
        .find(thread, since, (message) => message.fileIds.includes(id))
        .catch(() => undefined)
      return holder?.ts ?? `${filePrefix}${id}`
    },
  }
}

async function upload(url: string, bytes: Buffer): Promise<void> {
  const failed = (cause: unknown) =>
    new ChannelError('unavailable', 'A file could not be uploaded to Slack.', { cause })
  const response = await fetch(url, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream' },
    signal: AbortSignal.timeout(20_000),
  }).catch((error: unknown) => {
    throw failed(error)
  })
  await response.arrayBuffer()
  if (!response.ok) throw failed(`HTTP ${response.status}`)
}

/** The `ts` of an answer. */
export function idOf(ts: string | undefined, method: string): string {
  if (!ts) throw new ChannelError('unknown', `Slack did not tell the id of the message of ${method}.`)
  return ts
}
