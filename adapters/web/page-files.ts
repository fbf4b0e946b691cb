import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Context } from 'hono'

/** A file of the page, read once. */
export interface PageFile {
  readonly body: string
  readonly type: string
  readonly tag: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// Nothing is loaded from elsewhere, nothing runs inline, no other page may frame this one.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The style sheet's files in their order: later rules win over earlier ones. */
const sheets = [
  'ground',
  'frame',
  'conversation',
  'text',
  'buttons',
  'cards',
  'forms',
  'welcome',
  'composer',
  'trace',
  'dialogs',
  'narrow',
]

/** The page's files by name, read from the folder beside this module. The style sheet is served as one. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = new URL('./page/', import.meta.url)
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  const bodies = new Map(
    readdirSync(folder).flatMap((name) => (types[extname(name)] ? [[name, read(name)] as const] : [])),
  )
  bodies.set('style.css', sheets.map((name) => read(`style/${name}.css`)).join('\n'))
  return new Map(
    [...bodies].map(([name, body]) => {
      const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      return [name, { body, type: types[extname(name)]!, tag }]
    }),
  )
}

/** The headers of everything that a browser shows from here. */
export function addPageHeaders(c: Context): void {
  c.header('Content-Security-Policy', policy)
  c.header('X-Content-Type-Options', 'nosniff')
  // Not `no-referrer`: with it a browser sends `Origin: null` along with the login form (Fetch, 3.2.5).
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
}

/** Answers with a file of the page. */
export function servePageFile(c: Context, file: PageFile | undefined, status: 200 | 401 = 200): Response {
  if (!file) return c.text('There is no such file.\n', 404)
  addPageHeaders(c)
  c.header('Cache-Control', 'no-cache')
  c.header('ETag', file.tag)
  if (status === 200 && c.req.header('if-none-match') === file.tag) return c.body(null, 304)
  return c.body(file.body, status, { 'Content-Type': file.type })
}
