import type { Clause } from './clauses.ts'
import { writeDay } from './period.ts'
import { type Scene, saying, type Task } from './plan.ts'

const patterns = {
  en: {
    help: /^(?:help|\/help|commands|what (?:can|do|could) you do(?: here| for (?:me|us))?|what are you (?:able|good) (?:to do|for|at)|how (?:do|can) (?:i|we) use you|how does this work|what(?:'s| is) possible(?: here)?|show me what you can do|what should i (?:ask|say))\b[?.!\s]*$/i,
    hello:
      /^(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings)(?: (?:there|hermes|everyone|all|team))?[.!\s]*$/i,
    thanks:
      /^(?:thanks?(?: you)?|thank you|thx|ty|cheers|great|perfect|nice|awesome|good job|well done)\b[^?]{0,40}$/i,
    bye: /^(?:bye|goodbye|good night|see you|cu|ciao)\b[^?]{0,20}$/i,
    fine: /^how(?:'s| are| is) (?:you|it going|things|everything)\b.*$/i,
    whoAmI:
      /^(?:who|what) are you\b.*$|^are you (?:a |an )?(?:bot|human|person|ai|robot|real|model|llm)\b.*$|^what(?:'s| is) your name\b.*$/i,
    acknowledged:
      /^(?:ok(?:ay)?|yes|no|sure|alright|all right|fine|got it|i see|right|cool|yep|nope)[.!\s]*$/i,
    today:
      /^(?:what(?:'s| is) (?:the )?(?:date|day)(?: (?:is it )?today)?|what day is (?:it|today|it today)|what(?:'s| is) today(?:'s date)?)[?.\s]*$/i,
    problem:
      /\b(?:broken|not working|doesn't work|does not work|is down|out of order|stuck|crashed|leaking|offline|keeps failing)\b/i,
  },
  zh: {
    help: /^(?:帮助|\/help|使用说明|你(?:都)?(?:能|会|可以)(?:帮我)?(?:做|干)(?:些)?(?:什么|啥|哪些(?:事|事情)?)|你有(?:什么|哪些)(?:功能|本领|能力)|怎么(?:使?用你?|用)|(?:这个|你)怎么用|我(?:能|可以)(?:问|说|让你做)什么)(?:呢|呀|啊)?[？?。！!\s]*$/,
    hello:
      /^(?:你好|您好|嗨|哈喽|hello|hi|早|早上好|上午好|中午好|下午好|晚上好|大家好|在吗)(?:呀|啊|呢)?[。！!～~？?\s]*$/i,
    thanks: /^(?:谢谢|多谢|感谢|谢了|太好了|很好|不错|辛苦了|棒)[^？?]{0,16}$/,
    bye: /^(?:再见|拜拜|晚安|回头见|明天见)[^？?]{0,8}$/,
    fine: /^(?:你(?:好吗|怎么样|还好吗|最近怎么样)|最近(?:好吗|怎么样))[？?\s]*$/,
    whoAmI: /^(?:你是(?:谁|什么|机器人吗|人吗|真人吗|ai吗)|你叫什么(?:名字)?)[？?\s]*$/i,
    acknowledged: /^(?:好的?|嗯+|行|可以|是的?|不是?|知道了|明白了?|收到|了解|哦+)[。！!\s]*$/,
    today: /^今天(?:是)?(?:几号|星期几|周几|什么日子|几月几号)[？?\s]*$/,
    problem: /坏了|不能用|用不了|打不开|连不上|出故障|有故障|死机|崩溃|漏水|没反应|报错/,
  },
} as const

type Kind = keyof (typeof patterns)['en']

/** Reads small talk: greetings, thanks, what Hermes is and can do. */
export function readTalk({ text, language }: Clause): Task | undefined {
  const set: Readonly<Record<Kind, RegExp>> = patterns[language]
  const kinds: readonly Exclude<Kind, 'problem'>[] = [
    'help',
    'hello',
    'fine',
    'whoAmI',
    'today',
    'bye',
    'thanks',
    'acknowledged',
  ]
  const kind = kinds.find((one) => set[one].test(text))
  return kind && saying((scene) => answer(kind, scene))
}

/** Reads complaints about something that doesn't work: a ticket is offered, not made. */
export function readProblem({ text, language }: Clause): Task | undefined {
  if (text.length > 300 || !patterns[language].problem.test(text)) return undefined
  return saying(({ words }) => words.problem(text.replace(/[.。!！]+$/, '')))
}

function answer(kind: Exclude<Kind, 'problem'>, { words, conversation }: Scene): string {
  switch (kind) {
    case 'hello':
      return words.hello(conversation.speaker)
    case 'today':
      return conversation.today === undefined
        ? words.notUnderstood
        : words.today(writeDay(conversation.today))
    default:
      return words[kind]
  }
}
