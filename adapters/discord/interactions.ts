import { type APIInteraction, type APIMessage, type REST, Routes } from 'discord.js'
import type { Clock } from '../../src/base/clock.ts'
import { messageOf } from '../../src/base/errors.ts'
import { pause } from '../../src/base/wait.ts'
import type { Form, FormField } from '../../src/channel/card.ts'
import type { ThreadRef } from '../../src/channel/events.ts'
import type { Gateway, Receipt } from '../../src/channel/port.ts'
import { showCard } from '../../src/channel/showing.ts'
import type { Log } from '../../src/observe/log.ts'
import { Answer } from './answer.ts'
import { buttonRow, buttonRows } from './components.ts'
import type { CustomId } from './custom-ids.ts'
import { drawModal, drawPick, fitsModal, modalFields } from './forms.ts'
import { eventOf, type ReadInteraction, readInteraction } from './interaction-events.ts'
import { KeptForms } from './kept-forms.ts'
import type { Typing } from './typing.ts'
import { type DiscordWords, discordWords } from './words.ts'

/** Discord waits 3 s for an answer, its own way here and back included. */
const deferAfter = 1_800

/** What was pressed, as far as the answer needs it. */
interface Opener {
  readonly action: string
  readonly value?: string
  readonly messageId?: string
  /** The fields to show of a form that is too long for one modal. */
  readonly fields?: readonly string[]
}

/** Clicks, choices, forms and commands: handed to the gateway, and answered with what it says, at once. */
export class Interactions {
  readonly #rest: REST
  readonly #typing: Typing
  readonly #gateway: Gateway
  readonly #clock: Clock
  readonly #log: Log
  readonly #kept: KeptForms
  readonly #signal: AbortSignal

  constructor(parts: {
    readonly rest: REST
    readonly typing: Typing
    readonly gateway: Gateway
    readonly clock: Clock
    readonly log: Log
    readonly signal: AbortSignal
  }) {
    this.#rest = parts.rest
    this.#typing = parts.typing
    this.#gateway = parts.gateway
    this.#clock = parts.clock
    this.#log = parts.log
    this.#signal = parts.signal
    this.#kept = new KeptForms(parts.clock)
  }

  /** Never rejects. */
  async take(interaction: APIInteraction): Promise<void> {
    try {
      const read = readInteraction(interaction, this.#clock.now())
      if (read) await this.#answer(read)
    } catch (error) {
      this.#log.error({ error: messageOf(error), interaction: interaction.id }, 'An interaction failed.')
    }
  }

  async #answer(read: ReadInteraction): Promise<void> {
    const { did } = read
    const answer = new Answer({ rest: this.#rest, log: this.#log }, read.asked)
    const words = discordWords(read.author.language === 'zh' ? 'zh' : 'en')
    if (did.kind === 'command') {
      await this.#ask(read, { action: did.name }, answer, words)
      return
    }
    const { id } = did
    const value = 'value' in id && id.value !== undefined ? { value: id.value } : {}
    switch (id.kind) {
      case 'action':
        await this.#ask(read, { action: id.action, ...value, ...onCard(read) }, answer, words)
        return
      case 'choice': {
        const chosen = did.kind === 'select' ? did.values[0] : undefined
        const choice = chosen === undefined ? {} : { value: chosen }
        await this.#ask(read, { action: id.action, ...choice, ...onCard(read) }, answer, words)
        return
      }
      case 'pick':
        await this.#ask(
          read,
          { ...id, ...(did.kind === 'select' ? { fields: did.values } : {}) },
          answer,
          words,
        )
        return
      case 'again': {
        const kept = this.#kept.find(id.key)
        if (kept) await this.#open(kept.form, kept.shown, kept.messageId, answer, words)
        else await this.#ask(read, { action: id.action, ...value }, answer, words)
        return
      }
      case 'form':
        await this.#ask(read, id, answer, words)
        return
      default:
        id satisfies never
    }
  }

  /** Hands it to the gateway, and acknowledges in time if that takes long. */
  async #ask(read: ReadInteraction, opener: Opener, answer: Answer, words: DiscordWords): Promise<void> {
    const thread = await this.#threadOf(read, opener)
    const event = { ...eventOf(read, opener), thread }
    const soon = new AbortController()
    const receiving = this.#gateway.receive(event)
    receiving.catch(() => {}).finally(() => soon.abort())
    await pause(deferAfter, AbortSignal.any([soon.signal, this.#signal]))
    if (!soon.signal.aborted) await answer.defer()
    let receipt: Receipt
    try {
      receipt = await receiving
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'An interaction could not be taken.')
      await answer.notice(words.notNow)
      return
    }
    await this.#show(receipt, read, { ...opener }, answer, words, thread)
  }

  async #show(
    receipt: Receipt,
    read: ReadInteraction,
    opener: Opener,
    answer: Answer,
    words: DiscordWords,
    thread: ThreadRef,
  ): Promise<void> {
    switch (receipt.kind) {
      case 'accepted':
        await answer.quiet(words.onIt)
        await this.#typing.once(thread)
        return
      case 'repeated':
      case 'ignored':
        await answer.quiet(words.received)
        return
      case 'answered': {
        const { form, card, notice, actions } = receipt
        if (form) await this.#offer(form, read, opener, answer, words)
        // A hidden message that only served the form has done its work.
        const helper =
          read.did.kind !== 'command' && read.did.id.kind !== 'action' && read.asked.message?.ephemeral
        const own = helper ? undefined : opener.messageId
        if (!form && helper) {
          await answer.replaceHidden(notice ?? words.done, buttonRows(actions ?? []))
          await showCard(receipt, (drawn) => answer.card(drawn, opener.messageId))
          return
        }
        await showCard(receipt, (drawn) => answer.card(drawn, own))
        if (notice !== undefined || actions?.length) {
          await answer.noticeWithActions(notice ?? words.choose, actions ?? [])
        } else if (!form && !card) await answer.quiet(words.done)
        return
      }
      default:
        receipt satisfies never
    }
  }

  /** Shows a form, in the way that is open: a modal, a choice of fields first, or a button that opens it. */
  async #offer(
    form: Form,
    read: ReadInteraction,
    opener: Opener,
    answer: Answer,
    words: DiscordWords,
  ): Promise<void> {
    const chosen = opener.fields ?? (read.did.kind === 'modal' ? Object.keys(read.did.fields) : undefined)
    const { messageId } = opener
    if (!answer.takesModal) {
      const key = this.#kept.keep({
        form,
        shown: chosen ?? form.fields.map((field) => field.name),
        ...(messageId === undefined ? {} : { messageId }),
      })
      await answer.replaceHidden(problemsOf(form, words), [buttonRow(words.edit, againOf(form, key))])
      return
    }
    const editable = form.fields.filter(fitsModal)
    if (editable.length > modalFields && !chosen) {
      const { action, value } = opener
      const rows = drawPick(form, words, {
        action,
        ...(value === undefined ? {} : { value }),
        ...(messageId === undefined ? {} : { messageId }),
      })
      await answer.notice([form.error, words.whichFields].filter((line) => line).join('\n\n'), rows)
      return
    }
    await this.#open(form, chosen ?? editable.map((field) => field.name), messageId, answer, words)
  }

  async #open(
    form: Form,
    shown: readonly string[],
    messageId: string | undefined,
    answer: Answer,
    words: DiscordWords,
  ): Promise<void> {
    const wrong = (field: FormField) => field.error !== undefined && !shown.includes(field.name)
    const fields = [
      ...form.fields.filter((field) => shown.includes(field.name)),
      ...form.fields.filter(wrong),
    ]
    const opened = await answer.modal(drawModal(form, fields, words, messageId))
    if (!opened) await answer.notice(words.notNow)
  }

  /** In a channel without threads, a hidden message does not say to which thread its card belongs; the card does. */
  async #threadOf(read: ReadInteraction, opener: Opener): Promise<ThreadRef> {
    const { place, asked } = read
    const known = !place.topLevel || place.thread.thread !== place.thread.room
    if (known || opener.messageId === undefined || opener.messageId === asked.message?.id) return place.thread
    try {
      const route = Routes.channelMessage(asked.channelId, opener.messageId)
      const card = (await this.#rest.get(route)) as APIMessage
      return { ...place.thread, thread: card.message_reference?.message_id ?? place.thread.thread }
    } catch (error) {
      this.#log.debug({ error: messageOf(error) }, 'The card of a form was not found.')
      return place.thread
    }
  }
}

/** The message with the card, for what follows from the click on it. */
function onCard(read: ReadInteraction): Pick<Opener, 'messageId'> {
  const { message } = read.asked
  return message && !message.ephemeral ? { messageId: message.id } : {}
}

function againOf(form: Form, key: string): CustomId {
  return {
    kind: 'again',
    key,
    action: form.action,
    ...(form.value === undefined ? {} : { value: form.value }),
  }
}

function problemsOf(form: Form, words: DiscordWords): string {
  const problems = form.fields
    .filter((field) => field.error)
    .map((field) => `- **${field.label}**: ${field.error}`)
  const head = form.error ?? (problems.length > 0 ? words.correctThese : words.open)
  return [head, ...problems].join('\n')
}
