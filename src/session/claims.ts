/** A thing that an answer says was done. */
export interface Claim {
  /** Part of the names of tools that do such a thing. */
  readonly things: readonly string[]
  /** The words of the answer. */
  readonly words: string
}

interface Kind {
  readonly things: readonly string[]
  readonly nouns: { readonly en: string; readonly zh: string }
  readonly verbs: { readonly en: string; readonly zh: string }
}

const kinds: readonly Kind[] = [
  {
    things: ['ticket', 'issue'],
    nouns: { en: 'tickets?|issues?|T-\\d+', zh: '工单|T-\\d+' },
    verbs: {
      en: 'created|opened|filed|raised|updated|closed|resolved|made',
      zh: '创建|新建|建好|提交|更新|关闭|解决',
    },
  },
  {
    things: ['message', 'mail', 'send', 'notify', 'post'],
    nouns: { en: 'messages?|emails?|mails?|notes?', zh: '消息|邮件|信息|通知' },
    verbs: { en: 'sent|emailed|mailed|forwarded|delivered|posted', zh: '发送|发出|发给|转发|通知' },
  },
  {
    things: ['reminder', 'remind'],
    nouns: { en: 'reminders?', zh: '提醒' },
    verbs: { en: 'set|scheduled|created|added', zh: '设置|设好|安排|创建' },
  },
  {
    things: ['event', 'meeting', 'calendar', 'book'],
    nouns: { en: 'meetings?|events?|appointments?|rooms?', zh: '会议|日程|会议室' },
    verbs: { en: 'booked|scheduled|moved|cancelled|canceled', zh: '预订|预约|安排好|改期' },
  },
  {
    things: ['expense', 'claim', 'order', 'payment', 'invoice'],
    nouns: { en: 'expenses?|claims?|orders?|payments?|invoices?', zh: '报销单?|订单|付款|发票' },
    verbs: { en: 'submitted|placed|paid|approved|filed', zh: '提交|下单|支付|批准' },
  },
]

// Said of what has not happened, or is asked, promised or told of others.
const unreal =
  /\b(?:not|n't|never|no|nothing|will|would|can|could|should|shall|once|if|when|after|before|unless|until|to be|waits?|waiting|pending|confirm|want|like me to|going to|cancelled|failed|expired)\b|[?？]|没有|未|尚未|还没|不会|将|会在|等|待|如果|一旦|之后|确认后|需要|请|是否|要不要|吗|失败|取消|过期|可以/i

/**
 * Finds what an answer claims to have done, sentence by sentence: only plain statements in the past ("I have sent the
 * message", 工单已创建), so that plans, questions and refusals are left alone.
 */
export function claimsIn(answer: string): readonly Claim[] {
  const claims: Claim[] = []
  for (const sentence of sentencesOf(answer)) {
    if (unreal.test(sentence)) continue
    for (const { things, nouns, verbs } of kinds) {
      const first = new RegExp(
        `\\bI(?:'ve|’ve| have| just| also)*\\s+(?:${verbs.en})\\b[^.]*\\b(?:${nouns.en})\\b`,
        'i',
      )
      const passive = new RegExp(
        `\\b(?:${nouns.en})\\b[^.]*\\b(?:has|have) been (?:\\w+ly )?(?:${verbs.en})\\b`,
        'i',
      )
      const bare = new RegExp(`^(?:done[:.,]?\\s*)?(?:${nouns.en})\\b[^.]{0,60}\\b(?:${verbs.en})[.!]?$`, 'i')
      const chinese = new RegExp(
        `(?:已经?|帮您|为您|给您)[^，。]{0,12}(?:${verbs.zh})|(?:${verbs.zh})(?:了|好了|成功|完成)`,
      )
      const spoken = first.test(sentence) || passive.test(sentence) || bare.test(sentence)
      if (spoken || (new RegExp(nouns.zh).test(sentence) && chinese.test(sentence))) {
        claims.push({ things, words: sentence })
        break
      }
    }
  }
  return claims
}

function sentencesOf(text: string): readonly string[] {
  return (
    text
      .replace(/```[\s\S]*?```/g, '')
      .split('\n')
      // What is quoted is somebody else's claim.
      .filter((line) => !/^\s*>/.test(line))
      .flatMap((line) => line.split(/(?<=[.!?。！？；;])\s*/))
      .map((sentence) => sentence.replace(/^[\s*\-•\d.)]+/, '').trim())
      .filter((sentence) => sentence !== '')
  )
}

/** The claims that no call in the ledger bears out. */
export function unfounded(
  answer: string,
  ledger: readonly { readonly tool: string; readonly effect: string; readonly status: string }[],
): readonly Claim[] {
  const done = ledger.filter((call) => call.status === 'succeeded' && call.effect !== 'read')
  // A read that shows what others did ("the ticket was closed by Li Wei") bears a claim out, too.
  const seen = ledger.filter((call) => call.status === 'succeeded' && call.effect === 'read')
  return claimsIn(answer).filter(({ things, words }) => {
    const about = (call: { readonly tool: string }) =>
      things.some((thing) => call.tool.toLowerCase().includes(thing))
    if (done.some(about)) return false
    return /\bI\b|我|[帮为给][你您]/.test(words) || !seen.some(about)
  })
}
