import { clockTime, type Language, phrases } from '../base/words.ts'
import type { Card, CardAction, CardField } from '../channel/card.ts'
import type { ApprovalStatus, CallStatus } from '../store/prisma/client.ts'
import type { Tool } from './definition.ts'
import { hashOf } from './definition.ts'
import { labelOf, shownValue } from './forms.ts'

/** What an approval keeps of its card, so that it can be shown where the tool itself is not at hand. */
export interface CardSnapshot {
  readonly title: string
  readonly target?: string
  readonly fields: readonly CardField[]
  readonly risk: string
  readonly language: Language
  /** Of the arguments, for the form and for checking again. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** Draws up the card of a call with exactly these arguments. */
export function snapshotCard(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  language: Language,
): CardSnapshot {
  const own = tool.card(args, language)
  return {
    title: tool.title(language),
    ...(own.target === undefined ? {} : { target: own.target }),
    fields:
      own.fields ??
      Object.entries(args)
        .filter(([, value]) => value !== undefined && value !== own.target)
        .map(([name, value]) => ({ label: labelOf(name, language), value: shownValue(value) })),
    risk: tool.risk(language),
    language,
    schema: tool.parameters,
  }
}

/** What a card's looks depend on. */
export interface CardFacts {
  readonly approval: {
    readonly id: string
    readonly status: ApprovalStatus
    readonly expiresAt: Date
    readonly decidedAt: Date | null
    readonly snapshot: CardSnapshot
  }
  /** Raised by each edit; a click on Confirm names the one that it was made on. */
  readonly version: number
  readonly call: {
    readonly id: string
    readonly status: CallStatus
    readonly told: string | null
    readonly failure: string | null
  }
  readonly requester: string
  readonly decidedBy: string | null
  /** More than one card of this step is open: offers to confirm them together. */
  readonly several: boolean
  readonly timeZone: string
  readonly now: Date
}

/** The card as it looks now: a pure function of the approval and its call. */
export function drawCard(facts: CardFacts): Card {
  const { approval, call, timeZone, now } = facts
  const { snapshot } = approval
  const words = phrases(snapshot.language)
  const at = (date: Date) => clockTime(date, now, timeZone, snapshot.language)
  const by = facts.decidedBy ?? facts.requester
  const decided = approval.decidedAt ? at(approval.decidedAt) : ''
  const base = {
    id: approval.id,
    title: snapshot.title,
    ...(snapshot.target === undefined ? {} : { target: snapshot.target }),
    fields: snapshot.fields,
  }
  const ended = (tone: Card['tone'], footer: string, actions: readonly CardAction[] = []): Card => ({
    ...base,
    tone,
    footer,
    actions,
  })

  if (approval.status === 'open') {
    const exactly = `${approval.id}:${facts.version}`
    return {
      ...base,
      ...(snapshot.risk === '' ? {} : { risk: snapshot.risk }),
      tone: 'open',
      footer: words.waitsFor(facts.requester, at(approval.expiresAt)),
      actions: [
        { label: words.confirm, action: 'approval.confirm', value: exactly, style: 'primary' },
        { label: words.edit, action: 'approval.edit', value: approval.id },
        { label: words.cancel, action: 'approval.cancel', value: approval.id, style: 'danger' },
        ...(facts.several
          ? [{ label: words.confirmAll, action: 'approval.confirm_all', value: exactly } as const]
          : []),
      ],
    }
  }
  if (approval.status === 'cancelled') return ended('void', words.cancelledBy(by, decided))
  if (approval.status === 'expired') return ended('void', words.expired)
  if (approval.status === 'changed')
    return ended('void', call.status === 'withdrawn' ? words.withdrawn : words.changed)

  const confirmed = words.confirmedBy(by, decided)
  switch (call.status) {
    case 'succeeded':
      return ended('done', call.told ? `${confirmed} · ${call.told}` : confirmed)
    case 'failed':
    case 'refused':
      return ended('failed', words.failed(call.failure ?? ''))
    case 'unknown':
      return ended('failed', words.notKnown(call.failure ?? ''), [
        { label: words.runAgain, action: 'call.rerun', value: call.id, style: 'danger' },
        { label: words.isDone, action: 'call.done', value: call.id },
      ])
    case 'withdrawn':
      return ended('void', words.withdrawn)
    case 'expired':
      return ended('void', words.expired)
    case 'cancelled':
      return ended('void', words.cancelledBy(by, decided))
    case 'proposed':
    case 'approved':
    case 'executing':
      return ended('done', `${confirmed} · ${words.running}`)
    default:
      return call.status satisfies never
  }
}

/** A hash of what a card shows, to see whether it has to be drawn again. */
export function cardHash(card: Card): string {
  return hashOf(card).slice(0, 16)
}
