import type { APIEmbed } from 'discord.js'
import type { World, WorldInteraction, WorldMessage, WorldModal } from './world.ts'

/** A component as plain data, whichever kind it is. */
export interface AnyComponent {
  readonly type: number
  readonly id?: number
  readonly custom_id?: string
  readonly label?: string
  readonly description?: string
  readonly content?: string
  readonly style?: number
  readonly url?: string
  readonly disabled?: boolean
  readonly placeholder?: string
  readonly value?: string
  readonly required?: boolean
  readonly min_values?: number
  readonly max_values?: number
  readonly min_length?: number
  readonly max_length?: number
  readonly options?: readonly {
    readonly label: string
    readonly value: string
    readonly description?: string
    readonly default?: boolean
  }[]
  readonly components?: readonly AnyComponent[]
  readonly component?: AnyComponent
  readonly accessory?: AnyComponent
  readonly file?: { readonly url: string }
}

/** Every component of a tree, in the order of the screen. */
export function allComponents(components: readonly object[]): AnyComponent[] {
  return (components as readonly AnyComponent[]).flatMap((component) => [
    component,
    ...allComponents(component.components ?? []),
    ...(component.component ? allComponents([component.component]) : []),
    ...(component.accessory ? allComponents([component.accessory]) : []),
  ])
}

function embedText(embed: APIEmbed): string[] {
  return [
    embed.author?.name,
    embed.title,
    embed.description,
    ...(embed.fields ?? []).flatMap((field) => [field.name, field.value]),
    embed.footer?.text,
  ].filter((text) => text !== undefined)
}

/** All the text of a message that a person reads, top to bottom, without the labels of buttons. */
export function visibleText(message: Pick<WorldMessage, 'content' | 'embeds' | 'components'>): string {
  return [
    message.content,
    ...message.embeds.flatMap(embedText),
    ...allComponents(message.components).flatMap((component) =>
      component.type === 10 && component.content !== undefined ? [component.content] : [],
    ),
  ]
    .filter((text) => text !== '')
    .join('\n')
}

/** A button as a person sees it. */
interface SeenButton {
  readonly label: string
  readonly disabled: boolean
  readonly style: number
  readonly customId: string | undefined
}

export function buttonsOf(message: Pick<WorldMessage, 'components'>): SeenButton[] {
  return allComponents(message.components)
    .filter((component) => component.type === 2)
    .map((button) => ({
      label: button.label ?? '',
      disabled: button.disabled ?? false,
      style: button.style ?? 0,
      customId: button.custom_id,
    }))
}

/** A select as a person sees it. */
export function selectsOf(message: Pick<WorldMessage, 'components'>): AnyComponent[] {
  return allComponents(message.components).filter((component) => component.type === 3)
}

/** What a person can look at: the reading half of the stand-in. */
export class Screen {
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Messages of a channel or thread in order. */
  messages(channelId: string): WorldMessage[] {
    return this.world.messagesIn(channelId)
  }

  /** Messages by the bot in a channel or thread, in order. */
  answers(channelId: string): WorldMessage[] {
    return this.messages(channelId).filter((message) => message.authorId === this.world.botId)
  }

  /** What one person alone sees, oldest first. */
  ephemerals(userId: string): WorldMessage[] {
    return [...this.world.messages.values()].filter(
      (message) => message.ephemeralFor === userId && message.removedAt === undefined,
    )
  }

  /** The modals that a person has open. */
  modals(userId: string): WorldModal[] {
    return this.world.modals.filter((modal) => modal.userId === userId && modal.open)
  }

  /** When the bot showed that it types in a channel. */
  typing(channelId: string): number[] {
    return this.world.typing.filter((sign) => sign.channelId === channelId).map((sign) => sign.at)
  }

  /** The threads under a channel. */
  threads(channelId: string): { readonly id: string; readonly name: string }[] {
    return [...this.world.channels.values()].filter((channel) => channel.parentId === channelId)
  }

  interactions(): WorldInteraction[] {
    return [...this.world.interactions.values()]
  }

  /** Every message of the bot that notified someone, with whom. */
  pings(): { readonly message: WorldMessage; readonly who: readonly string[] }[] {
    return [...this.world.messages.values()]
      .filter((message) => message.authorId === this.world.botId)
      .map((message) => ({
        message,
        who: [
          ...(message.pings.everyone ? ['@everyone'] : []),
          ...message.pings.users,
          ...message.pings.roles,
          ...(message.pings.repliedUser ? [message.pings.repliedUser] : []),
        ],
      }))
      .filter(({ who }) => who.length > 0)
  }

  /** The text of a message. */
  text(message: WorldMessage): string {
    return visibleText(message)
  }

  buttons(message: WorldMessage): SeenButton[] {
    return buttonsOf(message)
  }

  /** Waits until something is seen, looking again at every change, and gives it. */
  async until<T>(look: () => T | undefined | false | null, ms = 5_000): Promise<T> {
    const seen = (): T | undefined => look() || undefined
    const first = seen()
    if (first !== undefined) return first
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const check = () => {
      try {
        const value = seen()
        if (value !== undefined) resolve(value)
      } catch (error) {
        reject(error)
      }
    }
    const stop = this.world.onChange(check)
    // Also by time, for conditions that hang on the clock or on something beside the stand-in.
    const poll = setInterval(check, 20)
    const limit = setTimeout(() => reject(new Error(`Not seen within ${ms} ms: ${look}`)), ms)
    try {
      return await promise
    } finally {
      stop()
      clearInterval(poll)
      clearTimeout(limit)
    }
  }
}
