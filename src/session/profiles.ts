import type { ChannelName, ThreadKind, ThreadRef } from '../channel/events.ts'
import { matchesAny, toolName } from '../mcp/listing/names.ts'

/** Whose memories a profile lets in: the speaker's own, those of the team, those of everybody. */
export type ProfileScope = 'private' | 'team' | 'public'

/** How Hermes is set up for the sessions of some places, as the settings say it. */
export interface Profile {
  readonly name: string
  /** The places that it is for; each that is named has to fit. */
  readonly match: {
    readonly channel?: readonly ChannelName[] | undefined
    readonly workspace?: readonly string[] | undefined
    readonly room?: readonly string[] | undefined
    readonly kind?: readonly ThreadKind[] | undefined
  }
  /** Another model of the same endpoint, with its window in tokens. */
  readonly model?: { readonly name: string; readonly window?: number | undefined } | undefined
  /** Added to the system text. */
  readonly instructions: string
  /** Patterns of tools' names, in which `*` stands for anything. */
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] }
  /** Names of MCP servers; all where not given. */
  readonly mcpServers?: readonly string[] | undefined
  /** Scopes that are recalled, and that what is learned may be written into. */
  readonly memory: { readonly recall: readonly ProfileScope[]; readonly learn: readonly ProfileScope[] }
  /** What of the usual limits differs. */
  readonly limits: {
    readonly steps?: number | undefined
    readonly turnSeconds?: number | undefined
    readonly turnTokens?: number | undefined
  }
}

/** Where nothing is said, and what is gone from the settings. */
const plain: Profile = {
  name: 'default',
  match: {},
  instructions: '',
  tools: { allow: ['*'], deny: [] },
  memory: { recall: ['private', 'team', 'public'], learn: ['private', 'team'] },
  limits: {},
}

/** What profiles decide about a tool. */
interface Mountable {
  readonly name: string
  /** The MCP server that it is on. */
  readonly server?: string
}

export interface Profiles {
  /** The profile for a session that begins: the one whose match says most about the place. */
  at(place: { readonly thread: ThreadRef; readonly kind: ThreadKind }): Profile
  /** The profile that a session has; the default one, with `gone`, where the settings name it no more. */
  named(name: string): { readonly profile: Profile; readonly gone: boolean }
  /** May the tool be offered and run in a session of that profile? */
  mounts(profile: Profile, tool: Mountable): boolean
}

/** @param highRisk patterns of tools that are there only where a profile allows them by more than `*` */
export function createProfiles(declared: readonly Profile[], highRisk: readonly string[]): Profiles {
  const fallback = declared.find((profile) => profile.name === plain.name) ?? plain
  const known = new Map(declared.map((profile) => [profile.name, profile]))
  return {
    at(place) {
      const fitting = declared.filter((profile) => fits(profile, place))
      return fitting.toSorted((a, b) => weight(b) - weight(a))[0] ?? fallback
    },
    named(name) {
      const profile = known.get(name) ?? (name === plain.name || name === '' ? fallback : undefined)
      return profile ? { profile, gone: false } : { profile: fallback, gone: true }
    },
    mounts({ tools, mcpServers }, { name, server }) {
      if (matchesAny(name, tools.deny)) return false
      if (server !== undefined && mcpServers && !mcpServers.includes(server)) return false
      const risky = matchesAny(name, highRisk)
      return matchesAny(name, risky ? tools.allow.filter((pattern) => pattern !== '*') : tools.allow)
    },
  }
}

// A room says more than a workspace, that more than a channel, and that more than who can read.
const weights = { room: 8, workspace: 4, channel: 2, kind: 1 } as const
type MatchKey = keyof typeof weights
const matchKeys = Object.keys(weights) as readonly MatchKey[]

function weight({ match }: Profile): number {
  return matchKeys.reduce((sum, key) => sum + (match[key] === undefined ? 0 : weights[key]), 0)
}

function fits({ match }: Profile, { thread, kind }: { thread: ThreadRef; kind: ThreadKind }): boolean {
  const facts: Readonly<Record<MatchKey, string>> = {
    kind,
    channel: thread.channel,
    workspace: thread.workspace,
    room: thread.room,
  }
  return matchKeys.every((key) => match[key] === undefined || match[key].some((one) => one === facts[key]))
}

/**
 * What is wrong with the profiles, one sentence each: two of one name, two that match equally, patterns that no tool
 * can have, servers that there are not.
 * @param known names of the built-in tools (not checked where not given) and of the MCP servers
 */
export function profileMistakes(
  declared: readonly Profile[],
  highRisk: readonly string[],
  known: { readonly tools?: readonly string[]; readonly servers: readonly string[] },
): readonly string[] {
  const pairs = declared.flatMap((one, index) =>
    declared.slice(index + 1).map((other) => [one, other] as const),
  )
  const servers = known.servers.length > 0 ? known.servers.join(', ') : 'none'
  const unknown = (where: string, patterns: readonly string[]) =>
    patterns
      .filter((pattern) => !mayFit(pattern, known))
      .map((pattern) =>
        pattern.startsWith('mcp__')
          ? `${where}: "${pattern}" fits no MCP server; there are: ${servers}.`
          : `${where}: "${pattern}" fits no tool. Built-in tools: ${(known.tools ?? []).join(', ')}; those of MCP servers are called mcp__server__tool.`,
      )
  return [
    ...pairs.flatMap(([one, other]) => {
      if (one.name === other.name) return [`profiles: two are called "${one.name}"; rename one.`]
      return equallyMatched(one, other)
        ? [
            `profiles: "${one.name}" and "${other.name}" match equally; say more in one of their match, or make them one.`,
          ]
        : []
    }),
    ...unknown('tools.highRisk', highRisk),
    ...declared.flatMap((profile) => [
      ...unknown(`profiles: "${profile.name}", tools.allow`, profile.tools.allow),
      ...unknown(`profiles: "${profile.name}", tools.deny`, profile.tools.deny),
      ...(profile.mcpServers ?? [])
        .filter((server) => !known.servers.includes(server))
        .map(
          (server) =>
            `profiles: "${profile.name}", mcpServers: there is no MCP server "${server}"; there are: ${servers}.`,
        ),
    ]),
  ]
}

/** Is there a place that both are for, and for which neither says more? */
function equallyMatched(one: Profile, other: Profile): boolean {
  return (
    weight(one) === weight(other) &&
    matchKeys.every((key) => {
      const [ours, theirs] = [one.match[key], other.match[key]] as readonly (readonly string[] | undefined)[]
      return ours === undefined || theirs === undefined || ours.some((value) => theirs.includes(value))
    })
  )
}

/** Can a tool of that pattern be? Tools of MCP servers come and go, so there the server has to be one of the file. */
function mayFit(pattern: string, known: { tools?: readonly string[]; servers: readonly string[] }): boolean {
  if (pattern === '*' || known.tools?.some((tool) => matchesAny(tool, [pattern]))) return true
  if (!pattern.startsWith('mcp__')) return known.tools === undefined
  const [fixed = ''] = pattern.split('*')
  return known.servers.some((server) => {
    const prefix = toolName(server, 'tool').replace(/tool(?:_\w+)?$/, '')
    return fixed.startsWith(prefix) || prefix.startsWith(fixed)
  })
}
