import { clockTime, type Language, phrases } from '../../base/words.ts'
import type { Card, CardAction, CardField } from '../../channel/card.ts'
import type { ApprovalStatus, CallStatus } from '../../store/prisma/client.ts'
import { labelOf, ordered, shownArgument } from '../arguments/forms.ts'
import type { Reader } from '../arguments/moments.ts'
import { hashOf } from '../hash.ts'
import type { Tool } from '../tool.ts'

/** What an approval keeps of its card, so that it can be shown where the tool itself is not at hand. */
export interface CardSnapshot {
  readonly title: string
  readonly target?: string
  readonly fields: readonly CardField[]
  readonly risk: string
  readonly language: Language
  /** Of the arguments, for the form and for checking again. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Can the tool say afterwards whether it was done? */
  readonly checkable?: boolean
}

/** Draws up the card of a call with exactly these arguments, times as the person who asked reads them. */
export function snapshotCard(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  reader: Reader,
): CardSnapshot {
  const { language } = reader
  const schema = ordered(tool.parameters, tool.moments)
  const own = tool.card(args, language)
  return {
    title: tool.title(language),
    ...(own.target === undefined ? {} : { target: own.target }),
    fields:
      own.fields ??
      Object.entries(args)
        .filter(([, value]) => value !== undefined && value !== own.target)
        .map(([name, value]) => ({
          label: labelOf(name, language),
          value: shownArgument(name, value, schema, reader),
        })),
    risk: tool.risk(language),
    language,
    schema,
    ...(tool.checkOutcome ? { checkable: true } : {}),
  }
}

/** What a card's looks depend on. */
export interface CardFacts {
  readonly approval: {
    readonly id: string
    readonly status: ApprovalStatus
    readonly expiresAt: Date
    /** Has that passed, by the clock of the database? */
    readonly isOver: boolean
    readonly decidedAt: Date | null
    readonly snapshot: CardSnapshot
    readonly approvers: readonly string[]
    readonly fourEyes: boolean
    readonly grantable: boolean
    /** The standing grant by which it was confirmed. */
    readonly grant: { readonly id: string; readonly revoked: boolean } | null
  }
  /** Names of people who are named by an id. */
  readonly names: Readonly<Record<string, string>>
  /** Raised by each edit; a click on Confirm names the one that it was made on. */
  readonly version: number
  readonly call: {
    readonly id: string
    readonly status: CallStatus
    readonly told: string | null
    readonly failure: string | null
    readonly failureCode: string | null
  }
  readonly requester: string
  readonly decidedBy: string | null
  /** More than one card of this step is open: offers to confirm them together. */
  readonly several: boolean
  /** Where this look of it is: where it is decided, or in its thread, while it is decided in another room. */
  readonly at: 'decision' | 'thread'
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
    const isDecidedHere = facts.at === 'decision'
    const isForOthers = approval.fourEyes || approval.approvers.some((one) => one !== 'requester')
    return {
      ...base,
      fields:
        isForOthers && isDecidedHere
          ? [...base.fields, { label: words.askedBy, value: facts.requester }]
          : base.fields,
      ...(snapshot.risk === '' ? {} : { risk: snapshot.risk }),
      tone: 'open',
      footer: words.waitsFor(deciders(facts), at(approval.expiresAt)),
      actions: [
        ...(isDecidedHere
          ? [{ label: words.confirm, action: 'approval.confirm', value: exactly, style: 'primary' } as const]
          : []),
        { label: words.edit, action: 'approval.edit', value: approval.id },
        { label: words.cancel, action: 'approval.cancel', value: approval.id, style: 'danger' },
        ...(isDecidedHere && facts.several
          ? [{ label: words.confirmAll, action: 'approval.confirm_all', value: exactly } as const]
          : []),
        ...(isDecidedHere && approval.grantable
          ? [{ label: words.alwaysAllow, action: 'approval.always', value: exactly } as const]
          : []),
      ],
    }
  }
  if (approval.status === 'cancelled') return ended('void', words.cancelledBy(by, decided))
  if (approval.status === 'expired') return ended('void', words.expired)
  if (approval.status === 'changed')
    return ended('void', call.status === 'withdrawn' ? words.withdrawn : words.changed)

  const unknown = call.failureCode === 'not_done' ? (call.failure ?? '') : words.notKnown(call.failure ?? '')
  const { grant } = approval
  const confirmed = grant ? words.allowedBy(by) : words.confirmedBy(by, decided)
  const revoking: readonly CardAction[] =
    grant && !grant.revoked
      ? [{ label: words.revoke, action: 'grant.revoke', value: `${grant.id}:${approval.id}` }]
      : []
  switch (call.status) {
    case 'succeeded':
      return ended('done', call.told ? `${confirmed} · ${call.told}` : confirmed, revoking)
    case 'refused':
      if (call.failureCode === 'changed') return ended('void', words.changed)
      return ended('failed', words.failed(call.failure ?? ''))
    case 'failed':
      return ended('failed', words.failed(call.failure ?? ''), revoking)
    case 'unknown':
      if (facts.at === 'thread') return ended('failed', unknown)
      return ended('failed', unknown, [
        ...(snapshot.checkable
          ? [{ label: words.check, action: 'call.check', value: call.id, style: 'primary' } as const]
          : []),
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

/** Who may decide, in words: "Ann or anyone of finance". */
export function deciders(facts: Pick<CardFacts, 'approval' | 'requester' | 'names'>): string {
  const { approval, requester } = facts
  const words = phrases(approval.snapshot.language)
  const named = approval.approvers.flatMap((approver) => {
    if (approver === 'requester') return approval.fourEyes ? [] : [requester]
    const [kind, rest = ''] = split(approver)
    // Marks a decision that a workflow has given to the others named here.
    if (kind === 'workflow') return []
    if (kind === 'group') return [words.anyoneOf(rest)]
    return [facts.names[approver] ?? (kind === 'id' ? rest.slice(rest.lastIndexOf(':') + 1) : rest)]
  })
  const list = words.oneOf([...new Set(named)])
  return approval.fourEyes ? words.butNot(list, requester) : list
}

function split(approver: string): readonly [kind: string, rest: string] {
  const at = approver.indexOf(':')
  return [approver.slice(0, at), approver.slice(at + 1)]
}

/** A hash of what a card shows, to see whether it has to be drawn again. */
export function cardHash(card: Card): string {
  return hashOf(card).slice(0, 16)
}
