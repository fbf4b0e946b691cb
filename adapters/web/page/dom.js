/** Makes an element. Attributes that are `undefined` or `false` are left out; `on…` adds a listener. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false),
  )
  return element
}

/** An element of the page by its id. */
export function byId(id) {
  return document.getElementById(id)
}

/** HTML that the server has rendered and sanitised, in an element made ready for the page. */
export function prose(html, words) {
  const element = el('div', { class: 'prose' })
  element.innerHTML = html
  for (const table of element.querySelectorAll('table')) {
    // What scrolls sideways must be reachable by keyboard.
    const scroller = el('div', { class: 'scroller', role: 'region', tabindex: 0, 'aria-label': words.table })
    table.replaceWith(scroller)
    scroller.append(table)
  }
  for (const pre of element.querySelectorAll('pre')) {
    pre.tabIndex = 0
    const copy = el('button', { class: 'copy', type: 'button' }, words.copy)
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent)
      copy.textContent = words.copied
      setTimeout(() => {
        copy.textContent = words.copy
      }, 1500)
    })
    const frame = el('div', { class: 'code' })
    pre.replaceWith(frame)
    frame.append(pre, ...(navigator.clipboard ? [copy] : []))
  }
  return element
}

/** A moment as people say it: the time, and the day where it is another one. */
export function moment(iso, language) {
  const at = new Date(iso)
  const today = new Date().toDateString() === at.toDateString()
  const time = { hour: '2-digit', minute: '2-digit', hour12: false }
  return new Intl.DateTimeFormat(language, today ? time : { day: 'numeric', month: 'short', ...time }).format(
    at,
  )
}
