import { refusals } from '../api-error.ts'
import { type CommandBody, checkCommands } from '../check-command.ts'
import type { Route } from '../rest.ts'
import type { World } from '../world.ts'

/** The application itself and its registered commands. */
export function applicationRoutes(world: World): Route[] {
  const application = () => ({
    id: world.applicationId,
    name: 'Hermes',
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: 1 << 18,
    approximate_guild_count: world.guilds.size,
  })
  const put = (scope: string, guildId: string | undefined, json: unknown) => {
    const commands = json as CommandBody[]
    checkCommands(commands)
    const stored = commands.map((command) => ({
      type: 1,
      ...command,
      id: world.snowflake(),
      application_id: world.applicationId,
      version: world.snowflake(),
      default_member_permissions: null,
      ...(guildId === undefined ? {} : { guild_id: guildId }),
    }))
    world.commands.set(scope, stored)
    return stored
  }
  const own = (id: string | undefined) => {
    if (id !== world.applicationId) throw refusals.missingAccess()
  }
  return [
    { method: 'GET', path: /^\/applications\/@me$/, handle: application },
    { method: 'GET', path: /^\/oauth2\/applications\/@me$/, handle: application },
    {
      method: 'PUT',
      path: /^\/applications\/(\d+)\/commands$/,
      handle: ({ params, json }) => {
        own(params[0])
        return put('global', undefined, json)
      },
    },
    {
      method: 'GET',
      path: /^\/applications\/(\d+)\/commands$/,
      handle: ({ params }) => {
        own(params[0])
        return world.commands.get('global') ?? []
      },
    },
    {
      method: 'PUT',
      path: /^\/applications\/(\d+)\/guilds\/(\d+)\/commands$/,
      handle: ({ params, json }) => {
        own(params[0])
        if (!world.guilds.has(params[1]!)) throw refusals.missingAccess()
        return put(params[1]!, params[1], json)
      },
    },
  ]
}
