import { messageOf } from '../../src/base/errors.ts'
import type { Form } from '../../src/channel/card.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { Receipt, ReplyTarget, Speaker } from '../../src/channel/port.ts'
import { showCard } from '../../src/channel/showing.ts'
import type { Log } from '../../src/observe/log.ts'
import { actionBlocks, cardMessage, markdownMessage, type Rendered } from './blocks.ts'
import type { SlackClient } from './client.ts'
import { modal } from './form.ts'
import { noticeBlockId } from './interactions.ts'
import { isDirect, threadTs } from './place.ts'
import { codeIn } from './refusal.ts'
import { wordsFor } from './words.ts'
import { withoutPings } from './writing.ts'

/** Where something happened, for its answer to be shown there. */
export interface Spot {
  readonly thread: ThreadRef
  readonly userId: string
  readonly language?: string
  /** The post or the message with the button. */
  readonly messageId?: string
  /** Opens a modal, within 3 s. */
  readonly triggerId?: string
  /** Changes the notice that was clicked. */
  readonly noticeUrl?: string
  /** Was it a post, and not a click or a command? */
  readonly isPost: boolean
}

type Answered = Extract<Receipt, { kind: 'answered' }>

/** Shows what the gateway answered. Never rejects: the event itself is safe already. */
export interface ReceiptScreen {
  show(receipt: Receipt, spot: Spot): Promise<void>
  /** The notice of an answer as Slack shows it. */
  notice(answer: Answered, thread: ThreadRef, userId: string): Rendered | undefined
}

export function createReceiptScreen(client: SlackClient, speaker: Speaker, log: Log): ReceiptScreen {
  function notice(answer: Answered, thread: ThreadRef, userId: string) {
    if (answer.notice === undefined) return undefined
    const message = markdownMessage(withoutPings(answer.notice, userId))
    message.blocks.push(...actionBlocks(answer.actions ?? [], noticeBlockId(thread)))
    return message
  }

  async function showNotice(answer: Answered, spot: Spot): Promise<void> {
    const { thread, userId } = spot
    const message = notice(answer, thread, userId)
    if (!message) return
    if (spot.noticeUrl !== undefined) {
      await changeNotice(spot.noticeUrl, { ...message, replace_original: true })
      return
    }
    await showToOne(spot, message)
  }

  async function showToOne(spot: Spot, { text, blocks }: Rendered): Promise<void> {
    const { thread, userId } = spot
    const root = threadTs(thread)
    const where = { channel: thread.room, ...(root === undefined ? {} : { thread_ts: root }), text, blocks }
    if (spot.isPost && isDirect(thread.room)) {
      // Nobody else reads a direct message, and what stays there can be read again.
      await client.call('chat.postMessage', 'once', (web) => web.chat.postMessage(where))
      return
    }
    const post = (content: typeof where) =>
      client.call('chat.postEphemeral', 'once', (web) => web.chat.postEphemeral({ ...content, user: userId }))
    try {
      await post(where)
    } catch (error) {
      if (root === undefined || codeIn(error) !== 'thread_not_found') throw error
      // The thread went with the post that it hung on; the person is answered all the same.
      await post({ channel: thread.room, text, blocks })
    }
  }

  /** Only the address of the interaction can change a notice. */
  async function changeNotice(url: string, body: object): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
  }

  /** Opens a modal; a click that came too late for it is answered in words. */
  async function openForm(form: Form, spot: Spot, triggerId: string): Promise<void> {
    const { thread, messageId } = spot
    const words = wordsFor(spot.language)
    const view = modal(form, { thread, ...(messageId === undefined ? {} : { messageId }) }, words)
    try {
      await client.tryOnce('views.open', (web) => web.views.open({ trigger_id: triggerId, view }))
    } catch (error) {
      log.warn({ room: thread.room, error: messageOf(error) }, 'A form could not be opened')
      await showToOne(spot, markdownMessage(words.formNotOpened))
    }
  }

  async function showAnswer(answer: Answered, spot: Spot): Promise<void> {
    const { thread, messageId, triggerId } = spot
    const target: ReplyTarget = { thread, recipientId: spot.userId }
    const jobs: Promise<unknown>[] = []
    const { card, form } = answer
    if (form && triggerId !== undefined) {
      jobs.push(openForm(form, spot, triggerId))
    }
    if (card && messageId !== undefined) {
      jobs.push(showCard(answer, (drawn) => speaker.updateCard(target, messageId, drawn)))
    } else if (card && spot.noticeUrl !== undefined) {
      const { text, blocks } = cardMessage(card)
      jobs.push(changeNotice(spot.noticeUrl, { text, blocks, replace_original: true }))
    } else if (card) jobs.push(showToOne(spot, cardMessage(card)))
    jobs.push(showNotice(answer, spot))
    for (const result of await Promise.allSettled(jobs)) {
      if (result.status === 'rejected') {
        log.warn(
          { room: thread.room, error: messageOf(result.reason) },
          'An answer to a person could not be shown',
        )
      }
    }
  }

  async function show(receipt: Receipt, spot: Spot): Promise<void> {
    switch (receipt.kind) {
      case 'accepted':
        await speaker.showActivity(
          {
            thread: spot.thread,
            recipientId: spot.userId,
            ...(spot.messageId === undefined ? {} : { postId: spot.messageId }),
          },
          wordsFor(spot.language).thinking,
        )
        return
      case 'answered':
        await showAnswer(receipt, spot)
        return
      case 'repeated':
      case 'ignored':
        return
      default:
        return receipt satisfies never
    }
  }

  return {
    notice,
    async show(receipt, spot) {
      try {
        await show(receipt, spot)
      } catch (error) {
        log.error(
          { room: spot.thread.room, error: messageOf(error) },
          'An answer to a person could not be made',
        )
      }
    },
  }
}
