import type { Clock } from '../../base/clock.ts'
import { type Language, phrases } from '../../base/words.ts'
import type { ActionEvent, FormEvent } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import type { Notices } from '../../session/notices.ts'
import type { Approvals, Click, DecideOptions } from '../../tools/approvals/approvals.ts'
import type { Grants } from '../../tools/approvals/grants.ts'
import { createEditForm } from './edit-form.ts'
import type { Editing } from './editing.ts'
import type { Freshness } from './freshness.ts'
import { createTelling } from './telling.ts'

/** Clicks on cards that ask, and on what they allowed or left unknown, and their forms. */
export interface ApprovalClicks {
  /** `undefined` where the button is none of these. */
  press(event: ActionEvent): Promise<Receipt | undefined>
  submit(event: FormEvent): Promise<Receipt | undefined>
}

export function createApprovalClicks(parts: {
  approvals: Approvals
  grants: Grants
  editing: Editing
  freshness: Freshness
  notices: Notices
  /** Has the session looked at, where a click has changed it. */
  wake: (sessionId: string) => Promise<void>
  clock: Clock
  language: Language
}): ApprovalClicks {
  const { approvals, clock } = parts
  const telling = createTelling(parts)
  const { answer, showing, drawnFor } = telling
  const editForm = createEditForm({ ...parts, telling })
  return {
    press,
    async submit(event) {
      return event.action === 'approval.edit' ? editForm.submit(event) : undefined
    },
  }

  async function press(event: ActionEvent): Promise<Receipt | undefined> {
    const value = event.value ?? ''
    switch (event.action) {
      case 'approval.confirm':
      case 'approval.confirm_all':
      case 'approval.always': {
        const { id, version } = boundTo(value)
        return confirm(event, id, {
          version,
          all: event.action === 'approval.confirm_all',
          always: event.action === 'approval.always',
        })
      }
      case 'approval.cancel':
        return answer(
          event,
          await approvals.decide(value, 'cancelled', event),
          value,
          (words) => words.cancelledNotice,
        )
      case 'approval.edit':
        return editForm.open(event, value)
      case 'call.rerun':
        return answer(
          event,
          await approvals.resolveUnknown(value, 'approved', event),
          value,
          (words) => words.confirmedNotice,
        )
      case 'call.check':
        return answer(
          event,
          await approvals.resolveUnknown(value, 'check', event),
          value,
          (words) => words.checking,
        )
      case 'call.done':
        return answer(
          event,
          await approvals.resolveUnknown(value, 'succeeded', event),
          value,
          (words) => words.savedNotice,
        )
      case 'grant.revoke':
        return revoke(event, value)
      default:
        return undefined
    }
  }

  /** A card whose tool has changed since it was shown is not confirmed, but replaced. */
  async function confirm(event: ActionEvent, id: string, options: DecideOptions): Promise<Receipt> {
    const { fresh, outdated, blocked } = await parts.freshness.sort(id, options.all ?? false)
    const decide = async (one: string, how: DecideOptions, click: Click) =>
      answer(click, await approvals.decide(one, 'confirmed', click, how), one, (words) => {
        // The decision stands, and the card shows why nothing came of it once the call was refused.
        const why = [...new Set(blocked)].join(' ')
        if (blocked.length > 0 && blocked.length === fresh.length) return words.blockedNotice(why)
        const done = how.always ? words.allowedNotice : words.confirmedNotice
        return blocked.length > 0 ? `${done} ${words.partlyBlocked(why)}` : done
      })
    if (outdated.length === 0) return decide(id, options, event)
    // Those that take their place have not been seen yet, so the others are confirmed one by one.
    const clickOn = (one: string) =>
      one === id ? event : { ...event, dedupeKey: `${event.dedupeKey}:${one}` }
    let own: Receipt | undefined
    for (const one of outdated) {
      const receipt = await replace(one, clickOn(one))
      if (one === id) own = receipt
    }
    for (const one of fresh) {
      const receipt = await decide(one, one === id ? { version: options.version } : {}, clickOn(one))
      if (one === id) own = receipt
    }
    return own ?? { kind: 'answered', notice: phrases(parts.language).noSuchCard }
  }

  async function revoke(event: ActionEvent, value: string): Promise<Receipt> {
    const [grantId = '', approvalId] = value.split(':')
    const what = await parts.grants.revoke(grantId, event)
    const looked = approvalId === undefined ? undefined : await approvals.look(approvalId, event)
    const facts = looked?.kind === 'found' ? looked.approvals[0] : undefined
    const words = phrases(
      facts?.approval.snapshot.language ?? (event.author.language === 'zh' ? 'zh' : parts.language),
    )
    const [card] = facts ? drawnFor(event, [facts], clock.now()) : []
    return {
      kind: 'answered',
      notice: what === undefined ? words.notYours : words.revoked(what),
      ...(facts ? showing(event, card, facts) : {}),
    }
  }

  async function replace(id: string, click: Click): Promise<Receipt> {
    const looked = await approvals.look(id, click)
    const facts = looked.kind === 'found' ? looked.approvals[0] : undefined
    if (!facts) return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const anew = await parts.editing.anew(facts)
    const decision = await approvals.reissue(id, { version: facts.version, ...anew }, click)
    return answer(click, decision, id, (words) => (anew.proposal ? words.toolChanged : words.noLongerFits))
  }
}

/** What a button is bound to: an approval, and the version of it that its card showed. */
function boundTo(value: string): { readonly id: string; readonly version?: number } {
  const [, id = value, version] = /^(\w+):(\d{1,9})$/.exec(value) ?? []
  return version === undefined ? { id } : { id, version: Number(version) }
}
