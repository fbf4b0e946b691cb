import { z } from 'zod'

const value = z.union([z.string(), z.number(), z.boolean()])

/** What an argument has to be for a rule to apply: a value, one of several, or a number within bounds. */
const condition = z.union(
  [
    value,
    z.array(value).min(1),
    z.strictObject({
      over: z.number().optional(),
      atLeast: z.number().optional(),
      under: z.number().optional(),
      atMost: z.number().optional(),
    }),
  ],
  { error: 'must be a value, a list of values, or a bound such as { "over": 1000 }' },
)

const room = z.strictObject({
  channel: z.enum(['slack', 'discord', 'web']),
  /** The Slack team or Discord guild; left out where it is that of the thread. */
  workspace: z.string().min(1).optional(),
  /** The channel's id or name; on the web a thread's name. */
  room: z.string().trim().min(1).max(120),
})

const rule = z.strictObject({
  /** A tool's name; `*` stands for any letters. */
  tool: z.string().trim().min(1).max(120),
  /** By argument, a dot between names that lie in each other. All have to fit. */
  when: z.record(z.string().min(1), condition).optional(),
  /** `requester`, `group:<name>`, `slack:<team>:<user>`, `discord:<user>`, `web:<name>`, or a person's name. */
  approvers: z.array(z.string().trim().min(1).max(120)).min(1).default(['requester']),
  /** Four eyes: the one who asked may not decide. */
  notRequester: z.boolean().default(false),
  /** Where the card goes; the thread where not set. */
  room: room.optional(),
  expiryHours: z.number().positive().optional(),
  remindMinutes: z.number().min(0).optional(),
  /** May the person allow it for good: with exactly these arguments, or with those named here fixed? */
  alwaysAllow: z
    .union([z.boolean(), z.array(z.string().min(1)).min(1)], {
      error: 'must be true, false or a list of arguments',
    })
    .default(false),
})

/** Who decides about what Hermes wants to change. The first rule that fits a call counts. */
export const approvals = z
  .strictObject({
    expiryHours: z.number().positive().default(24),
    /** Before the end of that time; 0 for no reminder. */
    remindMinutes: z.number().min(0).default(60),
    /** People who may stand for each other, by the group's name. */
    groups: z.record(z.string().min(1).max(60), z.array(z.string().trim().min(1).max(120))).default({}),
    rules: z.array(rule).default([]),
  })
  .superRefine((settings, context) => {
    const complain = (path: readonly PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path: [...path], message })
    const groups = Object.keys(settings.groups)
    for (const [name, members] of Object.entries(settings.groups)) {
      if (members.some((member) => member === 'requester' || member.startsWith('group:')))
        complain(['groups', name], 'may hold people only: names, or ids such as "slack:T1:U2"')
    }
    for (const [index, one] of settings.rules.entries()) {
      const at = ['rules', index]
      for (const approver of one.approvers) {
        const group = /^group:(.*)$/.exec(approver)?.[1]
        if (group !== undefined && !groups.includes(group))
          complain(
            [...at, 'approvers'],
            `names a group that is not declared; ${groups.length > 0 ? `there are: ${groups.join(', ')}` : 'declare it in approvals.groups'}`,
          )
      }
      const others = one.approvers.filter((approver) => approver !== 'requester')
      if (one.notRequester && others.length === 0)
        complain([...at, 'approvers'], 'must name somebody, since the requester may not decide')
      if (one.alwaysAllow !== false && (one.notRequester || !one.approvers.includes('requester')))
        complain([...at, 'alwaysAllow'], 'needs "requester" among the approvers')
    }
  })
  .prefault({})
