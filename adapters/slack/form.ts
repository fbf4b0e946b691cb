import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Form, FormField } from '../../src/channel/card.ts'
import { clip } from '../../src/channel/clip.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import { plain } from './blocks.ts'
import { threadIn } from './place.ts'
import type { Words } from './words.ts'

/** The most that an input of a modal takes. */
const inputLimit = 3_000
/** Every input has one action of this name; its block is named after the field. */
const inputAction = 'input'

/** Where a form comes back to. It travels in the modal's `private_metadata`. */
export interface FormOrigin {
  readonly thread: ThreadRef
  /** The message whose button opened the form. */
  readonly messageId?: string
}

/** A form as a modal. */
export function modal(form: Form, origin: FormOrigin, words: Words): types.ModalView {
  const blocks: types.KnownBlock[] = form.fields.map((field) => input(field, words))
  if (form.error) blocks.unshift({ type: 'section', text: plain(clip(form.error, 3_000)) })
  return {
    type: 'modal',
    callback_id: clip(form.action, 255),
    private_metadata: JSON.stringify({
      room: origin.thread.room,
      thread: origin.thread.thread,
      workspace: origin.thread.workspace,
      ...(form.value === undefined ? {} : { value: form.value }),
      ...(origin.messageId === undefined ? {} : { messageId: origin.messageId }),
    }),
    title: plain(clip(form.title, 24)),
    submit: plain(clip(form.submitLabel, 24)),
    close: plain(words.cancel),
    blocks,
  }
}

/** The sentences about single fields, for `response_action: errors`; none where the form as a whole was refused. */
export function fieldErrors(form: Form): Record<string, string> | undefined {
  if (form.error) return undefined
  const errors = form.fields.filter((field) => field.error).map((field) => [blockId(field.name), field.error])
  return errors.length > 0 ? Object.fromEntries(errors) : undefined
}

const metadataSchema = z.object({
  workspace: z.string(),
  room: z.string(),
  thread: z.string(),
  value: z.string().optional(),
  messageId: z.string().optional(),
})

const valueSchema = z.looseObject({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_options: z.array(z.looseObject({ value: z.string() })).optional(),
})

const viewSchema = z.looseObject({
  callback_id: z.string(),
  private_metadata: z.string(),
  state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), valueSchema)) }),
})

/** What a person sent with a modal. */
export interface SentForm extends FormOrigin {
  readonly action: string
  readonly value?: string
  readonly fields: Readonly<Record<string, string>>
}

/** Reads a `view_submission`; undefined for modals that are not ours. */
export function readForm(view: unknown): SentForm | undefined {
  const parsed = viewSchema.safeParse(view)
  if (!parsed.success) return undefined
  const metadata = metadataSchema.safeParse(jsonOf(parsed.data.private_metadata))
  if (!metadata.success) return undefined
  const { workspace, room, thread, value, messageId } = metadata.data
  const fields: Record<string, string> = {}
  for (const [block, inputs] of Object.entries(parsed.data.state.values)) {
    const state = inputs[inputAction]
    // A value that was too long for the modal and left alone is not sent: it stays as it is.
    if (!state || (block.startsWith(longPrefix) && !state.value)) continue
    fields[fieldName(block)] = textOf(state)
  }
  return {
    action: parsed.data.callback_id,
    ...(value === undefined ? {} : { value }),
    thread: threadIn(workspace, room, thread),
    ...(messageId === undefined ? {} : { messageId }),
    fields,
  }
}

function textOf(state: z.infer<typeof valueSchema>): string {
  if (state.type === 'checkboxes') return String((state.selected_options ?? []).length > 0)
  return state.selected_option?.value ?? state.value ?? ''
}

const fieldPrefix = 'f:'
const longPrefix = 'l:'

function blockId(name: string): string {
  return `${fieldPrefix}${name}`
}

function fieldName(block: string): string {
  return block.slice(fieldPrefix.length)
}

function input(field: FormField, words: Words): types.InputBlock {
  const tooLong = isText(field) && field.value.length > inputLimit
  const hint = [tooLong ? words.tooLongToEdit(field.value.length) : undefined, field.hint].filter(Boolean)
  return {
    type: 'input',
    block_id: tooLong ? `${longPrefix}${field.name}` : blockId(field.name),
    label: plain(clip(field.label, 2_000)),
    ...(hint.length > 0 ? { hint: plain(clip(hint.join(' '), 2_000)) } : {}),
    optional: !field.required || tooLong || field.kind === 'boolean',
    element: element(tooLong ? { ...field, value: '' } : field, words),
  }
}

function isText(field: FormField): boolean {
  return (
    field.kind === 'text' || field.kind === 'multiline' || (field.kind === 'select' && !fitsSelect(field))
  )
}

/** The options of a select; nothing chosen stands for the empty one where a field is optional. */
function optionsOf(field: FormField) {
  return (field.options ?? []).filter((option) => field.required || option.value !== '')
}

function fitsSelect(field: FormField): boolean {
  const options = optionsOf(field)
  return (
    options.length > 0 &&
    options.length <= 100 &&
    options.every((option) => option.value !== '' && option.value.length <= 150)
  )
}

function element(field: FormField, words: Words): types.InputBlockElement {
  const initial = field.value === '' ? {} : { initial_value: field.value }
  switch (field.kind) {
    case 'number': {
      // Slack opens no modal whose number is none.
      const number = Number.isFinite(Number(field.value)) ? initial : {}
      return { type: 'number_input', action_id: inputAction, is_decimal_allowed: true, ...number }
    }
    case 'boolean': {
      const yes = { text: plain(words.yes), value: 'true' }
      return {
        type: 'checkboxes',
        action_id: inputAction,
        options: [yes],
        ...(field.value === 'true' ? { initial_options: [yes] } : {}),
      }
    }
    case 'select': {
      if (!fitsSelect(field)) return { type: 'plain_text_input', action_id: inputAction, ...initial }
      const options = optionsOf(field).map((option) => ({
        text: plain(clip(option.label, 75)),
        value: option.value,
      }))
      const chosen = options.find((option) => option.value === field.value)
      return {
        type: 'static_select',
        action_id: inputAction,
        options,
        ...(chosen ? { initial_option: chosen } : {}),
      }
    }
    case 'text':
    case 'multiline':
      return {
        type: 'plain_text_input',
        action_id: inputAction,
        // A line break in the value would be lost in an input of one line.
        multiline: field.kind === 'multiline' || field.value.includes('\n'),
        ...initial,
      }
    default:
      return field.kind satisfies never
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
