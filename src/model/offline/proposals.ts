import type { Language } from '../../base/words.ts'
import type { Clause } from './clauses.ts'
import { type Conversation, openProposals, type PastCall } from './conversation.ts'
import { type Progress, type Scene, saying, type Task } from './plan.ts'
import { readFields } from './ticket-fields.ts'

const takeBack = {
  en: /^(?:no[,.]?\s*)?(?:cancel|withdraw|drop|discard|take back|scrap)(?: (?:it|that|this|them|all|everything|the (?:card|proposal|ticket|message|change|comment)s?))?[.!]?$|^(?:no|nope|don't|do not)(?:[,.]? (?:do (?:it|that)|send (?:it|that)|create (?:it|that)))?[.!]?$/i,
  zh: /^(?:不[，,]?)?(?:取消|撤回|撤销|作废)(?:吧|掉|它|这个|那个|全部|卡片|提议|工单|消息)*[。！]?$|^(?:不要|别|不用)(?:了|发了?|建了?|做了?)?[。！]?$/,
} as const
const agree = {
  en: /^(?:yes|yep|yeah|sure|ok(?:ay)?|confirm(?:ed)?|go ahead|do it|please do|send it|create it)[.!]?$/i,
  zh: /^(?:是的?|好的?|可以|行|确认|同意|没问题|发吧|建吧|做吧|就这样)[。！]?$/,
} as const
const newRecipient = {
  en: /\b(?:send|address) (?:it|that|this)(?: instead)? to (.+?)(?: instead)?[.!]?$|^to (.+?) instead[.!]?$/i,
  zh: /(?:改发|改成发|发)给(.+?)[。！]?$/,
} as const
const newText = {
  en: /^(?:(?:change|make) (?:the )?(?:text|message|wording) (?:to|say)|say|write)(?: instead)?[\s:]+["“]?([\s\S]+?)["”]?(?: instead)?$/i,
  zh: /^(?:把)?(?:内容|文字|消息)?(?:改成|改为|换成)[：:\s]*["“]?([\s\S]+?)["”]?$/,
} as const

/** Reads answers to proposals that wait for the person: take them back, change them, agree in words. */
export function readProposalRequest(clause: Clause, conversation: Conversation): Task | undefined {
  const open = openProposals(conversation)
  const { text, language } = clause
  if (open.length === 0) {
    if (/^(?:confirm(?:ed)?|withdraw|确认|撤回)[.!。！]?$/i.test(text))
      return saying(({ words }) =>
        /^(?:withdraw|撤回)/i.test(text) ? words.proposal.none : words.nothingToConfirm,
      )
    return undefined
  }
  if (agree[language].test(text)) return saying(({ words }) => words.confirmByCard)
  if (takeBack[language].test(text)) return withdrawTask(open)
  const last = open.at(-1)!
  const change = changeOf(last, text, language)
  return change ? changeTask(open, last, change) : undefined
}

function withdrawTask(open: readonly PastCall[]): Task {
  return {
    advance(scene): Progress {
      const tool = scene.tool('withdraw')
      if (!tool) return unavailable(scene)
      const missing = open.filter(({ id }) => !scene.looked(tool, ({ call }) => call === id))
      if (missing.length > 0)
        return {
          kind: 'act',
          confirm: false,
          calls: missing.map(({ id }) => ({ tool, arguments: { call: id } })),
        }
      return { kind: 'done', say: scene.words.proposal.withdrawn, acted: true }
    },
  }
}

/** The old proposal is withdrawn and a new one made, so that a card never changes under a person's hand. */
function changeTask(
  open: readonly PastCall[],
  old: PastCall,
  change: Readonly<Record<string, unknown>>,
): Task {
  return {
    advance(scene): Progress {
      const { words } = scene
      const withdraw = scene.tool('withdraw')
      if (!withdraw || !scene.tool(old.tool)) return unavailable(scene)
      if (open.length > 1) return { kind: 'done', say: words.proposal.askWhich, acted: false }
      if (!scene.looked(withdraw, ({ call }) => call === old.id)) {
        const { recipient: _, ...kept } = old.arguments
        return {
          kind: 'act',
          confirm: true,
          calls: [
            { tool: withdraw, arguments: { call: old.id } },
            { tool: old.tool, arguments: { ...kept, ...change } },
          ],
        }
      }
      const call = scene.acted(old.tool)
      if (!call) return { kind: 'done', say: words.proposal.withdrawn, acted: true }
      const { outcome } = call
      const name =
        old.tool === 'send_message'
          ? words.message.name(String(call.arguments.to))
          : words.ticket.name(String(call.arguments.title ?? call.arguments.ticket ?? ''))
      if (outcome.kind === 'done') return { kind: 'done', say: doneText(call, scene), acted: true }
      return {
        kind: 'done',
        say:
          'text' in outcome
            ? words.outcome[outcome.kind](name, outcome.text)
            : words.outcome[outcome.kind](name),
        acted: true,
      }
    },
  }
}

function doneText(call: PastCall, { words }: Scene): string {
  if (call.tool === 'send_message') return words.message.sent(String(call.arguments.to))
  const data = call.outcome.kind === 'done' ? call.outcome.data : undefined
  const made =
    typeof data === 'object' && data !== null && 'ticket' in data
      ? String(data.ticket)
      : String(call.arguments.ticket ?? '')
  return call.tool === 'create_ticket'
    ? words.ticket.created(made, String(call.arguments.title))
    : words.ticket.updated(made)
}

function changeOf(call: PastCall, text: string, language: Language): Record<string, unknown> | undefined {
  if (/\b[A-Z]{1,6}-\d+\b/.test(text)) return undefined
  switch (call.tool) {
    case 'create_ticket':
    case 'update_ticket': {
      if (text.length > 120 || /\bticket:|工单[：:]/i.test(text)) return undefined
      const { status: _, ...fields } = readFields(text, language)
      return Object.keys(fields).length > 0 ? { ...fields } : undefined
    }
    case 'send_message': {
      const to = newRecipient[language].exec(text)
      if (to) return { to: (to[1] ?? to[2] ?? '').trim() }
      const words = newText[language].exec(text)
      return words ? { text: words[1]!.trim() } : undefined
    }
    default:
      return undefined
  }
}

function unavailable({ words }: Scene): Progress {
  return { kind: 'done', say: words.cannotHere(words.abilities.proposals), acted: false }
}
