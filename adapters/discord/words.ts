import type { Language } from '../../src/base/words.ts'

const en = {
  answersHere: 'I may not open threads here, so I answer in the channel.',
  onIt: 'On it.',
  received: 'Already received.',
  done: 'Done.',
  notNow: 'I could not take that just now. Nothing was changed; please try again in a minute.',
  whichFields: 'Which of these do you want to change? Choose up to five.',
  chooseFields: 'Choose fields',
  edit: 'Edit',
  open: 'Open the form',
  yes: 'Yes',
  no: 'No',
  correctThese: 'Please correct this:',
  tooLongToEdit: (labels: string) =>
    `Too long to edit in a form: ${labels}. Tell me in a message what to change there.`,
  inFile: 'in full in the attached file',
  choose: 'Choose',
  openedElsewhere: 'This form is no longer open. Press the button again.',
}

/** The sentences that this adapter says of itself. */
export type DiscordWords = typeof en

const zh: DiscordWords = {
  answersHere: '我在这里没有创建子区的权限，所以直接在频道里回答。',
  onIt: '正在处理。',
  received: '已经收到了。',
  done: '好了。',
  notNow: '刚才没能处理，什么都没有改变。请过一分钟再试。',
  whichFields: '要修改哪些内容？最多可选五项。',
  chooseFields: '选择要修改的内容',
  edit: '修改',
  open: '打开表单',
  yes: '是',
  no: '否',
  correctThese: '请改正：',
  tooLongToEdit: (labels) => `内容太长，无法在表单里修改：${labels}。请直接发消息告诉我怎么改。`,
  inFile: '全文见附件',
  choose: '请选择',
  openedElsewhere: '这个表单已经失效，请再按一次按钮。',
}

/** The sentences in a language. */
export function discordWords(language: Language): DiscordWords {
  return language === 'zh' ? zh : en
}

/** The language of a Discord client, where it is one that we speak. */
export function languageOfLocale(locale: string): Language | undefined {
  const language = locale.toLowerCase().split('-')[0]
  return language === 'zh' || language === 'en' ? language : undefined
}
