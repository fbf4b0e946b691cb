import type { types } from '@slack/bolt'
import { messageOf } from '../../src/base/errors.ts'
import { type Author, interactionKey } from '../../src/channel/events.ts'
import type { Gateway } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { plainSections } from './blocks.ts'
import type { SlackClient } from './client.ts'
import type { HomeOpened } from './interactions.ts'

/** What the home tab shows of a person, by the commands that tell it. */
const shown = ['approvals', 'reminders', 'memory'] as const

/** Draws the home tab anew: what waits for the person, their reminders and memories. Never rejects. */
export async function drawHome(
  parts: { readonly client: SlackClient; readonly gateway: Gateway; readonly log: Log },
  opened: HomeOpened,
  author: Author,
): Promise<void> {
  const { client, gateway, log } = parts
  try {
    const receipts = await Promise.all(
      shown.map((name) =>
        gateway.receive({
          kind: 'command',
          dedupeKey: interactionKey('slack', `home:${opened.userId}:${opened.at.getTime()}:${name}`),
          thread: opened.thread,
          threadKind: 'direct',
          author,
          at: opened.at,
          name,
          text: '',
        }),
      ),
    )
    const blocks = receipts.flatMap((receipt, index): types.KnownBlock[] => {
      const notice = receipt.kind === 'answered' ? (receipt.notice ?? '') : ''
      const sections = plainSections(notice.replaceAll(/^- /gm, '• ') || '…')
      return [...(index > 0 ? [{ type: 'divider' } as const] : []), ...sections]
    })
    await client.tryOnce('views.publish', (web) =>
      web.views.publish({ user_id: opened.userId, view: { type: 'home', blocks: blocks.slice(0, 100) } }),
    )
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'A home tab could not be drawn')
  }
}
