import type { APIAllowedMentions } from 'discord.js'
import type { Pings, World } from './world.ts'

const userMention = /<@!?(\d{17,20})>/g
const roleMention = /<@&(\d{17,20})>/g

/** The ids of users named in a text. */
export function mentionedUsers(text: string): string[] {
  return [...new Set([...text.matchAll(userMention)].map((match) => match[1]!))]
}

/** The ids of roles named in a text. */
export function mentionedRoles(text: string): string[] {
  return [...new Set([...text.matchAll(roleMention)].map((match) => match[1]!))]
}

/** Does the text name everyone? */
export function namesEveryone(text: string): boolean {
  return /@(?:everyone|here)\b/.test(text)
}

/**
 * Who a message notifies. Without `allowed_mentions` everything that is named is notified, which is what makes
 * leaving it out dangerous; with it, only what it lists.
 */
export function pingsOf(
  world: World,
  text: string,
  allowed: APIAllowedMentions | undefined,
  repliedUser: string | undefined,
): Pings {
  const parse = new Set<string>(allowed?.parse ?? (allowed ? [] : ['everyone', 'users', 'roles']))
  const users = mentionedUsers(text).filter((id) => world.users.has(id))
  const roles = mentionedRoles(text)
  const repliedNotified = allowed ? allowed.replied_user === true : true
  return {
    everyone: namesEveryone(text) && parse.has('everyone'),
    users: users.filter((id) => parse.has('users') || allowed?.users?.includes(id)),
    roles: roles.filter((id) => parse.has('roles') || allowed?.roles?.includes(id)),
    ...(repliedUser !== undefined && repliedNotified ? { repliedUser } : {}),
  }
}
