import type { Language } from '../../base/words.ts'
import type { Clause } from './clauses.ts'
import type { Conversation } from './conversation.ts'
import { listIn, textIn } from './outcome.ts'
import { askFor, isLeftOpen, type Progress, report, type Scene, type Task } from './plan.ts'
import { coverage, termsOf } from './terms.ts'
import { takeWhen, type When } from './when.ts'

const set = {
  en: /^(.*?)\b(?:remind me(?: again)?|(?:set|create|add|make)(?: me)? (?:a |an |another )?(?:new )?reminder|(?:ping|nudge|wake) me)\b(?: for me)?\s*[:,]?\s*(.*)$/is,
  zh: /^(.*?)(?:提醒一?下?我|给我?(?:设|定)(?:置)?(?:一)?(?:个|条)?提醒|(?:设置?|创建|新建|添加|定)(?:一)?(?:个|条)?提醒)[：:，,]?\s*(.*)$/s,
} as const
const list = {
  en: /^(?:(?:list|show|see|what|which|any|do i have|are there)\b[^?]*\breminders?\b|(?:my|all|open) reminders\b)/i,
  zh: /^(?:列出|查看|看看|显示|有哪些|我有哪些|我有什么|我的|所有|全部)[^，。]{0,6}提醒(?:有哪些)?[？?]?$|^我?(?:都)?有(?:哪些|什么)提醒[？?]?$/,
} as const
const cancel = {
  en: /^(?:cancel|delete|remove|drop|clear|stop)\b(.*?)\breminders?\b\s*(.*)$/i,
  zh: /^(?:取消|删除|删掉|去掉|不要)(.*?)(?:的)?提醒(.*)$|^(?:把)?(.*?)(?:的)?提醒(?:取消|删除|删掉|去掉)(?:吧|掉|了)?$/,
} as const

/** Reads requests about reminders. */
export function readReminderRequest(clause: Clause, conversation: Conversation): Task | undefined {
  const { text, language } = clause
  if (list[language].test(text)) return listTask()
  const gone = cancel[language].exec(text)
  if (gone) return cancelTask([gone[1], gone[2], gone[3]].map((part) => part ?? '').join(' '), language)
  const wanted = set[language].exec(text)
  if (!wanted) return rememberTo(clause, conversation)
  const joined = [wanted[1], wanted[2]].map((part) => (part ?? '').trim()).filter((part) => part !== '')
  return setTask(
    takeWhen(joined.join(language === 'zh' ? '' : ' '), language, conversation),
    conversation,
    language,
  )
}

/** "Remember to call Ann tomorrow" is a reminder where it names a time. */
function rememberTo({ text, language }: Clause, conversation: Conversation): Task | undefined {
  const wanted =
    language === 'en' ? /^(?:remember|don't forget|do not forget) to (.+)$/i.exec(text) : undefined
  const taken = wanted ? takeWhen(wanted[1]!, language, conversation) : undefined
  return taken && namesTime(taken) ? setTask(taken, conversation, language) : undefined
}

/** A way of coming again that says it all needs no other time. */
function namesTime({ when, repeat }: When): boolean {
  return when !== undefined || repeat !== undefined
}

function setTask(wanted: When, now: Conversation, language: Language): Task {
  const text = taskText(wanted.rest, language)
  return {
    fill: (answer) => {
      const taken = takeWhen(answer, language, now)
      if (!namesTime(wanted) && namesTime(taken))
        return setTask({ ...taken, rest: text === '' ? taken.rest : wanted.rest }, now, language)
      return setTask({ ...wanted, rest: answer }, now, language)
    },
    advance(scene): Progress {
      const tool = scene.tool('set_reminder')
      if (!tool) return unavailable(scene)
      const call = scene.acted(tool)
      const args = {
        ...(text === '' ? {} : { text }),
        ...(wanted.when === undefined ? {} : { when: wanted.when }),
        ...(wanted.repeat ? { repeat: wanted.repeat } : {}),
      }
      const { askText, askWhen } = scene.words.reminder
      if ((text === '' || !namesTime(wanted)) && (!call || isLeftOpen(call)))
        return askFor(call, { tool, arguments: args }, text === '' ? askText : askWhen)
      if (!call) return { kind: 'act', confirm: false, calls: [{ tool, arguments: args }] }
      const about = textIn(call.arguments, 'text') ?? text
      return report(call, scene.words.reminder.name(about), scene.words, ({ outcome }) => {
        const data = outcome.kind === 'done' ? outcome.data : undefined
        return scene.words.reminder.set(about, timeIn(data, wanted, scene))
      })
    },
  }
}

function listTask(): Task {
  return {
    advance(scene): Progress {
      const tool = scene.tool('list_reminders')
      if (!tool) return unavailable(scene)
      const call = scene.looked(tool, () => true)
      if (!call) return { kind: 'look', calls: [{ tool, arguments: {} }] }
      if (call.outcome.kind !== 'done') return report(call, scene.words.reminder.all, scene.words, () => '')
      const lines = linesOf(call.outcome.data, scene)
      return told(lines === '' ? scene.words.reminder.none : `${scene.words.reminder.all}\n\n${lines}`)
    },
  }
}

function cancelTask(words: string, language: Language): Task {
  const all = language === 'zh' ? /所有|全部/.test(words) : /\b(?:all|every)\b/i.test(words)
  const about = termsOf(
    words.replace(/\b(?:the|my|all|about|to|for|that|of)\b|所有|全部|我的?|那个|这个/gi, ' '),
  )
  return {
    fill: (answer) => cancelTask(answer, language),
    advance(scene): Progress {
      const tool = scene.tool('cancel_reminder')
      const lister = scene.tool('list_reminders')
      if (!tool || !lister) return unavailable(scene)
      const listed = scene.looked(lister, () => true)
      if (!listed) return { kind: 'look', calls: [{ tool: lister, arguments: {} }] }
      if (listed.outcome.kind !== 'done')
        return report(listed, scene.words.reminder.all, scene.words, () => '')
      const reminders = listIn(listed.outcome.data, 'reminders')
      if (reminders.length === 0) return told(scene.words.reminder.none)
      const chosen = all ? reminders : choose(reminders, about, words)
      if (chosen.length === 0) {
        const lines = linesOf(listed.outcome.data, scene)
        return about.size > 0
          ? told(scene.words.reminder.noSuch(lines))
          : { kind: 'ask', question: scene.words.reminder.askWhich(lines) }
      }
      const calls = chosen.map((one) => scene.looked(tool, ({ reminder }) => reminder === textIn(one, 'id')))
      const missing = chosen.filter((_, place) => !calls[place])
      if (missing.length > 0)
        return {
          kind: 'act',
          confirm: false,
          calls: missing.map((one) => ({
            tool,
            arguments: { reminder: textIn(one, 'id') ?? textIn(one, 'text') ?? '' },
          })),
        }
      const said = calls.map((call, place) => {
        const text = textIn(chosen[place], 'text') ?? ''
        const told = report(call!, scene.words.reminder.name(text), scene.words, () =>
          scene.words.reminder.cancelled(text),
        )
        return told.kind === 'done' ? told.say : ''
      })
      return { kind: 'done', say: said.join('\n'), acted: true }
    },
  }
}

function choose(
  reminders: readonly Record<string, unknown>[],
  about: ReadonlySet<string>,
  words: string,
): readonly Record<string, unknown>[] {
  const place = /^\s*(?:the )?(?:number |no\. ?|第)?(\d{1,2})(?:st|nd|rd|th|个|条)?(?: one)?\s*$/i.exec(words)
  if (place) return reminders.slice(Number(place[1]) - 1, Number(place[1]))
  if (about.size === 0) return reminders.length === 1 ? reminders : []
  const scored = reminders.map((one) => ({
    one,
    score: coverage(about, termsOf(`${textIn(one, 'text')} ${textIn(one, 'words') ?? ''}`)),
  }))
  const best = Math.max(...scored.map(({ score }) => score))
  const fitting = scored.filter(({ score }) => score === best)
  return best > 0 && fitting.length === 1 ? fitting.map(({ one }) => one) : []
}

/** What is to be said when the time comes: no "to", "that" or "about" before it. */
function taskText(rest: string, language: Language): string {
  const clean =
    language === 'zh'
      ? rest.replace(/^[，,：:\s]*(?:要|去|说|一下|关于)?[：:，,\s]*/, '')
      : rest.replace(/^[\s,:-]*(?:(?:to|that|about|of|for)\b[\s:]*)?(?:(?:to|that|about)\b\s*)?/i, '')
  return clean.replace(/[\s,，.。!！]+$/, '')
}

function timeIn(data: unknown, wanted: When, scene: Scene): string {
  const { words } = scene
  const zh = scene.conversation.language === 'zh'
  const shown = textIn(data, 'words')
  const exact = textIn(data, 'when')
  // A date reads better with "on", words such as "tomorrow 09:00" without.
  const at = shown
    ? `${!zh && /^\d{1,2} /.test(shown) ? 'on ' : !zh && /^\d{1,2}:/.test(shown) ? 'at ' : ''}${shown.replace(/ (?=\d{2}:\d{2}$)/, zh ? ' ' : ' at ')}`
    : exact
      ? exact.slice(0, 16).replace('T', ' ')
      : (wanted.when ?? '')
  const plain: Readonly<Record<string, string>> = words.reminder.repeats
  const repeat = wanted.repeat ? (plain[wanted.repeat] ?? textIn(data, 'repeat') ?? wanted.repeat) : ''
  return repeat === '' ? at : zh ? `${at}起${repeat}` : `${repeat}, from ${at}`
}

function linesOf(data: unknown, { words, conversation }: Scene): string {
  const repeats: Readonly<Record<string, string>> = words.reminder.repeats
  return listIn(data, 'reminders')
    .map((one, place) => {
      const repeat = textIn(one, 'repeat') ?? ''
      const at = [textIn(one, 'words') ?? textIn(one, 'when') ?? '', repeats[repeat] ?? repeat]
      const colon = conversation.language === 'zh' ? '：' : ': '
      return `${place + 1}. ${at.filter((part) => part !== '').join(', ')}${colon}${textIn(one, 'text') ?? ''}`
    })
    .join('\n')
}

function unavailable({ words }: Scene): Progress {
  return told(words.cannotHere(words.abilities.reminders))
}

function told(say: string): Progress {
  return { kind: 'done', say, acted: false }
}
