import { byId, el, moment } from './dom.js'

/** The list of a person's threads. */
export function createThreadList({ words, open }) {
  const list = byId('thread-list')
  let lines = []
  let current

  function draw() {
    const shown = lines.some((line) => line.thread === current)
      ? lines
      : [{ thread: current, title: words.newThread, state: 'idle' }, ...lines]
    list.replaceChildren(
      ...shown.map((line) =>
        el(
          'li',
          {},
          el(
            'a',
            { href: `#/${line.thread}`, 'aria-current': line.thread === current ? 'page' : undefined },
            el('span', { class: 'name' }, line.title || words.newThread),
            el(
              'span',
              { class: 'when' },
              line.state === 'awaiting_confirmation'
                ? el('b', {}, words.waiting)
                : line.at && moment(line.at, words.language),
            ),
          ),
        ),
      ),
    )
  }

  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) open()
  })

  return {
    title: (thread) => lines.find((line) => line.thread === thread)?.title,
    latest: () => lines[0]?.thread,
    set(next) {
      lines = next
      if (current) draw()
    },
    choose(thread) {
      current = thread
      draw()
    },
  }
}
