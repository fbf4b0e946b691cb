import { type Json, object, objects, string, text } from './json.ts'

type Entered = string | readonly string[] | boolean

/**
 * The `state.values` of a modal that was filled in, with the checks that Slack's client makes itself. Values are
 * named by the label, the block id or the action id of their input; the others keep their initial value.
 */
export function stateOf(blocks: readonly Json[], values: Readonly<Record<string, Entered>>): Json {
  const state: Record<string, Json> = {}
  const used = new Set<string>()
  blocks.forEach((block, index) => {
    if (block.type !== 'input') return
    const element = object(block.element)
    const label = text(object(block.label).text)
    const blockId = string(block.block_id) ?? `auto${index}`
    const name = [label, blockId, text(element.action_id)].find((key) => Object.hasOwn(values, key))
    if (name !== undefined) used.add(name)
    const value = filledIn(element, name === undefined ? undefined : values[name], label)
    if (block.optional !== true && isEmpty(value)) throw new Error(`"${label}" must be filled in`)
    state[blockId] = { [text(element.action_id)]: value }
  })
  const unknown = Object.keys(values).filter((name) => !used.has(name))
  if (unknown.length > 0) throw new Error(`no input named ${unknown.join(', ')}`)
  return state
}

function filledIn(element: Json, entered: Entered | undefined, label: string): Json {
  const type = text(element.type)
  const option = (wanted: string) => {
    const found = objects(element.options).find(
      (item) => text(object(item.text).text) === wanted || item.value === wanted,
    )
    if (!found) throw new Error(`"${label}" has no option "${wanted}"`)
    return found
  }
  switch (type) {
    case 'plain_text_input': {
      const value = entered === undefined ? text(element.initial_value) : String(entered)
      if (typeof element.max_length === 'number' && value.length > element.max_length) {
        throw new Error(`"${label}" is too long`)
      }
      if (element.multiline !== true && value.includes('\n')) throw new Error(`"${label}" takes one line`)
      return { type, value: value === '' ? null : value }
    }
    case 'number_input': {
      const value = entered === undefined ? text(element.initial_value) : String(entered)
      if (value !== '' && Number.isNaN(Number(value))) throw new Error(`"${label}" takes a number`)
      return value === '' ? { type } : { type, value }
    }
    case 'static_select':
    case 'radio_buttons':
      return {
        type,
        selected_option:
          entered === undefined || entered === ''
            ? (element.initial_option ?? null)
            : option(String(entered)),
      }
    case 'multi_static_select':
    case 'checkboxes': {
      if (entered === undefined) return { type, selected_options: objects(element.initial_options) }
      if (typeof entered === 'boolean') {
        return { type, selected_options: entered ? objects(element.options).slice(0, 1) : [] }
      }
      const wanted = typeof entered === 'string' ? [entered] : entered
      return { type, selected_options: wanted.map(option) }
    }
    case 'datepicker':
      return { type, selected_date: entered ?? element.initial_date ?? null }
    case 'timepicker':
      return { type, selected_time: entered ?? element.initial_time ?? null }
    case 'users_select':
      return { type, selected_user: entered ?? element.initial_user ?? null }
    default:
      return { type, value: entered === undefined ? text(element.initial_value) : String(entered) }
  }
}

function isEmpty(value: Json): boolean {
  const { type: _, ...rest } = value
  return Object.values(rest).every(
    (item) => item === null || item === '' || (Array.isArray(item) && item.length === 0),
  )
}
