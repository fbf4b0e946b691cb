import { type APIAttachment, type APIMessage, InteractionType, MessageReferenceType } from 'discord.js'
import { mentionedRoles, mentionedUsers, namesEveryone } from './mentions.ts'
import { channelPayload, partialMember, userPayload } from './payloads.ts'
import { visibleText } from './screen.ts'
import type { World, WorldAttachment, WorldMessage } from './world.ts'

/** A timestamp as Discord writes it. */
function stamp(at: number): string {
  return new Date(at).toISOString().replace('Z', '000+00:00')
}

function attachmentPayload(cdn: string, message: WorldMessage, file: WorldAttachment): APIAttachment {
  const url = `${cdn}/attachments/${message.channelId}/${file.id}/${encodeURIComponent(file.filename)}?ex=1&is=1&hm=1`
  return {
    id: file.id,
    filename: file.filename,
    ...(file.description === undefined ? {} : { description: file.description }),
    size: file.bytes.length,
    url,
    proxy_url: url,
    content_type: file.contentType,
  }
}

/** A message as the API and the gateway's events give it. */
export function messagePayload(world: World, cdn: string, message: WorldMessage, depth = 0): APIMessage {
  const author = world.users.get(message.authorId)!
  const channel = world.channels.get(message.channelId)
  const text = visibleText(message)
  const mentioned = mentionedUsers(text).filter((id) => world.users.has(id))
  if (message.pings.repliedUser && !mentioned.includes(message.pings.repliedUser)) {
    mentioned.push(message.pings.repliedUser)
  }
  const replied = message.replyTo === undefined ? undefined : world.messages.get(message.replyTo)
  const forwarded = message.forwardOf
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: userPayload(author),
    content: message.content,
    timestamp: stamp(message.at),
    edited_timestamp: message.editedAt === undefined ? null : stamp(message.editedAt),
    tts: false,
    mention_everyone: namesEveryone(text) && message.pings.everyone,
    mentions: mentioned.map((id) => userPayload(world.users.get(id)!)),
    mention_roles: channel?.guildId === undefined ? [] : mentionedRoles(text),
    attachments: message.attachments.map((file) => attachmentPayload(cdn, message, file)),
    embeds: [...message.embeds],
    components: [...message.components],
    pinned: false,
    flags: message.flags,
    ...(message.webhookId === undefined ? {} : { webhook_id: message.webhookId }),
    ...(author.id === world.botId ? { application_id: world.applicationId } : {}),
    ...(message.replyTo === undefined
      ? {}
      : {
          message_reference: {
            type: MessageReferenceType.Default,
            message_id: message.replyTo,
            channel_id: replied?.channelId ?? message.channelId,
            ...(channel?.guildId ? { guild_id: channel.guildId } : {}),
          },
          ...(depth === 0
            ? {
                referenced_message:
                  replied && replied.removedAt === undefined
                    ? messagePayload(world, cdn, replied, depth + 1)
                    : null,
              }
            : {}),
        }),
    ...(forwarded
      ? {
          message_reference: {
            type: MessageReferenceType.Forward,
            message_id: forwarded.id,
            channel_id: forwarded.channelId,
          },
          message_snapshots: [
            {
              message: {
                type: forwarded.type,
                content: forwarded.content,
                embeds: [...forwarded.embeds],
                attachments: forwarded.attachments.map((file) => attachmentPayload(cdn, forwarded, file)),
                timestamp: stamp(forwarded.at),
                edited_timestamp: null,
                flags: forwarded.flags,
                mentions: [],
                mention_roles: [],
                components: [],
              },
            },
          ],
        }
      : {}),
    ...interactionFields(world, message),
    ...(message.threadId === undefined
      ? {}
      : { thread: channelPayload(world, world.channels.get(message.threadId)!) }),
  }
}

function interactionFields(world: World, message: WorldMessage): Partial<APIMessage> {
  const interaction =
    message.interactionId === undefined ? undefined : world.interactions.get(message.interactionId)
  if (!interaction) return {}
  const common = {
    id: interaction.id,
    user: userPayload(world.users.get(interaction.userId)!),
    authorizing_integration_owners: {},
  }
  return {
    interaction_metadata:
      interaction.type === 3
        ? {
            ...common,
            type: InteractionType.MessageComponent,
            interacted_message_id: interaction.messageId ?? interaction.id,
          }
        : { ...common, type: InteractionType.ApplicationCommand },
  }
}

/** The fields that the gateway adds to a message, and that the HTTP interface leaves out. */
export function gatewayFields(world: World, message: WorldMessage): object {
  const channel = world.channels.get(message.channelId)!
  const author = world.users.get(message.authorId)!
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId)
  return {
    channel_type: channel.type,
    // The nonce comes back to the sender's own gateway only, never in history.
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...(guild ? { guild_id: guild.id, member: partialMember(world, author, guild) } : {}),
  }
}
