import { checkSelect, checkUnique } from './check-components.ts'
import { Form } from './form.ts'
import { type AnyComponent, allComponents } from './screen.ts'

/** The body of an answer that opens a modal. */
export interface ModalBody {
  readonly title?: string
  readonly custom_id?: string
  readonly components?: readonly AnyComponent[]
}

/** Refuses a modal as Discord would. */
export function checkModal(body: ModalBody): void {
  const form = new Form()
  form.text(['data', 'title'], body.title, { min: 1, max: 45 })
  form.text(['data', 'custom_id'], body.custom_id, { min: 1, max: 100 })
  const components = body.components ?? []
  form.size(['data', 'components'], components, { min: 1, max: 5 })
  for (const [index, component] of components.entries()) {
    const at = ['data', 'components', index] as const
    if (component.type === 18) {
      form.text([...at, 'label'], component.label, { min: 1, max: 45 })
      form.text([...at, 'description'], component.description, { max: 100, optional: true })
      if (component.component) checkField(form, [...at, 'component'], component.component, false)
      else form.add([...at, 'component'], 'BASE_TYPE_REQUIRED', 'This field is required')
    } else if (component.type === 1) {
      const children = component.components ?? []
      form.size([...at, 'components'], children, { min: 1, max: 1 })
      for (const child of children) checkField(form, [...at, 'components', 0], child, true)
    } else if (component.type === 10) {
      form.text([...at, 'content'], component.content, { min: 1, max: 4000 })
    } else {
      form.add([...at, 'type'], 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1, 10, 18).')
    }
  }
  checkUnique(form, ['data', 'components'], allComponents(components))
  form.refuse()
}

function checkField(
  form: Form,
  path: readonly (string | number)[],
  field: AnyComponent,
  needsLabel: boolean,
): void {
  if (field.type === 3) {
    checkSelect(form, path, field)
    return
  }
  if (field.type !== 4) {
    form.add([...path, 'type'], 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (3, 4).')
    return
  }
  form.text([...path, 'custom_id'], field.custom_id, { min: 1, max: 100 })
  if (needsLabel) form.text([...path, 'label'], field.label, { min: 1, max: 45 })
  else if (field.label !== undefined) {
    form.add(
      [...path, 'label'],
      'COMPONENT_LABEL_NOT_ALLOWED',
      'A label is not allowed inside a label component',
    )
  }
  if (field.style !== 1 && field.style !== 2) {
    form.add([...path, 'style'], 'BASE_TYPE_CHOICES', 'Value must be one of (1, 2).')
  }
  form.number([...path, 'min_length'], field.min_length, { min: 0, max: 4000 })
  form.number([...path, 'max_length'], field.max_length, { min: 1, max: 4000 })
  form.text([...path, 'placeholder'], field.placeholder, { max: 100, optional: true })
  form.text([...path, 'value'], field.value, { max: field.max_length ?? 4000, optional: true })
}
