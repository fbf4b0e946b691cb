import type { Database } from '../../store/client.ts'
import type { Pin, PinStore } from './drift.ts'

/** Accepted definitions, in the database. */
export function createPins(db: Database): PinStore {
  return {
    async get(server, tool) {
      const row = await db.mcpToolPin.findUnique({ where: { server_tool: { server, tool } } })
      return row ? { hash: row.hash, definition: row.definition as unknown as Pin['definition'] } : undefined
    },
    async put(server, tool, pin) {
      const data = { hash: pin.hash, definition: pin.definition as object, acceptedAt: new Date() }
      await db.mcpToolPin.upsert({
        where: { server_tool: { server, tool } },
        create: { server, tool, ...data },
        update: data,
      })
    },
  }
}
