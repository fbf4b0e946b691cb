import type { StandInDiscord } from '../../test/support/discord/discord.ts'
import { visibleText } from '../../test/support/discord/screen.ts'
import type { WorldMessage } from '../../test/support/discord/world.ts'
import { endMark, limited, type Platform, question, type Turn } from '../chat.ts'

/** Discord: a mention in a channel, answered in the thread that is opened for it, and further posts there. */
export function discordPlatform(
  discord: StandInDiscord,
  options: { readonly answersIn: 'thread' | 'channel' },
): Platform {
  const { world } = discord
  const answers = new Map<string, WorldMessage[]>()
  const watching = new Set<() => void>()
  const set = world.messages.set.bind(world.messages)
  world.messages.set = (id, message) => {
    if (message.authorId === world.botId) answers.get(message.channelId)?.push(message)
    return set(id, message)
  }
  world.onChange(() => {
    for (const look of [...watching]) look()
  })
  // Made before the bot connects: discord.js drops what is said in a channel that it has not heard of.
  const rooms = Array.from({ length: 64 }, (_, index) => discord.channel(`room-${index}`))
  let count = 0
  return {
    name: 'discord',
    calls: () => discord.requests.length,
    async open() {
      count += 1
      const person = discord.person(`Person${count}`)
      const channel = rooms.pop()
      if (!channel) throw new Error('More people talk at once than there are rooms.')
      let thread: string | undefined
      return {
        turn: (token, said = question(token)) =>
          new Promise<Turn>((resolve, reject) => {
            const stop = limited(token, reject)
            const typing = world.typing.length
            const sentAt = performance.now()
            const asked =
              thread === undefined || options.answersIn === 'channel'
                ? person.mention({ id: channel.id }, said)
                : person.post({ id: thread }, said)
            thread ??= asked.id
            const place = options.answersIn === 'thread' ? thread : channel.id
            const seen: WorldMessage[] = []
            answers.set(place, seen)
            const mark = endMark(token)
            let sign: number | undefined
            const look = () => {
              const now = performance.now() - sentAt
              const types = () =>
                world.typing
                  .slice(typing)
                  .some(({ channelId }) => channelId === place || channelId === channel.id)
              if (sign === undefined && (seen.length > 0 || types())) sign = now
              if (!seen.some((message) => visibleText(message).includes(mark))) return
              watching.delete(look)
              stop()
              resolve({ token, sentAt, acks: [], ...(sign === undefined ? {} : { sign }), finished: now })
            }
            watching.add(look)
          }),
        end: async () => void rooms.unshift(channel),
      }
    },
  }
}
