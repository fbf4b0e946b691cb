import type { Clause } from './clauses.ts'
import type { Conversation, PastCall } from './conversation.ts'
import { listIn } from './outcome.ts'
import { findPassages, shorten } from './passages.ts'
import { type Period, readPeriod, writeDay } from './period.ts'
import { type Progress, type Scene, saying, type Task } from './plan.ts'
import { readDocuments } from './reading.ts'
import { extractSummary, summarise } from './summary.ts'
import { coverage, termsOf } from './terms.ts'

const summariseWords = {
  en: /^(?:summari[sz]e|sum up|recap|give me (?:a |the )?(?:short |brief )?summary of|make (?:a |the )?summary of|(?:a |the )?summary of|tl;?dr:?)\s*:?\s*([\s\S]*)$/i,
  zh: /^(?:总结|概括|归纳|汇总|摘要|概述)(?:一下|下)?[：:]?\s*([\s\S]*)$|^(?:把|将)?([\s\S]+?)(?:总结|概括|归纳|汇总)(?:一下|下)$/,
} as const
const askDocument = {
  en: /^what (?:do|does|did) (?:the |our |your )?(.+?) (?:say|tell(?: us)?|state|mention|contain)(?: about (.+?))?\??$/i,
  zh: /^(?:请?看看)?(.*?(?:手册|纪要|文档|文件|资料|指南|问题|笔记)).*?(?:里|中|上)?(?:关于|对于?)?(.+?)(?:是?怎么(?:说|写|规定)的?|有什么(?:说明|规定)|说了什么)[？?]?$/,
} as const
const search = {
  en: /^(?:search|look|look up|look for|find|browse)(?: (?:in|through))?(?: (?:all )?(?:the |our |my )?(?:documents?|docs|notes|files|handbook|knowledge base))?(?: (?:for|about|on))?\s+(.+?)(?: in (?:the |our )?(?:documents?|docs|notes|files|handbook))?\??$/i,
  zh: /^(?:在?(?:文档|文件|资料|手册|知识库)(?:里|中)?)?(?:搜索|查找|搜一?下|找一?下|查一?下|检索)(?:文档|文件|资料)?(?:里|中)?(?:关于)?[：:]?\s*(.+?)(?:的(?:文档|资料|内容))?$/,
} as const
const listFiles = {
  en: /^(?:list|show(?: me)?|which|what)\b[^?]*\b(?:documents|docs|files)\b(?: (?:are there|do you have|can you (?:see|read)))?\??$/i,
  zh: /^(?:列出|查看|显示)?(?:有哪些|所有|全部)?(?:的)?(?:文档|文件)(?:列表)?(?:有哪些)?[？?]?$/,
} as const
const readFile = {
  en: /^(?:read|open|show(?: me)?)(?: the)?(?: (?:file|document))?\s+(\S+\.\w{2,8})$/i,
  zh: /^(?:打开|读一?下|阅读|查看|显示)(?:文件|文档)?\s*(\S+\.\w{2,8})$/,
} as const
const question = {
  en: /\?$|^(?:what|who|whom|whose|where|when|why|which|how|is|are|do|does|did|can|could|may|should|has|have|was|were|will)\b/i,
  zh: /[？?]$|[吗呢]$|什么|怎么|怎样|如何|哪|谁|多少|多久|为什么|几[点天个号]|是否|能不能|有没有/,
} as const

/** Reads requests about documents: summaries, searches, what a document says, listings. */
export function readDocumentRequest(clause: Clause, conversation: Conversation): Task | undefined {
  const { text, language } = clause
  const period = conversation.today === undefined ? undefined : readPeriod(text, conversation.today)
  const summary = summariseWords[language].exec(text)
  if (summary) return summaryTask((summary[1] ?? summary[2] ?? '').trim(), clause, conversation)
  if (listFiles[language].test(text)) return listTask()
  const file = readFile[language].exec(text)
  if (file) return showTask(file[1]!)
  const ask = askDocument[language].exec(text)
  if (ask)
    return questionTask(`${ask[1] ?? ''} ${ask[2] ?? ''}`.trim(), {
      personal: false,
      period,
      wanted: ask[2] ?? ask[1] ?? '',
    })
  const found = search[language].exec(text)
  if (found && !/\btickets?\b|\breminders?\b|工单|提醒/i.test(text))
    return questionTask(found[1]!, { personal: false, period, wanted: found[1]! })
  return undefined
}

/** Reads any other question: memories and documents are looked through for an answer. */
export function readQuestion(clause: Clause, conversation: Conversation): Task | undefined {
  const { text, language } = clause
  if (!question[language].test(text)) return undefined
  const personal = language === 'zh' ? /我/.test(text) : /\b(?:i|i'm|me|my|mine|we|our|us)\b/i.test(text)
  const period = conversation.today === undefined ? undefined : readPeriod(text, conversation.today)
  return questionTask(text, { personal, period, wanted: text })
}

/** Summarises the documents that a request names, a text that it holds, or what was said before. */
export function summaryTask(subject: string, clause: Clause, conversation: Conversation): Task {
  const period = conversation.today === undefined ? undefined : readPeriod(clause.text, conversation.today)
  const attached = conversation.current.files.join('\n\n')
  const given = attached !== '' ? attached : subject.length > 160 ? subject : ''
  if (given !== '')
    return saying((scene) => `${scene.words.documents.summary}\n\n${bullets(extractSummary(given, 4))}`)
  if (
    /^(?:this|that|it|the above|the thread|(?:this|our) (?:thread|conversation|chat))?$|^(?:这个?|上面|以上|它|对话|聊天)?(?:的?内容)?$/i.test(
      subject,
    )
  )
    return aboveTask()
  return {
    advance(scene): Progress {
      const reading = readDocuments(scene, { topic: subject, period, byName: true })
      switch (reading.kind) {
        case 'look':
          return reading
        case 'unavailable':
        case 'failed':
          scene.findings.searched = true
          return told(
            reading.kind === 'failed'
              ? scene.words.documents.failed(reading.why)
              : scene.words.cannotHere(scene.words.abilities.documents),
          )
        case 'found': {
          scene.findings.searched = true
          scene.findings.notes = reading.notes
          if (reading.notes.length === 0) return told(nothingFound(scene, subject, period))
          return told(reading.notes.map((notes) => summarise(notes, scene.words)).join('\n\n'))
        }
      }
    },
  }
}

/** A summary of the longest thing that was said before. */
function aboveTask(): Task {
  return saying(({ conversation, words }) => {
    const said = conversation.earlier.flatMap((exchange) => [...exchange.asks, ...exchange.texts])
    const longest = said.toSorted((a, b) => b.length - a.length)[0] ?? ''
    return longest.length < 160
      ? words.documents.noText
      : `${words.documents.summary}\n\n${bullets(extractSummary(longest, 4))}`
  })
}

function listTask(): Task {
  return {
    advance(scene): Progress {
      const reading = readDocuments(scene, { topic: '', period: undefined, byName: true })
      switch (reading.kind) {
        case 'look':
          return reading
        case 'unavailable':
          return told(scene.words.cannotHere(scene.words.abilities.documents))
        case 'failed':
          return told(scene.words.documents.failed(reading.why))
        case 'found':
          return told(
            reading.files.length === 0
              ? scene.words.documents.noFiles
              : `${scene.words.documents.files}\n\n${bullets(reading.files.slice(0, 30).map((path) => path.split('/').slice(-2).join('/')))}`,
          )
      }
    },
  }
}

function showTask(name: string): Task {
  return {
    advance(scene): Progress {
      const reading = readDocuments(scene, { topic: name, period: undefined, byName: true })
      if (reading.kind === 'look') return reading
      if (reading.kind === 'unavailable') return told(scene.words.cannotHere(scene.words.abilities.documents))
      if (reading.kind === 'failed') return told(scene.words.documents.failed(reading.why))
      const notes =
        reading.notes.find((one) => one.name.toLowerCase() === name.toLowerCase()) ?? reading.notes[0]
      return told(
        notes
          ? `${scene.words.documents.says(notes.name)}\n\n${shorten(notes.text.trim(), 3_000)}`
          : scene.words.documents.none(name),
      )
    },
  }
}

function questionTask(
  topic: string,
  about: { readonly personal: boolean; readonly period: Period | undefined; readonly wanted: string },
): Task {
  return {
    advance(scene): Progress {
      const { conversation, words } = scene
      const held = relevant(conversation.memories, about.wanted)
      if (about.personal && held.length > 0) return told(`${words.memory.some}\n\n${bullets(held)}`)

      const recall = about.personal ? scene.tool('recall') : conversation.offered('recall')
      const recalled = recall ? scene.looked(recall, ({ query }) => query === topic) : undefined
      const reading = readDocuments(scene, { topic, period: about.period, byName: false })
      const calls = [
        ...(recall && !recalled ? [{ tool: recall, arguments: { query: topic } }] : []),
        ...(reading.kind === 'look' ? reading.calls : []),
      ]
      if (calls.length > 0) return { kind: 'look', calls }

      const remembered = memoriesIn(recalled)
      const fitting = about.personal
        ? remembered.slice(0, 3)
        : relevant([...held, ...remembered], about.wanted)
      const documents = reading.kind === 'found' ? reading.notes : []
      const passages = findPassages(documents, about.wanted)
      const parts = [
        ...(fitting.length > 0 ? [`${words.memory.some}\n\n${bullets([...new Set(fitting)])}`] : []),
        ...passages.map((passage) => `${words.documents.says(passage.document)}\n\n${quote(passage.text)}`),
      ]
      return told(parts.length > 0 ? parts.join('\n\n') : words.documents.unknownAnswer(about.wanted))
    },
  }
}

/** The texts of memories that a call brought back. */
export function memoriesIn(call: PastCall | undefined): string[] {
  if (call?.outcome.kind !== 'done') return []
  return listIn(call.outcome.data, 'memories').flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

/** Memories whose words touch the question. */
function relevant(lines: readonly string[], about: string): string[] {
  const wanted = termsOf(about)
  return lines.filter((line) => coverage(wanted, termsOf(line)) >= 0.34)
}

function nothingFound({ words }: Scene, subject: string, period: Period | undefined): string {
  const what = /meeting|minutes|notes|会议|纪要/i.test(subject) ? words.documents.notes : `“${subject}”`
  return period
    ? words.documents.noneInPeriod(writeDay(period.from), writeDay(period.to), what)
    : words.documents.none(what)
}

function told(say: string): Progress {
  return { kind: 'done', say, acted: false }
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
