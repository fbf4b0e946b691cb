import { z } from 'zod'

const name = z.string().trim().min(1).max(80)
const channel = z.enum(['slack', 'discord', 'web'])

const address = z.string().regex(/^(?:slack:[A-Z0-9]{1,40}:[A-Z0-9]{1,40}|discord:\d{5,25}|web:\S.{0,63})$/, {
  error: 'must be "slack:<team>:<user>", "discord:<user>" or "web:<name>"',
})

const person = z.strictObject({
  name,
  /** What people also call them, in whatever language. */
  aliases: z.array(name).default([]),
  /** Where they are written to: `slack:<team>:<user>`, `discord:<user>`, `web:<name>`, as approvers are. */
  addresses: z.array(address).min(1),
  /** Where they want to be written to by somebody who is not on a channel with them. */
  prefers: channel.optional(),
  /** Another name of theirs. */
  email: z.email().optional(),
})

const room = z
  .strictObject({
    name: name.regex(/^[^#\s]+$/, { error: 'must be one word, without #' }),
    aliases: z.array(name.regex(/^[^#\s]+$/, { error: 'must be one word, without #' })).default([]),
    channel,
    /** The Slack team or the Discord server; the web chat has none. */
    workspace: z.string().min(1).optional(),
    /** As the platform knows it, by name or id; on the web a thread. `name` where not given. */
    room: z
      .string()
      .regex(/^#?[^\s#]{1,100}$/, { error: 'must be the name or id of a channel' })
      .optional(),
  })
  .refine((one) => one.channel === 'web' || one.workspace !== undefined, {
    error: "needs `workspace`: the Slack team's id (T…) or the Discord server's id",
  })
  .refine((one) => one.channel !== 'web' || /^[A-Za-z0-9._-]{1,40}$/.test(one.room ?? one.name), {
    error: 'needs a `room` of at most 40 letters, digits, dots, hyphens or underscores on the web',
  })

/** People who can be written to from everywhere. */
export const people = z
  .array(person)
  .superRefine((entries, context) => {
    const owners = new Map<string, string>()
    for (const [index, one] of entries.entries()) {
      for (const [place, each] of one.addresses.entries()) {
        const other = owners.get(each)
        if (other !== undefined)
          context.addIssue({
            code: 'custom',
            path: [index, 'addresses', place],
            message: `is that of ${JSON.stringify(other)} already: an address belongs to one person`,
          })
        owners.set(each, one.name)
      }
      const channels = [...new Set(one.addresses.map((each) => each.split(':')[0]!))]
      if (one.prefers !== undefined && !channels.includes(one.prefers))
        context.addIssue({
          code: 'custom',
          path: [index, 'prefers'],
          message: `must be a channel of the addresses: ${channels.join(', ')}`,
        })
    }
  })
  .default([])

/** Rooms that can be written to from everywhere. */
export const rooms = z.array(room).default([])
