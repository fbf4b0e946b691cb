import type { APIAllowedMentions, APIEmbed } from 'discord.js'
import { refusals } from './api-error.ts'
import { checkComponents } from './check-components.ts'
import { Form } from './form.ts'
import type { AnyComponent } from './screen.ts'
import type { WorldAttachment } from './world.ts'

/** Flags that a bot may set, and the two that the stand-in looks at. */
export const flags = {
  suppressEmbeds: 4,
  hasThread: 32,
  ephemeral: 64,
  loading: 128,
  layout: 1 << 15,
} as const

/** What a body of a new or changed message holds, as sent. */
export interface MessageBody {
  readonly content?: string | null
  readonly embeds?: readonly APIEmbed[] | null
  readonly components?: readonly AnyComponent[] | null
  readonly flags?: number
  readonly nonce?: string | number
  readonly enforce_nonce?: boolean
  readonly allowed_mentions?: APIAllowedMentions | null
  readonly message_reference?: { readonly message_id?: string; readonly fail_if_not_exists?: boolean }
  readonly attachments?: readonly {
    readonly id: string | number
    readonly filename?: string
    readonly description?: string
  }[]
}

/** The state that a body leads to, for checks that look at the whole message. */
interface MessageDraft {
  readonly content: string
  readonly embeds: readonly APIEmbed[]
  readonly components: readonly AnyComponent[]
  readonly attachments: readonly WorldAttachment[]
  readonly flags: number
}

/** Refuses a message as Discord would; returns only where it is acceptable. */
export function checkMessage(body: MessageBody, draft: MessageDraft): void {
  const form = new Form()
  form.text(['content'], body.content, { max: 2000, optional: true })
  form.text(['nonce'], body.nonce === undefined ? undefined : String(body.nonce), { max: 25, optional: true })
  checkMentions(form, body.allowed_mentions)
  const layout = (draft.flags & flags.layout) !== 0
  if (layout) {
    for (const field of ['content', 'embeds'] as const) {
      if (body[field]?.length) {
        form.add(
          [field],
          'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
          `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
        )
      }
    }
  }
  checkEmbeds(form, draft.embeds)
  checkComponents(form, draft.components, layout)
  form.refuse()
  if (
    draft.content.trim() === '' &&
    draft.embeds.length === 0 &&
    draft.components.length === 0 &&
    draft.attachments.length === 0
  ) {
    throw refusals.emptyMessage()
  }
}

function checkMentions(form: Form, allowed: APIAllowedMentions | null | undefined): void {
  if (!allowed) return
  for (const kind of ['users', 'roles'] as const) {
    const list = allowed[kind]
    if (list) form.size(['allowed_mentions', kind], list, { max: 100 })
    if (list?.length && (allowed.parse as readonly string[] | undefined)?.includes(kind)) {
      form.add(
        ['allowed_mentions'],
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      )
    }
  }
}

function checkEmbeds(form: Form, embeds: readonly APIEmbed[]): void {
  form.size(['embeds'], embeds, { max: 10 })
  let total = 0
  for (const [index, embed] of embeds.entries()) {
    const at = ['embeds', index] as const
    form.text([...at, 'title'], embed.title, { max: 256, optional: true })
    form.text([...at, 'description'], embed.description, { max: 4096, optional: true })
    form.text([...at, 'footer', 'text'], embed.footer?.text, { max: 2048, optional: true })
    form.text([...at, 'author', 'name'], embed.author?.name, { max: 256, optional: true })
    form.size([...at, 'fields'], embed.fields ?? [], { max: 25 })
    for (const [number, field] of (embed.fields ?? []).entries()) {
      form.text([...at, 'fields', number, 'name'], field.name, { min: 1, max: 256 })
      form.text([...at, 'fields', number, 'value'], field.value, { min: 1, max: 1024 })
      total += field.name.length + field.value.length
    }
    total +=
      (embed.title?.length ?? 0) +
      (embed.description?.length ?? 0) +
      (embed.footer?.text.length ?? 0) +
      (embed.author?.name.length ?? 0)
  }
  if (total > 6000) {
    form.add(['embeds'], 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000')
  }
}
