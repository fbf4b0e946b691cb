import { wordsFor } from './words.ts'

/** How Slack will reach Hermes: by Socket Mode, or by HTTP at a public address. */
export type ManifestMode = { readonly mode: 'socket' } | { readonly mode: 'http'; readonly url: string }

/** What the bot must be allowed to do. */
export const botScopes = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'metadata.message:read',
  'mpim:history',
  'mpim:read',
  'users:read',
] as const

/** What the bot must hear of. */
const botEvents = [
  'agent_session_stopped',
  'app_home_opened',
  'app_mention',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
] as const

/** The app's manifest, to be pasted at api.slack.com/apps (docs.slack.dev/reference/app-manifest). */
export function buildManifest(how: ManifestMode): object {
  const words = wordsFor('en')
  const request = how.mode === 'http' ? { request_url: `${how.url.replace(/\/$/, '')}/slack/events` } : {}
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: 'Hermes',
      description: 'A chat agent for your own team that asks before it acts.',
      background_color: '#1f3a5f',
    },
    features: {
      agent_view: {
        agent_description:
          'Answers, searches, files tickets and reminds. Changes nothing before you press Confirm.',
        suggested_prompts: words.prompts.map(({ title, message }) => ({ title, message })),
      },
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: 'hermes', always_online: true },
      slash_commands: [
        {
          command: '/hermes',
          description: 'Help, memory, approvals, reminders, tickets and status',
          usage_hint: 'help · memory · forget <what> · approvals · reminders · tickets · status · link',
          should_escape: true,
          ...(how.mode === 'http' ? { url: `${how.url.replace(/\/$/, '')}/slack/events` } : {}),
        },
      ],
    },
    oauth_config: { scopes: { bot: [...botScopes] } },
    settings: {
      event_subscriptions: { ...request, bot_events: [...botEvents] },
      interactivity: { is_enabled: true, ...request },
      org_deploy_enabled: false,
      socket_mode_enabled: how.mode === 'socket',
      token_rotation_enabled: false,
    },
  }
}
