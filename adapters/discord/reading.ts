import { type APIMessage, type APIMessageTopLevelComponent, ComponentType } from 'discord.js'

/** What reading needs to know around a text. */
export interface ReadingContext {
  readonly botId: string
  /** The bot's own role in that guild, which people pick as often as its name. */
  readonly botRoleId?: string
  nameOfUser(id: string): string | undefined
  nameOfRole(id: string): string | undefined
  nameOfChannel(id: string): string | undefined
}

/** Does the text itself name the bot or its own role? */
export function namesBot(text: string, context: Pick<ReadingContext, 'botId' | 'botRoleId'>): boolean {
  const role = context.botRoleId
  return pieces(text).some(
    (piece) =>
      !piece.isCode &&
      (new RegExp(`<@!?${context.botId}>`).test(piece.text) ||
        (role !== undefined && piece.text.includes(`<@&${role}>`))),
  )
}

/** A text as Markdown: mentions of the bot taken out, other mentions, emoji and times as people read them. */
export function readText(text: string, context: ReadingContext): string {
  return pieces(text)
    .map((piece) => (piece.isCode ? piece.text : readProse(piece.text, context)))
    .join('')
    .trim()
}

function readProse(text: string, context: ReadingContext): string {
  const names = [`@!?${context.botId}`, ...(context.botRoleId ? [`@&${context.botRoleId}`] : [])]
  const own = new RegExp(`[ \\t]*<(?:${names.join('|')})>[,:]?[ \\t]*`, 'g')
  return text
    .replaceAll(own, ' ')
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) => `@${context.nameOfUser(id) ?? 'someone'}`)
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => `@${context.nameOfRole(id) ?? 'role'}`)
    .replaceAll(/<#(\d+)>/g, (_, id: string) => `#${context.nameOfChannel(id) ?? 'channel'}`)
    .replaceAll(/<\/([^:>]+):\d+>/g, '/$1')
    .replaceAll(/<a?:(\w+):\d+>/g, ':$1:')
    .replaceAll(/<t:(-?\d{1,13})(?::[a-zA-Z])?>/g, (whole: string, seconds: string) => {
      const date = new Date(Number(seconds) * 1000)
      return Number.isNaN(date.getTime()) ? whole : date.toISOString().replace('.000', '')
    })
}

/** A text in pieces of prose and code, in which nothing is a mention. */
function pieces(text: string): { readonly text: string; readonly isCode: boolean }[] {
  return text
    .split(/(```[\s\S]*?```|``[^\n]+?``|`[^`\n]+`)/)
    .map((piece, index) => ({ text: piece, isCode: index % 2 === 1 }))
}

/** The text of a message as it is read later, cards and embeds included. */
export function plainText(message: Pick<APIMessage, 'content' | 'embeds' | 'components'>): string {
  return [
    message.content,
    ...message.embeds.flatMap((embed) => [embed.title, embed.description]),
    ...layoutText(message.components ?? []),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n')
}

function layoutText(components: readonly APIMessageTopLevelComponent[]): string[] {
  return components.flatMap((component) => {
    if (component.type === ComponentType.TextDisplay) return [component.content]
    if (component.type === ComponentType.Container || component.type === ComponentType.Section) {
      return layoutText(component.components as readonly APIMessageTopLevelComponent[])
    }
    return []
  })
}
