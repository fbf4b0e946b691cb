import { buttons, drawCard } from './card.js'
import { byId, el, moment, prose } from './dom.js'
import { drawForm, focusForm } from './form.js'

/**
 * The messages of the open thread, kept in line with what the server tells. `on` holds what a person can ask
 * for: `act`, `change`, `remove`, `again`, `trace`; `told` gets what is only said aloud.
 */
export function createMessages({ words, person, on }) {
  const list = byId('messages')
  const known = new Map()
  const draftItem = el('li', { class: 'message assistant draft', 'aria-hidden': 'true' })
  let sendings = []

  const itemOf = (id) => list.querySelector(`:scope > [data-id="${CSS.escape(id)}"]`)

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
          mine && ownTools(message),
        ),
      message.text !== '' && prose(message.html, words),
      message.cards.map((card) => drawCard(card, { press, words })),
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

  function ownTools(message) {
    return el(
      'span',
      { class: 'own' },
      el('button', { class: 'link', type: 'button', onclick: () => edit(message) }, words.edit),
      el('button', { class: 'link', type: 'button', onclick: () => askRemoval(message) }, words.remove),
    )
  }

  function edit(message) {
    const input = el('textarea', {
      'aria-label': words.editMessage,
      rows: Math.min(8, message.text.split('\n').length + 1),
    })
    input.value = message.text
    const done = () => {
      place(known.get(message.id) ?? message, { over: true })
      itemOf(message.id)?.querySelector('.own button')?.focus()
    }
    const save = () => {
      const text = input.value.trim()
      done()
      if (text !== '' && text !== message.text) attempt(message.id, on.change(message.id, text))
    }
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') done()
      else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) save()
      else return
      event.preventDefault()
      event.stopPropagation()
    })
    const row = buttons(
      [
        { label: words.save, style: 'primary' },
        { label: words.cancel, style: 'quiet' },
      ],
      (each) => (each.style === 'primary' ? save() : done()),
    )
    itemOf(message.id).replaceChildren(el('div', { class: 'editing' }, input, row))
    input.focus()
  }

  function askRemoval(message) {
    const close = () => extrasOf(message.id)?.replaceChildren()
    const row = buttons(
      [
        { label: words.yes, style: 'danger' },
        { label: words.no, style: 'quiet' },
      ],
      (each) => {
        close()
        if (each.style === 'danger') attempt(message.id, on.remove(message.id))
      },
    )
    extrasOf(message.id).replaceChildren(el('div', { class: 'only' }, el('p', {}, words.really), row))
    row.querySelector('.quiet').focus()
  }

  const extrasOf = (id) => itemOf(id)?.querySelector(':scope > .extras')

  async function attempt(id, work) {
    try {
      await work
    } catch (error) {
      extrasOf(id)?.replaceChildren(noteOf({ text: error.message }))
    }
  }

  /** Someone pressed a button or chose from a select. */
  async function press(action, control) {
    const place = control.closest('.message, .welcome')
    const row = control.closest('.buttons') ?? control.parentElement
    const group = [...row.querySelectorAll('button, select')]
    for (const each of group) each.disabled = true
    control.setAttribute('aria-busy', 'true')
    try {
      const receipt = await on.act({
        action: action.action,
        value: action.value,
        messageId: place?.dataset.id,
      })
      await answer(receipt, place, control)
    } catch (error) {
      extrasIn(place)?.replaceChildren(noteOf({ text: error.message }))
    } finally {
      for (const each of group) each.disabled = false
      control.removeAttribute('aria-busy')
      if (document.activeElement === document.body) focusAgain(control, place)
    }
  }

  // A disabled button loses the focus, and a card that was drawn again has taken its button with it.
  function focusAgain(control, place) {
    if (control.isConnected) control.focus()
    else place?.querySelector('.card')?.focus()
  }

  const extrasIn = (place) => place?.querySelector(':scope > .extras')

  /** Shows what became of a click to the person who clicked. */
  async function answer(receipt, place, control) {
    if (receipt.kind !== 'answered') return
    const cardId = control?.closest('[data-card]')?.dataset.card
    if (receipt.card) putCard(receipt.card)
    const extras = extrasIn(place)
    if (!extras) return
    if (receipt.card && !receipt.form && !receipt.actions) {
      // The card itself says what became of it; a note below would say it twice.
      extras.replaceChildren()
      if (receipt.notice) on.told(receipt.notice)
      return
    }
    if (receipt.form) {
      extras.replaceChildren(formOf(receipt.form, place, cardId))
      focusForm(extras)
    } else if (receipt.notice !== undefined || receipt.actions?.length > 0) {
      extras.replaceChildren(noteOf(receipt))
    } else {
      extras.replaceChildren()
    }
  }

  function formOf(form, place, cardId) {
    const element = drawForm(form, {
      words,
      close: () => {
        element.remove()
        place.querySelector('.card')?.focus()
      },
      send: async (fields) => {
        const submit = element.querySelector('[type=submit]')
        submit.disabled = true
        try {
          const receipt = await on.act({ action: form.action, value: form.value, fields })
          if (receipt.kind !== 'answered') element.remove()
          else await answer(receipt, place)
        } catch (error) {
          submit.disabled = false
          element.querySelector('.refused')?.remove()
          element.prepend(el('p', { class: 'error refused', role: 'alert' }, error.message))
        }
      },
    })
    if (cardId) element.dataset.form = cardId
    return element
  }

  /** A note that only this person sees, and that nobody keeps. */
  function noteOf({ html, text, actions = [] }) {
    const note = el(
      'div',
      { class: 'only', role: 'status' },
      el('p', { class: 'hint' }, words.only),
      html ? prose(html, words) : text && el('p', {}, text),
    )
    const close = { label: words.dismiss, style: 'quiet', close: true }
    const row = buttons([...actions, close], (action, control) => {
      if (action.close) note.remove()
      else press(action, control)
    })
    note.append(row)
    return note
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
      return known.size === 0 && sendings.length === 0
    },
    has: (id) => known.has(id),
    get first() {
      return known.keys().next().value
    },
    /** Does a card wait for a decision? */
    get open() {
      return list.querySelector('.card.open') !== null
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
    sending(text) {
      const extras = el('div', { class: 'extras' })
      const body = el('div', { class: 'prose plain' }, el('p', {}, text))
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
                on.again(this, text)
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
    press,
    answer,
  }
}
