import type { Anchor, Intent, Modifier, Request } from './intent.ts'

/** Below this a reading is a guess, and the model is told nothing of it. */
const sureEnough = 0.6
const mostAnchors = 8

const advice: Readonly<Record<Modifier, string>> = {
  refresh: 'look it up anew, do not answer from earlier results',
  rerun: 'do the last action once more',
  format: 'the same content, shown in another form',
}

/** What the rules made of a turn's messages, as the model reads it: at most three lines, none where there is nothing to say. */
export function intentLines(intents: readonly Intent[]): readonly string[] {
  const last = intents.at(-1)
  if (!last) return []
  const kinds = intents
    .filter((one) => one.confidence >= sureEnough && one.primary !== 'chat')
    .map((one) => one.primary)
  const modifiers = [...new Set(intents.flatMap((one) => one.modifiers))]
  const first = [
    ...(kinds.length > 0 ? [`Intent: ${[...new Set(kinds)].join(', then ')}.`] : []),
    ...(modifiers.length > 0
      ? [`Asked for: ${modifiers.map((one) => `${one} (${advice[one]})`).join('; ')}.`]
      : []),
  ]
  const anchors = intents
    .flatMap((one) => one.anchors)
    .map(anchorText)
    .filter((text) => text !== undefined)
  const requests = intents.flatMap((one) => (one.requests.length > 1 ? [one.requests] : [])).at(-1) ?? []
  return [
    ...(first.length > 0 ? [first.join(' ')] : []),
    ...(anchors.length > 0 ? [`Refers to: ${[...new Set(anchors)].slice(-mostAnchors).join('; ')}.`] : []),
    ...(requests.length > 0 ? [`Requests: ${requests.map(requestText).join(' ')}`] : []),
  ]
}

function anchorText({ words, type, ids, range, ambiguous }: Anchor): string | undefined {
  const said = `"${short(words, 40)}"`
  if (range) return `${said} = ${range.written}`
  if (ambiguous) return `${said} may be ${ids.slice(0, 5).map(plain).join(' or ')}: ask which, do not guess`
  const id = ids[0]
  // Ids and full names say themselves; what fits nothing is left to the model.
  if (id === undefined || id.toLowerCase() === words.toLowerCase()) return undefined
  return `${said} = ${type === 'any' || type === 'person' || id.startsWith('T-') ? '' : `${type} `}${plain(id)}`
}

function requestText({ text, condition }: Request, index: number): string {
  return `${index + 1}. ${condition ? `(${short(conditionText(condition), 100)}) ` : ''}${short(text, 120)}`
}

/** A condition with the request that decides it, counted from 1. */
export function conditionText(condition: NonNullable<Request['condition']>): string {
  return condition.dependsOn === undefined
    ? condition.text
    : `${condition.text}, by the outcome of ${condition.dependsOn + 1}`
}

// What was named by tools and people is data: it must not break out of its line.
function plain(text: string): string {
  return short(text, 60)
}

function short(text: string, length: number): string {
  const characters = [...text.replace(/[\s"]+/g, ' ').trim()]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}
