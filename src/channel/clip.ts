/** At most so many UTF-16 units, never half of a character; an ellipsis tells of what is missing. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  let end = most - 1
  const code = text.charCodeAt(end - 1)
  if (code >= 0xd800 && code <= 0xdbff) end -= 1
  return `${text.slice(0, end)}…`
}
