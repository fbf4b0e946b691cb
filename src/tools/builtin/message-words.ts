import type { Language } from '../../base/words.ts'
import type { ChannelName } from '../../channel/events.ts'

const en = {
  channels: { slack: 'Slack', discord: 'Discord', web: 'web chat' } satisfies Record<ChannelName, string>,
  direct: (name: string, channel: string) => `${name} · ${channel}, direct message`,
  room: (name: string, channel: string) => `${name} · ${channel}`,
  nobody: (name: string) => `I know nobody called "${name}" here`,
  noRoom: (name: string) => `I know no channel called "${name}" here`,
  nobodyOn: (name: string, channel: string) => `I know nobody called "${name}" on ${channel}`,
  noRoomOn: (name: string, channel: string) => `I know no channel called "${name}" on ${channel}`,
  several: (name: string, list: string) => `"${name}" may be any of: ${list}. Ask which one`,
  elsewhere: (name: string, wanted: string, channels: string) =>
    `${name} is not known to me on ${wanted}, but on ${channels}. Ask whether that will do`,
  off: (channel: string) =>
    `${channel} is not connected to me, so nothing can be sent there. Nothing was sent`,
  offFor: (name: string, channel: string) =>
    `${name} is only on ${channel}, which is not connected to me. Nothing was sent`,
  noLook: (name: string, why: string) => `"${name}" can't be looked up right now: ${why} Nothing was sent`,
  sent: (name: string) => `Message sent to ${name}`,
  sentOn: (name: string, channel: string) => `Message sent to ${name} on ${channel}`,
  or: ', ',
}

const zh: typeof en = {
  channels: { slack: 'Slack', discord: 'Discord', web: '网页聊天' },
  direct: (name, channel) => `${name} · ${channel}，私信`,
  room: (name, channel) => `${name} · ${channel}`,
  nobody: (name) => `我在这里不认识叫“${name}”的人`,
  noRoom: (name) => `这里没有我知道的频道“${name}”`,
  nobodyOn: (name, channel) => `我在 ${channel} 上不认识叫“${name}”的人`,
  noRoomOn: (name, channel) => `${channel} 上没有我知道的频道“${name}”`,
  several: (name, list) => `“${name}”可能是：${list}。请询问是哪一个`,
  elsewhere: (name, wanted, channels) =>
    `我在 ${wanted} 上不认识${name}，但在 ${channels} 上认识。请询问是否可以改用那里`,
  off: (channel) => `${channel} 没有接入，无法发送到那里。没有发送任何内容`,
  offFor: (name, channel) => `${name} 只在 ${channel} 上，而它没有接入。没有发送任何内容`,
  noLook: (name, why) => `现在无法查找“${name}”：${why} 没有发送任何内容`,
  sent: (name) => `已发送给 ${name}`,
  sentOn: (name, channel) => `已通过 ${channel} 发送给 ${name}`,
  or: '、',
}

/** What is said about whom a message goes to. */
export function messageWords(language: Language): typeof en {
  return language === 'zh' ? zh : en
}
