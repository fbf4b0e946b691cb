import { byId } from './dom.js'

const near = 80

/** Keeps the newest in view while the reader is at the end, and leaves them alone where they read above. */
export function createScroll() {
  const scroll = byId('scroll')
  const toEnd = byId('to-end')
  let atEnd = true
  // What scrolls must be reachable by keyboard.
  scroll.tabIndex = 0

  const isAtEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < near
  const stick = () => {
    if (atEnd) scroll.scrollTop = scroll.scrollHeight
    toEnd.hidden = atEnd || isAtEnd()
  }
  let top = 0
  let height = 0
  scroll.addEventListener(
    'scroll',
    () => {
      const { scrollTop, scrollHeight } = scroll
      if (isAtEnd()) atEnd = true
      // Content that grows or is laid out anew also moves the end away; only the reader moves up.
      else if (scrollHeight === height && scrollTop < top) atEnd = false
      top = scrollTop
      height = scrollHeight
      toEnd.hidden = atEnd
    },
    { passive: true },
  )
  scroll.addEventListener(
    'wheel',
    (event) => {
      if (event.deltaY < 0 && scroll.scrollTop > 0) atEnd = false
    },
    { passive: true },
  )
  const sizes = new ResizeObserver(stick)
  sizes.observe(scroll)
  sizes.observe(scroll.firstElementChild)

  const end = () => {
    atEnd = true
    toEnd.hidden = true
    stick()
  }
  toEnd.addEventListener('click', end)
  return {
    end,
    /** Adds above without moving what is read. */
    keep(add) {
      const before = scroll.scrollHeight - scroll.scrollTop
      add()
      scroll.scrollTop = scroll.scrollHeight - before
    },
  }
}
