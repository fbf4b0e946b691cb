import { createHash } from 'node:crypto'
import { messageOf } from '../../base/errors.ts'
import type { CommandEvent, ThreadRef } from '../../channel/events.ts'
import type { Receipt, Speaker } from '../../channel/port.ts'
import type { Log } from '../../observe/log.ts'
import type { Database } from '../../store/client.ts'
import { answer } from './answer.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'
import { ownData } from './own-data.ts'
import { commandWords } from './words.ts'

/** The most characters of an export that are told in a notice. */
const mostInNotice = 1_500

/** Short data, and all of it on the web, is told at once; else a file goes to the person's direct messages. */
export async function exported(
  parts: { db: Database; memory: CommandMemory; speaker: (thread: ThreadRef) => Speaker; log: Log },
  event: CommandEvent,
  asker: CommandAsker,
): Promise<Receipt> {
  const text = JSON.stringify(await ownData(parts, asker), null, 1)
  const { thread, author, threadKind } = event
  if (thread.channel === 'web' || (threadKind === 'direct' && text.length <= mostInNotice)) {
    return answer(`\`\`\`json\n${text}\n\`\`\``)
  }
  const send = async () => {
    const speaker = parts.speaker(thread)
    const direct = await speaker.directThread(thread.workspace, author.userId)
    const surface = speaker.surface({ thread: direct, recipientId: author.userId })
    const nonce = createHash('sha256').update(event.dedupeKey).digest('hex').slice(0, 24)
    await surface.attach({ name: 'hermes-export.json', text }, nonce).finally(() => surface.close())
  }
  // The person is answered at once; a file takes its time.
  void send().catch((error: unknown) => parts.log.warn({ error: messageOf(error) }, 'An export was not sent'))
  return answer(commandWords(asker.language).exportSent)
}
