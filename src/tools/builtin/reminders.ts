import { DateTime } from 'luxon'
import { z } from 'zod'
import type { Ids } from '../../base/ids.ts'
import { clockTime, type Language } from '../../base/words.ts'
import { readDates } from '../../search/dates.ts'
import { nextOccurrence, parseRecurrence, type Recurrence } from '../../search/recurrence/rule.ts'
import { readRecurrence, recurrenceWords } from '../../search/recurrence/words.ts'
import type { Database } from '../../store/client.ts'
import type { Reminder } from '../../store/prisma/client.ts'
import { isUniqueViolation } from '../../store/unique.ts'
import { defineTool } from '../definition.ts'
import { type CheckContext, type Checked, type Tool, ToolFailure } from '../tool.ts'

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
          .optional()
          .describe(
            'ISO 8601 with offset, or words such as "tomorrow at 9" or "下周一上午"; of one that comes again the first day, where that is named',
          ),
        repeat: z
          .string()
          .trim()
          .min(2)
          .max(120)
          .optional()
          .describe(
            'Only where it is to come again, in words with the time: "every weekday at 9", "every second Monday at 14:00", "每月最后一个工作日下午5点"',
          ),
      }),
      settle: settleWhen,
      async run(args, context) {
        const data = {
          id: ids('rem'),
          personId: context.person.id,
          sessionId: context.session.id,
          text: args.text,
          dueAt: new Date(args.when ?? context.now),
          timeZone: context.person.timeZone,
          recurrence: (args as { rule?: string }).rule ?? null,
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
          told: toldOf(reminder, at, context.person.language),
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
      askless: true,
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
    ...(reminder.recurrence ? { repeat: repeatWords(reminder.recurrence, language) } : {}),
  }
}

function toldOf(reminder: Reminder, at: string, language: Language): string {
  const repeat = reminder.recurrence === null ? '' : repeatWords(reminder.recurrence, language)
  if (language === 'zh') return repeat === '' ? `提醒已设置：${at}` : `提醒已设置：${repeat}，下一次 ${at}`
  return repeat === '' ? `Reminder set for ${at}` : `Reminder set ${repeat}, next ${at}`
}

/** How a stored reminder comes again, in words. */
export function repeatWords(stored: string, language: Language): string {
  const rule = parseRecurrence(stored)
  return rule ? recurrenceWords(rule, language) : stored
}

/** Words become a moment and a rule in the person's time zone; a day without a time is its morning. */
function settleWhen(
  args: { readonly text: string; readonly when?: string | undefined; readonly repeat?: string | undefined },
  context: CheckContext,
): Checked<Record<string, unknown>> {
  const wrong = (field: string, problem: string, missing = false) =>
    ({ ok: false, problems: [{ field, problem, missing }] }) as const
  // "Every Monday at 9" as the only words about time says both.
  const again =
    args.repeat ??
    (args.when && /\b(?:every|each|daily|weekly|monthly|yearly)\b|每|隔周|天天/i.test(args.when)
      ? args.when
      : undefined)
  const day = args.when === undefined || args.when === again ? undefined : args.when
  const named = day === undefined ? undefined : momentOf(day, context)
  if (day !== undefined && !named) return wrong('when', `"${day}" names no time that I can read`)
  if (again === undefined) {
    if (!named) return wrong('when', 'is missing', true)
    if (named.at.getTime() < context.now.getTime() - 60_000) return wrong('when', `"${day}" has passed`)
    return { ok: true, arguments: { text: args.text, when: written(named.at, context) } }
  }
  const rule = readRecurrence(again, {
    at: named?.at ?? context.now,
    timeZone: context.timeZone,
    hasTime: named?.hasTime ?? false,
  })
  if (!rule) {
    return wrong(
      'repeat',
      `"${again}" says no repetition that I can read. Days, weeks, months and years can be told, such as "every second Monday at 9"`,
    )
  }
  const first = firstOf(rule, named?.at, context)
  if (!first) return wrong('repeat', `"${again}" never comes`)
  return {
    ok: true,
    arguments: {
      text: args.text,
      when: written(first, context),
      repeat: recurrenceWords(rule, context.language),
      rule: JSON.stringify(rule),
    },
  }
}

/** The first time at or after the day that was named, and never in the past. */
function firstOf(rule: Recurrence, named: Date | undefined, context: CheckContext): Date | undefined {
  const day = named && DateTime.fromJSDate(named, { zone: context.timeZone }).startOf('day').toMillis() - 1
  return nextOccurrence(rule, new Date(Math.max(day ?? 0, context.now.getTime())), context.timeZone)
}

function written(at: Date, context: CheckContext): string | null {
  return DateTime.fromJSDate(at, { zone: context.timeZone }).toISO({ suppressMilliseconds: true })
}

function momentOf(words: string, context: CheckContext): { at: Date; hasTime: boolean } | undefined {
  if (/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/.test(words)) {
    const exact = DateTime.fromISO(words.replace(' ', 'T'), { zone: context.timeZone })
    if (exact.isValid) {
      const hasTime = words.length > 10
      return { at: (hasTime ? exact : exact.set({ hour: morning })).toJSDate(), hasTime }
    }
  }
  const named = readDates(words, { now: context.now, timeZone: context.timeZone })[0]
  if (!named) return undefined
  if (named.grain === 'minute' || named.grain === 'part') return { at: named.start, hasTime: true }
  const day = DateTime.fromJSDate(named.start, { zone: context.timeZone }).set({ hour: morning, minute: 0 })
  // "This week" and "today" said at noon mean from now on.
  const at =
    day.toMillis() < context.now.getTime() && named.end > context.now
      ? new Date(Math.min(context.now.getTime() + 3_600_000, named.end.getTime() - 60_000))
      : day.toJSDate()
  return { at, hasTime: false }
}

/** When a reminder that comes again comes next, after what was missed. */
export function nextDue(
  reminder: { readonly dueAt: Date; readonly recurrence: string; readonly timeZone: string },
  now: Date,
): Date | undefined {
  const after = new Date(Math.max(now.getTime(), reminder.dueAt.getTime()))
  const rule =
    parseRecurrence(reminder.recurrence) ??
    // Reminders of the first version hold one of four words.
    readRecurrence(reminder.recurrence === 'weekdays' ? 'every weekday' : reminder.recurrence, {
      at: reminder.dueAt,
      timeZone: reminder.timeZone,
      hasTime: true,
    })
  return rule && nextOccurrence(rule, after, reminder.timeZone)
}
