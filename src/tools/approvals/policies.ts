import type { ChannelName } from '../../channel/events.ts'
import type { Tool } from '../tool.ts'

type Value = string | number | boolean
interface Bounds {
  readonly over?: number | undefined
  readonly atLeast?: number | undefined
  readonly under?: number | undefined
  readonly atMost?: number | undefined
}
type Condition = Value | readonly Value[] | Bounds

/** A room for cards, as the settings name it. */
export interface ApprovalRoom {
  readonly channel: ChannelName
  readonly workspace?: string | undefined
  readonly room: string
}

/** A rule of the settings: for which calls it counts, and what it demands. */
export interface PolicyRule {
  readonly tool: string
  readonly when?: Readonly<Record<string, Condition>> | undefined
  readonly approvers: readonly string[]
  readonly notRequester: boolean
  readonly room?: ApprovalRoom | undefined
  readonly expiryHours?: number | undefined
  readonly remindMinutes?: number | undefined
  readonly alwaysAllow: boolean | readonly string[]
}

/** The settings about approvals. */
export interface PolicySettings {
  readonly expiryHours: number
  readonly remindMinutes: number
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly rules: readonly PolicyRule[]
}

/** Where a card goes that does not stay in its thread. */
export interface Place {
  readonly channel: ChannelName
  readonly workspace: string
  readonly room: string
}

/** What counts for one call. It is bound to its approval: later settings do not change it. */
export interface Policy {
  /** The rule, by its place and tool in the settings; `null` for the default. */
  readonly rule: string | null
  /** `requester`, `group:<name>`, `id:<channel>:<space>:<user>` or `name:<name>`. */
  readonly approvers: readonly string[]
  readonly fourEyes: boolean
  readonly place: Place | null
  /** From the moment it is kept, by the clock of the database, which is the one that decides. */
  readonly lifeMs: number
  /** So long before its end it is reminded of, if it is. */
  readonly noticeMs: number | null
  readonly grantable: boolean
  readonly grantKeys: readonly string[]
}

/** The policy of a call that was proposed now in a thread there. */
export function policyFor(
  settings: PolicySettings,
  call: {
    readonly tool: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly thread: { readonly channel: ChannelName; readonly workspace: string }
  },
): Policy {
  const index = settings.rules.findIndex((rule) => applies(rule, call.tool, call.arguments))
  const rule = settings.rules[index]
  const lifeMs = (rule?.expiryHours ?? settings.expiryHours) * 3_600_000
  const notice = (rule?.remindMinutes ?? settings.remindMinutes) * 60_000
  return {
    rule: rule ? `${index + 1}: ${rule.tool}` : null,
    approvers: rule?.approvers.map(principalOf) ?? ['requester'],
    fourEyes: rule?.notRequester ?? false,
    place: rule?.room ? placeOf(rule.room, call.thread) : null,
    lifeMs,
    noticeMs: notice > 0 && notice < lifeMs ? notice : null,
    grantable: rule !== undefined && rule.alwaysAllow !== false,
    grantKeys: Array.isArray(rule?.alwaysAllow) ? rule.alwaysAllow : [],
  }
}

/** The groups of the settings, with their members as approvals name them. */
export function groupsOf(
  settings: PolicySettings,
): readonly { readonly name: string; readonly members: readonly string[] }[] {
  return Object.entries(settings.groups).map(([name, members]) => ({
    name,
    members: members.map(principalOf),
  }))
}

/** An approver as approvals keep them. */
function principalOf(approver: string): string {
  if (approver === 'requester' || approver.startsWith('group:')) return approver
  const [, channel, rest = ''] = /^(slack|discord|web):(.+)$/.exec(approver) ?? []
  switch (channel) {
    case 'slack':
      return `id:slack:${rest}`
    // Within these, user ids are unique whatever the place.
    case 'discord':
      return `id:discord:discord:${rest}`
    case 'web':
      return `id:web:local:${rest}`
    default:
      return `name:${approver}`
  }
}

function applies(rule: PolicyRule, tool: string, args: Readonly<Record<string, unknown>>): boolean {
  return (
    patternOf(rule.tool).test(tool) &&
    Object.entries(rule.when ?? {}).every(([path, condition]) => holds(condition, valueAt(args, path)))
  )
}

/** A tool's name as settings give it, `*` for any letters. */
function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

function valueAt(args: unknown, path: string): unknown {
  let at = args
  for (const name of path.split('.'))
    at = at && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined
  return at
}

function holds(condition: Condition, value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (Array.isArray(condition)) return condition.some((one) => same(one, value))
  if (typeof condition === 'object') return within(condition as Bounds, value)
  return same(condition as Value, value)
}

function same(wanted: Value, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => same(wanted, one))
  return String(value).trim().toLowerCase() === String(wanted).trim().toLowerCase()
}

/** What can't be read as a number counts as too large: a rule about large amounts shall not be passed by words. */
function within(bounds: Bounds, value: unknown): boolean {
  const found = /-?\d[\d,]*(?:\.\d+)?/.exec(String(value))?.[0]
  const number = found === undefined ? Number.POSITIVE_INFINITY : Number(found.replaceAll(',', ''))
  return (
    (bounds.over === undefined || number > bounds.over) &&
    (bounds.atLeast === undefined || number >= bounds.atLeast) &&
    (bounds.under === undefined || number < bounds.under) &&
    (bounds.atMost === undefined || number <= bounds.atMost)
  )
}

/** A workspace that is not given is the thread's; of another platform there is none to take. */
function placeOf(
  { channel, workspace, room }: ApprovalRoom,
  thread: { readonly channel: ChannelName; readonly workspace: string },
): Place | null {
  if (channel === 'web') return { channel, workspace: 'local', room }
  const own = thread.channel === channel ? thread.workspace : undefined
  const there = workspace ?? own
  return there === undefined ? null : { channel, workspace: there, room }
}

/**
 * What is wrong about the rules beside their form, one line each: a tool that is not there, an argument that it does
 * not have, a platform that is not on. Tools of MCP servers come and go, and are taken as they are named.
 */
export function mistakesInRules(
  settings: PolicySettings,
  at: { readonly tools: readonly Tool[]; readonly channels: ReadonlySet<ChannelName> },
): readonly string[] {
  return settings.rules.flatMap((rule, index) => {
    const place = `approvals.rules.${index}`
    const lines: string[] = []
    const pattern = patternOf(rule.tool)
    const meant = at.tools.filter((tool) => pattern.test(tool.name))
    const isExternal = rule.tool.startsWith('mcp__') || rule.tool.startsWith('*')
    if (meant.length === 0 && !isExternal) {
      const writes = at.tools.filter((tool) => tool.effect === 'write').map((tool) => tool.name)
      lines.push(
        `${place}.tool is no tool of Hermes. Tools that ask are: ${writes.join(', ')}; or mcp__<server>__<tool>.`,
      )
    } else if (!isExternal && meant.every((tool) => tool.effect !== 'write'))
      lines.push(`${place}.tool never asks for a confirmation, so no rule can count for it.`)
    const named = [
      ...Object.keys(rule.when ?? {}).map((path) => ['when', path.split('.')[0]!] as const),
      ...(Array.isArray(rule.alwaysAllow)
        ? rule.alwaysAllow.map((key) => ['alwaysAllow', key] as const)
        : []),
    ]
    for (const [setting, name] of named) {
      if (isExternal || meant.length === 0) continue
      const known = meant.flatMap((tool) =>
        Object.keys((tool.parameters.properties as object | undefined) ?? {}),
      )
      if (!known.includes(name))
        lines.push(
          `${place}.${setting} names an argument that the tool does not have. It has: ${[...new Set(known)].join(', ')}.`,
        )
    }
    if (rule.room && !at.channels.has(rule.room.channel))
      lines.push(`${place}.room is on ${rule.room.channel}, which is not configured.`)
    return lines
  })
}
