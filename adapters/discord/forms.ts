import {
  type APILabelComponent,
  type APIMessageTopLevelComponent,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmission,
  type APISelectMenuOption,
  type APITextDisplayComponent,
  ComponentType,
  type ModalSubmitComponent,
  TextInputStyle,
} from 'discord.js'
import type { Form, FormField } from '../../src/channel/card.ts'
import { clip } from '../../src/channel/clip.ts'
import { customId } from './custom-ids.ts'
import type { DiscordWords } from './words.ts'

/** A modal takes this many fields. */
export const modalFields = 5
const longestText = 4000
const longestName = 100
const options = { most: 25, label: 100, value: 100 } as const

/** Can the field be changed in a modal? A text beyond Discord's limit would come back cut off. */
export function fitsModal(field: FormField): boolean {
  return field.value.length <= longestText && field.name.length <= longestName
}

/** A modal with some fields of a form, at most five. */
export function drawModal(
  form: Form,
  fields: readonly FormField[],
  words: DiscordWords,
  messageId: string | undefined,
): APIModalInteractionResponseCallbackData {
  const tooLong = form.fields.filter((field) => !fitsModal(field)).map((field) => field.label)
  const remarks = [
    form.error,
    ...(tooLong.length > 0 ? [words.tooLongToEdit(tooLong.join(', '))] : []),
  ].filter((remark) => remark !== undefined)
  const shown = fields.filter(fitsModal).slice(0, modalFields)
  const note: APITextDisplayComponent[] =
    // The note takes the place of a field, so with five of them the notice before has to do.
    remarks.length > 0 && shown.length < modalFields
      ? [{ type: ComponentType.TextDisplay, content: clip(remarks.join('\n'), 1000) }]
      : []
  return {
    custom_id: customId({
      kind: 'form',
      action: form.action,
      ...(form.value === undefined ? {} : { value: form.value }),
      ...(messageId === undefined ? {} : { messageId }),
    }),
    title: clip(form.title, 45) || 'Hermes',
    components: [...note, ...shown.map((field) => drawField(field, words))],
  }
}

function drawField(field: FormField, words: DiscordWords): APILabelComponent {
  const description = field.error ?? field.hint
  return {
    type: ComponentType.Label,
    label: clip(field.label, 45) || field.name.slice(0, 45),
    ...(description ? { description: clip(description, 100) } : {}),
    component: drawInput(field, words),
  }
}

function drawInput(field: FormField, words: DiscordWords): APILabelComponent['component'] {
  const choices = choicesOf(field, words)
  if (choices) {
    return {
      type: ComponentType.StringSelect,
      custom_id: field.name,
      placeholder: words.choose,
      required: field.required,
      min_values: field.required ? 1 : 0,
      max_values: 1,
      options: choices,
    }
  }
  const long = field.kind === 'multiline' || field.value.length > 100 || field.value.includes('\n')
  return {
    type: ComponentType.TextInput,
    custom_id: field.name,
    style: long ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required: field.required,
    max_length: longestText,
    ...(field.value === '' ? {} : { value: field.value }),
  }
}

/** The options of a select, where the field is one that Discord can hold; else it is typed. */
function choicesOf(field: FormField, words: DiscordWords): APISelectMenuOption[] | undefined {
  const given =
    field.kind === 'boolean'
      ? [
          { label: words.yes, value: 'true' },
          { label: words.no, value: 'false' },
        ]
      : field.kind === 'select'
        ? (field.options ?? [])
        : []
  const values = new Set(given.map(({ value }) => value))
  const holds =
    given.length > 0 &&
    given.length <= options.most &&
    values.size === given.length &&
    given.every(({ value }) => value.length > 0 && value.length <= options.value)
  if (!holds) return undefined
  return given.map(({ label, value }) => ({
    label: clip(label, options.label) || value,
    value,
    ...(value === field.value ? { default: true } : {}),
  }))
}

/** The select that asks which fields of a long form to change. */
export function drawPick(
  form: Form,
  words: DiscordWords,
  opener: { readonly action: string; readonly value?: string; readonly messageId?: string },
): APIMessageTopLevelComponent[] {
  const fields = orderedForPick(form.fields.filter(fitsModal)).slice(0, options.most)
  return [
    {
      type: ComponentType.ActionRow,
      components: [
        {
          type: ComponentType.StringSelect,
          custom_id: customId({ kind: 'pick', ...opener }),
          placeholder: words.chooseFields,
          min_values: 1,
          max_values: Math.min(modalFields, fields.length),
          options: fields.map((field) => ({
            label: clip(field.label, options.label) || field.name,
            value: field.name,
            ...(field.value.trim() === ''
              ? {}
              : { description: clip(field.value.replaceAll(/\s+/g, ' '), 100) }),
          })),
        },
      ],
    },
  ]
}

/** What is wrong or still missing stands first. */
function orderedForPick(fields: readonly FormField[]): FormField[] {
  const urgent = (field: FormField) => field.error !== undefined || (field.required && field.value === '')
  return [...fields.filter(urgent), ...fields.filter((field) => !urgent(field))]
}

/** What a person sent in a modal: the fields that it showed. */
export function readModal(submission: APIModalSubmission): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const component of submission.components) {
    if (component.type === ComponentType.Label) readField(component.component, fields)
    else if (component.type === ComponentType.ActionRow) {
      for (const input of component.components) readField(input, fields)
    }
  }
  return fields
}

function readField(field: ModalSubmitComponent, fields: Record<string, string>): void {
  if (field.type === ComponentType.TextInput) fields[field.custom_id] = field.value
  else if (field.type === ComponentType.StringSelect) fields[field.custom_id] = field.values[0] ?? ''
}
