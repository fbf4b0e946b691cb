/**
 * What a text-like file says under one of some keys: JSON by its members, tables by their columns and rows, other
 * text by lines such as "Total: 42.50". The first key counts under which something stands that can be taken.
 */
export function valueUnder<T>(
  text: string,
  keys: readonly string[],
  take: (said: string) => T | undefined,
): T | undefined {
  const wanted = keys.map(plain).filter((key) => key !== '')
  const json = parsed(text)
  const rows = json === undefined ? table(text) : undefined
  for (const key of wanted) {
    const found =
      json !== undefined ? [inJson(json, key)] : [...(rows ? inTable(rows, key) : []), inLines(text, key)]
    for (const said of found) {
      const value = said === undefined || said.trim() === '' ? undefined : take(said.trim())
      if (value !== undefined) return value
    }
  }
  return undefined
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a member, what is less deep first. */
function inJson(value: unknown, key: string): string | undefined {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth < 6 && level.length > 0; depth++) {
    for (const at of level) {
      if (at === null || typeof at !== 'object' || Array.isArray(at)) continue
      for (const [name, member] of Object.entries(at))
        if (plain(name) === key && (typeof member === 'string' || typeof member === 'number'))
          return String(member)
    }
    level = level
      .flatMap((at) => (at !== null && typeof at === 'object' ? Object.values(at) : []))
      .slice(0, 2_000)
  }
  return undefined
}

/** Rows of a file with columns, where it is one. */
function table(text: string): readonly (readonly string[])[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [head = ''] = lines
  const separator = ['\t', ';', ','].find((sign) => head.includes(sign))
  if (!separator || lines.length < 2) return undefined
  const rows = lines.slice(0, 2_000).map((line) => cells(line, separator))
  return rows.every((row) => row.length === rows[0]!.length) ? rows : undefined
}

function cells(line: string, separator: string): readonly string[] {
  const found: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!
    if (sign === '"' && quoted && line[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (sign === '"') quoted = !quoted
    else if (sign === separator && !quoted) {
      found.push(cell)
      cell = ''
    } else cell += sign
  }
  return [...found, cell]
}

/** The last row under the column (totals stand there), or the cells beside the key. */
function inTable(rows: readonly (readonly string[])[], key: string): readonly (string | undefined)[] {
  const column = rows[0]!.findIndex((cell) => plain(cell) === key)
  if (column >= 0) return [rows.findLast((row, index) => index > 0 && row[column]?.trim() !== '')?.[column]]
  return rows.find((row) => plain(row[0] ?? '') === key)?.slice(1) ?? []
}

/** What stands behind the key on its line: "TOTAL   42.50", "合计：￥42.50", "the amount is 42.50". */
function inLines(text: string, key: string): string | undefined {
  const words = key.split(' ').map(escaped).join('[\\s_-]+')
  const edge = /^[a-z0-9]/.test(key) ? '(?<![\\p{L}\\p{N}])' : ''
  const pattern = new RegExp(
    `${edge}${words}(?:\\s*[:：=]\\s*|\\s+(?:is|was|are)\\s+|是|为|\\s{2,}|\\t|\\s+(?=[\\p{Sc}\\d-]|[A-Z]{3}\\s?\\d))([^\\n\\r]+)`,
    'iu',
  )
  return pattern.exec(text)?.[1]
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function plain(key: string): string {
  return key.normalize('NFKC').toLowerCase().replace(/[_-]+/g, ' ').replace(/\s+/g, ' ').trim()
}
