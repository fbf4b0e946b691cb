/** The beginning and the end of a text, at line ends, with a count and the headings of what is left out. */
export function textDigest(text: string, characters: number): string {
  if (text.length <= characters) return text
  const head = cutAtLine(text.slice(0, Math.floor(characters * 0.6)), 'end')
  const tail = cutAtLine(text.slice(-Math.floor(characters * 0.25)), 'start')
  const left = text.slice(head.length, text.length - tail.length)
  const headings = [...left.matchAll(/^#{1,4} +(.{1,80})/gm)].map((match) => match[1]!.trim())
  const about = headings.length > 0 ? `, with the headings ${headings.slice(0, 12).join('; ')}` : ''
  return `${head.toWellFormed()}\n[… ${left.length} characters left out${about} …]\n${tail.toWellFormed()}`
}

function cutAtLine(text: string, side: 'start' | 'end'): string {
  if (side === 'end') {
    const at = text.lastIndexOf('\n')
    return at > text.length / 2 ? text.slice(0, at) : text
  }
  const at = text.indexOf('\n')
  return at >= 0 && at < text.length / 2 ? text.slice(at + 1) : text
}
