// Slack reads `<!channel>`, `<@U…>` and the like also in the Markdown of its markdown blocks and streams.
const ping = /<(!(?:channel|here|everyone)|!subteam\^|@[UWB][A-Z0-9]+)/gi

/** A space of no width, which breaks a control sequence without being seen. */
const breaker = '\u200b'

/** How much longer `withoutPings` can make a text at most: the shortest sequence is `<@U1`. */
export const growth = 1.25

/** Markdown that notifies nobody but the one person who may be mentioned. */
export function withoutPings(text: string, allowed?: string): string {
  return text.replace(ping, (whole, inside: string) => {
    if (allowed !== undefined && inside === `@${allowed}`) return whole
    return `<${breaker}${inside}`
  })
}

/**
 * The part of a growing text that can be streamed already. An unfinished control sequence at its end waits for
 * the rest, so that it can't be put together from two harmless halves; so does the last word, since Slack may
 * swallow white space at the beginning of what is appended.
 */
export function settled(text: string): string {
  const open = /<[!@]?[^<>\s]{0,24}$/.exec(text)
  const safe = open ? text.slice(0, open.index) : text
  const word = /\S{1,40}$/.exec(safe)
  const before = word === null ? '' : safe.slice(0, word.index)
  return before.trim() !== '' && /\s$/.test(before) ? before : safe
}

/** Text for `mrkdwn` and fallback fields, with the three characters escaped that Slack gives a meaning. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Pieces of at most so many UTF-16 units, cut at a line where one is near, never inside of a character. */
export function pieces(text: string, most: number): string[] {
  const found: string[] = []
  let rest = text
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most)
    let end = line > most / 2 ? line : most
    const code = rest.charCodeAt(end - 1)
    if (code >= 0xd800 && code <= 0xdbff) end -= 1
    found.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  if (rest !== '' || found.length === 0) found.push(rest)
  return found
}
