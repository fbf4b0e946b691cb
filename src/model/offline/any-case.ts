const part = /\\p\{\w+\}|\\.|\[(?:\\.|[^\]])*\]|\(\?i:|[()]|[a-z]/gi

/**
 * A pattern whose groups `(?i:…)` are written out, each of their letters in both cases. V8 (13.6, of Node 24) loses the
 * modifier of a group with alternatives once a process has compiled much: `(?i:tell|inform)` then refuses "Tell".
 */
export function partlyAnyCase(pattern: string): RegExp {
  const open: boolean[] = []
  const writtenOut = pattern.replace(part, (found) => {
    if (found === '(?i:') {
      open.push(true)
      return '(?:'
    }
    if (found === '(') open.push(false)
    else if (found === ')') open.pop()
    else if (open.includes(true)) return inBothCases(found)
    return found
  })
  return new RegExp(writtenOut, 'u')
}

function inBothCases(found: string): string {
  if (/^[a-z]$/i.test(found)) return `[${found.toUpperCase()}${found.toLowerCase()}]`
  const letters = /^\[([a-z-]*[a-z])\]$/.exec(found)?.[1]
  return letters === undefined ? found : `[${letters}${letters.toUpperCase()}]`
}
