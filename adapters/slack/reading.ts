// Slack's own markup (docs.slack.dev/messaging/formatting-message-text) as Markdown.

/** What reading needs to know of the workspace. */
export interface ReadingContext {
  readonly botUserId: string
  /** A person's name, where it is known already. */
  nameOf(userId: string): string | undefined
}

/** Does the text mention the app itself? */
export function mentionsBot(text: string, botUserId: string): boolean {
  return new RegExp(`<@${botUserId}(?:\\|[^>]*)?>`).test(text)
}

/** The ids of the people whom a text mentions. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(/<@([UW][A-Z0-9]+)/g)].map((match) => match[1]!))]
}

/** A text of Slack's as Markdown; mentions of the app taken out, other mentions as names. */
export function readText(text: string, context: ReadingContext): string {
  const own = new RegExp(`[ \\t]*<@${context.botUserId}(?:\\|[^>]*)?>[,:]?[ \\t]*`, 'g')
  const without = text.replace(own, ' ')
  return splitCode(without)
    .map((piece) => (piece.isCode ? unescapeEntities(piece.text) : readProse(piece.text, context)))
    .join('')
    .replace(/[ \t]+$/gm, '')
    .trim()
}

function readProse(text: string, context: ReadingContext): string {
  const prose = text
    .replace(/(^|[\s(_~])\*(?=\S)([^*\n]+?)(?<=\S)\*(?=$|[\s).,!?:;_~])/gm, '$1**$2**')
    .replace(/(^|[\s(_*])~(?=\S)([^~\n]+?)(?<=\S)~(?=$|[\s).,!?:;_*])/gm, '$1~~$2~~')
    .replace(/^(\s*)[•◦▪] {0,2}/gm, '$1- ')
  return unescapeEntities(prose.replace(/<([^<>\n]+)>/g, (_, inside: string) => readControl(inside, context)))
}

/** One `<…>` of Slack's. */
function readControl(inside: string, context: ReadingContext): string {
  const bar = inside.indexOf('|')
  const target = bar < 0 ? inside : inside.slice(0, bar)
  const label = bar < 0 ? undefined : inside.slice(bar + 1)
  if (target.startsWith('@')) {
    const id = target.slice(1)
    return `@${context.nameOf(id) ?? label ?? id}`
  }
  if (target.startsWith('#')) return `#${label || target.slice(1)}`
  if (target.startsWith('!')) {
    const [command = '', ...rest] = target.slice(1).split('^')
    if (command === 'subteam') return label ?? `@${rest[0] ?? 'group'}`
    if (command === 'date') return label ?? rest[1] ?? ''
    return `@${command}`
  }
  const address = target.replace(/^(?:mailto|tel):/, '')
  if (label === undefined || label === target || label === address) return address
  return `[${label.replaceAll(/([[\]])/g, '\\$1')}](${target})`
}

function unescapeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Fences and code spans keep their characters. */
function splitCode(text: string): { readonly text: string; readonly isCode: boolean }[] {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, index) => ({ text: piece, isCode: index % 2 === 1 }))
    .map((piece) => (piece.isCode ? { ...piece, text: fenceOnItsOwnLines(piece.text) } : piece))
}

/** Slack lets a fence begin and end within a line; Markdown does not. */
function fenceOnItsOwnLines(code: string): string {
  if (!code.startsWith('```')) return code
  const inside = code.slice(3, -3).replace(/^\n|\n$/g, '')
  return `\n\`\`\`\n${inside}\n\`\`\`\n`
}
