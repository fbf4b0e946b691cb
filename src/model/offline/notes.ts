import { boundedDocument } from './bounds.ts'
import { dayInName, writeDay } from './period.ts'

/** What notes of a meeting, or any document with headings, say. */
export interface Notes {
  readonly path: string
  readonly name: string
  readonly title: string
  /** ISO date, where the file's name has one. */
  readonly day: string
  /** Names of the owner, the one that the notes use first. */
  readonly owners: readonly string[]
  readonly conclusion: string
  readonly decisions: readonly string[]
  readonly open: readonly string[]
  readonly text: string
}

const headings = {
  conclusion: /conclusion|outcome|summary|bottom line|结论|小结|总结|会议成果/i,
  decisions: /decision|decided|agreed|resolution|决定|决议|决策|共识/i,
  open: /open (?:point|question|issue)|action|next step|to-?do|follow-?up|待办|未决|行动|后续|跟进|下一步/i,
}

/** Reads a document as notes; what it doesn't hold is empty. */
export function readNotes(path: string, text: string): Notes {
  const clean = withoutMarks(boundedDocument(text))
  const sections = sectionsOf(clean)
  const section = (pattern: RegExp) => sections.filter(({ heading }) => pattern.test(heading))
  const name = path.split(/[\\/]/).at(-1) ?? path
  const day = dayInName(name)
  return {
    path,
    name,
    title: /^#\s+(.+)$/m.exec(clean)?.[1]?.trim() ?? name.replace(/\.\w+$/, ''),
    day: day === undefined ? '' : writeDay(day),
    owners: ownersIn(clean),
    conclusion: section(headings.conclusion)
      .map(({ lines }) => prose(lines))
      .filter((part) => part !== '')
      .join('\n\n'),
    decisions: section(headings.decisions).flatMap(({ lines }) => itemsOf(lines)),
    open: section(headings.open).flatMap(({ lines }) => itemsOf(lines)),
    text: clean,
  }
}

/** What the tools add to a text that was shortened or paged. */
function withoutMarks(text: string): string {
  return text
    .replace(/^Page \d+ of \d+:\n/, '')
    .replace(/\n*\[Shortened from [^\]]*\]\s*$/, '')
    .replace(/\n?\[… \d+ characters left out …\]\n?/g, '\n')
}

function sectionsOf(text: string): { heading: string; lines: string[] }[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  for (const line of text.split('\n')) {
    const heading = /^#{2,6}\s+(.+?)\s*#*$/.exec(line) ?? /^\*\*([^*]+?)[:：]?\*\*[:：]?\s*$/.exec(line)
    if (heading) sections.push({ heading: heading[1]!, lines: [] })
    else sections.at(-1)!.lines.push(line)
  }
  return sections
}

/** List items, or sentences where there is no list; lines that were wrapped are joined. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    const item = /^\s*(?:[-*•]|\d+[.)、])\s+(.*)$/.exec(line)
    if (item) items.push(item[1]!.replace(/^\[[ x]\]\s*/i, ''))
    else items.push(join(items.pop() ?? '', line.trim()))
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

function prose(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((paragraph) =>
      /^\s*(?:[-*•]|\d+[.)、])\s/.test(paragraph)
        ? itemsOf(paragraph.split('\n'))
            .map((item) => `- ${item}`)
            .join('\n')
        : paragraph.split('\n').reduce((whole, line) => join(whole, line.trim()), ''),
    )
    .filter((paragraph) => paragraph.trim() !== '')
    .join('\n\n')
}

/** Chinese lines are joined without a space. */
function join(before: string, after: string): string {
  if (before === '' || after === '') return before + after
  const close =
    /[\p{Script=Han}，。；：、“”（）]$/u.test(before) && /^[\p{Script=Han}，。；：、“”（）]/u.test(after)
  return close ? before + after : `${before} ${after}`
}

function ownersIn(text: string): string[] {
  const line =
    /^[\s>*|-]*\**(?:project |meeting )?(?:owner|lead|负责人|项目负责人|主要负责人)\**\s*[:：|]\s*\**\s*(.+?)\s*\|?\s*$/im.exec(
      text,
    )
  if (!line) return []
  const first = line[1]!.replace(/\*\*/g, '').split(/[,，、;；]| and | 和 /)[0]!
  const [main, ...others] = first.split(/[（(]/).map((name) =>
    name
      .replace(/[）)].*$/, '')
      .replace(/^@/, '')
      .trim(),
  )
  // What stands in brackets may be the same name in other letters, or a role.
  const alike = others.filter((name) =>
    /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+$|^\p{Script=Han}{2,4}$/u.test(name),
  )
  return [main ?? '', ...alike].filter((name) => name !== '')
}
