import { readDates } from '../../search/dates.ts'
import type { CheckContext, Checked } from '../tool.ts'

/** A date in words becomes the end of that day, where the person is. */
export function settleDue<Field extends string>(
  args: Readonly<Record<string, unknown>> & { readonly [name in Field]?: string | undefined },
  field: Field,
  context: CheckContext,
): Checked<Record<string, unknown>> {
  const given = args[field]
  if (given === undefined) return { ok: true, arguments: { ...args } }
  const exact = /^\d{4}-\d{2}-\d{2}T/.test(given) ? new Date(given) : undefined
  const now = /^(?:now|overdue|现在|已过期|逾期)$/i.test(given) ? context.now : undefined
  const named = readDates(given, { now: context.now, timeZone: context.timeZone })[0]
  const end = named && new Date(named.end.getTime() - 60_000)
  const at = exact && !Number.isNaN(exact.getTime()) ? exact : (now ?? end)
  if (!at) {
    return {
      ok: false,
      problems: [{ field, problem: `"${given}" is no date that I can read`, missing: false }],
    }
  }
  return { ok: true, arguments: { ...args, [field]: at.toISOString() } }
}
