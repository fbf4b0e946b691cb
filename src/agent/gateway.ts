import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { pause } from '../base/wait.ts'
import { type Language, phrases } from '../base/words.ts'
import type { ActionEvent, CommandEvent, FormEvent, InboundEvent } from '../channel/events.ts'
import { editKey, postKey } from '../channel/events.ts'
import type { Gateway, Receipt } from '../channel/port.ts'
import type { Log } from '../observe/log.ts'
import type { Inbox } from '../session/inbox.ts'
import type { Notices } from '../session/notices.ts'
import type { Approvals } from '../tools/approvals/approvals.ts'
import type { Grants } from '../tools/approvals/grants.ts'
import { createApprovalClicks } from './approving/clicks.ts'
import type { Editing } from './approving/editing.ts'
import type { Freshness } from './approving/freshness.ts'
import type { AskingClicks } from './asking/clicks.ts'
import type { Commands } from './commands/commands.ts'
import { commandWords } from './commands/words.ts'
import type { DeskClicks } from './desk/clicks.ts'
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
  asking: AskingClicks
  /** What a click on a choice of a workflow means. */
  choice: (event: ActionEvent) => ReturnType<typeof readChoice>
  notices: Notices
  bell: Bell
  clock: Clock
  log: Log
  /** Where a person's own language is not known. */
  language: Language
}): Gateway {
  const { inbox, notices, log } = parts

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

  const approvals = createApprovalClicks({ ...parts, wake })

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
    switch (event.action) {
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
        if (choice.kind === 'gone') return buttonGone()
        if (choice.kind === 'foreign')
          return { kind: 'answered', notice: phrases(parts.language).onlyMayDecide(choice.owner) }
        return say(event, choice.text)
      }
      case 'suggest':
        return say(event, event.value ?? '')
      default:
        return (
          (await approvals.press(event)) ??
          (await answerQuestion(event)) ??
          (await parts.commands.press(event)) ??
          buttonGone()
        )
    }
  }

  async function submit(event: FormEvent): Promise<Receipt> {
    return (
      (await approvals.submit(event)) ??
      (await answerQuestion(event)) ??
      (await parts.commands.submit(event)) ??
      buttonGone()
    )
  }

  /** A click on a question, or its form. */
  async function answerQuestion(event: ActionEvent | FormEvent): Promise<Receipt | undefined> {
    const clicked = await parts.asking.take(event)
    if (clicked?.wakes !== undefined) await wake(clicked.wakes)
    return clicked?.receipt
  }

  function buttonGone(): Receipt {
    return { kind: 'answered', notice: phrases(parts.language).buttonGone }
  }

  /** What is said by a click: the turn takes it as it takes the typed word. */
  function say(event: ActionEvent, text: string): Promise<Receipt> {
    return accept({
      ...event,
      kind: 'message',
      postId: event.dedupeKey,
      text,
      attachments: [],
      addressed: true,
    })
  }
}
