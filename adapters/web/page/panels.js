import { byId } from './dom.js'

/** The side panels: beside the conversation on wide screens, over it on narrow ones. */
export function createPanels({ closeTrace }) {
  const threads = byId('threads')
  const opener = byId('open-threads')
  const shade = byId('shade')
  const narrow = matchMedia('(max-width: 860px)')
  let open = false

  function draw() {
    const over = narrow.matches
    threads.classList.toggle('open', open)
    threads.inert = over && !open
    const traceOver = !byId('trace').hidden && matchMedia('(max-width: 1180px)').matches
    shade.hidden = !((over && open) || traceOver)
    opener.setAttribute('aria-expanded', String(open))
  }

  function hideThreads() {
    if (!open) return false
    open = false
    draw()
    opener.focus()
    return true
  }

  opener.addEventListener('click', () => {
    open = true
    draw()
    byId('new-thread').focus()
  })
  byId('close-threads').addEventListener('click', hideThreads)
  shade.addEventListener('click', () => {
    if (!hideThreads()) closeTrace()
  })
  narrow.addEventListener('change', draw)
  draw()
  return {
    draw,
    hideThreads,
    close() {
      open = false
      draw()
    },
  }
}
