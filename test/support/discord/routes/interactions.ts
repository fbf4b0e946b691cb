import { InteractionResponseType } from 'discord.js'
import { refusals } from '../api-error.ts'
import { checkMessage, flags, type MessageBody } from '../check-message.ts'
import { checkModal, type ModalBody } from '../check-modal.ts'
import { Form } from '../form.ts'
import type { Posts } from '../posts.ts'
import type { RestRequest, Route } from '../rest.ts'
import type { WorldInteraction, WorldMessage } from '../world.ts'
import { edit } from './messages.ts'

/** How long a token serves: 15 minutes. */
const tokenLife = 15 * 60_000

/** Answers to interactions, and what their token allows later. */
export function interactionRoutes(posts: Posts, options: { readonly lateAfter: () => number }): Route[] {
  const { world } = posts
  return [
    {
      method: 'POST',
      path: /^\/interactions\/(\d+)\/([^/]+)\/callback$/,
      open: true,
      handle: (request) => {
        const interaction = world.interactions.get(request.params[0]!)
        if (!interaction || interaction.token !== request.params[1]) throw refusals.unknownInteraction()
        if (interaction.answer) throw refusals.alreadyAcknowledged()
        if (world.now() - interaction.at > options.lateAfter()) throw refusals.unknownInteraction()
        answer(posts, interaction, request)
        interaction.answeredAt = world.now()
        if (request.query.get('with_response') !== 'true') return undefined
        return {
          interaction: { id: interaction.id, type: interaction.type },
          resource: resource(posts, interaction),
        }
      },
    },
    {
      method: 'POST',
      path: /^\/webhooks\/(\d+)\/([^/]+)$/,
      open: true,
      handle: (request) => {
        const interaction = byToken(posts, request)
        if (!interaction.answer) throw refusals.unknownWebhook()
        const deferred = interaction.answer.kind === 'deferred' ? interaction.answer : undefined
        const message = newMessage(posts, interaction, request, deferred?.ephemeral)
        // The first message after a deferral takes the place of "thinking…".
        if (deferred) interaction.answer = { kind: 'message', message, ephemeral: deferred.ephemeral }
        else interaction.followUps.push(message)
        return posts.payload(message)
      },
    },
    {
      method: 'GET',
      path: /^\/webhooks\/(\d+)\/([^/]+)\/messages\/(@original|\d+)$/,
      open: true,
      handle: (request) => posts.payload(ownMessage(posts, byToken(posts, request), request.params[2]!)),
    },
    {
      method: 'PATCH',
      path: /^\/webhooks\/(\d+)\/([^/]+)\/messages\/(@original|\d+)$/,
      open: true,
      handle: (request) => {
        const interaction = byToken(posts, request)
        if (request.params[2] === '@original' && interaction.answer?.kind === 'deferred') {
          const message = newMessage(posts, interaction, request, interaction.answer.ephemeral)
          interaction.answer = { kind: 'message', message, ephemeral: interaction.answer.ephemeral }
          return posts.payload(message)
        }
        const message = ownMessage(posts, interaction, request.params[2]!)
        edit(posts, message, request)
        return posts.payload(message)
      },
    },
    {
      method: 'DELETE',
      path: /^\/webhooks\/(\d+)\/([^/]+)\/messages\/(@original|\d+)$/,
      open: true,
      handle: (request) => {
        posts.remove(ownMessage(posts, byToken(posts, request), request.params[2]!))
        return undefined
      },
    },
  ]
}

function byToken(posts: Posts, request: RestRequest): WorldInteraction {
  const [application, token] = request.params
  if (application !== posts.world.applicationId) throw refusals.unknownWebhook()
  const interaction = [...posts.world.interactions.values()].find((one) => one.token === token)
  if (!interaction) throw refusals.unknownWebhook()
  if (posts.world.now() - interaction.at > tokenLife) throw refusals.invalidWebhookToken()
  return interaction
}

function ownMessage(posts: Posts, interaction: WorldInteraction, id: string): WorldMessage {
  const { answer } = interaction
  if (id === '@original') {
    if (answer?.kind === 'message' || answer?.kind === 'update') return answer.message
    const clicked =
      answer?.kind === 'deferred-update' && interaction.messageId !== undefined
        ? posts.world.messages.get(interaction.messageId)
        : undefined
    if (clicked && clicked.removedAt === undefined) return clicked
    throw refusals.unknownMessage()
  }
  const message = posts.world.messages.get(id)
  if (!message || message.interactionId !== interaction.id) throw refusals.unknownMessage()
  return message
}

function resource(posts: Posts, interaction: WorldInteraction): object {
  const { answer } = interaction
  if (answer?.kind === 'message') return { type: 4, message: posts.payload(answer.message) }
  if (answer?.kind === 'update') return { type: 7, message: posts.payload(answer.message) }
  return {}
}

function answer(posts: Posts, interaction: WorldInteraction, request: RestRequest): void {
  const { type, data } = request.json as { type: number; data?: MessageBody & ModalBody }
  const inner: RestRequest = { ...request, json: data ?? {} }
  const clicked =
    interaction.messageId === undefined ? undefined : posts.world.messages.get(interaction.messageId)
  switch (type) {
    case InteractionResponseType.ChannelMessageWithSource: {
      const message = newMessage(posts, interaction, inner, undefined)
      interaction.answer = { kind: 'message', message, ephemeral: message.ephemeralFor !== undefined }
      return
    }
    case InteractionResponseType.DeferredChannelMessageWithSource:
      interaction.answer = { kind: 'deferred', ephemeral: ((data?.flags ?? 0) & flags.ephemeral) !== 0 }
      return
    case InteractionResponseType.DeferredMessageUpdate:
      if (!clicked) throw refuseType(type)
      interaction.answer = { kind: 'deferred-update' }
      return
    case InteractionResponseType.UpdateMessage:
      if (!clicked) throw refuseType(type)
      edit(posts, clicked, inner)
      interaction.answer = { kind: 'update', message: clicked }
      return
    case InteractionResponseType.Modal: {
      // A modal can't be the answer to a modal.
      if (interaction.type === 5) throw refuseType(type)
      const body = data ?? {}
      checkModal(body)
      const modal = {
        id: interaction.id,
        title: body.title ?? '',
        customId: body.custom_id ?? '',
        components: body.components ?? [],
        userId: interaction.userId,
        channelId: interaction.channelId,
        ...(interaction.messageId === undefined ? {} : { messageId: interaction.messageId }),
        open: true,
      }
      posts.world.modals.push(modal)
      interaction.answer = { kind: 'modal', modal }
      return
    }
    default:
      throw refuseType(type)
  }
}

function refuseType(type: number): Error {
  const form = new Form()
  form.add(['type'], 'BASE_TYPE_CHOICES', `Value "${type}" is not possible for this interaction.`)
  try {
    form.refuse()
  } catch (error) {
    return error as Error
  }
  return new Error('unreachable')
}

function newMessage(
  posts: Posts,
  interaction: WorldInteraction,
  request: Pick<RestRequest, 'json' | 'files'>,
  ephemeral: boolean | undefined,
): WorldMessage {
  const body = (request.json ?? {}) as MessageBody
  const hidden = ephemeral ?? ((body.flags ?? 0) & flags.ephemeral) !== 0
  const draft = {
    content: body.content ?? '',
    embeds: body.embeds ?? [],
    components: body.components ?? [],
    attachments: posts.store(request.files, body.attachments ?? []),
    flags: ((body.flags ?? 0) & (flags.layout | flags.suppressEmbeds)) | (hidden ? flags.ephemeral : 0),
  }
  checkMessage(body, draft)
  return posts.create({
    channelId: interaction.channelId,
    authorId: posts.world.botId,
    type: interaction.type === 2 ? 20 : 0,
    ...draft,
    // Answers to interactions notify users that they name unless told otherwise, nothing else.
    allowed: body.allowed_mentions ?? { parse: ['users' as never] },
    interactionId: interaction.id,
    webhookId: posts.world.applicationId,
    ...(hidden ? { ephemeralFor: interaction.userId } : {}),
  })
}
