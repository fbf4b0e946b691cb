import { el } from './dom.js'

const longValue = 160

/** A row of buttons. `press(action, button)` runs when one is pressed. */
export function buttons(actions, press) {
  return el(
    'div',
    { class: 'buttons' },
    actions.map((each) =>
      el(
        'button',
        {
          class: `button ${each.style ?? 'plain'}`,
          type: 'button',
          'data-action': each.action,
          onclick: (event) => press(each, event.currentTarget),
        },
        each.label,
      ),
    ),
  )
}

/** A card: what will happen exactly, and the buttons that decide. */
export function drawCard(card, { press, words }) {
  const titleId = `card-${card.id}`
  const element = el(
    'article',
    {
      class: `card ${card.tone}`,
      'data-card': card.id,
      tabindex: 0,
      'aria-labelledby': titleId,
      'aria-keyshortcuts': card.tone === 'open' ? 'y n' : undefined,
    },
    el('h2', { id: titleId }, card.title),
    card.target && el('p', { class: 'target' }, card.target),
    card.fields.length > 0 &&
      el(
        'dl',
        {},
        card.fields.map((field) => [el('dt', {}, field.label), el('dd', {}, value(field.value, words))]),
      ),
    card.risk && el('p', { class: 'risk' }, card.risk),
    card.choice && choice(card.choice, press, words),
    el(
      'div',
      { class: 'foot' },
      card.actions.length > 0 && buttons(card.actions, press),
      card.footer && el('p', { class: 'footer' }, card.footer),
    ),
  )
  element.addEventListener('keydown', (event) => {
    if (event.target.closest('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey)
      return
    const wanted = { y: 'approval.confirm', n: 'approval.cancel' }[event.key]
    const button = wanted && element.querySelector(`button[data-action="${wanted}"]`)
    if (!button) return
    event.preventDefault()
    button.click()
  })
  return element
}

/** A value as it is; a long one folded. */
function value(text, words) {
  if (text.length <= longValue && text.split('\n').length <= 4) return text
  const short = el('span', { class: 'folded' }, text)
  const toggle = el('button', { class: 'link', type: 'button', 'aria-expanded': 'false' }, words.showAll)
  toggle.addEventListener('click', () => {
    const folded = short.classList.toggle('folded')
    toggle.textContent = folded ? words.showAll : words.showLess
    toggle.setAttribute('aria-expanded', String(!folded))
  })
  return [short, toggle]
}

function choice({ label, action, options }, press, words) {
  const select = el(
    'select',
    {},
    el('option', { value: '' }, words.chosen),
    options.map((option) => el('option', { value: option.value }, option.label)),
  )
  select.addEventListener('change', () => {
    if (select.value !== '') press({ action, value: select.value, label }, select)
  })
  return el('label', { class: 'input' }, el('span', {}, label), select)
}
