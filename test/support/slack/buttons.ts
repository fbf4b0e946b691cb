import { type Json, object, objects, string, text } from './json.ts'

/** A button as people see it, with the action that pressing it sends. */
export interface Button {
  readonly label: string
  readonly action: Json
}

/** Every element of blocks, with the id of its block. */
export function elementsOf(blocks: readonly Json[]): { element: Json; blockId: string }[] {
  return blocks.flatMap((block, index) => {
    const blockId = string(block.block_id) ?? `auto${index}`
    const all = [...objects(block.elements), ...(block.accessory ? [object(block.accessory)] : [])]
    return all.map((element) => ({ element, blockId }))
  })
}

/** Every button of blocks, the two of `feedback_buttons` too. */
export function buttonsOf(blocks: readonly Json[]): Button[] {
  return elementsOf(blocks).flatMap(({ element, blockId }) => {
    const base = { action_id: element.action_id, block_id: blockId }
    if (element.type === 'button') {
      const action = {
        type: 'button',
        ...base,
        text: element.text,
        ...(element.value === undefined ? {} : { value: element.value }),
      }
      return [{ label: text(object(element.text).text), action }]
    }
    if (element.type !== 'feedback_buttons') return []
    return ['positive_button', 'negative_button'].map((name) => {
      const half = object(element[name])
      return {
        label: text(object(half.text).text),
        action: { type: 'feedback_buttons', ...base, text: half.text, value: half.value },
      }
    })
  })
}

/** The labels of every button. */
export function labelsOf(blocks: readonly Json[]): string[] {
  return buttonsOf(blocks).map((button) => button.label)
}
