import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { pause } from '../base/wait.ts'
import { clockTime, type Language, phrases } from '../base/words.ts'
import type { Card } from '../channel/card.ts'
import type { ActionEvent, CommandEvent, FormEvent, InboundEvent } from '../channel/events.ts'
import { editKey, postKey } from '../channel/events.ts'
import type { Gateway, Receipt } from '../channel/port.ts'
import type { Log } from '../observe/log.ts'
import type { Inbox } from '../session/inbox.ts'
import type { Notices } from '../session/notices.ts'
import type { ApprovalFacts } from '../tools/approval-facts.ts'
import type { Approvals, Click, DecideOptions, Decision } from '../tools/approvals.ts'
import { deciders } from '../tools/cards.ts'
import { hashOf } from '../tools/definition.ts'
import { argumentsOf, formFields } from '../tools/forms.ts'
import type { Grants } from '../tools/grants.ts'
import { drawCards } from './approving/cards.ts'
import type { Editing } from './approving/editing.ts'
import type { Freshness } from './approving/freshness.ts'
import type { Commands } from './commands/commands.ts'
import { commandWords } from './commands/words.ts'
import type { DeskClicks } from './desk/clicks.ts'
import { isAt } from './places.ts'
import { chooseAction, type readChoice } from './workflows/choices.ts'

/** Rings for a session: "look into its inbox". Never fails, and never takes longer than its limit. */
export interface Bell {
  ring(sessionId: string): Promise<void>
}

/** The most that ringing may hold up an acknowledgement, in ms. The sweep rings again for what was missed. */
const ringLimit = 300

/**
 * Takes what adapters receive. Messages go to the inbox and are answered by a turn; clicks, forms and commands are
 * decided here, so that the person sees the outcome at once.
 */
export function createGateway(parts: {
  inbox: Inbox
  approvals: Approvals
  grants: Grants
  commands: Commands
  editing: Editing
  freshness: Freshness
  desk: DeskClicks
  /** What a click on a choice of a workflow means. */
  choice: (event: ActionEvent) => ReturnType<typeof readChoice>
  notices: Notices
  bell: Bell
  clock: Clock
  log: Log
  /** Where a person's own language is not known. */
  language: Language
}): Gateway {
  const { inbox, approvals, notices, clock, log } = parts

  const wake = async (sessionId: string) => {
    notices.arrived(sessionId)
    notices.changed(sessionId)
    const limit = new AbortController()
    const ringing = parts.bell.ring(sessionId).catch((error: unknown) => {
      log.warn({ session: sessionId, error: messageOf(error) }, 'The bell could not be rung; the sweep will')
    })
    await Promise.race([ringing, pause(ringLimit, limit.signal)])
    limit.abort()
  }

  const accept = async (event: Parameters<Inbox['accept']>[0]): Promise<Receipt> => {
    const acceptance = await inbox.accept(event)
    if (acceptance.kind !== 'accepted') return { kind: acceptance.kind }
    await wake(acceptance.sessionId)
    return { kind: 'accepted', sessionId: acceptance.sessionId }
  }

  return {
    async receive(event: InboundEvent): Promise<Receipt> {
      switch (event.kind) {
        case 'message':
          if (event.text.trim() === '' && event.attachments.length === 0 && !event.addressed)
            return { kind: 'ignored' }
          return accept(event)
        case 'edit': {
          // An edit that mentions Hermes may be the first that it hears of the post.
          if (event.addressed) {
            const stamped = event.dedupeKey
            const asMessage = await inbox.accept({
              ...event,
              kind: 'message',
              dedupeKey: postKey(event.thread, event.postId),
            })
            if (asMessage.kind === 'accepted') {
              await wake(asMessage.sessionId)
              return { kind: 'accepted', sessionId: asMessage.sessionId }
            }
            return accept({
              ...event,
              dedupeKey: stamped || editKey(event.thread, event.postId, event.at.toISOString()),
            })
          }
          return accept(event)
        }
        case 'removal':
          return accept(event)
        case 'opened': {
          const words = phrases(event.author.language === 'zh' ? 'zh' : parts.language)
          return {
            kind: 'answered',
            notice: words.welcome,
            actions: words.suggestions.map((text) => ({ label: text, action: 'suggest', value: text })),
          }
        }
        case 'action':
          return press(event)
        case 'form':
          return submit(event)
        case 'command':
          return event.name.toLowerCase() === 'reset' ? resetBy(event) : parts.commands.run(event)
        default:
          return event satisfies never
      }
    },
  }

  /** Said in the conversation itself, in its turn, so that its open cards go as well. */
  async function resetBy(event: CommandEvent): Promise<Receipt> {
    const { text: _, name: __, ...rest } = event
    const said = {
      postId: event.dedupeKey,
      text: '/hermes reset',
      attachments: [],
      addressed: false,
    } as const
    const receipt = await accept({ ...rest, kind: 'message', ...said })
    const words = commandWords(event.author.language === 'zh' ? 'zh' : parts.language)
    return receipt.kind === 'repeated'
      ? receipt
      : { kind: 'answered', notice: receipt.kind === 'accepted' ? words.resets : words.nothingToReset }
  }

  async function press(event: ActionEvent): Promise<Receipt> {
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
        return openEditor(event, await approvals.look(value, event), value)
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
      case 'turn.stop': {
        const acceptance = await inbox.acceptAction(event)
        if (acceptance.kind !== 'accepted') {
          return acceptance.kind === 'repeated'
            ? { kind: 'repeated' }
            : { kind: 'answered', notice: phrases(parts.language).nothingRuns }
        }
        await wake(acceptance.sessionId)
        return { kind: 'accepted', sessionId: acceptance.sessionId }
      }
      case 'desk.claim':
      case 'desk.release': {
        const { receipt, wakes } = await parts.desk.press(event)
        if (wakes !== undefined) await wake(wakes)
        return receipt
      }
      case chooseAction: {
        const choice = await parts.choice(event)
        const words = phrases(parts.language)
        if (choice.kind === 'gone') return { kind: 'answered', notice: words.buttonGone }
        if (choice.kind === 'foreign') return { kind: 'answered', notice: words.onlyMayDecide(choice.owner) }
        // It is said by a click: the turn takes it as it takes the typed word.
        return accept({
          ...event,
          kind: 'message',
          postId: event.dedupeKey,
          text: choice.text,
          attachments: [],
          addressed: true,
        })
      }
      case 'suggest':
        return accept({
          ...event,
          kind: 'message',
          postId: event.dedupeKey,
          text: value,
          attachments: [],
          addressed: true,
        })
      default:
        return (
          (await parts.commands.press(event)) ?? {
            kind: 'answered',
            notice: phrases(parts.language).buttonGone,
          }
        )
    }
  }

  /** A card whose tool has changed since it was shown is not confirmed, but replaced. */
  async function confirm(event: ActionEvent, id: string, options: DecideOptions): Promise<Receipt> {
    const { fresh, outdated } = await parts.freshness.sort(id, options.all ?? false)
    const decide = async (one: string, how: DecideOptions, click: Click) =>
      answer(click, await approvals.decide(one, 'confirmed', click, how), one, (words) =>
        how.always ? words.allowedNotice : words.confirmedNotice,
      )
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

  /** The sentence and the card for whoever clicked. The deciding click wakes the session. */
  async function answer(
    click: Click,
    decision: Decision,
    id: string,
    sentence: (words: ReturnType<typeof phrases>) => string,
  ): Promise<Receipt> {
    if (decision.kind === 'repeated') return { kind: 'repeated' }
    if (decision.kind === 'unknown') return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const now = clock.now()
    const clicked =
      decision.approvals.find((facts) => facts.approval.id === id || facts.call.id === id) ??
      decision.approvals[0]
    if (!clicked) return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const words = phrases(clicked.approval.snapshot.language)
    if (!decision.permitted) return { kind: 'answered', notice: words.onlyMayDecide(deciders(clicked)) }
    const card = drawnFor(click, decision.approvals, now).find((drawn) => drawn.id === clicked.approval.id)
    if (decision.decided) {
      await wake(decision.sessionId)
      return { kind: 'answered', notice: sentence(words), ...showing(click, card, clicked) }
    }
    return { kind: 'answered', notice: standing(clicked, now), ...showing(click, card, clicked) }
  }

  /** A card as part of an answer. */
  function showing(click: Click, card: Card | undefined, facts: ApprovalFacts) {
    return card ? { card, latest: () => latestOf(click, facts) } : {}
  }

  /** Cards as they look where the click was made: in their thread, or in the room where they are decided. */
  function drawnFor(click: Click, facts: readonly ApprovalFacts[], now: Date): readonly Card[] {
    return drawCards(facts, now, ({ place, thread }) =>
      place === null || isAt(place, click.thread, thread) ? 'decision' : 'thread',
    )
  }

  async function latestOf(click: Click, facts: ApprovalFacts): Promise<Card | undefined> {
    const { sessionId, turnId, approval } = facts
    const cards = drawnFor(click, await approvals.facts({ sessionId, turnId }), clock.now())
    return cards.find((card) => card.id === approval.id)
  }

  function openEditor(click: Click, decision: Decision, id: string): Receipt {
    if (decision.kind !== 'found') return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const facts = decision.approvals.find((found) => found.approval.id === id)
    if (!facts) return { kind: 'answered', notice: phrases(parts.language).noSuchCard }
    const { snapshot } = facts.approval
    const words = phrases(snapshot.language)
    if (!decision.permitted) {
      const { fourEyes } = facts.approval
      const notice = fourEyes ? words.onlyMayEdit(facts.requester) : words.onlyMayDecide(deciders(facts))
      return { kind: 'answered', notice }
    }
    if (facts.approval.status !== 'open') {
      const [card] = drawnFor(click, [facts], clock.now())
      return { kind: 'answered', notice: standing(facts, clock.now()), ...showing(click, card, facts) }
    }
    return {
      kind: 'answered',
      form: {
        action: 'approval.edit',
        value: `${id}:${facts.version}`,
        title: snapshot.title,
        submitLabel: words.save,
        fields: formFields(snapshot.schema, facts.arguments, snapshot.language),
      },
    }
  }

  async function submit(event: FormEvent): Promise<Receipt> {
    if (event.action !== 'approval.edit') {
      return (
        (await parts.commands.submit(event)) ?? {
          kind: 'answered',
          notice: phrases(parts.language).buttonGone,
        }
      )
    }
    const [id = '', version = ''] = (event.value ?? '').split(':')
    const looked = await approvals.look(id, event)
    const opened = openEditor(event, looked, id)
    if (opened.kind !== 'answered' || !opened.form || looked.kind !== 'found') return opened
    const facts = looked.approvals[0]!
    const { snapshot } = facts.approval
    const words = phrases(snapshot.language)
    if (String(facts.version) !== version) return { kind: 'answered', notice: words.hasChanged }
    const raw = argumentsOf(snapshot.schema, event.fields, facts.arguments)
    const checked = await parts.editing.check(facts, raw)
    if (!checked.ok) {
      const problems = new Map(
        checked.problems.map((problem) => [problem.field.split('.')[0] ?? '', problem.problem]),
      )
      return {
        kind: 'answered',
        form: {
          ...opened.form,
          ...(problems.has('') ? { error: problems.get('')! } : {}),
          fields: opened.form.fields.map((field) => ({
            ...field,
            value: event.fields[field.name] ?? field.value,
            ...(problems.has(field.name) ? { error: problems.get(field.name)! } : {}),
          })),
        },
      }
    }
    if (checked.otherRules) {
      const anew = parts.editing.underOtherRules(facts, checked)
      const decision = await approvals.reissue(id, { version: facts.version, ...anew }, event)
      return answer(event, decision, id, (sentences) => sentences.rulesDiffer)
    }
    const decision = await approvals.rebind(
      id,
      facts.version,
      { arguments: checked.arguments, argumentsHash: hashOf(checked.arguments), snapshot: checked.snapshot },
      event,
    )
    if (decision.kind === 'found' && decision.decided) {
      // Of a card that is shown in two places, the other one is drawn by whoever works on the session.
      if (facts.place) await wake(decision.sessionId)
      else notices.changed(decision.sessionId)
      const card = await latestOf(event, facts)
      return { kind: 'answered', notice: words.savedNotice, ...showing(event, card, facts) }
    }
    return answer(event, decision, id, (sentences) => sentences.savedNotice)
  }
}

/** What a button is bound to: an approval, and the version of it that its card showed. */
function boundTo(value: string): { readonly id: string; readonly version?: number } {
  const [, id = value, version] = /^(\w+):(\d{1,9})$/.exec(value) ?? []
  return version === undefined ? { id } : { id, version: Number(version) }
}

/** How an approval stands, for a click that came too late. */
function standing(facts: ApprovalFacts, now: Date): string {
  const { approval } = facts
  const words = phrases(approval.snapshot.language)
  const at = approval.decidedAt
    ? clockTime(approval.decidedAt, now, facts.timeZone, approval.snapshot.language)
    : ''
  switch (approval.status) {
    case 'confirmed':
      return words.alreadyConfirmed(facts.decidedBy ?? facts.requester, at)
    case 'cancelled':
      return words.alreadyCancelled(facts.decidedBy ?? facts.requester, at)
    case 'changed':
      return words.hasChanged
    case 'expired':
      return words.hasExpired
    case 'open':
      return approval.expiresAt <= now ? words.hasExpired : words.hasChanged
    default:
      return approval.status satisfies never
  }
}
