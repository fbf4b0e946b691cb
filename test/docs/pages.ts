import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A page for people, by its path in the project. */
export interface DocsPage {
  readonly path: string
  readonly text: string
}

/** The README and every page of `docs`. */
export function docsPages(): readonly DocsPage[] {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...names.map((name) => `docs/${name}`)].map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))
}

export function docsPage(name: string): DocsPage {
  const path = `docs/${name}`
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

/** The rows of the tables under a heading, without their header: the text of each cell. */
export function tableUnder(page: DocsPage, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = page.text.split(new RegExp(`^## ${heading}$`, 'm'))
  const rows = (section.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** The words in backquotes in a cell. */
export function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
}

/** The commands that pages tell to type: lines of shell blocks and `npm …` in a sentence, without comments. */
export function commandsIn(page: DocsPage): readonly string[] {
  const blocks = [...page.text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block!
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$|^#.*$/, '').trim())
      // Lines of a `.env` file.
      .filter((line) => line !== '' && !/^[A-Z_]+=\S*$/.test(line)),
  )
  const outside = page.text.replace(/^```[\s\S]*?^```/gm, '')
  return [...blocks, ...[...outside.matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command!)]
}

/** Links to files of the project that lead nowhere, with the page that has them. */
export function brokenLinks(page: DocsPage): readonly string[] {
  const prose = page.text.replace(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    if (/^https?:/.test(link!)) return []
    const [file = '', anchor] = link!.split('#')
    const target = file === '' ? join(root, page.path) : join(root, dirname(page.path), file)
    if (!existsSync(target)) return [`${page.path}: ${link}`]
    if (anchor === undefined) return []
    const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    )
    return headings.includes(anchor) ? [] : [`${page.path}: ${link}`]
  })
}
