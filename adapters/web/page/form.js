import { el } from './dom.js'

let forms = 0

/** A form made from the port's `Form`. `send(fields)` gets all values as text; `close` puts it away. */
export function drawForm(form, { send, close, words }) {
  forms += 1
  const prefix = `form${forms}`
  const element = el(
    'form',
    { class: 'form', novalidate: true, 'aria-labelledby': `${prefix}-title` },
    el('h3', { id: `${prefix}-title` }, form.title),
    form.error && el('p', { class: 'error', role: 'alert' }, form.error),
    form.fields.map((field, index) => drawField(field, `${prefix}-${index}`, words)),
    el(
      'div',
      { class: 'buttons' },
      el('button', { class: 'button primary', type: 'submit' }, form.submitLabel),
      el('button', { class: 'button quiet', type: 'button', onclick: close }, words.cancel),
    ),
  )
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    const fields = {}
    for (const field of form.fields) {
      const input = element.elements.namedItem(field.name)
      fields[field.name] = field.kind === 'boolean' ? String(input.checked) : input.value
    }
    send(fields)
  })
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  })
  return element
}

/** Puts the cursor where it is needed first: on what is wrong, else on the first field. */
export function focusForm(element) {
  const first =
    element.querySelector('[aria-invalid="true"]') ?? element.querySelector('input, textarea, select')
  first?.focus()
}

function drawField(field, id, words) {
  const described = [field.hint && `${id}-hint`, field.error && `${id}-error`].filter(Boolean).join(' ')
  const attributes = {
    id,
    name: field.name,
    required: field.required,
    'aria-invalid': field.error ? 'true' : undefined,
    'aria-describedby': described === '' ? undefined : described,
  }
  const label = el(
    'label',
    { for: id },
    field.label,
    field.required && el('span', { class: 'required' }, ` · ${words.required}`),
  )
  const below = [
    field.hint && el('p', { class: 'hint', id: `${id}-hint` }, field.hint),
    field.error && el('p', { class: 'error', id: `${id}-error` }, field.error),
  ]
  return el('div', { class: `input ${field.kind}` }, label, control(field, attributes, words), below)
}

function control(field, attributes, words) {
  switch (field.kind) {
    case 'multiline': {
      const input = el('textarea', { ...attributes, rows: 4 })
      input.value = field.value
      return input
    }
    case 'boolean':
      return el('input', {
        ...attributes,
        required: false,
        type: 'checkbox',
        checked: field.value === 'true',
      })
    case 'select': {
      const none = { label: words.chosen, value: '' }
      const known = field.options.some((option) => option.value === field.value)
      const options = known && field.required ? field.options : [none, ...field.options]
      const input = el(
        'select',
        attributes,
        options.map((option) => el('option', { value: option.value }, option.label)),
      )
      input.value = known ? field.value : ''
      return input
    }
    default: {
      const input = el('input', { ...attributes, inputmode: field.kind === 'number' ? 'decimal' : undefined })
      input.value = field.value
      return input
    }
  }
}
