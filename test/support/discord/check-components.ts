import type { Form } from './form.ts'
import { type AnyComponent, allComponents } from './screen.ts'

type Path = readonly (string | number)[]

const legacyRoots = new Set([1])
const layoutRoots = new Set([1, 9, 10, 12, 13, 14, 17])
const inContainer = new Set([1, 9, 10, 12, 13, 14])
const selects = new Set([3, 5, 6, 7, 8])

/** The checks on a message's components, with or without the flag for the new layout components. */
export function checkComponents(form: Form, components: readonly AnyComponent[], layout: boolean): void {
  const path: Path = ['components']
  const roots = layout ? layoutRoots : legacyRoots
  if (!layout) form.size(path, components, { max: 5 })
  for (const [index, component] of components.entries()) {
    if (!roots.has(component.type)) {
      form.add(
        [...path, index, 'type'],
        'UNION_TYPE_CHOICES',
        `Value of field "type" must be one of (${[...roots].join(', ')}).`,
      )
      continue
    }
    checkOne(form, [...path, index], component)
  }
  const all = allComponents(components)
  if (layout && all.length > 40) {
    form.add(path, 'BASE_TYPE_MAX_LENGTH', 'The total number of components must be 40 or fewer.')
  }
  const text = all.reduce((sum, one) => sum + (one.type === 10 ? (one.content?.length ?? 0) : 0), 0)
  if (text > 4000) {
    form.add(
      path,
      'COMPONENT_MAX_TOTAL_TEXT_DISPLAY_LENGTH_EXCEEDED',
      'The total displayable text size exceeds maximum size of 4000',
    )
  }
  checkUnique(form, path, all)
}

/** Custom ids are unique within a message or modal. */
export function checkUnique(form: Form, path: Path, all: readonly AnyComponent[]): void {
  const seen = new Set<string>()
  for (const component of all) {
    if (component.custom_id === undefined) continue
    if (seen.has(component.custom_id)) {
      form.add(
        [...path, 'custom_id'],
        'COMPONENT_CUSTOM_ID_DUPLICATED',
        'Component custom id cannot be duplicated',
      )
    }
    seen.add(component.custom_id)
  }
}

function checkOne(form: Form, path: Path, component: AnyComponent): void {
  const children = component.components ?? []
  switch (component.type) {
    case 1:
      checkRow(form, path, children)
      return
    case 9:
      form.size([...path, 'components'], children, { min: 1, max: 3 })
      if (!component.accessory)
        form.add([...path, 'accessory'], 'BASE_TYPE_REQUIRED', 'This field is required')
      else if (component.accessory.type === 2) checkButton(form, [...path, 'accessory'], component.accessory)
      for (const [index, child] of children.entries()) checkOne(form, [...path, 'components', index], child)
      return
    case 10:
      form.text([...path, 'content'], component.content, { min: 1, max: 4000 })
      return
    case 13:
      if (!component.file?.url.startsWith('attachment://')) {
        form.add(
          [...path, 'file', 'url'],
          'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
          'The referenced attachment was not found',
        )
      }
      return
    case 17:
      form.size([...path, 'components'], children, { min: 1, max: 40 })
      for (const [index, child] of children.entries()) {
        if (!inContainer.has(child.type)) {
          form.add(
            [...path, 'components', index, 'type'],
            'UNION_TYPE_CHOICES',
            `Value of field "type" must be one of (${[...inContainer].join(', ')}).`,
          )
        } else {
          checkOne(form, [...path, 'components', index], child)
        }
      }
      return
    default:
  }
}

function checkRow(form: Form, path: Path, children: readonly AnyComponent[]): void {
  form.size([...path, 'components'], children, { min: 1, max: 5 })
  const menus = children.filter((child) => selects.has(child.type))
  if (menus.length > 1 || (menus.length === 1 && children.length > 1)) {
    form.add(
      [...path, 'components'],
      'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
      'The layout width of this component is too large.',
    )
  }
  for (const [index, child] of children.entries()) {
    const at: Path = [...path, 'components', index]
    if (child.type === 2) checkButton(form, at, child)
    else if (selects.has(child.type)) checkSelect(form, at, child)
    else
      form.add(
        [...at, 'type'],
        'UNION_TYPE_CHOICES',
        'Value of field "type" must be one of (2, 3, 5, 6, 7, 8).',
      )
  }
}

function checkButton(form: Form, path: Path, button: AnyComponent): void {
  form.text([...path, 'label'], button.label, { max: 80, optional: true })
  if (button.style === 5) {
    form.text([...path, 'url'], button.url, { min: 1, max: 512 })
    return
  }
  if (button.style === undefined || button.style < 1 || button.style > 6) {
    form.add([...path, 'style'], 'BASE_TYPE_CHOICES', 'Value must be one of (1, 2, 3, 4, 5, 6).')
  }
  if (!button.label) {
    form.add(
      path,
      'BUTTON_COMPONENT_REQUIRED_FIELD',
      'A button component must have either a label or an emoji',
    )
  }
  form.text([...path, 'custom_id'], button.custom_id, { min: 1, max: 100 })
}

/** A select of a message or a modal. */
export function checkSelect(form: Form, path: Path, select: AnyComponent): void {
  form.text([...path, 'custom_id'], select.custom_id, { min: 1, max: 100 })
  form.text([...path, 'placeholder'], select.placeholder, { max: 150, optional: true })
  form.number([...path, 'min_values'], select.min_values, { min: 0, max: 25 })
  form.number([...path, 'max_values'], select.max_values, { min: 1, max: 25 })
  if (select.type !== 3) return
  const options = select.options ?? []
  form.size([...path, 'options'], options, { min: 1, max: 25 })
  if ((select.max_values ?? 1) > options.length) {
    form.add([...path, 'options'], 'BASE_TYPE_MIN_LENGTH', `Must be ${select.max_values} or more in length.`)
  }
  const values = new Set<string>()
  for (const [index, option] of options.entries()) {
    const at: Path = [...path, 'options', index]
    form.text([...at, 'label'], option.label, { min: 1, max: 100 })
    form.text([...at, 'value'], option.value, { min: 1, max: 100 })
    form.text([...at, 'description'], option.description, { min: 1, max: 100, optional: true })
    if (values.has(option.value)) {
      form.add(
        [...at, 'value'],
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      )
    }
    values.add(option.value)
  }
}
