import {
  type APIMessageTopLevelComponent,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  MessageFlags,
  type RawFile,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { messageOf } from '../../src/base/errors.ts'
import type { Card, CardAction } from '../../src/channel/card.ts'
import { splitMarkdown } from '../../src/channel/split.ts'
import type { Log } from '../../src/observe/log.ts'
import { buttonRows, drawCard } from './components.ts'
import { discordMarkdown, surfaceLimit } from './markdown.ts'
import { cardBody, change, type MessageBody, mayNotify, rawFile } from './messages.ts'
import { discordCode } from './refusal.ts'

/** What an answer needs of its interaction. */
export interface Asked {
  readonly id: string
  readonly token: string
  readonly applicationId: string
  readonly channelId: string
  readonly kind: 'component' | 'modal' | 'command'
  /** The message whose button, select or modal it is. */
  readonly message?: { readonly id: string; readonly ephemeral: boolean; readonly layout: boolean }
}

/** The most notices of one answer; what is longer is a file. */
const mostNotices = 3

/**
 * The answer to one click, form or command. The first thing shown is what acknowledges, within 3 s; what comes
 * after it goes by the token, which lives 15 minutes. An answer that comes too late is logged, never thrown.
 */
export class Answer {
  readonly #rest: REST
  readonly #log: Log
  readonly #asked: Asked
  /** `open` until something was answered; `missed` where Discord no longer takes an answer. */
  #state: 'open' | 'deferred-update' | 'deferred-message' | 'answered' | 'missed' = 'open'

  constructor(parts: { readonly rest: REST; readonly log: Log }, asked: Asked) {
    this.#rest = parts.rest
    this.#log = parts.log.child({ interaction: asked.id })
    this.#asked = asked
  }

  /** Can a modal still be opened? Only as the first answer, and never as the answer to a modal. */
  get takesModal(): boolean {
    return this.#state === 'open' && this.#asked.kind !== 'modal'
  }

  /** Acknowledges now, since the decision takes its time. */
  async defer(): Promise<void> {
    if (this.#state !== 'open') return
    if (this.#asked.message) {
      await this.#first(InteractionResponseType.DeferredMessageUpdate, undefined, [], 'deferred-update')
    } else {
      await this.#first(
        InteractionResponseType.DeferredChannelMessageWithSource,
        { flags: MessageFlags.Ephemeral },
        [],
        'deferred-message',
      )
    }
  }

  /** Acknowledges without changing anything; a command needs a word. */
  async quiet(word: string): Promise<void> {
    if (this.#state === 'open' && this.#asked.message) await this.defer()
    else if (this.#state !== 'answered') await this.notice(word)
  }

  async modal(modal: APIModalInteractionResponseCallbackData): Promise<boolean> {
    return await this.#first(InteractionResponseType.Modal, modal, [], 'answered')
  }

  /** Shows something to the person who acted alone. Long texts are continued, very long ones are a file. */
  async notice(markdown: string, rows: readonly APIMessageTopLevelComponent[] = []): Promise<void> {
    const texts = splitMarkdown(markdown, surfaceLimit).map(discordMarkdown)
    const whole = texts.length > mostNotices
    const shown = whole ? texts.slice(0, 1) : texts
    for (const [index, content] of shown.entries()) {
      const last = index === shown.length - 1
      const files = last && whole ? [rawFile({ name: 'answer.md', text: markdown })] : []
      await this.#hidden({ content, ...(last ? { components: rows } : {}), ...attached(files) }, files)
    }
  }

  async noticeWithActions(markdown: string, actions: readonly CardAction[]): Promise<void> {
    await this.notice(markdown, buttonRows(actions))
  }

  /** Replaces what the clicked message shows, where it is one that this person alone sees. */
  async replaceHidden(content: string, rows: readonly APIMessageTopLevelComponent[] = []): Promise<void> {
    if (this.#state !== 'open' || !this.#asked.message?.ephemeral) {
      await this.notice(content, rows)
      return
    }
    await this.#first(
      InteractionResponseType.UpdateMessage,
      { content, components: rows, allowed_mentions: mayNotify() },
      [],
      'answered',
    )
  }

  /** Redraws a card: the clicked message as the answer itself where possible, else by the message's id. */
  async card(card: Card, messageId: string | undefined): Promise<void> {
    const { body, files } = cardBody(drawCard(card))
    const clicked = this.#asked.message
    const target = messageId ?? (clicked?.ephemeral ? undefined : clicked?.id)
    if (this.#state === 'open' && clicked && (target === undefined || target === clicked.id)) {
      // A message that was made without layout components has to lose its text to get them.
      const cleared = clicked.layout ? {} : { content: null, embeds: null }
      const data = { ...body, ...cleared, allowed_mentions: mayNotify() }
      if (await this.#first(InteractionResponseType.UpdateMessage, data, files, 'answered')) return
    }
    try {
      if (target !== undefined) await change(this.#rest, this.#asked.channelId, target, { body, files })
      else if (this.#state === 'deferred-update') await this.#changeHidden(body, files)
    } catch (error) {
      this.#log.warn({ error: messageOf(error), messageId: target }, 'A card could not be redrawn.')
    }
  }

  /** A message that one person alone sees can only be changed by the token of a click on it. */
  async #changeHidden(body: MessageBody, files: RawFile[]): Promise<void> {
    const { applicationId, token } = this.#asked
    await this.#rest.patch(Routes.webhookMessage(applicationId, token), { body, files, auth: false })
  }

  async #hidden(body: MessageBody, files: RawFile[]): Promise<void> {
    const data = {
      ...body,
      flags: MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds,
      allowed_mentions: mayNotify(),
    }
    if (this.#state === 'open') {
      await this.#first(InteractionResponseType.ChannelMessageWithSource, data, files, 'answered')
      return
    }
    if (this.#state === 'missed') {
      this.#log.warn({}, 'A notice came too late to be shown.')
      return
    }
    const { applicationId, token } = this.#asked
    const first = this.#state === 'deferred-message'
    this.#state = 'answered'
    try {
      // What was deferred is filled in; everything else is a further message.
      if (first) {
        await this.#rest.patch(Routes.webhookMessage(applicationId, token), {
          body: data,
          files,
          auth: false,
        })
      } else {
        await this.#rest.post(Routes.webhook(applicationId, token), { body: data, files, auth: false })
      }
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'A notice could not be shown.')
    }
  }

  /** The first answer. Gives false where Discord did not take it. */
  async #first(
    type: InteractionResponseType,
    data: object | undefined,
    files: RawFile[],
    then: 'deferred-update' | 'deferred-message' | 'answered',
  ): Promise<boolean> {
    const before = this.#state
    this.#state = then
    try {
      await this.#rest.post(Routes.interactionCallback(this.#asked.id, this.#asked.token), {
        body: { type, ...(data ? { data } : {}) },
        files,
        auth: false,
      })
      return true
    } catch (error) {
      const code = discordCode(error)
      if (code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) {
        // Our own earlier try, whose answer was lost on the way, or another delivery of the same click.
        this.#log.info({}, 'The interaction was acknowledged already.')
        return true
      }
      // A refused content leaves the interaction unanswered, so something plainer can still be shown.
      const late = code === RESTJSONErrorCodes.UnknownInteraction || code === undefined
      this.#state = late ? 'missed' : before
      this.#log.warn(
        { error: messageOf(error), code },
        late ? 'An answer came too late.' : 'An answer was refused.',
      )
      return false
    }
  }
}

function attached(files: readonly RawFile[]): Pick<MessageBody, 'attachments'> {
  return files.length > 0 ? { attachments: files.map((file, id) => ({ id, filename: file.name })) } : {}
}
