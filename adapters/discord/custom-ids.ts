import { ChannelError } from '../../src/channel/failure.ts'

/** What a button, select or modal of ours carries in its `custom_id`, which is all that comes back with a click. */
export type CustomId =
  /** A card's or notice's button. */
  | { readonly kind: 'action'; readonly action: string; readonly value?: string }
  /** A card's select, or one of several where there are many options. */
  | { readonly kind: 'choice'; readonly action: string; readonly part: number }
  /** The select that asks which fields of a long form to change; the action is the one that gives the form. */
  | Kept<'pick'>
  /** The button that shows a kept form again, or asks for it anew where it is no longer kept. */
  | (Omit<Kept<'again'>, 'messageId'> & { readonly key: string })
  /** A modal. */
  | Kept<'form'>

interface Kept<K extends string> {
  readonly kind: K
  readonly action: string
  readonly value?: string
  /** The message with the card that the form belongs to. */
  readonly messageId?: string
}

/** Discord's limit. */
const longest = 100

const tags = { choice: '~c', pick: '~p', again: '~a', form: '~f' } as const

/** Writes a `custom_id`. */
export function customId(id: CustomId): string {
  switch (id.kind) {
    case 'action':
      return checked(joined([id.action], id.value))
    case 'choice':
      return checked(joined([tags.choice, String(id.part), id.action]))
    case 'again':
      return checked(joined([tags.again, id.key, id.action], id.value))
    case 'pick':
    case 'form': {
      const whole = joined([tags[id.kind], id.messageId ?? '', id.action], id.value)
      // Without the message's id the form still works; only its card is redrawn later, by the turn.
      return checked(whole.length > longest ? joined([tags[id.kind], '', id.action], id.value) : whole)
    }
    default:
      return id satisfies never
  }
}

function joined(parts: readonly string[], value?: string): string {
  return [...parts, ...(value === undefined ? [] : [value])].join('|')
}

function checked(text: string): string {
  if (text.length <= longest) return text
  throw new ChannelError('invalid', `"${text.slice(0, 60)}…" is too long for a button on Discord.`, {
    data: { length: text.length, longest },
  })
}

/** Reads a `custom_id`, also a forged one: what is not ours by form is an action of that name. */
export function readCustomId(text: string): CustomId {
  const [tag = '', second = '', third = '', ...rest] = text.split('|')
  const value = rest.length > 0 ? { value: rest.join('|') } : {}
  switch (tag) {
    case tags.choice:
      return { kind: 'choice', part: Number(second) || 0, action: third }
    case tags.again:
      return { kind: 'again', key: second, action: third, ...value }
    case tags.pick:
    case tags.form:
      return {
        kind: tag === tags.pick ? 'pick' : 'form',
        action: third,
        ...value,
        ...(second === '' ? {} : { messageId: second }),
      }
    default: {
      const bar = text.indexOf('|')
      if (bar < 0) return { kind: 'action', action: text }
      return { kind: 'action', action: text.slice(0, bar), value: text.slice(bar + 1) }
    }
  }
}
