import type { Context, Hono } from 'hono'
import type { PageReader } from '../../src/channel/pages.ts'
import { holdsToken, refusePlace, type Trust } from './guard.ts'
import type { MarkdownHtml } from './html.ts'
import { addPageHeaders, type PageFile, servePageFile } from './page-files.ts'
import { noTicketPage, ticketPage } from './ticket-page.ts'

/** The pages of tickets and the files that tools gave, for whoever may use the web chat. */
export function addTicketRoutes(
  routes: Hono,
  trust: Trust,
  parts: {
    readonly pages: PageReader
    readonly html: MarkdownHtml
    readonly timeZone: string
    readonly login: PageFile | undefined
  },
): void {
  const refuse = (c: Context): Response | undefined => {
    const problem = refusePlace(c, trust)
    if (problem) return c.text(`${problem.title}. ${problem.detail}\n`, problem.status)
    return trust.kind === 'token' && !holdsToken(c, trust.token)
      ? servePageFile(c, parts.login, 401)
      : undefined
  }

  routes.get('/tickets/:ticket', async (c) => {
    const refused = refuse(c)
    if (refused) return refused
    const language = /^zh\b/i.test(c.req.header('accept-language') ?? '') ? 'zh' : 'en'
    const [, number] = /^T-(\d{1,9})$/i.exec(c.req.param('ticket')) ?? []
    const ticket = number === undefined ? undefined : await parts.pages.ticket(Number(number))
    addPageHeaders(c)
    c.header('Cache-Control', 'no-store')
    if (!ticket) return c.html(noTicketPage(language), 404)
    return c.html(ticketPage(ticket, { language, html: parts.html, timeZone: parts.timeZone }))
  })

  routes.get('/files/:ref', async (c) => {
    const refused = refuse(c)
    if (refused) return refused
    const file = await parts.pages.file(c.req.param('ref'))
    if (!file) return c.text('There is no such file, or it has aged out.\n', 404)
    addPageHeaders(c)
    c.header('Cache-Control', 'no-store')
    // Pictures are shown, everything else is only saved: nothing of a tool may run on this origin.
    const shown = /^image\/(?:png|jpeg|gif|webp)$/.test(file.mediaType)
    // RFC 6266; names are of any script.
    const named = `filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`
    c.header('Content-Disposition', `${shown ? 'inline' : 'attachment'}; ${named}`)
    const type = shown ? file.mediaType : 'application/octet-stream'
    return c.body(new Uint8Array(file.bytes), 200, { 'Content-Type': type })
  })
}
