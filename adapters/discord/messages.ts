import { createHash } from 'node:crypto'
import {
  type APIMessage,
  type APIMessageTopLevelComponent,
  MessageFlags,
  type RawFile,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import type { CardAction } from '../../src/channel/card.ts'
import type { OwnFile } from '../../src/channel/port.ts'
import { buttonRows, type DrawnCard } from './components.ts'
import type { Spot } from './places.ts'
import { discordCode } from './refusal.ts'

/** The body of a message, as the HTTP interface takes it. */
export interface MessageBody {
  readonly content?: string | null
  readonly flags?: number
  readonly components?: readonly APIMessageTopLevelComponent[]
  readonly attachments?: readonly { readonly id: number; readonly filename: string }[]
  readonly embeds?: null
}

/** Whom a message may notify: nobody but the one person who is answered. */
export function mayNotify(recipientId?: string) {
  return { parse: [], users: recipientId === undefined ? [] : [recipientId], replied_user: false } as const
}

/** A nonce within Discord's 25 characters, the same for the same nonce of ours in every process. */
function shortNonce(nonce: string): string {
  return createHash('sha256').update(nonce).digest('base64url').slice(0, 24)
}

/** A text with small buttons below. Links are not unfolded: sources would bury the answer. */
export function textBody(content: string, actions: readonly CardAction[] | undefined): MessageBody {
  return { content, flags: MessageFlags.SuppressEmbeds, components: buttonRows(actions ?? []) }
}

/** A card, and the file with what did not fit. */
export function cardBody(card: DrawnCard): { readonly body: MessageBody; readonly files: RawFile[] } {
  const files = card.file ? [rawFile(card.file)] : []
  return {
    body: {
      flags: MessageFlags.IsComponentsV2,
      components: card.components,
      attachments: files.map((file, id) => ({ id, filename: file.name })),
    },
    files,
  }
}

export function rawFile(file: OwnFile): RawFile {
  return 'text' in file
    ? { name: file.name, data: Buffer.from(file.text, 'utf8'), contentType: 'text/markdown; charset=utf-8' }
    : { name: file.name, data: Buffer.from(file.bytes), contentType: file.mediaType }
}

interface NewMessage {
  readonly body: MessageBody
  readonly nonce: string
  readonly recipientId?: string
  readonly files?: RawFile[]
}

/**
 * Sends a new message and gives its id. Discord folds repeats of the same nonce for some minutes, and refuses
 * one whose message was removed since: who sends it again then wants a new one.
 */
export async function send(rest: REST, spot: Spot, message: NewMessage): Promise<string> {
  try {
    return await post(rest, spot, message)
  } catch (error) {
    if (discordCode(error) !== RESTJSONErrorCodes.UnknownMessage) throw error
    return await post(rest, spot, { ...message, nonce: `${message.nonce} again` })
  }
}

async function post(rest: REST, spot: Spot, message: NewMessage): Promise<string> {
  const sent = (await rest.post(Routes.channelMessages(spot.channelId), {
    body: {
      ...message.body,
      nonce: shortNonce(message.nonce),
      enforce_nonce: true,
      allowed_mentions: mayNotify(message.recipientId),
      ...(spot.replyTo === undefined
        ? {}
        : { message_reference: { message_id: spot.replyTo, fail_if_not_exists: false } }),
    },
    ...(message.files?.length ? { files: message.files } : {}),
  })) as APIMessage
  return sent.id
}

/** Replaces what a message of ours shows. */
export async function change(
  rest: REST,
  channelId: string,
  messageId: string,
  message: { readonly body: MessageBody; readonly recipientId?: string; readonly files?: RawFile[] },
): Promise<void> {
  await rest.patch(Routes.channelMessage(channelId, messageId), {
    body: { ...message.body, allowed_mentions: mayNotify(message.recipientId) },
    ...(message.files?.length ? { files: message.files } : {}),
  })
}
