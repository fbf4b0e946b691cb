/** Keys under which tools tell how much there is, and the lists themselves. */
const counts = new Set(['total', 'count', 'totalCount', 'total_count', 'matches'])

/**
 * What the model is told of a result that holds nothing, with the filters that were used; `undefined` where it holds
 * something. It is an answer and no failure: asking the same again would give the same.
 */
export function emptyResult(content: unknown, args: Readonly<Record<string, unknown>>): string | undefined {
  if (!isEmpty(content)) return undefined
  const filters = Object.entries(args).filter(([, value]) => value !== undefined && value !== '')
  const used = filters.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ')
  return [
    `Nothing was found${used === '' ? ' (no filters were used)' : ` with ${used}`}.`,
    'That is an answer, not a failure: do not repeat the same call. Say what was looked for, or look more widely.',
  ].join(' ')
}

function isEmpty(content: unknown): boolean {
  if (content === undefined || content === null) return true
  if (typeof content === 'string') return isEmptyText(content.trim())
  // Tools of our own tell their filters themselves, beside an empty list.
  return typeof content === 'object' && Object.keys(content).length === 0
}

function isEmptyText(text: string): boolean {
  if (text === '' || text === '(empty)' || text === '(empty result)') return true
  if (text[0] !== '{' && text[0] !== '[') return false
  try {
    return holdsNothing(JSON.parse(text))
  } catch {
    return false
  }
}

/** Is it an empty list, or an object with nothing but one and its count? */
function holdsNothing(data: unknown): boolean {
  if (isEmpty(data)) return true
  if (typeof data !== 'object' || data === null) return false
  const [list, ...others] = Object.entries(data).filter(([name, value]) => !(counts.has(name) && value === 0))
  return others.length === 0 && (list === undefined || (Array.isArray(list[1]) && list[1].length === 0))
}
