import {
  type APIInteraction,
  type APIMessage,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  ComponentType,
  InteractionType,
  MessageFlags,
} from 'discord.js'
import { type Author, type InboundEvent, interactionKey } from '../../src/channel/events.ts'
import type { Asked } from './answer.ts'
import { type CustomId, readCustomId } from './custom-ids.ts'
import { type MessagePlace, placeOf } from './events.ts'
import { readModal } from './forms.ts'
import { languageOfLocale } from './words.ts'

/** An interaction, read: what was done, by whom, where. */
export interface ReadInteraction {
  readonly asked: Asked
  readonly author: Author
  readonly place: MessagePlace
  readonly at: Date
  readonly did:
    | { readonly kind: 'button'; readonly id: CustomId }
    | { readonly kind: 'select'; readonly id: CustomId; readonly values: readonly string[] }
    | { readonly kind: 'modal'; readonly id: CustomId; readonly fields: Readonly<Record<string, string>> }
    | { readonly kind: 'command'; readonly name: string; readonly text: string }
}

const threadTypes: ReadonlySet<ChannelType> = new Set([
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
])

/** Reads an interaction; nothing where it is of a kind that we do not offer. */
export function readInteraction(interaction: APIInteraction, at: Date): ReadInteraction | undefined {
  const user = interaction.member?.user ?? interaction.user
  const { channel } = interaction
  const did = whatWasDone(interaction)
  if (!user || !channel || !did) return undefined
  const message = 'message' in interaction ? (interaction.message as APIMessage | undefined) : undefined
  const flags = message?.flags ?? 0
  return {
    did,
    at,
    asked: {
      id: interaction.id,
      token: interaction.token,
      applicationId: interaction.application_id,
      channelId: channel.id,
      kind: did.kind === 'modal' || did.kind === 'command' ? did.kind : 'component',
      ...(message
        ? {
            message: {
              id: message.id,
              ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
              layout: (flags & MessageFlags.IsComponentsV2) !== 0,
            },
          }
        : {}),
    },
    author: {
      userId: user.id,
      name: interaction.member?.nick ?? user.global_name ?? user.username,
      ...('locale' in interaction ? { language: languageOfLocale(interaction.locale) } : {}),
    },
    place: placeOf(
      {
        id: channel.id,
        guildId: interaction.guild_id ?? null,
        isThread: threadTypes.has(channel.type),
        parentId: 'parent_id' in channel ? (channel.parent_id ?? null) : null,
      },
      // A card that stands in the channel itself belongs to the message that it answers.
      message?.message_reference?.message_id ?? channel.id,
    ),
  }
}

function whatWasDone(interaction: APIInteraction): ReadInteraction['did'] | undefined {
  switch (interaction.type) {
    case InteractionType.MessageComponent: {
      const { data } = interaction
      const id = readCustomId(data.custom_id)
      if (data.component_type === ComponentType.Button) return { kind: 'button', id }
      return data.component_type === ComponentType.StringSelect
        ? { kind: 'select', id, values: data.values }
        : undefined
    }
    case InteractionType.ModalSubmit:
      return {
        kind: 'modal',
        id: readCustomId(interaction.data.custom_id),
        fields: readModal(interaction.data),
      }
    case InteractionType.ApplicationCommand: {
      const { data } = interaction
      if (data.type !== ApplicationCommandType.ChatInput) return undefined
      const [sub] = data.options ?? []
      if (sub?.type !== ApplicationCommandOptionType.Subcommand) return undefined
      const words = (sub.options ?? []).map((option) => ('value' in option ? String(option.value) : ''))
      return { kind: 'command', name: sub.name, text: words.join(' ').trim() }
    }
    default:
      return undefined
  }
}

/** The event for the gateway; the action in it may be another than the button's own name says. */
export function eventOf(
  read: ReadInteraction,
  action: { readonly action: string; readonly value?: string; readonly messageId?: string },
): InboundEvent {
  const base = {
    dedupeKey: interactionKey('discord', read.asked.id),
    thread: read.place.thread,
    threadKind: read.place.threadKind,
    author: read.author,
    at: read.at,
  }
  const value = action.value === undefined ? {} : { value: action.value }
  const messageId = action.messageId ?? read.asked.message?.id
  switch (read.did.kind) {
    case 'button':
    case 'select':
      return {
        ...base,
        kind: 'action',
        action: action.action,
        ...value,
        ...(messageId === undefined ? {} : { messageId }),
      }
    case 'modal':
      return { ...base, kind: 'form', action: action.action, ...value, fields: read.did.fields }
    case 'command':
      return { ...base, kind: 'command', name: read.did.name, text: read.did.text }
    default:
      return read.did satisfies never
  }
}
