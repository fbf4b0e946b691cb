import { el } from './dom.js'

/** The kinds of pictures that the server hands out to be shown; everything else is saved. */
const shown = /^image\/(?:png|jpeg|gif|webp)$/

/** The files of an answer: pictures to be seen, others to be saved. */
export function fileList(files = []) {
  if (files.length === 0) return undefined
  return el(
    'ul',
    { class: 'files' },
    files.map(({ name, mediaType, path }) =>
      el(
        'li',
        {},
        shown.test(mediaType)
          ? el('a', { href: path, target: '_blank', rel: 'noopener' }, el('img', { src: path, alt: name }))
          : el('a', { href: path, download: name }, name),
      ),
    ),
  )
}
