import type { Clause } from './clauses.ts'
import type { Conversation } from './conversation.ts'
import { memoriesIn } from './documents.ts'
import { listIn, textIn } from './outcome.ts'
import { type Progress, report, type Scene, type Task } from './plan.ts'

const remember = {
  en: /^(?:remember|keep in mind|note(?: down)?|make a note|memori[sz]e|don't forget|do not forget)(?:\s*[:,]\s*|\s+(?:that|this)\s*:?\s+|\s+(?!to\b))([\s\S]+)$/i,
  zh: /^(?:请)?(?:记住|记下来?|记一下|记得|帮我记住?|别忘了)[：:，,\s]*(?!提醒)([\s\S]+)$/,
} as const
const bareRemember = {
  en: /^(?:remember|note|keep in mind)(?: (?:this|that|something))?[.:]?$/i,
  zh: /^(?:记住|记一下|记下来?)[：:]?$/,
} as const
// Lasting facts that people state without a command. What is broken or asked is none.
const fact = {
  en: /^(?:(?:from now on|in future|always|never)\b.+|(?:my|our) (?!(?:laptop|computer|screen|printer|phone|mouse|keyboard)\b)[\w' -]{2,40}? (?:is|are) (?!broken|not|down|slow|stuck|offline|missing|wrong\b)[^?]+|i (?:prefer|like|love|hate|dislike|am allergic to|am vegetarian|am vegan|live in|work (?:in|at|on|as|for)|always|never) [^?]+|call me [^?]+)$/i,
  zh: /^(?:以后.+|我的?(?!电脑|屏幕|打印机|手机|鼠标|键盘)[^，。？?]{1,12}(?:是|叫)(?!谁|什么|哪|多少)[^？?]+|我(?:更?喜欢|偏好|偏爱|讨厌|不喜欢|不吃|对.{1,10}过敏|住在|在.{1,16}(?:工作|上班)|负责)(?!什么|哪|谁)[^？?]+|叫我[^？?]+)$/,
} as const
const everything = {
  en: /^(?:what (?:do|can|did) you (?:know|remember|have(?: stored)?)(?: about (?:me|us|myself))?|(?:show|list)(?: me)? (?:my|your|all(?: my)?|what you) (?:memor\w*|remember\w*)(?: (?:of|about) me)?|what have you (?:remembered|stored|learned)(?: about me)?)[?.]?$/i,
  zh: /^(?:你(?:还|都)?(?:记得|知道|记住了?)(?:我|关于我)?(?:的)?(?:什么|哪些|些什么)(?:事|事情|信息)?|你对我(?:都)?(?:了解|知道)(?:些)?(?:什么|多少)|关于我你(?:都)?(?:记得|知道)(?:些)?什么|(?:列出|查看|显示)?(?:我的)?(?:所有)?记忆|你记得我吗)[？?]?$/,
} as const
const about = {
  en: /^what (?:do|can) you (?:know|remember) (?:about|of) (.+?)\??$/i,
  zh: /^(?:关于|对于?)(.+?)[，,]?你(?:还|都)?(?:记得|知道|了解)(?:些)?(?:什么|多少)[？?]?$|^你(?:还|都)?(?:记得|知道)(?:关于)?(.+?)(?:的)?(?:什么|哪些)[？?]?$/,
} as const
const forget = {
  en: /^(?:forget|erase|delete|remove)\s+(?:(?:the |your |my )?memor(?:y|ies) (?:of|about|that)\s+)?(?:about |that |what (?:i|you) (?:said|told you|know) about )?(.+?)[.!]?$/i,
  zh: /^(?:忘记|忘掉|忘了|不要再?记(?:得|住)?|别再?记(?:得|住)?|删除|清除)(?:掉)?(?:关于|有关)?(.+?)(?:的?(?:记忆|事|事情))?[。！]?$/,
} as const
const correct = {
  en: /^(?:no[,.]?\s+)?(?:that(?:'s| is) (?:wrong|not (?:right|true|correct))|(?:that|this) (?:has changed|is outdated)|wrong|incorrect|not true|correction|actually)\b[\s,.:;!-]*(?:it(?:'s| is) that )?(.*)$/i,
  zh: /^(?:不对|错了|说错了|记错了|你记错了|不正确|更正(?:一下)?|纠正(?:一下)?|其实)[，,。：:；！!\s]*(.*)$/,
} as const
const change = {
  en: /^(?:change|update|correct) my ([\w' -]{2,40}?) to (.+?)[.!]?$/i,
  zh: /^(?:把|将)?我的(.{1,12}?)(?:改成|改为|更新为|换成)(.+?)[。！]?$/,
} as const

/** Reads requests to remember, recall, forget and correct. */
export function readMemoryRequest(clause: Clause, conversation: Conversation): Task | undefined {
  const { text, language } = clause
  if (bareRemember[language].test(text)) return rememberTask('')
  const noted = remember[language].exec(text)
  if (noted && !/\?$|？$/.test(text)) return rememberTask(noted[1]!)
  if (everything[language].test(text)) return recallTask(undefined)
  const asked = about[language].exec(text)
  const subject = asked?.[1] ?? asked?.[2]
  if (subject) return recallTask(subject)
  const changed = change[language].exec(text)
  if (changed)
    return correctTask(
      language === 'zh' ? `我的${changed[1]}是${changed[2]}` : `My ${changed[1]} is ${changed[2]}`,
    )
  const right = correct[language].exec(text)
  if (right) return correctTask(right[1]!.trim())
  const gone = forget[language].exec(text)
  if (
    gone &&
    !/提醒|工单|\breminder|\bticket|^it$/i.test(gone[1]!) &&
    (/^(?:forget|忘|不要|别)/i.test(text) || /memor|记忆/i.test(text))
  )
    return forgetTask(gone[1]!.trim())
  const chosen = chosenToForget(text, conversation)
  if (chosen) return forgetIdsTask(chosen)
  if (fact[language].test(text)) return rememberTask(text)
  return undefined
}

function rememberTask(text: string): Task {
  return {
    fill: (answer) => rememberTask(answer),
    advance(scene): Progress {
      const tool = scene.tool('remember')
      if (!tool) return unavailable(scene)
      if (text.trim() === '') return { kind: 'ask', question: scene.words.memory.askRemember }
      const call = scene.acted(tool)
      if (!call)
        return { kind: 'act', confirm: false, calls: [{ tool, arguments: { text: sentence(text) } }] }
      // The sentence of a refusal (a secret, a question) stands by itself.
      if (call.outcome.kind === 'failed' || call.outcome.kind === 'refused')
        return { kind: 'done', say: call.outcome.text, acted: true }
      return report(call, scene.words.memory.name, scene.words, ({ outcome }) => {
        const data = outcome.kind === 'done' ? outcome.data : undefined
        const stored = listIn(data, 'stored').flatMap((one) => textIn(one, 'text') ?? [])
        const replaced = listIn(data, 'replaced').flatMap((one) => textIn(one, 'text') ?? [])
        if (data !== undefined && stored.length === 0) return scene.words.memory.known
        return [
          scene.words.memory.noted(stored.length > 0 ? stored.join('; ') : sentence(text)),
          ...(replaced.length > 0 ? [scene.words.memory.replaced(replaced.join('; '))] : []),
        ].join('\n')
      })
    },
  }
}

function recallTask(subject: string | undefined): Task {
  return {
    advance(scene): Progress {
      const { conversation, words } = scene
      const tool = scene.tool('recall')
      if (!tool)
        return conversation.memories.length > 0
          ? told(list(words.memory.some, conversation.memories))
          : unavailable(scene)
      const call = scene.looked(tool, ({ query }) => (query ?? undefined) === subject)
      if (!call)
        return { kind: 'look', calls: [{ tool, arguments: subject === undefined ? {} : { query: subject } }] }
      if (call.outcome.kind !== 'done') return report(call, words.memory.name, words, () => '')
      const texts = call.outcome.data === undefined ? [call.outcome.text] : memoriesIn(call)
      if (texts.length === 0) return told(subject === undefined ? words.memory.noneAtAll : words.memory.none)
      return told(list(subject === undefined ? words.memory.all : words.memory.some, texts))
    },
  }
}

function forgetTask(subject: string): Task {
  const all =
    /^(?:everything|all|all of it)(?: (?:about|of|on) me)?$|^(?:我的)?(?:所有|全部|一切)(?:记忆|内容|信息)?$|^我(?:的一切)?$/i.test(
      subject,
    )
  return {
    advance(scene): Progress {
      const { words } = scene
      const tool = scene.tool('forget')
      if (!tool) return unavailable(scene)
      const recall = all ? scene.tool('recall') : undefined
      const finder = recall ?? tool
      const query = recall ? undefined : subject
      const preview = scene.looked(finder, (args) =>
        recall ? args.query === undefined || args.query === null : args.query === query,
      )
      if (!preview)
        return { kind: 'look', calls: [{ tool: finder, arguments: query === undefined ? {} : { query } }] }
      if (preview.outcome.kind !== 'done') return report(preview, words.memory.name, words, () => '')
      const found = candidatesIn(preview.outcome.data)
      if (found.length === 0) return told(words.memory.nothingToForget)
      // What is plainly meant goes at once; it can be brought back for a while. A choice is the person's.
      if (found.length > 1 || all) {
        const lines = found.map(({ text }, place) => `${place + 1}. ${text}`).join('\n')
        return { kind: 'ask', question: words.memory.askWhich(lines) }
      }
      return forgetIds(scene, found)
    },
  }
}

function forgetIdsTask(chosen: readonly Candidate[]): Task {
  return { advance: (scene) => forgetIds(scene, chosen) }
}

interface Candidate {
  readonly id: string
  readonly text: string
}

function forgetIds(scene: Scene, chosen: readonly Candidate[]): Progress {
  const tool = scene.tool('forget')
  if (!tool) return unavailable(scene)
  const ids = chosen.map(({ id }) => id)
  const call = scene.looked(tool, (args) => Array.isArray(args.ids))
  if (!call) return { kind: 'act', confirm: false, calls: [{ tool, arguments: { ids } }] }
  return report(call, scene.words.memory.name, scene.words, () =>
    scene.words.memory.forgotten(chosen.map(({ text }) => text)),
  )
}

/** "All" or numbers, said to a list of what could be forgotten. */
function chosenToForget(text: string, conversation: Conversation): readonly Candidate[] | undefined {
  const before = conversation.earlier.at(-1)
  const preview = before?.calls.findLast(
    ({ tool, arguments: args, outcome }) =>
      /^(?:forget|recall)$/.test(tool) && !Array.isArray(args.ids) && outcome.kind === 'done',
  )
  if (
    !before ||
    preview?.outcome.kind !== 'done' ||
    !before.asks.some((ask) => /forget|erase|忘|删除|清除/i.test(ask))
  )
    return undefined
  const found = candidatesIn(preview.outcome.data)
  if (found.length === 0) return undefined
  if (
    /^(?:yes[,.]? )?(?:all|all of them|everything|both|yes|yes please|全部|都|所有|是|是的|对|好的?)(?:忘记|忘掉)?[.!。！]?$/i.test(
      text,
    )
  )
    return found
  if (
    !/^(?:(?:the |number |numbers |第)?[\d\s,，、and和&条个]+(?:st|nd|rd|th)?(?: one)?|(?:the )?(?:first|second|third|last)(?: one)?)[.。]?$/i.test(
      text,
    )
  )
    return undefined
  const words = ['first', 'second', 'third'].findIndex((word) => text.toLowerCase().includes(word)) + 1
  const numbers =
    words > 0 ? [words] : /last/i.test(text) ? [found.length] : [...text.matchAll(/\d+/g)].map(Number)
  const chosen = numbers.flatMap((number) => found[number - 1] ?? [])
  return chosen.length > 0 ? chosen : undefined
}

function correctTask(text: string): Task {
  return {
    fill: (answer) => correctTask(answer),
    advance(scene): Progress {
      const { words } = scene
      if (text === '') return { kind: 'ask', question: words.memory.askRight }
      const correcting = scene.tool('correct_memory')
      const recall = scene.tool('recall')
      const right = sentence(text)
      const found = recall ? scene.looked(recall, ({ query }) => query === right) : undefined
      if (recall && !found) return { kind: 'look', calls: [{ tool: recall, arguments: { query: right } }] }
      const wrong = found?.outcome.kind === 'done' ? candidatesIn(found.outcome.data)[0] : undefined
      if (!correcting || !wrong) return rememberTask(right).advance(scene)
      const call = scene.acted(correcting)
      if (!call)
        return {
          kind: 'act',
          confirm: false,
          calls: [{ tool: correcting, arguments: { id: wrong.id, text: right } }],
        }
      return report(call, words.memory.name, words, () => words.memory.corrected(right))
    },
  }
}

function candidatesIn(data: unknown): Candidate[] {
  return [...listIn(data, 'wouldForget'), ...listIn(data, 'memories')].flatMap((one) => {
    const [id, text] = [textIn(one, 'id'), textIn(one, 'text')]
    return id && text ? [{ id, text }] : []
  })
}

/** The person's words as a sentence: a capital at the start, no full stop after. */
function sentence(text: string): string {
  const clean = text.trim().replace(/[.。]+$/, '')
  return /^[a-z]/.test(clean) ? clean[0]!.toUpperCase() + clean.slice(1) : clean
}

function list(heading: string, lines: readonly string[]): string {
  return `${heading}\n\n${lines.map((line) => `- ${line}`).join('\n')}`
}

function unavailable({ words }: Scene): Progress {
  return told(words.cannotHere(words.abilities.memory))
}

function told(say: string): Progress {
  return { kind: 'done', say, acted: false }
}
