import type { ChannelName } from '../../channel/events.ts'

/** Whom or where a message is for, as it was said. */
export interface Destination {
  /** A person's name or handle, or a room's name without its `#`. */
  readonly name: string
  readonly isRoom: boolean
  /** The platform that was named with it. */
  readonly channel?: ChannelName
}

const platform = '(slack|discord|web(?: chat)?|网页(?:聊天)?)'

// "Zhang on Discord", "Zhang Wei · Discord, direct message", "#ops (Slack)"; "Discord 上的张伟", "在 Slack 的 #ops".
const forms: readonly (readonly [form: RegExp, name: number, platform: number])[] = [
  [new RegExp(`^(.+?)\\s*·\\s*${platform}(?:[,，].*)?$`, 'iu'), 1, 2],
  [new RegExp(`^(.+?)\\s*[（(]\\s*(?:on |在 ?)?${platform}\\s*[)）]$`, 'iu'), 1, 2],
  [new RegExp(`^(.+?)\\s+(?:on|in|via|over)\\s+(?:the\\s+)?${platform}$`, 'iu'), 1, 2],
  [new RegExp(`^(?:在\\s*)?${platform}\\s*(?:上|里|中)?\\s*的?\\s*(?=[#@\\p{Script=Han}])(.+)$`, 'iu'), 2, 1],
]

/** Takes the platform from what was said, where one is named. */
export function readDestination(said: string): Destination {
  const whole = said.trim()
  for (const [form, name, place] of forms) {
    const found = form.exec(whole)
    if (found?.[name] !== undefined) return { ...named(found[name]), channel: channelOf(found[place]!) }
  }
  return named(whole)
}

function named(name: string): Destination {
  const isRoom = name.trim().startsWith('#')
  return { name: isRoom ? name.trim().slice(1).trim() : name.trim(), isRoom }
}

function channelOf(word: string): ChannelName {
  const lower = word.toLowerCase()
  return lower === 'slack' || lower === 'discord' ? lower : 'web'
}
