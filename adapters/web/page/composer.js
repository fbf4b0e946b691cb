import { createAttachments } from './attachments.js'
import { byId, el } from './dom.js'

// Those that need more words go into the field, the others are sent at once.
const wantsMore = new Set(['forget', 'private', 'prompt', 'resource'])

/**
 * The field to write in, its menu of commands and its files. `send(text, files)` gets what is sent; `told` what is
 * only said aloud.
 */
export function createComposer({ words, send, stop, told }) {
  const form = byId('composer')
  const field = byId('text')
  const menu = byId('menu')
  const opener = byId('open-menu')
  const attachments = createAttachments({ words, told })
  let active = -1

  field.placeholder = words.placeholder
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', 'menu')

  const fit = () => {
    field.style.height = 'auto'
    field.style.height = `${Math.min(field.scrollHeight, 220)}px`
  }

  function showMenu(filter) {
    const names = Object.keys(words.help).filter((name) => name.startsWith(filter))
    if (names.length === 0) return hideMenu()
    menu.replaceChildren(
      ...names.map((name, index) =>
        el(
          'div',
          { role: 'option', id: `command-${name}`, 'data-name': name, 'aria-selected': String(index === 0) },
          el('b', {}, `/${name}`),
          el('span', {}, words.help[name]),
        ),
      ),
    )
    active = 0
    menu.hidden = false
    mark()
  }

  function hideMenu() {
    menu.hidden = true
    active = -1
    mark()
  }

  function mark() {
    const options = [...menu.children]
    for (const [index, option] of options.entries())
      option.setAttribute('aria-selected', String(index === active))
    const current = menu.hidden ? undefined : options[active]
    if (current) field.setAttribute('aria-activedescendant', current.id)
    else field.removeAttribute('aria-activedescendant')
    current?.scrollIntoView({ block: 'nearest' })
    opener.setAttribute('aria-expanded', String(!menu.hidden))
  }

  function choose(name) {
    hideMenu()
    field.focus()
    if (wantsMore.has(name)) {
      field.value = `/${name} `
      fit()
    } else {
      field.value = ''
      fit()
      send(`/${name}`)
    }
  }

  function submit() {
    const text = field.value.trim()
    if (text === '' && !attachments.any) return
    hideMenu()
    field.value = ''
    fit()
    send(text, attachments.any ? attachments.take() : undefined)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
    field.focus()
  })
  field.addEventListener('input', () => {
    fit()
    const typed = /^\/([a-z]*)$/i.exec(field.value)
    if (typed) showMenu(typed[1].toLowerCase())
    else hideMenu()
  })
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (!menu.hidden) {
      const count = menu.children.length
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) {
        active = (active + step + count) % count
        mark()
      } else if (event.key === 'Enter' || event.key === 'Tab') {
        choose(menu.children[active].dataset.name)
      } else if (event.key === 'Escape') {
        hideMenu()
      } else return
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      submit()
    }
  })
  field.addEventListener('blur', () =>
    setTimeout(() => {
      if (document.activeElement !== field) hideMenu()
    }, 150),
  )
  // It scrolls in a low window, so it can be reached by keyboard; the keys are handled by the field.
  menu.tabIndex = 0
  menu.addEventListener('focus', () => field.focus())
  menu.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const option = event.target.closest('[role=option]')
    if (option) choose(option.dataset.name)
  })
  opener.addEventListener('mousedown', (event) => event.preventDefault())
  opener.addEventListener('click', () => {
    field.focus()
    if (menu.hidden) showMenu('')
    else hideMenu()
  })
  byId('stop').addEventListener('click', stop)

  return {
    /** Puts the cursor into the field, where that does not call up a keyboard over half of the screen. */
    focus() {
      if (matchMedia('(pointer: fine)').matches) field.focus()
    },
    busy(working) {
      byId('stop').hidden = !working
    },
  }
}
