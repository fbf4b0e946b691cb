import { labelsOf } from './buttons.ts'
import type { Json } from './json.ts'
import { readableTexts } from './limits.ts'
import type { Message, Notice } from './workspace.ts'

/** Everything that people can read of a message, notice, view or home tab. */
export function reads(shown: { readonly text?: string; readonly blocks?: unknown }): string {
  const blocks = readableTexts(shown.blocks)
  return blocks.length > 0 ? blocks.join('\n') : (shown.text ?? '')
}

/** The mentions in a text that would notify people, as Slack parses them. */
export function pings(message: Message | Notice): string[] {
  const all = [message.text, ...readableTexts(message.blocks)].join('\n')
  return all.match(/<(?:!(?:channel|here|everyone)\b|!subteam\^|@[UWB])[^>]*>/g) ?? []
}

/** The labels of the buttons under a message or notice. */
export function buttons(shown: { readonly blocks: readonly Json[] }): string[] {
  return labelsOf(shown.blocks)
}
