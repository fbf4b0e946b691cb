import { clip } from '../../src/channel/clip.ts'

const link = /https?:\/\/[^\s<>]+/g

/** Text that Discord shows exactly as it is: no formatting, no mentions, addresses still to be clicked. */
export function literal(text: string): string {
  let result = ''
  let end = 0
  for (const match of text.matchAll(link)) {
    result += escaped(text.slice(end, match.index)) + match[0]
    end = match.index + match[0].length
  }
  return result + escaped(text.slice(end))
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\*_~`|[\]<>]/g, '\\$&')
    .replaceAll(/^([ \t]*)(#{1,3}|-#?|\+)(?=\s)/gm, '$1\\$2')
    .replaceAll(/^([ \t]*\d+)\.(?=\s)/gm, '$1\\.')
}

/** The name of a thread: the first words of what was said, 1 to 100 characters. */
export function threadName(text: string): string {
  const words = text
    .replaceAll(/<(?:@[!&]?|#|a?:\w+:)\d+>/g, ' ')
    .replaceAll(/[*_~`|>#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (words === '') return 'Hermes'
  if (words.length <= 60) return words
  const cut = words.slice(0, 60)
  const space = cut.lastIndexOf(' ')
  return clip(space > 30 ? `${cut.slice(0, space)}…` : words, 61)
}
