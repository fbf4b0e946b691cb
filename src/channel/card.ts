/** What a button does. Fixed names, since they are stored in messages that outlive a release. */
export interface CardAction {
  readonly label: string
  /** For example `approval.confirm`. At most 60 characters. */
  readonly action: string
  /** At most 300 characters; with `action` at most 100 where Discord must carry it (`action|value`). */
  readonly value?: string
  readonly style?: 'primary' | 'danger' | 'quiet'
}

/** One choice among several, shown as a select where a platform has one. */
export interface CardChoice {
  readonly label: string
  readonly action: string
  readonly options: readonly { readonly label: string; readonly value: string }[]
}

/** A label and its exact value, as text. */
export interface CardField {
  readonly label: string
  readonly value: string
}

/** A message of its own that asks a person to decide, or shows what became of it. */
export interface Card {
  /** Stable for the life of the card, for example the approval's id. */
  readonly id: string
  /** The action, as a verb and a thing: "Create ticket". */
  readonly title: string
  /** The target: "Printer on floor 3 is broken". */
  readonly target?: string
  readonly fields: readonly CardField[]
  /** One sentence: what will happen in the world. */
  readonly risk?: string
  /** "waits for Ann · until tomorrow 14:05", or afterwards what became of it. */
  readonly footer?: string
  /** How the card stands: waits for a decision, or ended well, badly or without effect. */
  readonly tone: 'open' | 'done' | 'failed' | 'void'
  readonly actions: readonly CardAction[]
  readonly choice?: CardChoice
}

/** One field of a form. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'multiline' | 'number' | 'boolean' | 'select'
  readonly value: string
  readonly required: boolean
  readonly options?: readonly { readonly label: string; readonly value: string }[]
  readonly hint?: string
  /** One sentence, where what was sent before is not valid. */
  readonly error?: string
}

/** A form: a modal on Slack and Discord, a form on the web. Sent back as a FormEvent. */
export interface Form {
  readonly action: string
  readonly value?: string
  readonly title: string
  readonly submitLabel: string
  readonly fields: readonly FormField[]
  /** One sentence about the whole, where it was refused. */
  readonly error?: string
}
