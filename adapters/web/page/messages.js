import { createAnswers } from './answers.js'
import { buttons, drawCard } from './card.js'
import { byId, el, moment, prose } from './dom.js'
import { fileList } from './files.js'
import { ownTools } from './own-messages.js'

/**
 * The messages of the open thread, kept in line with what the server tells. `on` holds what a person can ask
 * for: `act`, `change`, `remove`, `again`, `trace`; `told` gets what is only said aloud.
 */
export function createMessages({ words, person, on }) {
  const list = byId('messages')
  const known = new Map()
  const draftItem = el('li', { class: 'message assistant draft' })
  let sendings = []

  const itemOf = (id) => list.querySelector(`:scope > [data-id="${CSS.escape(id)}"]`)
  // A message may have been drawn again since its button was pressed.
  const extrasOf = (item) =>
    ((item?.dataset.id && itemOf(item.dataset.id)) ?? item)?.querySelector(':scope > .extras')
  const { press, answer, note } = createAnswers({ words, act: on.act, told: on.told, extrasOf, putCard })

  function drawItem(message) {
    const mine = message.role === 'user' && message.author === person.name
    const item = el(
      'li',
      { class: `message ${message.role}`, 'data-id': message.id },
      message.role !== 'note' &&
        el(
          'div',
          { class: 'by' },
          el('span', { class: 'author' }, message.role === 'user' ? message.author : 'Hermes'),
          el('time', { datetime: message.at }, moment(message.at, words.language)),
          mine && ownTools(message, ownPage(message), words),
        ),
      message.text !== '' && prose(message.html, words),
      message.cards.map((card) => drawCard(card, { press, words })),
      fileList(message.files),
      foot(message),
      el('div', { class: 'extras' }),
    )
    return item
  }

  function foot(message) {
    const trace = message.turn && message.role === 'assistant'
    if (message.actions.length === 0 && !trace) return undefined
    const row = buttons(
      message.actions.map((action) => ({ ...action, style: 'quiet' })),
      press,
    )
    if (trace) {
      const show = () => on.trace(message.turn)
      row.append(
        el('button', { class: 'button quiet show-trace', type: 'button', onclick: show }, words.trace),
      )
    }
    row.classList.add('under')
    return row
  }

  const ownPage = (message) => ({
    item: () => itemOf(message.id),
    extras: () => extrasOf(itemOf(message.id)),
    redraw: () => place(known.get(message.id) ?? message, { over: true }),
    change: (text) => attempt(message.id, on.change(message.id, text)),
    remove: () => attempt(message.id, on.remove(message.id)),
  })

  async function attempt(id, work) {
    try {
      await work
    } catch (error) {
      extrasOf(itemOf(id))?.replaceChildren(note({ text: error.message }))
    }
  }

  /** Draws a message where it stands. What a person is just changing is left alone, but for the end of it. */
  function place(message, { over = false } = {}) {
    const before = itemOf(message.id)
    if (!over && before?.querySelector('.editing')) return
    const item = drawItem(message)
    if (!before) {
      list.insertBefore(item, firstAfter())
      return
    }
    const focused = before.contains(document.activeElement) ? document.activeElement : undefined
    const extras = before.querySelector(':scope > .extras')
    if (extras) item.querySelector(':scope > .extras').replaceWith(extras)
    before.replaceWith(item)
    if (focused?.isConnected) focused.focus()
    else if (focused) item.querySelector('.card')?.focus()
  }

  // The stream may tell of it before its own request is answered with the id.
  function unanswered(message) {
    if (message.role !== 'user' || message.author !== person.name) return undefined
    return sendings.find((each) => each.text === message.text)
  }

  // What is being sent or written stands below everything that is committed.
  const firstAfter = () => sendings[0]?.item ?? (draftItem.isConnected ? draftItem : null)

  function putCard(card) {
    for (const old of list.querySelectorAll(`[data-card="${CSS.escape(card.id)}"]`)) {
      const held = old.contains(document.activeElement)
      const drawn = drawCard(card, { press, words })
      old.replaceWith(drawn)
      if (held) drawn.focus()
    }
    if (card.tone === 'open') return
    for (const form of list.querySelectorAll(`[data-form="${CSS.escape(card.id)}"]`)) form.remove()
  }

  return {
    get empty() {
      return list.querySelector(':scope > :not(.draft)') === null
    },
    has: (id) => known.has(id),
    get first() {
      return known.keys().next().value
    },
    /** Does a card wait for a decision? */
    get open() {
      return list.querySelector('.card.open') !== null
    },
    /** Is the last word a question whose card waits for the person? */
    get asks() {
      const last = [...known.values()].at(-1)
      return last?.role === 'assistant' && (last.cards ?? []).some((card) => card.tone === 'open')
    },
    get latestTurn() {
      return [...known.values()].findLast((message) => message.turn)?.turn
    },
    clear() {
      known.clear()
      sendings = []
      list.replaceChildren()
    },
    /** The thread as it stands; what is unchanged is left alone. */
    snapshot(messages) {
      const ids = new Set(messages.map((message) => message.id))
      for (const id of [...known.keys()]) if (!ids.has(id)) this.put({ id, removed: true })
      for (const message of messages) {
        const old = known.get(message.id)
        if (!old || JSON.stringify(old) !== JSON.stringify(message)) this.put(message)
      }
    },
    prepend(messages) {
      const later = [...known]
      known.clear()
      const fragment = document.createDocumentFragment()
      for (const message of messages) {
        known.set(message.id, message)
        fragment.append(drawItem(message))
      }
      for (const [id, message] of later) known.set(id, message)
      list.prepend(fragment)
    },
    put(message) {
      if (message.removed) {
        known.delete(message.id)
        itemOf(message.id)?.remove()
        return
      }
      known.set(message.id, message)
      const sending = sendings.find((each) => each.id === message.id) ?? unanswered(message)
      if (sending) {
        sendings = sendings.filter((each) => each !== sending)
        sending.item.remove()
      }
      place(message)
    },
    card({ message, card }) {
      const old = known.get(message)
      if (old) {
        const cards = old.cards.map((each) => (each.id === card.id ? card : each))
        known.set(message, { ...old, cards })
      }
      putCard(card)
    },
    draft(draft) {
      if (!draft) {
        draftItem.remove()
        return
      }
      const status = draft.status ?? (draft.text === '' ? words.thinking : undefined)
      draftItem.replaceChildren(
        el('div', { class: 'by' }, el('span', { class: 'author' }, 'Hermes')),
        ...(draft.html === '' ? [] : [prose(draft.html, words)]),
        ...(status ? [el('p', { class: 'pulse' }, el('i', {}), status)] : []),
      )
      list.append(draftItem)
    },
    /** Shows at once what is on its way. */
    sending(said, files = []) {
      // As the server shows it, so that the two are known as one.
      const text = [said, files.map((name) => `*${name}*`).join(', ')]
        .filter((part) => part !== '')
        .join('\n\n')
      const extras = el('div', { class: 'extras' })
      const body = el(
        'div',
        { class: 'prose plain' },
        said !== '' && el('p', {}, said),
        files.length > 0 && el('p', {}, el('em', {}, files.join(', '))),
      )
      const by = el('div', { class: 'by' }, el('span', { class: 'author' }, person.name))
      const item = el('li', { class: 'message user sending' }, by, body, extras)
      const sending = { item, text, id: undefined }
      sendings.push(sending)
      list.insertBefore(item, draftItem.isConnected ? draftItem : null)
      return {
        sent(id, receipt) {
          item.classList.remove('sending')
          sending.id = id
          item.dataset.id = id
          const committed = known.has(id)
          // What was answered on the spot becomes no message: it stays where it was said, for this visit.
          if (committed || receipt?.kind === 'answered')
            sendings = sendings.filter((each) => each !== sending)
          if (committed) item.remove()
          if (receipt) answer(receipt, itemOf(id))
        },
        failed(error) {
          item.classList.remove('sending')
          const row = error.retryable
            ? buttons([{ label: words.again, style: 'plain' }], () => {
                item.classList.add('sending')
                extras.replaceChildren()
                on.again(this, said)
              })
            : ''
          extras.replaceChildren(
            el(
              'div',
              { class: 'only', role: 'alert' },
              el('p', {}, `${words.notSent} ${error.message}`),
              row,
            ),
          )
        },
      }
    },
  }
}
