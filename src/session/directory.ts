import { type Address, addressKey } from '../channel/address.ts'
import { identitySpace } from '../channel/events.ts'
import type { Database } from '../store/client.ts'

/** Puts whom the settings list, with where each of them is, in the place of those that were there. */
export async function keepDirectory(
  db: Database,
  entries: readonly { readonly addresses: readonly Address[] }[],
): Promise<void> {
  const rows = entries.flatMap(({ addresses }) =>
    addresses.map((address) => ({
      channel: address.channel,
      workspace: identitySpace(address),
      userId: address.userId,
      // However the list is ordered and named, the same person has the same entry.
      entry: addresses.map(addressKey).toSorted().join(' '),
    })),
  )
  await db.$executeRaw`
    WITH wanted AS (
      SELECT w.channel::channel_name AS channel, w.workspace, w."userId" AS user_id, w.entry
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w(channel text, workspace text, "userId" text, entry text)
    ), gone AS (
      DELETE FROM directory_address d WHERE NOT EXISTS (SELECT 1 FROM wanted w
        WHERE w.channel = d.channel AND w.workspace = d.workspace AND w.user_id = d.user_id)
    )
    INSERT INTO directory_address (channel, workspace, user_id, entry)
    SELECT channel, workspace, user_id, entry FROM wanted
    ON CONFLICT (channel, workspace, user_id) DO UPDATE SET entry = excluded.entry`
}
