import { labelsOf } from './buttons.ts'
import type { Json } from './json.ts'
import { readableTexts } from './limits.ts'
import type { Message, Notice } from './workspace.ts'

/** Everything that people can read of a message, notice, view or home tab, without the labels of buttons. */
export function reads(shown: { readonly text?: string; readonly blocks?: unknown }): string {
  const blocks = readableTexts(withoutButtons(shown.blocks))
  return blocks.length > 0 ? blocks.join('\n') : (shown.text ?? '')
}

/** The mentions in a text that would notify people, as Slack parses them: in Markdown, never in plain text. */
export function pings(message: Message | Notice): string[] {
  // The text beside blocks is for notifications; Slack reads mentions in it all the same.
  const all = [message.text, ...readableTexts(withoutPlainText(message.blocks))].join('\n')
  return all.match(/<(?:!(?:channel|here|everyone)\b|!subteam\^|@[UWB])[^>]*>/g) ?? []
}

function withoutPlainText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlainText)
  if (value === null || typeof value !== 'object') return value
  if ('type' in value && value.type === 'plain_text') return undefined
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPlainText(item)]))
}

function withoutButtons(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutButtons)
  if (value === null || typeof value !== 'object') return value
  if ('type' in value && value.type === 'button') return undefined
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutButtons(item)]))
}

/** The labels of the buttons under a message or notice. */
export function buttons(shown: { readonly blocks: readonly Json[] }): string[] {
  return labelsOf(shown.blocks)
}
