import { buttons } from './card.js'
import { el, prose } from './dom.js'
import { drawForm, focusForm } from './form.js'

/**
 * What a click comes to: the receipt is shown where the button is, to the person who pressed it alone.
 * `extrasOf(place)` is the room below a message, `putCard` draws a card anew, `told` gets what is only said aloud.
 */
export function createAnswers({ words, act, told, extrasOf, putCard }) {
  /** Someone pressed a button or chose from a select. */
  async function press(action, control) {
    const place = control.closest('.message, .welcome')
    const row = control.closest('.buttons') ?? control.parentElement
    const group = [...row.querySelectorAll('button, select')]
    for (const each of group) each.disabled = true
    control.setAttribute('aria-busy', 'true')
    try {
      const receipt = await act({
        action: action.action,
        value: action.value,
        messageId: place?.dataset.id,
      })
      answer(receipt, place, control.closest('[data-card]')?.dataset.card)
    } catch (error) {
      extrasOf(place)?.replaceChildren(note({ text: error.message }))
    } finally {
      for (const each of group) each.disabled = false
      control.removeAttribute('aria-busy')
      if (document.activeElement === document.body) focusAgain(control, place)
    }
  }

  // A disabled button loses the focus, and a card that was drawn again has taken its button with it.
  function focusAgain(control, place) {
    if (control.isConnected) control.focus()
    else extrasOf(place)?.parentElement.querySelector('.card')?.focus()
  }

  /** Shows what became of a click below the place of its button. */
  function answer(receipt, place, cardId) {
    if (receipt.kind !== 'answered') return
    if (receipt.card) putCard(receipt.card)
    const extras = extrasOf(place)
    if (!extras) return
    if (receipt.form) {
      extras.replaceChildren(formOf(receipt.form, place, cardId))
      focusForm(extras)
      return
    }
    const buttonsBelow = receipt.actions?.length > 0
    if (receipt.card && !buttonsBelow) {
      // The card itself says what became of it; a note below would say it twice.
      extras.replaceChildren()
      if (receipt.notice) told(receipt.notice)
      return
    }
    const empty = receipt.notice === undefined && !buttonsBelow
    extras.replaceChildren(...(empty ? [] : [note(receipt)]))
  }

  function formOf(form, place, cardId) {
    const element = drawForm(form, {
      words,
      close: () => {
        element.remove()
        extrasOf(place)?.parentElement.querySelector('.card')?.focus()
      },
      send: async (fields) => {
        const submit = element.querySelector('[type=submit]')
        submit.disabled = true
        try {
          const receipt = await act({ action: form.action, value: form.value, fields })
          if (receipt.kind === 'answered') answer(receipt, place, cardId)
          else element.remove()
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
  function note({ html, text, actions = [] }) {
    const element = el(
      'div',
      { class: 'only', role: 'status' },
      el('p', { class: 'hint' }, words.only),
      html ? prose(html, words) : text && el('p', {}, text),
    )
    const close = { label: words.dismiss, style: 'quiet', close: true }
    element.append(
      buttons([...actions, close], (action, control) => {
        if (action.close) element.remove()
        else press(action, control)
      }),
    )
    return element
  }

  return { press, answer, note }
}
