import type { Language } from '../../base/words.ts'
import { partlyAnyCase } from './any-case.ts'
import type { Clause } from './clauses.ts'
import type { Conversation } from './conversation.ts'
import { summaryTask } from './documents.ts'
import { type Notes, readNotes } from './notes.ts'
import { textIn } from './outcome.ts'
import { askFor, isLeftOpen, type Progress, report, type Scene, severalIn, type Task } from './plan.ts'
import { conclusionOf, summarise } from './summary.ts'

// What stands for a text that is known already.
const source = {
  en: '(?:it|this|that|them|these|those|(?:the|its|their|your) (?:main |short )?(?:conclusions?|summary|summaries|results?|outcome|decisions?|notes|answer|text)|everything)',
  zh: '(?:它|这个|这些|那个|(?:上面|刚才)的?(?:内容|总结|结果)?|(?:会议)?(?:的)?(?:结论|总结|摘要|结果|决定|纪要|内容|答案))',
} as const
const owner = {
  en: /^(?:the |its |their )?(?:(?:project|meeting|document|notes)(?:'s)? )?(?:owners?|lead|person in charge)(?: of .+)?$/i,
  zh: /^(?:项目|会议|该项目的?|纪要的?)?(?:的)?(?:负责人|主管|主要负责人)$/,
} as const
// A channel, or a name: one word, and more of them where they begin with a capital; with the platform, where one is named.
const notName = '(?!(?i:me|us|it|them|him|her|you|a|an)\\b)'
const name =
  '((?:#[\\w-]+|(?i:the (?:project )?owner)|@?[\\p{L}][\\p{L}\\p{N}_.-]*(?: \\p{Lu}[\\p{L}\\p{N}_.-]*)*)(?i: on (?:slack|discord|the web chat))?)'
const says = '(?:\\s*[:,]\\s*|\\s+(?i:saying|that says|that|with the text|and say|to say)\\s*:?\\s+)'
const note = '(?i:(?:a |an |the )?(?:short |quick )?(?:message|note|dm|line))'

const known = {
  en: new RegExp(
    `^(?:send|share|forward|post|pass|give|mail|email)(?: (?:me |on )?)?\\s*(${source.en})(?: on)? (?:to|with|in|into) (.+?)[.!]?$`,
    'i',
  ),
  zh: new RegExp(
    `^(?:请)?(?:把|将)?\\s*(${source.zh})\\s*(?:发送?|转发|分享|发布|告诉|通知|转告)(?:给|到|在)?\\s*(.+?)(?:里|群)?[。！]?$`,
  ),
} as const
// Which of the two, the recipient or the text, comes first.
const texts: Readonly<Record<Language, readonly (readonly [RegExp, 'to' | 'text'])[]>> = {
  en: [
    [partlyAnyCase(`^(?i:send|write|drop|shoot)\\s+${note}\\s+to\\s+${name}${says}([\\s\\S]+)$`), 'to'],
    [partlyAnyCase(`^(?i:send|write)\\s+${name}\\s+${note}${says}([\\s\\S]+)$`), 'to'],
    [partlyAnyCase(`^(?i:send|message|dm|text|write)\\s+${name}\\s*:\\s*([\\s\\S]+)$`), 'to'],
    [partlyAnyCase(`^(?i:post|write|say)\\s+(?i:in|to|on)\\s+${name}\\s*[:,]?\\s+([\\s\\S]+)$`), 'to'],
    [/^post\s+([\s\S]+?)\s+(?:in|to|on)\s+(#[\w-]+(?: on (?:slack|discord))?)[.!]?$/i, 'text'],
    [
      partlyAnyCase(
        `^(?:(?i:let)\\s+${notName}${name} (?i:know)|(?i:tell|inform|notify|message)\\s+${notName}${name})(?:\\s*[:,]\\s*|\\s+(?i:that|about)\\s+|\\s+)([\\s\\S]+)$`,
      ),
      'to',
    ],
    [/^(?:send|write)\s+["“']([\s\S]+?)["”']\s+to\s+(.+?)[.!]?$/i, 'text'],
  ],
  zh: [
    [
      /^(?:给|向)\s*(.+?)\s*(?:发送?|写|捎)(?:一)?(?:个|条|下)?(?:消息|信息|私信|通知|短信)(?:[：:，,]|说|告诉(?:他|她))*\s*([\s\S]+)$/,
      'to',
    ],
    [/^(?:发送?|写)(?:一)?(?:个|条)?(?:消息|信息|私信|通知)给\s*(.+?)(?:[：:，,]|说)\s*([\s\S]+)$/, 'to'],
    [
      /^(?:告诉|通知|转告)\s*(?!我)((?:(?:Slack|Discord)\s*上的\s*)?(?:#[\w-]+|\p{Script=Han}{2,4}?|[A-Za-z][\w.-]*(?: [A-Z][\w.-]*)*))(?:[：:，,]|说)\s*([\s\S]+)$/u,
      'to',
    ],
    [/^(?:告诉|通知|转告)\s*([A-Za-z][\w.-]*(?: [A-Z][\w.-]*)*)\s*([\s\S]+)$/, 'to'],
    [/^(?:把|将)?\s*[“"「]([\s\S]+?)[”"」]\s*发送?(?:给|到)\s*(.+?)[。！]?$/, 'text'],
    [/^在\s*(#[\w-]+)\s*(?:里|中)?(?:发|说|发布)[：:，,]?\s*([\s\S]+)$/, 'to'],
  ],
}
const nameless = {
  en: /^(?:send|write) (?:a |an )?(?:message|note|dm)(?: to (.+?))?[.!]?$/i,
  zh: /^(?:发送?(?:一)?(?:个|条)?(?:消息|信息|私信))(?:给(.+?))?[。！]?$|^给(.+?)发(?:一)?(?:个|条)?(?:消息|信息|私信)[。！]?$/,
} as const

const knownOf = {
  en: new RegExp(`^(?:send|share|forward|post)\\s+(${source.en}) (?:of|from) (.+?) to (.+?)[.!]?$`, 'i'),
  zh: /^(?:请)?(?:把|将)\s*(.+?)的((?:结论|总结|摘要|结果|决定|内容))\s*(?:发送?|转发|分享|告诉|通知)(?:给|到)?\s*(.+?)[。！]?$/,
} as const

/** Reads requests to tell somebody something. */
export function readMessageRequest(
  clause: Clause,
  conversation: Conversation,
): readonly Task[] | Task | undefined {
  const { text, language } = clause
  const of = knownOf[language].exec(text)
  if (of) {
    const [from, subject] = language === 'en' ? [of[1]!, of[2]!] : [of[2]!, of[1]!]
    return [summaryTask(subject, clause, conversation), sendTask({ to: of[3]!.trim(), from }, language)]
  }
  const passed = known[language].exec(text)
  if (passed) return sendTask({ to: passed[2]!.trim(), from: passed[1]! }, language)
  for (const [pattern, first] of texts[language]) {
    const found = pattern.exec(text)
    if (!found) continue
    const [one, other] = found.slice(1).filter((group) => group !== undefined)
    const [to, words] = first === 'to' ? [one!, other!] : [other!, one!]
    return sendTask({ to: to.trim().replace(/^@/, ''), text: words.trim() }, language)
  }
  const bare = nameless[language].exec(text)
  if (bare) return sendTask({ to: (bare[1] ?? bare[2] ?? '').trim(), text: '' }, language)
  return undefined
}

interface Letter {
  /** A name, a channel, or words for the owner of what was read. */
  readonly to: string
  readonly text?: string
  /** Words for a text that is known already. */
  readonly from?: string
}

function sendTask(letter: Letter, language: Language): Task {
  return {
    fill: (answer) =>
      sendTask(letter.to === '' ? { ...letter, to: answer } : { ...letter, text: answer }, language),
    advance(scene): Progress {
      const { words } = scene
      const tool = scene.tool('send_message')
      if (!tool) return told(words.cannotHere(words.abilities.messages))
      const first = scene.conversation.current.calls.find((made) => made.tool === tool)
      if (
        (letter.to === '' || (letter.from === undefined && !letter.text)) &&
        (!first || isLeftOpen(first))
      ) {
        const question = letter.to === '' ? words.message.askTo : words.message.askText(letter.to)
        const { to, text } = letter
        const known = { ...(to === '' ? {} : { to: meOr(to) }), ...(text ? { text } : {}) }
        return askFor(scene.acted(tool), { tool, arguments: known }, question)
      }
      if (first && letter.to === '') return sent(scene.acted(tool) ?? first, '', scene)

      const notes = notesFor(scene)
      const text =
        letter.text ?? textIn(first?.arguments, 'text') ?? knownText(letter.from ?? '', notes, scene)
      if (text === '') return told(words.message.nothingToSend)
      const names = owner[language].test(letter.to) ? (notes[0]?.owners ?? []) : [meOr(letter.to)]
      if (names.length === 0) return told(words.message.noOwner)

      const call = scene.acted(tool)
      if (!call) return proposal(tool, names[0]!, text)
      // Notes often give a name in two spellings; the second is tried where the first is nobody's.
      const second = names[1]
      if (call.outcome.kind === 'refused' && second !== undefined) {
        const again = scene.acted(tool)
        return again ? sent(again, second, scene) : proposal(tool, second, text)
      }
      return sent(call, names[0]!, scene)
    },
  }
}

function proposal(tool: string, to: string, text: string): Progress {
  return { kind: 'act', confirm: true, calls: [{ tool, arguments: { to, text } }] }
}

function sent(call: Parameters<typeof report>[0], to: string, { words }: Scene): Progress {
  const several = severalIn(call)
  if (several.length > 0) return { kind: 'ask', question: words.whichOf(several) }
  const name = typeof call.arguments.to === 'string' ? call.arguments.to : to
  return report(call, words.message.name(name), words, () => words.message.sent(name))
}

/** The notes that this request reads, else those that the conversation has read before. */
function notesFor(scene: Scene): readonly Notes[] {
  if (scene.findings.searched) return scene.findings.notes
  return notesRead(scene.conversation)
}

function notesRead(conversation: Conversation): Notes[] {
  const read = conversation.earlier
    .flatMap((exchange) => exchange.calls)
    .filter(({ tool, outcome }) => /(?:^|__)read_(?:text_)?file$/.test(tool) && outcome.kind === 'done')
  const last = read.at(-1)
  return last?.outcome.kind === 'done'
    ? [readNotes(String(last.arguments.path ?? ''), last.outcome.text)]
    : []
}

function knownText(from: string, notes: readonly Notes[], scene: Scene): string {
  const { conversation, words } = scene
  if (scene.findings.searched && notes.length === 0) return ''
  if (notes.length > 0) {
    const conclusion = /conclusion|decision|outcome|result|结论|决定|结果/i.test(from)
    return notes.map((one) => (conclusion ? conclusionOf(one, words) : summarise(one, words))).join('\n\n')
  }
  const before = conversation.earlier.at(-1)?.texts.at(-1) ?? ''
  return before.replace(words.standIn, '').trim()
}

function meOr(name: string): string {
  return /^(?:me|myself|我|我自己)$/i.test(name) ? 'me' : name
}

function told(say: string): Progress {
  return { kind: 'done', say, acted: false }
}
