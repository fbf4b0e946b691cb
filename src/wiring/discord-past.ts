import type { DiscordPast } from '../../adapters/discord/adapter.ts'
import type { Database } from '../store/client.ts'

/** What the database knows of Discord from before this process: where to read on after a pause. */
export function discordPast(db: Database): DiscordPast {
  return {
    async lastReceived() {
      const row = await db.inboundEvent.findFirst({
        where: { session: { channel: 'discord' }, kind: { in: ['message', 'edit', 'action'] } },
        orderBy: { id: 'desc' },
        select: { receivedAt: true },
      })
      return row?.receivedAt
    },
    async directRooms() {
      const rows = await db.session.findMany({
        where: {
          channel: 'discord',
          workspace: '@me',
          lastActivityAt: { gt: new Date(Date.now() - 30 * 86_400_000) },
        },
        orderBy: { lastActivityAt: 'desc' },
        take: 200,
        select: { room: true },
        distinct: ['room'],
      })
      return rows.map((row) => row.room)
    },
  }
}
