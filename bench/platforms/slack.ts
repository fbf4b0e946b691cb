import type { StandInSlack } from '../../test/support/slack/server.ts'
import type { Message } from '../../test/support/slack/workspace.ts'
import { endMark, limited, type Platform, question, type Turn } from '../chat.ts'

/** By the clock that the stand-in is started with, so that its times have fractions of a millisecond. */
export const preciseNow = () => performance.timeOrigin + performance.now()

/** Slack: mentions in a channel, each answered in its thread, and further posts in that thread. */
export function slackPlatform(slack: StandInSlack, options: { readonly mentionAlways: boolean }): Platform {
  const watching = new Map<string, (message: Message) => void>()
  const { news } = slack
  // What people see changes where Slack would tell the app of it.
  for (const name of ['posted', 'changed'] as const) {
    const tell = news[name].bind(news)
    news[name] = (message: Message) => {
      tell(message)
      watching.get(message.threadTs ?? message.ts)?.(message)
    }
  }
  let count = 0
  return {
    name: 'slack',
    calls: () => slack.calls.length,
    async open() {
      count += 1
      const person = slack.person(`Person${count}`)
      const room = slack.channel(`room-${count}`, [person])
      let root: Message | undefined
      return {
        turn: (token, said = question(token)) =>
          new Promise<Turn>((resolve, reject) => {
            const stop = limited(token, reject)
            const told = slack.deliveries.all.length
            const statuses = slack.workspace.statuses.length
            const at = preciseNow()
            const sentAt = performance.now()
            const post =
              root === undefined
                ? person.mention(room, said)
                : person.reply(root, options.mentionAlways ? `<@${slack.workspace.bot.id}> ${said}` : said)
            root ??= post
            const deliveries = slack.deliveries.all.slice(told)
            const key = root.ts
            const mark = endMark(token)
            watching.set(key, (message) => {
              if (message.author !== slack.workspace.bot.id || !message.text.includes(mark)) return
              if (message.stream && message.stream.state !== 'completed') return
              const finished = performance.now() - sentAt
              watching.delete(key)
              const signs = [
                ...slack.workspace.statuses
                  .slice(statuses)
                  .filter((status) => status.threadTs === key && status.status !== ''),
                ...message.history,
              ].map((seen) => seen.at - at)
              Promise.all(deliveries.map((delivery) => delivery.done)).then((outcomes) => {
                stop()
                const acks = outcomes.map(({ tookMs }) => tookMs)
                resolve({ token, sentAt, acks, sign: Math.min(...signs), finished })
              }, reject)
            })
          }),
        end: async () => {},
      }
    },
  }
}
