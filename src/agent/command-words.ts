import type { Language } from '../base/words.ts'

const en = {
  help: [
    '`/hermes memory [search]` what I remember of you',
    '`/hermes forget <what>` erase it, with a preview',
    '`/hermes export` all your data as JSON',
    '`/hermes private on|off` keep private memories out of places that others read',
    '`/hermes approvals` what waits for you · `reminders` · `tickets` · `status` · `reset`',
  ].join('\n'),
  memories: 'What I remember of you:',
  noMemories: 'I remember nothing of you yet. Tell me "remember that …".',
  hidden: (count: number) =>
    `${count} private ones are not shown here, since others can read this. Ask me in a direct message.`,
  forgetWhat: 'Say what to forget, for example `/hermes forget my address`.',
  nothingFits: 'I have nothing of yours that fits.',
  wouldForget: 'This would be forgotten:',
  forgetOne: (text: string) => `Forget: ${text}`,
  forgotten: (text: string) => `Forgotten: ${text}`,
  undo: 'Bring back',
  restored: 'Brought back.',
  privateIsOn: 'Private memories stay out of places that others read.',
  privateIsOff: 'Private memories of yours may be used where others read.',
  approvals: 'Waiting for your decision (until):',
  noApprovals: 'Nothing waits for your decision.',
  allowed: 'What I do without asking you, since you allowed it:',
  revokeOne: (what: string) => `Revoke: ${what}`,
  reminders: 'Your reminders:',
  noReminders: 'You have no reminders.',
  noTickets: 'There are no open tickets.',
  wasReset: 'This conversation starts anew. What I remember of you is kept.',
}

const zh: typeof en = {
  help: [
    '`/hermes memory [搜索]` 我记得您的哪些事',
    '`/hermes forget <内容>` 删除，先给您预览',
    '`/hermes export` 以 JSON 导出您的全部数据',
    '`/hermes private on|off` 私人记忆不用于他人可见的地方',
    '`/hermes approvals` 等您决定的操作 · `reminders` · `tickets` · `status` · `reset`',
  ].join('\n'),
  memories: '我记得您的这些事：',
  noMemories: '我还没有记住您的任何事。可以说“记住……”。',
  hidden: (count) => `另有 ${count} 条私人记忆不在这里显示，因为他人可以看到。请私信问我。`,
  forgetWhat: '请说明要忘记什么，例如 `/hermes forget 我的地址`。',
  nothingFits: '没有找到相符的内容。',
  wouldForget: '将会忘记：',
  forgetOne: (text) => `忘记：${text}`,
  forgotten: (text) => `已忘记：${text}`,
  undo: '恢复',
  restored: '已恢复。',
  privateIsOn: '私人记忆不会用于他人可见的地方。',
  privateIsOff: '您的私人记忆可以用于他人可见的地方。',
  approvals: '等您决定（截止时间）：',
  noApprovals: '没有等您决定的操作。',
  allowed: '您已允许、我不再询问就会做的事：',
  revokeOne: (what) => `撤销：${what}`,
  reminders: '您的提醒：',
  noReminders: '您没有提醒。',
  noTickets: '没有未关闭的工单。',
  wasReset: '对话重新开始。我记住的关于您的事仍然保留。',
}

/** What commands say. */
export function commandWords(language: Language): typeof en {
  return language === 'zh' ? zh : en
}
