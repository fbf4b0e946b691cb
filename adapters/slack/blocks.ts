import type { types } from '@slack/bolt'
import type { Card, CardAction, CardChoice, CardField } from '../../src/channel/card.ts'
import { clip } from '../../src/channel/clip.ts'
import { escapeText, pieces } from './writing.ts'

/** What Slack takes: docs.slack.dev/reference/block-kit. */
const limits = {
  section: 3_000,
  header: 150,
  button: 75,
  value: 2_000,
  actionId: 255,
  actions: 25,
  option: 75,
  optionValue: 150,
  options: 100,
} as const

/** A value up to here stands beside its label, a longer one below it. */
const shortValue = 120
/** All the values of a card; the blocks of a message may hold about 13,200 characters. */
const cardValues = 10_000

type Block = types.KnownBlock

/** A message ready to send: its blocks, and the text for notifications and screen readers. */
export interface Rendered {
  readonly text: string
  readonly blocks: Block[]
  /** What did not fit and has to be told in a file before the card. */
  readonly overflow?: string
}

/** A card as a message of its own. */
export function cardMessage(card: Card): Rendered {
  const { fields, overflow } = fittingFields(card.fields)
  const [title, ...restOfTitle] = pieces(card.title, limits.header)
  const blocks: Block[] = [{ type: 'header', text: plain(title || ' ') }]
  for (const rest of restOfTitle) blocks.push({ type: 'section', text: plain(rest) })
  if (card.target) blocks.push(...plainSections(card.target))
  blocks.push(...fieldBlocks(fields))
  if (card.risk) blocks.push(...plainSections(card.risk))
  if (card.choice) blocks.push(...choiceBlocks(card.choice))
  blocks.push(...actionBlocks(card.actions))
  if (card.footer) blocks.push(context(card.footer))
  const text = [card.title, card.target, card.footer].filter(Boolean).join(' · ')
  return { text: fallback(text), blocks, ...(overflow === undefined ? {} : { overflow }) }
}

/** Markdown with buttons below. */
export function markdownMessage(markdown: string, actions: readonly CardAction[] = []): Rendered {
  const shown = markdown.trim() === '' ? '…' : markdown
  return {
    text: fallback(shown),
    blocks: [{ type: 'markdown', text: shown }, ...actionBlocks(actions)],
  }
}

/** The text beside blocks, within the length that `chat.update` takes too. */
function fallback(text: string): string {
  return clip(escapeText(clip(text, 3_000)), 3_900)
}

/** Buttons, 25 to a block. */
export function actionBlocks(actions: readonly CardAction[], blockId?: string): types.ActionsBlock[] {
  const blocks: types.ActionsBlock[] = []
  const seen = new Map<string, number>()
  for (let from = 0; from < actions.length; from += limits.actions) {
    blocks.push({
      type: 'actions',
      ...(blockId === undefined ? {} : { block_id: from === 0 ? blockId : `${blockId}#${from}` }),
      elements: actions.slice(from, from + limits.actions).map((action) => button(action, seen)),
    })
  }
  return blocks
}

function button(action: CardAction, seen: Map<string, number>): types.Button {
  const count = (seen.get(action.action) ?? 0) + 1
  seen.set(action.action, count)
  return {
    type: 'button',
    text: plain(clip(action.label, limits.button)),
    action_id: actionId(action.action, count),
    ...(action.value === undefined ? {} : { value: clip(action.value, limits.value) }),
    ...(action.style === 'primary' || action.style === 'danger' ? { style: action.style } : {}),
  }
}

/** Action ids are unique within a block, so the second button of one action gets a number. */
function actionId(action: string, count: number): string {
  return clip(count === 1 ? action : `${action}#${count}`, limits.actionId)
}

/** The port's action of an `action_id`. */
export function actionOf(actionId: string): string {
  return actionId.replace(/#\d+$/, '')
}

/** A select; buttons where the options are beyond what a select takes. */
function choiceBlocks(choice: CardChoice): types.ActionsBlock[] {
  const tooMuch =
    choice.options.length > limits.options ||
    choice.options.some((option) => option.value === '' || option.value.length > limits.optionValue)
  if (tooMuch) {
    return actionBlocks(choice.options.map(({ label, value }) => ({ label, value, action: choice.action })))
  }
  return [
    {
      type: 'actions',
      elements: [
        {
          type: 'static_select',
          action_id: actionId(choice.action, 1),
          placeholder: plain(clip(choice.label, limits.optionValue)),
          options: choice.options.map(({ label, value }) => ({
            text: plain(clip(label, limits.option)),
            value,
          })),
        },
      ],
    },
  ]
}

/** Every value exactly, as plain text, so that nothing in it is read as markup. */
function fieldBlocks(fields: readonly CardField[]): Block[] {
  const blocks: Block[] = []
  let pairs: types.TextObject[] = []
  const flush = () => {
    if (pairs.length > 0) blocks.push({ type: 'section', fields: pairs })
    pairs = []
  }
  for (const field of fields) {
    const label: types.MrkdwnElement = { type: 'mrkdwn', text: `*${escapeText(clip(field.label, 200))}*` }
    if (field.value.length <= shortValue && !field.value.includes('\n')) {
      pairs.push(label, plain(field.value || '—'))
      if (pairs.length === 10) flush()
    } else {
      flush()
      blocks.push({ type: 'section', text: label }, ...plainSections(field.value))
    }
  }
  flush()
  return blocks
}

/** Slack itself folds a long section behind "See more". */
/** A text of any length as sections, without markup. */
export function plainSections(text: string): Block[] {
  return pieces(text, limits.section)
    .filter((piece) => piece !== '')
    .map((piece) => ({ type: 'section', text: plain(piece.trim() === '' ? '—' : piece) }))
}

/** The fields as far as one message holds them; the whole text where it does not. */
function fittingFields(fields: readonly CardField[]): {
  readonly fields: readonly CardField[]
  readonly overflow?: string
} {
  const total = fields.reduce((sum, field) => sum + field.label.length + field.value.length, 0)
  if (total <= cardValues && fields.length <= 40) return { fields }
  const share = Math.max(100, Math.floor(cardValues / Math.max(1, fields.length)) - 250)
  const overflow = fields.map((field) => `${field.label}:\n${field.value}\n`).join('\n')
  return {
    fields: fields.slice(0, 40).map(({ label, value }) => ({
      label,
      value:
        value.length <= share
          ? value
          : `${clip(value, share)} (${value.length} characters; all of them are in the file above)`,
    })),
    overflow,
  }
}

function context(text: string): types.ContextBlock {
  return { type: 'context', elements: [plain(clip(text, limits.section))] }
}

/** Plain text: no markup, no emoji codes. */
export function plain(text: string): types.PlainTextElement {
  return { type: 'plain_text', text, emoji: false }
}
