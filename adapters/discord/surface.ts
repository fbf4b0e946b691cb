import { type REST, RESTJSONErrorCodes, Routes } from 'discord.js'
import { languageOf } from '../../src/base/words.ts'
import type { Part, ReplyTarget, Surface } from '../../src/channel/port.ts'
import { discordMarkdown, surfaceLimit } from './markdown.ts'
import { change, rawFile, send, textBody } from './messages.ts'
import type { Places, Spot } from './places.ts'
import { discordCode } from './refusal.ts'
import type { Typing } from './typing.ts'
import { discordWords } from './words.ts'

/** Discord takes about five changes in five seconds; people read no faster than one a second. */
const editInterval = 1_000

/** The messages of one reply on Discord. */
export function createSurface(
  parts: { readonly rest: REST; readonly places: Places; readonly typing: Typing },
  target: ReplyTarget,
): Surface {
  const { rest, places, typing } = parts
  const { thread, recipientId } = target
  /** The message that says why the answer stands in the channel. */
  let noted: string | undefined
  let sent = 0

  const bodyOf = (part: Part, spot: Spot, first: boolean) => {
    const text = discordMarkdown(part.text)
    const note = `\n-# ${discordWords(languageOf(part.text)).answersHere}`
    return textBody(first && spot.replyTo !== undefined ? text + note : text, part.actions)
  }

  return {
    characters: surfaceLimit,
    interval: editInterval,
    async create(part, nonce) {
      const first = sent === 0
      const id = await places.act(thread, 'a message', async (spot) => {
        const messageId = await send(rest, spot, { body: bodyOf(part, spot, first), nonce, recipientId })
        if (first && spot.replyTo !== undefined) noted = messageId
        return messageId
      })
      sent += 1
      typing.answered(thread)
      return id
    },
    async edit(messageId, part) {
      await places.act(thread, 'the change of a message', (spot) =>
        change(rest, spot.channelId, messageId, {
          body: bodyOf(part, spot, messageId === noted),
          recipientId,
        }),
      )
    },
    async remove(messageId) {
      await places.act(thread, 'the removal of a message', async (spot) => {
        try {
          await rest.delete(Routes.channelMessage(spot.channelId, messageId))
        } catch (error) {
          if (discordCode(error) !== RESTJSONErrorCodes.UnknownMessage) throw error
        }
      })
    },
    async attach(file, nonce) {
      return await places.act(thread, 'a file', (spot) =>
        send(rest, spot, {
          body: { attachments: [{ id: 0, filename: file.name }] },
          nonce,
          files: [rawFile(file)],
        }),
      )
    },
    async close() {
      typing.stop(thread)
    },
  }
}
