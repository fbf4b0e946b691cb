/** Why something is not remembered. */
export type Refusal = 'secret' | 'empty' | 'long' | 'question' | 'place'

const refusals: Readonly<Record<Refusal, Readonly<Record<'en' | 'zh', string>>>> = {
  secret: {
    en: 'I do not keep passwords, keys, tokens or card numbers, so I did not remember this. A password manager is the place for it.',
    zh: '我不保存密码、密钥、令牌或卡号，所以这条没有记住。请放进密码管理器。',
  },
  empty: { en: 'Tell me what to remember, in one sentence.', zh: '请用一句话告诉我要记住什么。' },
  long: {
    en: 'This is too long to remember as a fact. Tell me the one or two sentences that matter.',
    zh: '内容太长，不适合作为一条记忆。请告诉我最重要的一两句。',
  },
  place: {
    en: 'In this conversation I do not remember anything beyond it, so I did not keep this.',
    zh: '按设置，我在这个会话里不保存长期记忆，所以这条没有记住。',
  },
  question: {
    en: 'That is a question, so there is nothing to remember yet. Tell me the fact itself.',
    zh: '这是一个问题，还没有可以记住的内容。请直接告诉我事实。',
  },
}

/** The sentence that a person gets for a refusal. */
export function refusalSentence(refusal: Refusal, language: 'en' | 'zh'): string {
  return refusals[refusal][language]
}

/** The language a text is answered in where the person's own is not known. */
export function languageOf(text: string): 'en' | 'zh' {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}
