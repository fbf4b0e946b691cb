import { PermissionFlagsBits } from 'discord.js'
import type { CommandBody } from './check-command.ts'
import { botPermissions, channelPayload, memberPayload, userPayload } from './payloads.ts'
import { type Posts, scope } from './posts.ts'
import { type AnyComponent, allComponents, buttonsOf, selectsOf } from './screen.ts'
import type { WorldInteraction, WorldMessage, WorldModal } from './world.ts'

/** The value of a command's option. */
export type CommandOption = string | number | boolean

interface StoredCommand extends CommandBody {
  readonly id: string
}

/** What a person does with buttons, selects, modals and commands: each makes an interaction. */
export class Hands {
  private readonly posts: Posts
  private readonly lateAfter: () => number
  private readonly timers: Set<NodeJS.Timeout>
  /** The language of the person's client. */
  locale = 'en-US'

  constructor(posts: Posts, lateAfter: () => number, timers: Set<NodeJS.Timeout>) {
    this.posts = posts
    this.lateAfter = lateAfter
    this.timers = timers
  }

  click(userId: string, message: WorldMessage, label: string): WorldInteraction {
    const button = buttonsOf(message).find((one) => one.label === label)
    if (!button) {
      const labels = buttonsOf(message).map((one) => one.label)
      throw new Error(`There is no button "${label}", only: ${labels.join(', ') || 'none'}.`)
    }
    if (button.disabled) throw new Error(`The button "${label}" is disabled.`)
    this.mustSee(userId, message)
    return this.interact(3, userId, message.channelId, {
      message,
      data: { custom_id: button.customId, component_type: 2, id: 1 },
    })
  }

  /** Presses a button that is no longer on screen, as a slow client or a forger would. */
  forge(userId: string, message: WorldMessage, customId: string): WorldInteraction {
    return this.interact(3, userId, message.channelId, {
      message,
      data: { custom_id: customId, component_type: 2, id: 1 },
    })
  }

  select(userId: string, message: WorldMessage, labels: readonly string[]): WorldInteraction {
    this.mustSee(userId, message)
    const menu = selectsOf(message).find((one) =>
      labels.every((label) => one.options?.some((option) => option.label === label)),
    )
    if (!menu) throw new Error(`No select offers ${labels.join(', ')}.`)
    if (menu.disabled) throw new Error('The select is disabled.')
    if (labels.length < (menu.min_values ?? 1) || labels.length > (menu.max_values ?? 1)) {
      throw new Error(`The select takes ${menu.min_values ?? 1} to ${menu.max_values ?? 1} choices.`)
    }
    return this.interact(3, userId, message.channelId, {
      message,
      data: {
        custom_id: menu.custom_id,
        component_type: 3,
        id: menu.id ?? 1,
        values: labels.map((label) => menu.options!.find((option) => option.label === label)!.value),
      },
    })
  }

  submit(userId: string, modal: WorldModal, values: Readonly<Record<string, string>>): WorldInteraction {
    if (!modal.open || modal.userId !== userId) throw new Error('That modal is not open for this person.')
    const used = new Set<string>()
    const components = (modal.components as readonly AnyComponent[]).map((component) => {
      if (component.type === 18) {
        return {
          type: 18,
          id: 1,
          component: filled(component.component!, component.label ?? '', values, used),
        }
      }
      if (component.type === 1) {
        return {
          type: 1,
          id: 1,
          components: (component.components ?? []).map((child) =>
            filled(child, child.label ?? '', values, used),
          ),
        }
      }
      return { type: component.type, id: 1 }
    })
    const unknown = Object.keys(values).filter((label) => !used.has(label))
    if (unknown.length > 0) throw new Error(`The modal has no field ${unknown.join(', ')}.`)
    modal.open = false
    const message = modal.messageId === undefined ? undefined : this.posts.world.messages.get(modal.messageId)
    return this.interact(5, userId, modal.channelId, {
      data: { custom_id: modal.customId, components },
      ...(message ? { message } : {}),
    })
  }

  command(
    userId: string,
    channelId: string,
    path: string,
    options: Readonly<Record<string, CommandOption>>,
  ): WorldInteraction {
    const { world } = this.posts
    const [name, ...subcommands] = path.split(' ')
    const channel = world.channels.get(channelId)!
    const registered = [
      ...(world.commands.get('global') ?? []),
      ...(channel.guildId === undefined ? [] : (world.commands.get(channel.guildId) ?? [])),
    ] as unknown as StoredCommand[]
    const command = registered.find((one) => one.name === name)
    if (!command) throw new Error(`There is no command /${name}.`)
    const context = channel.guildId === undefined ? 1 : 0
    if (command.contexts && !command.contexts.includes(context)) {
      throw new Error(`/${name} is not offered here.`)
    }
    let spot: CommandBody = command
    for (const word of subcommands) {
      const next = spot.options?.find((option) => option.name === word && (option.type ?? 0) <= 2)
      if (!next) throw new Error(`/${name} has no ${word}.`)
      spot = next
    }
    for (const option of spot.options ?? []) {
      if (option.required && !(option.name! in options)) throw new Error(`${option.name} is required.`)
    }
    let given: object[] = Object.entries(options).map(([key, value]) => {
      const option = spot.options?.find((one) => one.name === key)
      if (!option) throw new Error(`${path} has no option ${key}.`)
      return { name: key, type: option.type, value }
    })
    let parent: CommandBody = command
    const chain = subcommands.map((word) => {
      parent = parent.options!.find((option) => option.name === word)!
      return { name: word, type: parent.type }
    })
    for (const step of chain.reverse()) given = [{ ...step, options: given }]
    return this.interact(2, userId, channelId, {
      commandName: path,
      data: { id: command.id, name, type: 1, options: given },
    })
  }

  private mustSee(userId: string, message: WorldMessage): void {
    if (message.removedAt !== undefined) throw new Error('That message is gone.')
    if (message.ephemeralFor && message.ephemeralFor !== userId)
      throw new Error('Only someone else sees that.')
  }

  private interact(
    type: 2 | 3 | 5,
    userId: string,
    channelId: string,
    what: { readonly data: object; readonly message?: WorldMessage; readonly commandName?: string },
  ): WorldInteraction {
    const { world } = this.posts
    const channel = world.channels.get(channelId)!
    const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId)
    const user = world.users.get(userId)!
    const interaction: WorldInteraction = {
      id: world.snowflake(),
      token: `token-${world.snowflake()}-${'x'.repeat(60)}`,
      type,
      userId,
      channelId,
      at: world.now(),
      followUps: [],
      failed: false,
      ...(channel.guildId === undefined ? {} : { guildId: channel.guildId }),
      ...(what.message ? { messageId: what.message.id } : {}),
      ...(what.commandName === undefined ? {} : { commandName: what.commandName }),
    }
    world.interactions.set(interaction.id, interaction)
    this.posts.gateway.dispatch({
      t: 'INTERACTION_CREATE',
      d: {
        id: interaction.id,
        application_id: world.applicationId,
        type,
        data: what.data,
        channel_id: channelId,
        channel: channelPayload(world, channel),
        token: interaction.token,
        version: 1,
        locale: this.locale,
        entitlements: [],
        authorizing_integration_owners: guild ? { '0': guild.id } : { '0': '0' },
        context: guild ? 0 : 1,
        attachment_size_limit: 10 * 1024 * 1024,
        app_permissions: botPermissions.toString(),
        ...(what.message ? { message: this.posts.payload(what.message) } : {}),
        ...(guild
          ? {
              guild_id: guild.id,
              guild: { id: guild.id, locale: 'en-US', features: [] },
              guild_locale: 'en-US',
              member: {
                ...memberPayload(world, user, guild),
                permissions: PermissionFlagsBits.SendMessages.toString(),
              },
            }
          : { user: userPayload(user) }),
      },
      ...scope(channel),
    })
    const timer = setTimeout(
      () => {
        this.timers.delete(timer)
        interaction.failed = interaction.answer === undefined
        world.changed()
      },
      Math.max(0, this.lateAfter()),
    )
    this.timers.add(timer)
    return interaction
  }
}

/** A field of a modal with what the person typed or what stood there, within what the client lets through. */
function filled(
  field: AnyComponent,
  label: string,
  values: Readonly<Record<string, string>>,
  used: Set<string>,
): object {
  const id = field.custom_id ?? ''
  const key = label in values ? label : id
  const typed = key in values ? values[key] : undefined
  if (typed !== undefined) used.add(key)
  if (field.type === 3) {
    const chosen =
      typed === undefined
        ? (field.options ?? []).filter((option) => option.default)
        : (field.options ?? []).filter((option) => option.label === typed || option.value === typed)
    if (typed !== undefined && chosen.length === 0) throw new Error(`"${label}" does not offer ${typed}.`)
    if (chosen.length === 0 && field.required !== false) throw new Error(`"${label}" needs a choice.`)
    return { type: 3, id: 1, custom_id: id, values: chosen.map((option) => option.value) }
  }
  const value = typed ?? field.value ?? ''
  if (value === '' && field.required !== false) throw new Error(`"${label}" must be filled in.`)
  if (value.length > (field.max_length ?? 4000))
    throw new Error(`"${label}" takes ${field.max_length} characters.`)
  if (value !== '' && value.length < (field.min_length ?? 0)) throw new Error(`"${label}" is too short.`)
  return { type: 4, id: 1, custom_id: id, value }
}

/** Every field of a modal as a person sees it: its label, hint and value. */
export function fieldsOf(
  modal: WorldModal,
): { readonly label: string; readonly hint: string; readonly value: string }[] {
  return (modal.components as readonly AnyComponent[]).flatMap((component) => {
    const field = component.component ?? component.components?.[0]
    if (!field) return []
    const chosen = field.options?.find((option) => option.default)
    return [
      {
        label: component.label ?? field.label ?? '',
        hint: component.description ?? '',
        value: chosen?.label ?? field.value ?? '',
      },
    ]
  })
}

/** The text of a modal that is no field. */
export function modalText(modal: WorldModal): string {
  return allComponents(modal.components)
    .flatMap((component) => (component.type === 10 ? [component.content ?? ''] : []))
    .join('\n')
}
