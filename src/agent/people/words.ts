import type { Language } from '../../base/words.ts'
import type { ChannelName } from '../../channel/events.ts'

const en = {
  channels: { slack: 'Slack', discord: 'Discord', web: 'web chat' } satisfies Record<ChannelName, string>,
  /** An identity, as its owner is told of it. */
  identity: (name: string, channel: string) => `**${name}** (${channel})`,
  and: ' and ',
  from: (name: string, channel: string) => `${name} (${channel})`,
  asked: (name: string) => `${name} asked me to tell you:`,
  off: (channel: string) => `${channel} is not connected to me any more, so nothing was sent.`,
  code: (code: string, minutes: number) =>
    `Your code is **${code}**. Say \`/hermes link ${code}\` to me where you write as well, within ${minutes} minutes. It counts once. Give it to nobody: whoever says it becomes the same person as you to me.`,
  codeKept: 'A code for linking was shown here; it is not kept. `/hermes link` gives a new one.',
  bySlash: 'Write `/hermes link`: I show the code to you alone.',
  linkedAre: (list: string) =>
    `These are one person to me: ${list}. \`/hermes link off\` parts the one that says it.`,
  offer: (shown: string, said: string) =>
    `Link ${shown} with ${said}? From then on they are one person to me: memories, reminders, permissions and open confirmations are shared. Go on only if both are you.`,
  nameOnly: 'In the web chat a name is taken as it is given: whoever can write there under it counts as you.',
  sayYes: 'Say `link yes` or `link no`.',
  link: 'Link',
  cancel: 'Cancel',
  linked: (shown: string, said: string) => `${shown} and ${said} are one person to me now.`,
  notYou: 'If that was not you, say `/hermes link off`.',
  stricter: 'Private memories stay out of places that others read, as one of the two had it.',
  notLinked: 'Nothing was linked.',
  gone: 'There is nothing to link: the code was used, or its time is over. `/hermes link` gives a new one.',
  invalid: 'That is no code that counts now. `/hermes link`, said where you write as well, gives a new one.',
  own: 'That is the code that you were shown here. Say it where you write as well.',
  tooMany: (minutes: number) => `That were too many codes. Try again in ${minutes} minutes.`,
  already: 'These are one person to me already.',
  taken: (channel: string) =>
    `Both write on ${channel} already, and a person has one name there. Part one with \`/hermes link off\` first.`,
  parted: (own: string, others: string) =>
    `${own} is a person of its own again. What I remember stays with ${others}; what is open in conversations here stays here.`,
  alone: 'Nothing is linked here.',
}

const zh: typeof en = {
  channels: { slack: 'Slack', discord: 'Discord', web: '网页聊天' },
  identity: (name, channel) => `**${name}**（${channel}）`,
  and: '和',
  from: (name, channel) => `${name}（${channel}）`,
  asked: (name) => `${name} 让我转告：`,
  off: (channel) => `${channel} 已不再接入，没有发送任何内容。`,
  code: (code, minutes) =>
    `您的代码是 **${code}**。请在 ${minutes} 分钟内，到您的另一个平台对我说 \`/hermes link ${code}\`。代码只能用一次。不要告诉任何人：谁说出它，我就把谁当作您本人。`,
  codeKept: '这里显示过一个关联代码，代码不会保存。`/hermes link` 可以取得新的代码。',
  bySlash: '请输入 `/hermes link`：代码只显示给您一个人。',
  linkedAre: (list) => `我把这些身份当作同一个人：${list}。\`/hermes link off\` 会分开说这句话的身份。`,
  offer: (shown, said) =>
    `要关联${shown}和${said}吗？之后我会把两者当作同一个人：记忆、提醒、许可和待确认的操作都会共用。两者都是您本人时才继续。`,
  nameOnly: '网页聊天中的名字不经核实：能以该名字在那里发言的人都会被当作您。',
  sayYes: '请说“确认关联”或“不关联”。',
  link: '关联',
  cancel: '取消',
  linked: (shown, said) => `${shown}和${said}现在是同一个人了。`,
  notYou: '如果不是您本人所为，请说 `/hermes link off`。',
  stricter: '私人记忆不会用于他人可见的地方，因为其中一方原来如此设置。',
  notLinked: '没有关联任何身份。',
  gone: '没有可关联的内容：代码已用过，或已过期。`/hermes link` 可以取得新的代码。',
  invalid: '这不是有效的代码。请在您的另一个平台说 `/hermes link` 取得新的代码。',
  own: '这是您在这里得到的代码。请到您的另一个平台说出它。',
  tooMany: (minutes) => `尝试次数过多。请 ${minutes} 分钟后再试。`,
  already: '这些身份已经是同一个人。',
  taken: (channel) =>
    `两者都已在 ${channel} 上，而一个人在那里只能有一个名字。请先用 \`/hermes link off\` 分开其中一个。`,
  parted: (own, others) =>
    `${own}重新成为单独的一个人。我记住的内容留在${others}那里；这里对话中未完成的事留在这里。`,
  alone: '这里没有关联任何身份。',
}

/** What is said about people and their identities. */
export function peopleWords(language: Language): typeof en {
  return language === 'zh' ? zh : en
}
