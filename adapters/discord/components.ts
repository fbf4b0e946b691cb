import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIContainerComponent,
  type APIFileComponent,
  type APIMessageTopLevelComponent,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
} from 'discord.js'
import { languageOf } from '../../src/base/words.ts'
import type { Card, CardAction, CardChoice, CardField } from '../../src/channel/card.ts'
import { clip } from '../../src/channel/clip.ts'
import { type CustomId, customId } from './custom-ids.ts'
import { literal } from './text.ts'
import { discordWords } from './words.ts'

/** A row of buttons or one select. */
export type Row = APIActionRowComponent<APIButtonComponent | APIStringSelectComponent>

/** A card as Discord's layout components; what is too long for them is in the file. */
export interface DrawnCard {
  readonly components: APIMessageTopLevelComponent[]
  readonly file?: { readonly name: string; readonly text: string }
}

const styles = {
  primary: ButtonStyle.Primary,
  danger: ButtonStyle.Danger,
  quiet: ButtonStyle.Secondary,
} as const

const accents: Readonly<Record<Card['tone'], number>> = {
  open: 0x5865f2,
  done: 0x3ba55d,
  failed: 0xed4245,
  void: 0x99aab5,
}

/** Discord's limit of all text in layout components is 4,000; some is left for what is around the values. */
const textLimit = 3900
const rowsOfButtons = 5
const optionsOfSelect = 25

/** Buttons in rows of five. A button that is there twice is shown once, since its id has to be unique. */
export function buttonRows(actions: readonly CardAction[]): Row[] {
  const buttons = new Map<string, APIButtonComponent>()
  for (const { label, action, value, style } of actions) {
    const id = customId({ kind: 'action', action, ...(value === undefined ? {} : { value }) })
    buttons.set(id, {
      type: ComponentType.Button,
      style: styles[style ?? 'quiet'],
      label: clip(label, 80),
      custom_id: id,
    })
  }
  return inRows([...buttons.values()]).slice(0, rowsOfButtons)
}

/** One button with an id of its own making. */
export function buttonRow(label: string, id: CustomId): Row {
  return {
    type: ComponentType.ActionRow,
    components: [
      { type: ComponentType.Button, style: styles.primary, label: clip(label, 80), custom_id: customId(id) },
    ],
  }
}

function inRows(buttons: readonly APIButtonComponent[]): Row[] {
  const rows: Row[] = []
  for (let from = 0; from < buttons.length; from += 5) {
    rows.push({ type: ComponentType.ActionRow, components: buttons.slice(from, from + 5) })
  }
  return rows
}

/** A choice as selects of at most 25 options each. */
function choiceRows(choice: CardChoice): Row[] {
  const rows: Row[] = []
  const options = choice.options.filter(({ value }) => value.length <= 100)
  for (let from = 0; from < options.length && rows.length < 3; from += optionsOfSelect) {
    rows.push({
      type: ComponentType.ActionRow,
      components: [
        {
          type: ComponentType.StringSelect,
          custom_id: customId({ kind: 'choice', action: choice.action, part: rows.length }),
          placeholder: clip(choice.label, 150),
          options: options
            .slice(from, from + optionsOfSelect)
            .map(({ label, value }) => ({ label: clip(label, 100) || '–', value })),
        },
      ],
    })
  }
  return rows
}

/**
 * A card in layout components: they show without the permission to embed links, hold 4,000 characters, and a
 * message that has them keeps them for good, which suits a card that only ever becomes another card.
 */
export function drawCard(card: Card): DrawnCard {
  const words = discordWords(languageOf(`${card.title} ${card.risk ?? ''}`))
  const head = [`### ${literal(clip(card.title, 250))}`]
  const target = card.target?.trim() ? literal(card.target) : undefined
  const risk = card.risk ? literal(clip(card.risk, 600)) : undefined
  const footer = card.footer
    ? `-# ${literal(clip(card.footer, 600)).replaceAll(/\s*\n\s*/g, ' ')}`
    : undefined
  const fixed = [...head, risk, footer].reduce((sum, text) => sum + (text?.length ?? 0), 0)
  const values = [...(target === undefined ? [] : [target]), ...card.fields.map(fieldText)]
  const room = textLimit - fixed
  const share = fairShare(values, room, words.inFile.length + 8)
  const fitted = values.map((text) =>
    text.length <= share ? text : `${cut(text, share)}… *(${words.inFile})*`,
  )
  const shortened = fitted.some((text, index) => text !== values[index])
  if (target !== undefined) head.push(`**${fitted.shift()}**`)
  const container: APIComponentInContainer[] = [
    text(head.join('\n')),
    ...(fitted.length > 0 ? [text(fitted.join('\n'))] : []),
    ...(risk ? [text(risk)] : []),
    ...(card.choice ? choiceRows(card.choice) : []),
    ...buttonRows(card.actions),
    ...(footer ? [text(footer)] : []),
  ]
  const body: APIContainerComponent = {
    type: ComponentType.Container,
    accent_color: accents[card.tone],
    components: container,
  }
  if (!shortened) return { components: [body] }
  const name = 'details.md'
  const file: APIFileComponent = { type: ComponentType.File, file: { url: `attachment://${name}` } }
  return { components: [body, file], file: { name, text: wholeText(card) } }
}

function text(content: string): APIComponentInContainer {
  return { type: ComponentType.TextDisplay, content }
}

/** A label and its value; a value of several lines stands below as a quote. */
function fieldText({ label, value }: CardField): string {
  const name = `**${literal(label)}**`
  if (value.trim() === '') return `${name}  –`
  if (!value.includes('\n')) return `${name}  ${literal(value)}`
  return `${name}\n${literal(value)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')}`
}

/** The most characters that each text may have so that all fit, where short ones leave their rest to long ones. */
function fairShare(texts: readonly string[], room: number, note: number): number {
  let left = room - texts.length
  const lengths = texts.map((each) => each.length).sort((a, b) => a - b)
  if (lengths.reduce((sum, length) => sum + length, 0) <= left) return Number.POSITIVE_INFINITY
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index))
    if (length > share) return Math.max(20, share - note)
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

/** The beginning of a literal text, not ending in the middle of a character or of its escape. */
function cut(literalText: string, most: number): string {
  const start = clip(literalText, most).slice(0, -1)
  const slashes = /\\*$/.exec(start)![0].length
  const whole = slashes % 2 === 1 ? start.slice(0, -1) : start
  // A label's own marks are closed already, since labels come first and are short.
  return whole.trimEnd()
}

/** All of a card as a text file. */
function wholeText(card: Card): string {
  return [
    `# ${card.title}`,
    card.target,
    ...card.fields.map(({ label, value }) => `## ${label}\n\n${value}`),
    card.risk,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
}
