import { buttons } from './card.js'
import { el } from './dom.js'

/**
 * What people can do with a message of their own. `page` says where it stands (`item`, `extras`), draws it again
 * (`redraw`), and does what is asked for (`change`, `remove`).
 */
export function ownTools(message, page, words) {
  return el(
    'span',
    { class: 'own' },
    el('button', { class: 'link', type: 'button', onclick: () => edit(message, page, words) }, words.edit),
    el('button', { class: 'link', type: 'button', onclick: () => askRemoval(page, words) }, words.remove),
  )
}

function edit(message, page, words) {
  const input = el('textarea', {
    'aria-label': words.editMessage,
    rows: Math.min(8, message.text.split('\n').length + 1),
  })
  input.value = message.text
  const done = () => {
    page.redraw()
    page.item()?.querySelector('.own button')?.focus()
  }
  const save = () => {
    const text = input.value.trim()
    done()
    if (text !== '' && text !== message.text) page.change(text)
  }
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') done()
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) save()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  const choices = [
    { label: words.save, style: 'primary' },
    { label: words.cancel, style: 'quiet' },
  ]
  const row = buttons(choices, (each) => (each.style === 'primary' ? save() : done()))
  page.item().replaceChildren(el('div', { class: 'editing' }, input, row))
  input.focus()
}

function askRemoval(page, words) {
  const choices = [
    { label: words.yes, style: 'danger' },
    { label: words.no, style: 'quiet' },
  ]
  const row = buttons(choices, (each) => {
    page.extras()?.replaceChildren()
    if (each.style === 'danger') page.remove()
    else page.item()?.querySelector('.own button')?.focus()
  })
  page.extras().replaceChildren(el('div', { class: 'only' }, el('p', {}, words.really), row))
  row.querySelector('.quiet').focus()
}
