import sanitize from 'sanitize-html'

const blocks = [
  'p',
  'div',
  'br',
  'hr',
  'li',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'section',
  'article',
  'pre',
  'table',
]

/** Is a text a page or a piece of HTML, rather than a text that mentions tags? */
export function isHtml(text: string): boolean {
  return /^\s*(?:<!doctype html|<html[\s>]|<(?:head|body|div|table|p|section|article)[\s>][\s\S]*<\/\w+>\s*$)/i.test(
    text.slice(0, 2_000).concat(text.slice(-200)),
  )
}

/** The words of a page without tags, scripts and styles, one line for each block. */
export function htmlText(html: string): string {
  const clean = sanitize(html, {
    allowedTags: [...blocks, 'td', 'th'],
    allowedAttributes: {},
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'svg', 'head'],
    disallowedTagsMode: 'discard',
  })
  return (
    clean
      .replace(/\s+/g, ' ')
      .replace(/<\/t[dh]> ?(?=<t[dh]>)/g, ' | ')
      .replace(/<(?:\/|)(\w+)(?: \/)?>/g, (_, tag: string) => (blocks.includes(tag) ? '\n' : ''))
      // After cleaning these are all the entities that there can be.
      .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!)
      .replace(/\u00a0/g, ' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n')
  )
}
