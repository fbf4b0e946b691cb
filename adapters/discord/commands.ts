import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type REST,
  type RESTPostAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js'
import { channelError } from './refusal.ts'

type Option = APIApplicationCommandBasicOption

interface Subcommand {
  readonly name: string
  readonly en: string
  readonly zh: string
  readonly options?: readonly Option[]
}

function words(name: string, en: string, zh: string, required: boolean): Option {
  return {
    type: ApplicationCommandOptionType.String,
    name,
    description: en,
    description_localizations: { 'zh-CN': zh, 'zh-TW': zh },
    required,
    max_length: 1000,
  }
}

const subcommands: readonly Subcommand[] = [
  { name: 'help', en: 'What Hermes can do here', zh: 'Hermes 在这里能做什么' },
  {
    name: 'memory',
    en: 'What Hermes remembers about you',
    zh: 'Hermes 记住了你的哪些事',
    options: [words('search', 'Only what has to do with this', '只看与此有关的', false)],
  },
  {
    name: 'forget',
    en: 'Make Hermes forget something about you',
    zh: '让 Hermes 忘记某件事',
    options: [words('what', 'What to forget', '要忘记的内容', true)],
  },
  { name: 'export', en: 'Get everything that is kept about you', zh: '导出保存的关于你的全部内容' },
  {
    name: 'private',
    en: 'Allow or forbid the use of your private memories where others read',
    zh: '是否允许在他人可见处使用你的私人记忆',
    options: [
      {
        ...words('state', 'on: keep them private; off: they may be used', 'on：保密；off：可以使用', true),
        max_length: undefined,
        choices: [
          { name: 'on', value: 'on' },
          { name: 'off', value: 'off' },
        ],
      } as Option,
    ],
  },
  { name: 'approvals', en: 'What waits for your decision', zh: '等待你确认的事项' },
  { name: 'reminders', en: 'Your reminders', zh: '你的提醒' },
  { name: 'tickets', en: 'Your tickets', zh: '你的工单' },
  { name: 'why', en: 'What shaped the last answer', zh: '上一个回答的依据' },
  { name: 'status', en: 'How Hermes is doing', zh: 'Hermes 的运行状态' },
  { name: 'reset', en: 'Begin this conversation anew', zh: '重新开始这段对话' },
  {
    name: 'link',
    en: 'Tell Hermes that you are the same person on another platform',
    zh: '关联你在其他平台上的身份',
    options: [words('code', 'The code that you got there', '在那边得到的代码', false)],
  },
  {
    name: 'prompt',
    en: 'Run a prompt of a connected server',
    zh: '运行已连接服务器提供的提示',
    options: [words('name', 'Its name, and what it needs', '名称及所需内容', true)],
  },
  {
    name: 'resource',
    en: 'Read a resource of a connected server',
    zh: '读取已连接服务器提供的资源',
    options: [words('uri', 'Its address', '地址', true)],
  },
]

/** `/hermes` with its subcommands, in guilds and in direct messages with the bot. */
const hermesCommand: RESTPostAPIApplicationCommandsJSONBody = {
  type: ApplicationCommandType.ChatInput,
  name: 'hermes',
  description: 'Hermes: help, memories, approvals, reminders',
  description_localizations: {
    'zh-CN': 'Hermes：帮助、记忆、确认、提醒',
    'zh-TW': 'Hermes：帮助、记忆、确认、提醒',
  },
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
  options: subcommands.map(({ name, en, zh, options }) => ({
    type: ApplicationCommandOptionType.Subcommand,
    name,
    description: en,
    description_localizations: { 'zh-CN': zh, 'zh-TW': zh },
    ...(options ? { options: [...options] } : {}),
  })),
}

/** Registers the command for all guilds; the list replaces what was registered before. */
export async function registerCommands(rest: REST, applicationId: string): Promise<void> {
  try {
    await rest.put(Routes.applicationCommands(applicationId), { body: [hermesCommand] })
  } catch (error) {
    throw channelError('the registration of /hermes', error)
  }
}
