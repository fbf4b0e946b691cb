import type { APIAllowedMentions, APIEmbed, APIMessageTopLevelComponent } from 'discord.js'
import type { UploadedFile } from './body.ts'
import type { GatewayServer } from './gateway.ts'
import { pingsOf } from './mentions.ts'
import { gatewayFields, messagePayload } from './message-payload.ts'
import { channelPayload } from './payloads.ts'
import { type AnyComponent, visibleText } from './screen.ts'
import type { World, WorldAttachment, WorldChannel, WorldMessage } from './world.ts'

/** A new message, by whomever. */
export interface NewMessage {
  readonly id?: string
  readonly channelId: string
  readonly authorId: string
  readonly type?: number
  readonly content?: string
  readonly embeds?: readonly APIEmbed[]
  readonly components?: readonly AnyComponent[]
  readonly attachments?: readonly WorldAttachment[]
  readonly flags?: number
  readonly allowed?: APIAllowedMentions | undefined
  readonly replyTo?: string
  readonly forwardOf?: WorldMessage
  readonly nonce?: string | number
  readonly ephemeralFor?: string
  readonly interactionId?: string
  readonly webhookId?: string
  /** Milliseconds; now where not given. */
  readonly at?: number
  /** No event: what was said while nobody was connected. */
  readonly silent?: boolean
}

/** Writes, changes and removes messages, and tells the gateway of it. */
export class Posts {
  readonly world: World
  readonly gateway: GatewayServer
  /** Address of the file store. */
  readonly cdn: () => string

  constructor(world: World, gateway: GatewayServer, cdn: () => string) {
    this.world = world
    this.gateway = gateway
    this.cdn = cdn
  }

  create(fields: NewMessage): WorldMessage {
    const at = fields.at ?? this.world.now()
    const content = (fields.content ?? '').trim()
    const embeds = fields.embeds ?? []
    const components = this.numbered(fields.components ?? [])
    const replied = fields.replyTo === undefined ? undefined : this.world.messages.get(fields.replyTo)
    const message: WorldMessage = {
      id: fields.id ?? this.world.snowflake(fields.at),
      channelId: fields.channelId,
      authorId: fields.authorId,
      type: fields.type ?? (fields.replyTo === undefined ? 0 : 19),
      at,
      content,
      embeds,
      components,
      attachments: fields.attachments ?? [],
      flags: fields.flags ?? 0,
      looks: [{ at, content, embeds, components }],
      pings: pingsOf(
        this.world,
        visibleText({ content, embeds: [], components }),
        fields.allowed,
        replied?.authorId,
      ),
      ...(fields.replyTo === undefined ? {} : { replyTo: fields.replyTo }),
      ...(fields.forwardOf ? { forwardOf: fields.forwardOf } : {}),
      ...(fields.nonce === undefined ? {} : { nonce: fields.nonce }),
      ...(fields.allowed ? { allowedMentions: fields.allowed } : {}),
      ...(fields.ephemeralFor === undefined ? {} : { ephemeralFor: fields.ephemeralFor }),
      ...(fields.interactionId === undefined ? {} : { interactionId: fields.interactionId }),
      ...(fields.webhookId === undefined ? {} : { webhookId: fields.webhookId }),
    }
    this.world.messages.set(message.id, message)
    if (!fields.silent) this.tell('MESSAGE_CREATE', message)
    return message
  }

  /** Changes what people see of a message. A person's or bot's edit has a stamp, an unfolded link has none. */
  change(
    message: WorldMessage,
    next: {
      readonly content?: string
      readonly embeds?: readonly APIEmbed[]
      readonly components?: readonly AnyComponent[]
      readonly attachments?: readonly WorldAttachment[]
      readonly flags?: number
    },
    edited: boolean,
  ): void {
    const at = this.world.now()
    if (next.content !== undefined) message.content = next.content.trim()
    if (next.embeds) message.embeds = next.embeds
    if (next.components) message.components = this.numbered(next.components)
    if (next.attachments) message.attachments = next.attachments
    if (next.flags !== undefined) message.flags = next.flags
    if (edited) message.editedAt = Math.max(at, (message.editedAt ?? 0) + 1)
    message.looks.push({
      at,
      content: message.content,
      embeds: message.embeds,
      components: message.components,
    })
    this.tell('MESSAGE_UPDATE', message)
  }

  remove(message: WorldMessage): void {
    message.removedAt = this.world.now()
    const channel = this.world.channels.get(message.channelId)!
    this.gateway.dispatch({
      t: 'MESSAGE_DELETE',
      d: {
        id: message.id,
        channel_id: message.channelId,
        ...(channel.guildId ? { guild_id: channel.guildId } : {}),
      },
      ...scope(channel),
    })
  }

  /** Tells of a message as it is now. */
  tell(t: string, message: WorldMessage): void {
    const channel = this.world.channels.get(message.channelId)!
    if (this.world.denied(channel, 'ViewChannel')) {
      this.world.changed()
      return
    }
    this.gateway.dispatch({
      t,
      d: { ...this.payload(message), ...gatewayFields(this.world, message) },
      ...scope(channel),
    })
  }

  /** Tells of a new thread. */
  tellThread(thread: WorldChannel): void {
    this.gateway.dispatch({
      t: 'THREAD_CREATE',
      d: { ...channelPayload(this.world, thread), newly_created: true },
      ...scope(thread),
    })
  }

  payload(message: WorldMessage): object {
    return messagePayload(this.world, this.cdn(), message)
  }

  /** Stores the files of a request. */
  store(
    files: readonly UploadedFile[],
    described: readonly {
      readonly id: string | number
      readonly filename?: string
      readonly description?: string
    }[],
  ): WorldAttachment[] {
    return files.map((file) => {
      const meta = described.find((one) => Number(one.id) === file.index)
      return {
        id: this.world.snowflake(),
        filename: meta?.filename ?? file.name,
        ...(meta?.description === undefined ? {} : { description: meta.description }),
        contentType: file.contentType,
        bytes: file.bytes,
      }
    })
  }

  /** Discord numbers the components of a message that has none. */
  private numbered(components: readonly AnyComponent[]): APIMessageTopLevelComponent[] {
    let next = 1
    const walk = (component: AnyComponent): AnyComponent => ({
      ...component,
      id: component.id ?? next++,
      ...(component.components ? { components: component.components.map(walk) } : {}),
      ...(component.accessory ? { accessory: walk(component.accessory) } : {}),
    })
    return components.map(walk) as unknown as APIMessageTopLevelComponent[]
  }
}

/** Where an event of a channel belongs. */
export function scope(channel: WorldChannel): { guildId?: string; direct?: boolean } {
  return channel.guildId === undefined ? { direct: true } : { guildId: channel.guildId }
}
