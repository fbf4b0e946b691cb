import type { ViewFile } from '../../channel/view.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Database } from '../../store/client.ts'
import { fileName } from '../../tools/results/files.ts'

/** A file that came with a message, as it is passed on. */
interface PassedFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** How long the web chat hands out a file that was passed on, in days. */
const keptDays = 30

/** The files of a message whose content the adapter could read. Others are passed on by their names alone. */
export function filesOf(event: PendingEvent): readonly PassedFile[] {
  if (event.kind !== 'message') return []
  return (event.payload.attachments ?? []).flatMap(({ name, mediaType, text, image }) => {
    const bytes =
      text === undefined
        ? image && Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')
        : Buffer.from(text, 'utf8')
    return bytes ? [{ name: fileName({ name, mimeType: mediaType }), mediaType, bytes }] : []
  })
}

/** Keeps the files of a message that was passed into a thread of the web chat, which has nothing else to show them. */
export async function keepForWeb(
  db: Database,
  messageId: string,
  sessionId: string,
  files: readonly PassedFile[],
): Promise<void> {
  for (const [index, { name, mediaType, bytes }] of files.entries()) {
    await db.changed`
      INSERT INTO stored_result (id, session_id, media_type, name, text, tokens, expires_at)
      VALUES (${`${refOf(messageId)}_${index}`}, ${sessionId}, ${mediaType}, ${name},
        ${Buffer.from(bytes).toString('base64')}, 0, now() + ${keptDays} * interval '1 day')
      ON CONFLICT (id) DO NOTHING`
  }
}

/** The files of messages that were passed into a thread of the web chat, by the message. */
export async function passedFiles(
  db: Database,
  sessionId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ViewFile[]>> {
  const passed = messageIds.filter((id) => id.startsWith('msg_evt_'))
  if (passed.length === 0) return new Map()
  const rows = await db.rows<ViewFile>`
    SELECT id AS ref, name, media_type AS "mediaType" FROM stored_result
    WHERE session_id = ${sessionId} AND call_id IS NULL AND name IS NOT NULL AND expires_at > now() ORDER BY id`
  const by = (id: string) => rows.filter(({ ref }) => ref.startsWith(`${refOf(id)}_`))
  return new Map(passed.map((id) => [id, by(id)]))
}

function refOf(messageId: string): string {
  return messageId.replace(/^msg_/, 'ref_')
}
