import { Marked, type Tokens, type TokensList } from 'marked'
import sanitize from 'sanitize-html'

/** Markdown as HTML that is safe to put into the page, whoever wrote it. */
export type MarkdownHtml = (markdown: string) => string

const kept = 1000
const longestKept = 20_000

/** Renders Markdown, and keeps the latest results: a thread is drawn again for each of its viewers. */
export function createMarkdownHtml(): MarkdownHtml {
  const marked = new Marked({ gfm: true, breaks: true, renderer: { html, image, checkbox } })
  const cache = new Map<string, string>()
  return (markdown) => {
    const known = cache.get(markdown)
    if (known !== undefined) {
      cache.delete(markdown)
      cache.set(markdown, known)
      return known
    }
    const tokens = marked.lexer(markdown)
    settleHeadings(marked, tokens)
    const result = sanitize(marked.parser(tokens), rules)
    if (markdown.length <= longestKept) cache.set(markdown, result)
    if (cache.size > kept) cache.delete(cache.keys().next().value!)
    return result
  }
}

const escaped: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escaped[character]!)
}

/** Tags in Markdown are shown, not obeyed; a line break is what models write into tables. */
function html({ text }: Tokens.HTML | Tokens.Tag): string {
  return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escapeHtml(text)
}

/** A picture is a link: loading it would tell its server who reads what. */
function image({ href, text }: Tokens.Image): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`
}

function checkbox({ checked }: Tokens.Checkbox): string {
  return checked ? '☑ ' : '☐ '
}

/** Headings follow each other without a gap below the page's own, whatever levels a message uses. */
function settleHeadings(marked: Marked, tokens: TokensList): void {
  const headings: Tokens.Heading[] = []
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') headings.push(token as Tokens.Heading)
  })
  const depths = [...new Set(headings.map((heading) => heading.depth))].sort((a, b) => a - b)
  for (const heading of headings) heading.depth = Math.min(depths.indexOf(heading.depth) + 2, 6)
}

const rules: sanitize.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'a'],
    ...['ul', 'ol', 'li', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    ol: ['start'],
    th: ['align'],
    td: ['align'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'escape',
  transformTags: {
    // An address without a scheme would lead to this server's own pages.
    a: (tagName, { href = '' }): sanitize.Tag => ({
      tagName,
      attribs: /^(?:https?|mailto):/i.test(href)
        ? { href, rel: 'noopener noreferrer nofollow', target: '_blank' }
        : {},
    }),
  },
}
