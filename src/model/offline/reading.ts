import type { PastCall } from './conversation.ts'
import { type FoundFile, rankFiles, readListing } from './files.ts'
import { type Notes, readNotes } from './notes.ts'
import { textIn } from './outcome.ts'
import type { Period } from './period.ts'
import type { NewCall, Scene } from './plan.ts'

/** What documents are wanted. */
export interface Wanted {
  /** Words that may be in their names. */
  readonly topic: string
  readonly period: Period | undefined
  /** Only those whose names fit, or any, for a question whose answer may stand anywhere. */
  readonly byName: boolean
}

/** How far the reading is. */
export type Reading =
  | { readonly kind: 'look'; readonly calls: readonly NewCall[] }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'found'; readonly files: readonly string[]; readonly notes: readonly Notes[] }

const everything = '**/*'
const mostRead = { byName: 3, any: 8 } as const
const mostPages = 4
const mostFolders = 8

/**
 * Finds documents through whatever file tools are offered, and reads those that fit: a listing, the files, the rest
 * of those that were shortened.
 */
export function readDocuments(scene: Scene, wanted: Wanted): Reading {
  const listing = list(scene)
  if (listing.kind !== 'listed') return listing

  const fitting = choose(listing.paths, wanted)
  if (fitting.length === 0) return { kind: 'found', files: listing.paths, notes: [] }
  const tool = scene.conversation.offered('read_file') ?? scene.tool('read_text_file')
  if (!tool) return { kind: 'unavailable' }
  const reads = fitting.map((file) => ({ file, call: scene.looked(tool, ({ path }) => path === file.path) }))
  const missing = reads.filter(({ call }) => !call)
  if (missing.length > 0)
    return { kind: 'look', calls: missing.map(({ file }) => ({ tool, arguments: { path: file.path } })) }

  const pages = reads.flatMap(({ call }) => (call ? furtherPages(scene, call) : []))
  if (pages.length > 0) return { kind: 'look', calls: pages }

  const notes: Notes[] = []
  const troubles: string[] = []
  for (const { file, call } of reads) {
    if (!call) continue
    if (call.outcome.kind === 'done') notes.push(readNotes(file.path, wholeText(scene, call)))
    else if ('text' in call.outcome) troubles.push(call.outcome.text)
  }
  if (notes.length === 0 && troubles.length > 0) return { kind: 'failed', why: troubles[0]! }
  return { kind: 'found', files: listing.paths, notes }
}

function choose(paths: readonly string[], wanted: Wanted): readonly FoundFile[] {
  const ranked = rankFiles(paths, wanted.topic, wanted.period)
  const best = ranked[0]?.score ?? 0
  // Documents of no certain day are those that people look things up in.
  if (!wanted.byName)
    return ranked
      .toSorted((a, b) => b.score - a.score || Number(a.day !== undefined) - Number(b.day !== undefined))
      .slice(0, mostRead.any)
  if (best === 0) return []
  const same = ranked.filter(({ score }) => score === best)
  // Without a time, "the meeting notes" are the newest ones.
  const newest = same[0]?.day
  return (wanted.period || newest === undefined ? same : same.filter(({ day }) => day === newest)).slice(
    0,
    mostRead.byName,
  )
}

type Listing = Exclude<Reading, { kind: 'found' }> | { kind: 'listed'; paths: readonly string[] }

function list(scene: Scene): Listing {
  const { conversation } = scene
  const wantLogs = conversation.current.asks.some((ask) => /\blogs?\b|日志/i.test(ask))
  const search = scene.tool('search_files')
  if (search) {
    const tried = conversation.current.calls.filter((call) => call.tool === search)
    const root = rootOf(tried, (path) => ({ tool: search, arguments: { path, pattern: everything } }))
    return 'kind' in root ? root : { kind: 'listed', paths: readListing(contentOf(root), wantLogs) }
  }
  const directory = conversation.offered('list_directory')
  if (!directory || scene.finding.length > 0) return { kind: 'unavailable' }
  const call = (path: string): NewCall => ({ tool: directory, arguments: { path } })
  const tried = conversation.current.calls.filter((one) => one.tool === directory)
  const root = rootOf(tried, call)
  if ('kind' in root) return root
  // Without a search, the folders of the first level are listed one by one.
  const folders = contentOf(root)
    .split('\n')
    .flatMap((line) => /^\[DIR\] (.+)$/.exec(line.trim())?.[1] ?? [])
    .slice(0, mostFolders)
    .map((name) => `${String(root.arguments.path)}/${name}`)
  const listed = folders.map((path) => tried.find((one) => one.arguments.path === path))
  const missing = folders.filter((_, place) => !listed[place])
  if (missing.length > 0) return { kind: 'look', calls: missing.map(call) }
  const paths = [root, ...listed].flatMap((one) =>
    one ? readListing(contentOf(one), wantLogs).map((name) => `${String(one.arguments.path)}/${name}`) : [],
  )
  return { kind: 'listed', paths }
}

/** The listing of the top folder, or what has to come first. */
function rootOf(
  tried: readonly PastCall[],
  call: (path: string) => NewCall,
): PastCall | Exclude<Listing, { kind: 'listed' }> {
  const good = tried.find((one) => one.outcome.kind === 'done')
  if (good) return good
  const failed = tried.at(-1)
  if (!failed) return { kind: 'look', calls: [call('.')] }
  const why = 'text' in failed.outcome ? failed.outcome.text : ''
  // A server that doesn't take "." says which folder it takes.
  const allowed = / not in (\/[^\n,]+)/.exec(why)?.[1]?.trim()
  return allowed && tried.length === 1 ? { kind: 'look', calls: [call(allowed)] } : { kind: 'failed', why }
}

const reference = /stored as (ref_\w+)/

function furtherPages(scene: Scene, call: PastCall): readonly NewCall[] {
  const ref = call.outcome.kind === 'done' ? reference.exec(call.outcome.text)?.[1] : undefined
  const tool = scene.tool('read_result')
  if (!ref || !tool) return []
  const first = pageOf(scene, tool, ref, 1)
  if (!first) return [{ tool, arguments: { ref, page: 1 } }]
  const pages = Math.min(mostPages, Number(/^Page \d+ of (\d+):/.exec(contentOf(first))?.[1] ?? 1))
  return Array.from({ length: pages - 1 }, (_, at) => at + 2)
    .filter((page) => !pageOf(scene, tool, ref, page))
    .map((page) => ({ tool, arguments: { ref, page } }))
}

function pageOf(scene: Scene, tool: string, ref: string, page: number): PastCall | undefined {
  return scene.looked(tool, (args) => args.ref === ref && Number(args.page ?? 1) === page)
}

function wholeText(scene: Scene, call: PastCall): string {
  const ref = call.outcome.kind === 'done' ? reference.exec(call.outcome.text)?.[1] : undefined
  const tool = scene.tool('read_result')
  if (ref && tool) {
    const pages = Array.from({ length: mostPages }, (_, at) => pageOf(scene, tool, ref, at + 1))
      .filter((page) => page?.outcome.kind === 'done')
      .map((page) => contentOf(page!).replace(/^Page \d+ of \d+:\n/, ''))
    if (pages.length > 0) return pages.join('')
  }
  return contentOf(call)
}

/** The text of a result; some servers wrap it in an object. */
function contentOf(call: PastCall): string {
  if (call.outcome.kind !== 'done') return ''
  return textIn(call.outcome.data, 'content') ?? call.outcome.text
}
