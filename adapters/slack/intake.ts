import type { Clock } from '../../src/base/clock.ts'
import type { Gateway } from '../../src/channel/port.ts'
import type { Log } from '../../src/observe/log.ts'
import { markdownMessage } from './blocks.ts'
import type { SlackClient } from './client.ts'
import type { Directory } from './directory.ts'
import { type EventContext, readEvent } from './events.ts'
import { type FileLimits, readFiles } from './files.ts'
import { fieldErrors, modal, readForm } from './form.ts'
import { drawHome } from './home.ts'
import type { Identity } from './identity.ts'
import { commandEvent, formEvent, readAction, readHome, readOpened, readStopped } from './interactions.ts'
import type { ReceiptScreen } from './receipt.ts'
import { wordsFor } from './words.ts'

/** Answers to the interaction itself, before anything else is shown. */
export type Acknowledge = (answer?: object) => Promise<void>

/** Takes Slack's payloads to the gateway. Each call rejects where nothing was committed. */
export interface Intake {
  /** A `message` or `app_mention` event. */
  message(payload: unknown): Promise<void>
  /** `app_home_opened`. */
  opened(payload: unknown): Promise<void>
  /** `agent_session_stopped`: somebody pressed Slack's own stop button. */
  stopped(payload: unknown): Promise<void>
  action(payload: unknown, acknowledge: Acknowledge): Promise<void>
  /** A modal that was sent. */
  form(
    payload: { readonly view: unknown; readonly trigger_id: string; readonly user: SlackUser },
    acknowledge: Acknowledge,
  ): Promise<void>
  command(payload: SlashCommand, acknowledge: Acknowledge): Promise<void>
}

interface SlackUser {
  readonly id: string
  readonly name?: string
}

interface SlashCommand {
  readonly channel_id: string
  readonly text?: string
  readonly trigger_id: string
  readonly user_id: string
  readonly user_name?: string
}

/** How long the author of a post is waited for; the event has to be acknowledged within 3 s. */
const nameMs = 800
/** And of a click, which is answered by a form in the same time. */
const newcomerMs = 500

export function createIntake(parts: {
  readonly client: SlackClient
  readonly identity: Identity
  readonly directory: Directory
  readonly screen: ReceiptScreen
  readonly gateway: Gateway
  readonly clock: Clock
  readonly log: Log
  readonly fileLimits: FileLimits
}): Intake {
  const { client, identity, directory, screen, gateway, clock, log } = parts
  const context: EventContext = {
    workspace: identity.teamId,
    botUserId: identity.botUserId,
    nameOf: (userId) => directory.peek(userId)?.name,
  }

  /** Who acted. Someone who was never heard of is waited for a moment, since the click may be the first of an approver. */
  async function actor(userId: string, name: string | undefined) {
    await directory.learn([userId], directory.peek(userId) ? 0 : newcomerMs)
    return directory.author(userId, name)
  }

  return {
    async message(payload) {
      const heard = readEvent(payload, context)
      if (!heard) return
      const [attachments] = await Promise.all([
        readFiles(client, heard.files, parts.fileLimits),
        directory.learn(heard.people, nameMs),
      ])
      const author = directory.author(heard.userId)
      const event = heard.event(author, attachments)
      const receipt = await gateway.receive(event)
      // What was taken back needs no sign of life.
      if (event.kind === 'removal' && receipt.kind === 'accepted') return
      void screen.show(receipt, {
        thread: event.thread,
        userId: heard.userId,
        ...(author.language === undefined ? {} : { language: author.language }),
        ...('postId' in event ? { messageId: event.postId } : {}),
        isPost: true,
      })
    },

    async opened(payload) {
      const home = readHome(payload, identity.teamId)
      if (home) {
        await directory.learn([home.userId], nameMs)
        void drawHome({ client, gateway, log }, home, directory.author(home.userId))
        return
      }
      const opened = readOpened(payload, identity.teamId)
      if (!opened) return
      await directory.learn([opened.userId], nameMs)
      const author = directory.author(opened.userId)
      const receipt = await gateway.receive(opened.event(author))
      const words = wordsFor(author.language)
      void client
        .tryOnce('assistant.threads.setSuggestedPrompts', (web) =>
          web.assistant.threads.setSuggestedPrompts({
            channel_id: opened.thread.room,
            title: words.promptsTitle,
            prompts: [...words.prompts],
          }),
        )
        .catch(() => log.debug({ room: opened.thread.room }, 'Suggested prompts could not be shown'))
      if (receipt.kind === 'answered') {
        void screen.show(receipt, { thread: opened.thread, userId: opened.userId, isPost: true })
      }
    },

    async stopped(payload) {
      const stopped = readStopped(payload, identity.teamId)
      if (!stopped) return
      // The turn itself tells that it has ended; where none runs there is nothing to tell.
      for (const event of stopped.events(await actor(stopped.userId, undefined))) {
        if ((await gateway.receive(event)).kind !== 'answered') return
      }
    },

    async action(payload, acknowledge) {
      const clicked = readAction(payload, identity.teamId)
      if (!clicked) return acknowledge()
      const author = await actor(clicked.userId, clicked.userName)
      const receipt = await gateway.receive(clicked.event(author, clock.now()))
      await acknowledge()
      await screen.show(receipt, {
        thread: clicked.thread,
        userId: clicked.userId,
        triggerId: clicked.triggerId,
        ...(author.language === undefined ? {} : { language: author.language }),
        ...(clicked.messageId === undefined ? {} : { messageId: clicked.messageId }),
        ...(clicked.noticeUrl === undefined ? {} : { noticeUrl: clicked.noticeUrl }),
        isPost: false,
      })
    },

    async form(payload, acknowledge) {
      const sent = readForm(payload.view)
      if (!sent) return acknowledge()
      const author = await actor(payload.user.id, payload.user.name)
      const receipt = await gateway.receive(formEvent(sent, payload.trigger_id, author, clock.now()))
      const spot = {
        thread: sent.thread,
        userId: payload.user.id,
        ...(author.language === undefined ? {} : { language: author.language }),
        ...(sent.messageId === undefined ? {} : { messageId: sent.messageId }),
        isPost: false,
      }
      if (receipt.kind !== 'answered' || !receipt.form) {
        await acknowledge()
        await screen.show(receipt, spot)
        return
      }
      // What was wrong is told in the modal itself, which stays open.
      const { form, ...rest } = receipt
      const errors = fieldErrors(form)
      const view = modal(form, sent, wordsFor(author.language))
      await acknowledge(errors ? { response_action: 'errors', errors } : { response_action: 'update', view })
      await screen.show(rest, spot)
    },

    async command(payload, acknowledge) {
      await directory.learn([payload.user_id], nameMs)
      const author = directory.author(payload.user_id, payload.user_name)
      const event = commandEvent(payload, context, author, clock.now())
      const receipt = await gateway.receive(event)
      const spot = {
        thread: event.thread,
        userId: payload.user_id,
        triggerId: payload.trigger_id,
        ...(author.language === undefined ? {} : { language: author.language }),
        isPost: false,
      }
      if (receipt.kind !== 'answered') {
        await acknowledge()
        await screen.show(receipt, spot)
        return
      }
      // The notice goes with the acknowledgement itself: it needs no right to post in that room.
      const { notice: _, actions: __, ...rest } = receipt
      const message =
        screen.notice(receipt, event.thread, payload.user_id) ??
        (receipt.card ? undefined : receipt.form ? undefined : markdownMessage('…'))
      await acknowledge(message && { response_type: 'ephemeral', ...message })
      await screen.show(rest, spot)
    },
  }
}
