import { messageOf } from '../../base/errors.ts'
import type { Ids } from '../../base/ids.ts'
import type { Log } from '../../observe/log.ts'
import type { Database } from '../../store/client.ts'
import type { Tool } from '../tool.ts'

/** How long tools may take. A time that proves too short is raised, within the tool's declared bound. */
export interface Timeouts {
  /** The tool's time in ms, as it is by now. */
  of(tool: Tool): Promise<number>
  /** An answer came after the time was up. Three in a row raise it by a fifth. */
  late(tool: Tool): Promise<void>
  /** An answer came in time. */
  inTime(tool: Tool): void
}

/** Late answers in a row that prove a time too short, and what it is then multiplied by. */
const proof = 3
const factor = 1.2
const scope = 'tool.timeout'

/** Times that were raised are kept in the database; the count of late answers is this process's own. */
export function createTimeouts(parts: { db: Database; ids: Ids; log: Log }): Timeouts {
  const { db, ids, log } = parts
  const raised = new Map<string, number>()
  const lateInRow = new Map<string, number>()
  let reading: Promise<void> | undefined

  const read = async () => {
    try {
      const rows = await db.state.findMany({ where: { scope } })
      for (const { key, value } of rows) if (typeof value === 'number') raised.set(key, value)
    } catch (error) {
      // The declared times do for now; the next call looks again.
      reading = undefined
      log.warn({ error: messageOf(error) }, 'The raised time-outs could not be read')
    }
  }
  const current = (tool: Tool) =>
    Math.max(tool.timeoutMs, Math.min(raised.get(tool.name) ?? 0, boundOf(tool)))

  return {
    async of(tool) {
      reading ??= read()
      await reading
      return current(tool)
    },
    async late(tool) {
      const count = (lateInRow.get(tool.name) ?? 0) + 1
      lateInRow.set(tool.name, count % proof)
      if (count < proof) return
      const from = current(tool)
      const to = Math.min(Math.ceil(from * factor), boundOf(tool))
      if (to <= from) return
      raised.set(tool.name, to)
      // Another process may have raised it further; the log tells what was really changed.
      await db.$executeRaw`
        WITH changed AS (
          INSERT INTO state (scope, key, value) VALUES (${scope}, ${tool.name}, to_jsonb(${to}::int))
          ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value, updated_at = now()
            WHERE (state.value)::int < ${to}
          RETURNING key
        )
        INSERT INTO audit_event (id, action, subject_id, data)
        SELECT ${ids('aud')}, 'timeout.raised', key,
          jsonb_build_object('tool', key, 'fromMs', ${from}::int, 'toMs', ${to}::int, 'boundMs', ${boundOf(tool)}::int)
        FROM changed`
      log.info({ tool: tool.name, fromMs: from, toMs: to }, 'A time-out proved too short and was raised')
    },
    inTime(tool) {
      lateInRow.delete(tool.name)
    },
  }
}

/** The most that a tool's time is raised to: what it declares, or twice its time. */
export function boundOf(tool: Tool): number {
  return tool.longestMs ?? tool.timeoutMs * 2
}
