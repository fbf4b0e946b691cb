import type { Language } from '../../base/words.ts'

const en = {
  tokens: (count: number) => `${count.toLocaleString('en')} tokens`,
  turnCost: (most: string) =>
    `I stopped: this request has cost as much of the language model as one may (${most}). Ask for less at once; whoever runs Hermes can raise limits.turnCost.`,
  personDay: (most: string, again: string) =>
    `You have used up what one person may use of the language model in a day (${most}). It starts anew at ${again}; whoever runs Hermes can raise it (limits.personDay…). Your message is kept.`,
  day: (most: string, again: string) =>
    `What everybody here may use of the language model in a day is used up (${most}). It starts anew at ${again}; whoever runs Hermes can raise it (limits.day…). Your message is kept.`,
  done: (things: readonly string[]) => `Done so far: ${things.join('; ')}.`,
  looked: (things: readonly string[]) => `Looked at: ${things.join(', ')}.`,
  nothingChanged: 'Nothing was changed.',
}

const zh: typeof en = {
  tokens: (count) => `${count.toLocaleString('en')} 个词元`,
  turnCost: (most) =>
    `我先停在这里：这个请求用掉的语言模型费用已达单次上限（${most}）。请一次少问一些；管理员可以调高 limits.turnCost。`,
  personDay: (most, again) =>
    `您今天的语言模型用量已达每人上限（${most}），${again} 起重新计算；管理员可以调高（limits.personDay…）。您的消息已保留。`,
  day: (most, again) =>
    `今天所有人的语言模型用量已达上限（${most}），${again} 起重新计算；管理员可以调高（limits.day…）。您的消息已保留。`,
  done: (things) => `已完成：${things.join('；')}。`,
  looked: (things) => `已查看：${things.join('、')}。`,
  nothingChanged: '没有更改任何东西。',
}

/** What is said when a limit ends a turn. */
export function limitWords(language: Language): typeof en {
  return language === 'zh' ? zh : en
}
