import { DateTime } from 'luxon'
import { z } from 'zod'
import type { Ids } from '../../base/ids.ts'
import { clockTime, type Language } from '../../base/words.ts'
import { readDates } from '../../search/dates.ts'
import { isUniqueViolation } from '../../session/inbox.ts'
import type { Database } from '../../store/client.ts'
import type { Reminder } from '../../store/prisma/client.ts'
import { type CheckContext, type Checked, defineTool, type Tool, ToolFailure } from '../definition.ts'

const repeats = ['daily', 'weekdays', 'weekly', 'monthly'] as const

/** How a reminder comes again. */
export type Repeat = (typeof repeats)[number]

/** The hour of a reminder whose words name a day only. */
const morning = 9

/** Reminders of the speaker, in the thread where they were set. */
export function reminderTools(parts: { db: Database; ids: Ids }): readonly Tool[] {
  const { db, ids } = parts
  return [
    defineTool({
      name: 'set_reminder',
      title: { en: 'Set reminder', zh: '设置提醒' },
      useWhen: 'the person wants to be reminded of something at a time, once or again and again.',
      notWhen: 'somebody else is to be told something now: send_message does that.',
      returns: 'the reminder and the time when it will be said in this thread.',
      failsWith: 'a sentence, where the time is missing, can not be read or has passed.',
      effect: 'own',
      idempotent: true,
      activity: { en: 'Setting the reminder', zh: '正在设置提醒' },
      input: z.object({
        text: z.string().trim().min(1).max(500).describe('What to be reminded of, as it will be said'),
        when: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .describe('ISO 8601 with offset, or words such as "tomorrow at 9" or "下周一上午"'),
        repeat: z.enum(repeats).optional().describe('Only where it is to come again'),
      }),
      settle: settleWhen,
      async run(args, context) {
        const data = {
          id: ids('rem'),
          personId: context.person.id,
          sessionId: context.session.id,
          text: args.text,
          dueAt: new Date(args.when),
          timeZone: context.person.timeZone,
          recurrence: args.repeat ?? null,
          callId: context.callId,
        }
        let reminder: Reminder
        try {
          reminder = await db.reminder.create({ data })
        } catch (error) {
          if (!isUniqueViolation(error)) throw error
          reminder = await db.reminder.findUniqueOrThrow({ where: { callId: context.callId } })
        }
        const at = clockTime(reminder.dueAt, context.now, context.person.timeZone, context.person.language)
        return {
          content: shownReminder(reminder, context.now, context.person.language),
          told: context.person.language === 'zh' ? `提醒已设置：${at}` : `Reminder set for ${at}`,
          entities: [{ type: 'reminder', id: reminder.id, label: reminder.text }],
        }
      },
      async undo(done, context) {
        const where = { callId: done.id, personId: context.person.id }
        await db.reminder.updateMany({ where: { ...where, status: 'open' }, data: { status: 'cancelled' } })
        const reminder = await db.reminder.findFirstOrThrow({ where })
        return {
          content: { cancelled: reminder.text },
          told:
            context.person.language === 'zh'
              ? `提醒已取消：${reminder.text}`
              : `Reminder cancelled: ${reminder.text}`,
        }
      },
    }),

    defineTool({
      name: 'list_reminders',
      title: { en: 'List reminders', zh: '列出提醒' },
      useWhen: 'the person asks which reminders they have.',
      notWhen: 'they want a new one, or ask about tickets or memories.',
      returns: 'the open reminders of the speaker, the next one first.',
      failsWith: 'nothing; the list may be empty.',
      effect: 'read',
      idempotent: true,
      activity: { en: 'Looking through your reminders', zh: '正在查看提醒' },
      input: z.object({}),
      async run(_, context) {
        const reminders = await db.reminder.findMany({
          where: { personId: context.person.id, status: 'open' },
          orderBy: { dueAt: 'asc' },
          take: 30,
        })
        return {
          content: {
            reminders: reminders.map((reminder) =>
              shownReminder(reminder, context.now, context.person.language),
            ),
          },
          entities: reminders.map((reminder) => ({
            type: 'reminder',
            id: reminder.id,
            label: reminder.text,
          })),
        }
      },
    }),

    defineTool({
      name: 'cancel_reminder',
      title: { en: 'Cancel reminder', zh: '取消提醒' },
      useWhen: 'the person no longer wants one of their reminders.',
      notWhen: 'it is not clear which one: list_reminders shows them with their ids.',
      returns: 'the reminder that was cancelled.',
      failsWith: 'not found, where the speaker has no such open reminder.',
      effect: 'own',
      idempotent: true,
      activity: { en: 'Cancelling the reminder', zh: '正在取消提醒' },
      input: z.object({
        reminder: z.string().trim().min(1).max(200).describe('Its id, or words of its text'),
      }),
      async run(args, context) {
        const open = await db.reminder.findMany({ where: { personId: context.person.id, status: 'open' } })
        const matching = open.filter(
          (reminder) =>
            reminder.id === args.reminder ||
            reminder.text.toLowerCase().includes(args.reminder.toLowerCase()),
        )
        if (matching.length > 1) {
          throw new ToolFailure(
            'validation',
            `Several reminders fit: ${matching.map((one) => `${one.id} "${one.text}"`).join(', ')}.`,
          )
        }
        const [reminder] = matching
        if (!reminder) throw new ToolFailure('not_found', 'You have no such reminder.')
        await db.reminder.updateMany({
          where: { id: reminder.id, status: 'open' },
          data: { status: 'cancelled' },
        })
        return {
          content: shownReminder(reminder, context.now, context.person.language),
          told:
            context.person.language === 'zh'
              ? `提醒已取消：${reminder.text}`
              : `Reminder cancelled: ${reminder.text}`,
        }
      },
    }),
  ]
}

function shownReminder(reminder: Reminder, now: Date, language: Language) {
  return {
    id: reminder.id,
    text: reminder.text,
    when: DateTime.fromJSDate(reminder.dueAt, { zone: reminder.timeZone }).toISO({
      suppressMilliseconds: true,
      suppressSeconds: true,
    }),
    words: clockTime(reminder.dueAt, now, reminder.timeZone, language),
    ...(reminder.recurrence ? { repeat: reminder.recurrence } : {}),
  }
}

/** Words become a moment in the person's time zone; a day without a time is its morning. */
function settleWhen(
  args: { text: string; when: string; repeat?: Repeat | undefined },
  context: CheckContext,
): Checked<Record<string, unknown>> {
  const at = momentOf(args.when, context)
  if (!at) {
    return {
      ok: false,
      problems: [{ field: 'when', problem: `"${args.when}" names no time that I can read`, missing: false }],
    }
  }
  if (at.getTime() < context.now.getTime() - 60_000) {
    return { ok: false, problems: [{ field: 'when', problem: `"${args.when}" has passed`, missing: false }] }
  }
  const when = DateTime.fromJSDate(at, { zone: context.timeZone }).toISO({ suppressMilliseconds: true })
  return { ok: true, arguments: { ...args, when } }
}

function momentOf(words: string, context: CheckContext): Date | undefined {
  if (/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/.test(words)) {
    const exact = DateTime.fromISO(words.replace(' ', 'T'), { zone: context.timeZone })
    if (exact.isValid) return (words.length === 10 ? exact.set({ hour: morning }) : exact).toJSDate()
  }
  const named = readDates(words, { now: context.now, timeZone: context.timeZone })[0]
  if (!named) return undefined
  if (named.grain === 'minute' || named.grain === 'part') return named.start
  const day = DateTime.fromJSDate(named.start, { zone: context.timeZone }).set({ hour: morning, minute: 0 })
  // "This week" and "today" said at noon mean from now on.
  return day.toMillis() < context.now.getTime() && named.end > context.now
    ? new Date(Math.min(context.now.getTime() + 3_600_000, named.end.getTime() - 60_000))
    : day.toJSDate()
}

/** When a repeated reminder comes next: the same wall-clock time, also across a change to or from summer time. */
export function nextDue(dueAt: Date, repeat: string, timeZone: string, now: Date): Date {
  const first = DateTime.fromJSDate(dueAt, { zone: timeZone })
  for (let count = 1; count < 10_000; count++) {
    const next =
      repeat === 'monthly'
        ? first.plus({ months: count })
        : repeat === 'weekly'
          ? first.plus({ weeks: count })
          : first.plus({ days: count })
    if (repeat === 'weekdays' && next.weekday > 5) continue
    if (next.toMillis() > now.getTime()) return next.toJSDate()
  }
  return new Date(now.getTime() + 86_400_000)
}
