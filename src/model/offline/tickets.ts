import type { Language } from '../../base/words.ts'
import type { Clause } from './clauses.ts'
import { allExchanges, type Conversation, type PastCall } from './conversation.ts'
import { textIn } from './outcome.ts'
import { askFor, isLeftOpen, type Progress, report, type Scene, type Task } from './plan.ts'
import { readFields, type TicketFields, withoutFields } from './ticket-fields.ts'
import { shownTicket, shownTickets } from './ticket-lines.ts'

const number = /\b([A-Z]{1,6}-\d{1,9})\b/i
const create = {
  en: /^(?:create|open|file|make|raise|log|add|submit|write|report|i need|we need)\s+(?:me\s+|us\s+)?(?:a|an|another|the)?\s*(?:new\s+)?((?:low|normal|medium|high|urgent|critical)(?:[ -]priority)?\s+)?(?:support\s+)?(?:ticket|issue|incident)\b\s*(?:saying that|saying|about|for|that|because|titled|called|to)?[\s:,-]*([\s\S]*)$/i,
  zh: /^(?:给我|我要|我想)?(?:创建|新建|建立?|开|提交?|报|登记|添加|加)(?:一)?(?:个|张|条)?((?:低|普通|中|高|紧急)(?:优先级)?的?)?(?:新的?)?(?:工单|单子|问题单)[：:，,。\s]*(?:内容是|标题是|关于)?[：:]?\s*([\s\S]*)$/,
} as const
const repair = /^报修[：:，,\s]*([\s\S]+)$/
const list = {
  en: /^(?:(?:list|show|see|get|display|which|what|are there|how many|do (?:i|we) have)\b[^?]*\btickets\b|(?:my|open|all) tickets\b)/i,
  zh: /^(?:列出|查看|看看|显示|有哪些|有多少|还有哪些|我的|所有|全部|目前|现在|未完成|未处理|打开)?[^，。：:]{0,10}工单(?:列表|有哪些|有多少|吗)?[？?]?$/,
} as const
const comment = {
  en: /^(?:comment(?: on)?|(?:add|leave|write|post|put) (?:a )?(?:comment|note)(?: (?:on|to|for))?)\s+(?:ticket\s+)?(.*)$/i,
  zh: /^(?:给|在|对|为)?(.*?)(?:上|下面)?(?:添?加|写|发|留)?(?:一)?(?:条|个)?(?:评论|备注|留言)[：:，,\s]*([\s\S]*)$/,
} as const
const show = {
  en: /^(?:show|get|open|display|look up|what(?:'s| is)(?: the status of)?|how(?:'s| is)|status of|tell me about|check|who changed|(?:the )?history of)\b/i,
  zh: /^(?:查看|看看?|显示|查一?下|打开)|(?:怎么样|什么情况|进展|状态|情况|历史|历史记录|变更记录?|改动)(?:了|如何|怎样)?[？?]?$/,
} as const

/** Reads requests about tickets. */
export function readTicketRequest(clause: Clause, conversation: Conversation): Task | undefined {
  const { text, language } = clause
  const made = create[language].exec(text)
  if (made) return createTask(made[2] ?? '', made[1] ?? '', language)
  const broken = repair.exec(text)
  if (broken) return createTask(broken[1]!, '', language)

  const known = number.exec(text)?.[1]?.toUpperCase()
  const meant = known ?? (refersBack(text, language) ? lastNumber(conversation) : undefined)
  const said = comment[language].exec(text)
  if (said && (meant || /评论|comment|note/i.test(text)))
    return commentTask(meant, commentText(text, language))
  if (meant) {
    const fields = readFields(text.replace(number, ' '), language)
    if (Object.keys(fields).length > 0 && !(known && show[language].test(text)))
      return updateTask(meant, fields)
    if (show[language].test(text) || text.trim().toUpperCase() === known) return showTask(meant)
    if (/^(?:update|change|edit|set|rename|修改|更新|更改|把|将)/i.test(text)) return updateTask(meant, {})
    if (known && text.length < 40) return showTask(meant)
  }
  if (list[language].test(text)) return listTask(text, language)
  if (
    /^(?:close|reopen|resolve|update|change|assign)\b[^.]*\bticket\b|^(?:关闭|修改|更新|更改|解决)[^，。]{0,6}工单/i.test(
      text,
    )
  )
    return updateTask(undefined, readFields(text, language))
  return undefined
}

function createTask(words: string, adjective: string, language: Language): Task {
  const priority = readFields(
    adjective.replace(/的$|[ -]priority\s*$|优先级的?$/i, '').trim(),
    language,
  ).priority
  const fields = { ...(priority ? { priority } : {}), ...readFields(words, language) }
  const title = titleOf(withoutFields(words, language))
  return {
    fill: (answer) => createTask(answer, adjective, language),
    advance(scene): Progress {
      const tool = scene.tool('create_ticket')
      if (!tool) return unavailable(scene)
      const { status: _, ...chosen } = fields
      const call = scene.acted(tool)
      if (title.title.length < 3 && (!call || isLeftOpen(call)))
        return askFor(call, { tool, arguments: chosen }, scene.words.ticket.askTitle)
      if (!call) {
        return {
          kind: 'act',
          confirm: true,
          calls: [
            {
              tool,
              arguments: {
                ...chosen,
                title: title.title,
                ...(title.description ? { description: title.description } : {}),
              },
            },
          ],
        }
      }
      const made = String(call.arguments.title ?? title.title)
      return report(call, scene.words.ticket.name(made), scene.words, ({ outcome }) => {
        const data = outcome.kind === 'done' ? outcome.data : undefined
        const created =
          textIn(data, 'ticket') ?? (outcome.kind === 'done' ? number.exec(outcome.text)?.[1] : undefined)
        return created ? scene.words.ticket.created(created, textIn(data, 'title') ?? made) : textOf(call)
      })
    },
  }
}

function showTask(ticket: string): Task {
  return {
    advance(scene): Progress {
      const tool = scene.tool('get_ticket')
      if (!tool) return unavailable(scene)
      const call = scene.looked(tool, (args) => String(args.ticket).toUpperCase() === ticket)
      if (!call) return { kind: 'look', calls: [{ tool, arguments: { ticket } }] }
      const { outcome } = call
      if (outcome.kind === 'done')
        return told(outcome.data ? shownTicket(outcome.data, scene.words) : outcome.text)
      return told(
        'text' in outcome
          ? scene.words.ticket.notFound(outcome.text)
          : scene.words.outcome[outcome.kind](ticket),
      )
    },
  }
}

function listTask(text: string, language: Language): Task {
  const filters = listFilters(text, language)
  return {
    advance(scene): Progress {
      const tool = scene.tool('list_tickets')
      if (!tool) return unavailable(scene)
      const mine = filters.mine && scene.conversation.speaker ? { assignee: scene.conversation.speaker } : {}
      const call = scene.looked(tool, () => true)
      if (!call) return { kind: 'look', calls: [{ tool, arguments: { ...filters.args, ...mine } }] }
      const { outcome } = call
      if (outcome.kind === 'done')
        return told(outcome.data ? shownTickets(outcome.data, scene.words) : outcome.text)
      return told('text' in outcome ? scene.words.ticket.notFound(outcome.text) : scene.words.ticket.none)
    },
  }
}

function updateTask(ticket: string | undefined, fields: TicketFields): Task {
  return {
    fill: (answer) => {
      const given = ticket ?? number.exec(answer)?.[1]?.toUpperCase()
      const language: Language = /\p{Script=Han}/u.test(answer) ? 'zh' : 'en'
      return updateTask(given, { ...fields, ...readFields(answer.replace(number, ' '), language) })
    },
    advance(scene): Progress {
      const tool = scene.tool('update_ticket')
      if (!tool) return unavailable(scene)
      const call = scene.acted(tool)
      const isOpen = !call || isLeftOpen(call)
      if (!ticket && isOpen)
        return askFor(call, { tool, arguments: { ...fields } }, scene.words.ticket.askNumber)
      if (ticket && Object.keys(fields).length === 0 && isOpen)
        return askFor(call, { tool, arguments: { ticket } }, scene.words.ticket.askChange(ticket))
      if (!call) return { kind: 'act', confirm: true, calls: [{ tool, arguments: { ticket, ...fields } }] }
      const changed = ticketOf(call, ticket)
      return report(call, scene.words.ticket.changeName(changed), scene.words, ({ outcome }) => {
        const data = outcome.kind === 'done' ? outcome.data : undefined
        return data
          ? `${scene.words.ticket.updated(changed)}\n\n${shownTicket(data, scene.words)}`
          : scene.words.ticket.updated(changed)
      })
    },
  }
}

function commentTask(ticket: string | undefined, text: string): Task {
  return {
    fill: (answer) => {
      const given = ticket ?? number.exec(answer)?.[1]?.toUpperCase()
      return commentTask(given, text !== '' ? text : ticket ? answer : '')
    },
    advance(scene): Progress {
      const tool = scene.tool('comment_ticket')
      if (!tool) return unavailable(scene)
      const call = scene.acted(tool)
      const isOpen = !call || isLeftOpen(call)
      const known = { ...(ticket ? { ticket } : {}), ...(text === '' ? {} : { text }) }
      if (!ticket && isOpen) return askFor(call, { tool, arguments: known }, scene.words.ticket.askNumber)
      if (ticket && text === '' && isOpen)
        return askFor(call, { tool, arguments: known }, scene.words.ticket.askComment(ticket))
      if (!call) return { kind: 'act', confirm: true, calls: [{ tool, arguments: { ticket, text } }] }
      const about = ticketOf(call, ticket)
      return report(call, scene.words.ticket.commentName(about), scene.words, () =>
        scene.words.ticket.commented(about),
      )
    },
  }
}

/** The ticket that a call is about: a person may have filled in its number. */
function ticketOf(call: PastCall, otherwise: string | undefined): string {
  return textIn(call.arguments, 'ticket') ?? otherwise ?? ''
}

/** The first line or sentence is the title, what follows is the description. */
function titleOf(words: string): { title: string; description: string } {
  const clean = words
    .trim()
    .replace(/^["“'「]|["”'」]$/g, '')
    .replace(/[\s,，.。;；:：-]+$/, '')
  const cut = /^(.{3,180}?)(?:\n+|(?<=[.!?])\s+(?=\p{Lu})|(?<=[。！？；]))([\s\S]+)$/u.exec(clean)
  const title = (cut?.[1] ?? clean).replace(/[.。]+$/, '').trim()
  const description = (cut?.[2] ?? '').trim()
  if (title.length > 200) return { title: `${title.slice(0, 190).toWellFormed()}…`, description: clean }
  return { title: /^[a-z]/.test(title) ? title[0]!.toUpperCase() + title.slice(1) : title, description }
}

function commentText(text: string, language: Language): string {
  const marked = /[：:]\s*([\s\S]+)$/.exec(text.replace(number, ' '))?.[1]
  if (marked) return marked.trim()
  const pattern =
    language === 'zh'
      ? /(?:评论|备注|留言)(?:说|：|:|，|,)?\s*([\s\S]*)$/
      : /(?:saying|that|with)\s+([\s\S]*)$/i
  return pattern.exec(text.replace(number, ' '))?.[1]?.trim() ?? ''
}

function listFilters(text: string, language: Language): { args: Record<string, string>; mine: boolean } {
  const zh = language === 'zh'
  const status = (
    zh
      ? [
          ['closed', /已?关闭/],
          ['resolved', /已?解决/],
          ['in_progress', /处理中|进行中/],
          ['open', /未处理|待处理|新的/],
        ]
      : [
          ['closed', /\bclosed\b/i],
          ['resolved', /\b(?:resolved|solved)\b/i],
          ['in_progress', /\bin progress\b/i],
          ['open', /\bopen\b/i],
        ]
  ).find(([, pattern]) => (pattern as RegExp).test(text))?.[0] as string | undefined
  const who = zh
    ? /(?:分配给|指派给|负责人是?)\s*([^\s的，。？?]+)/.exec(text)?.[1]
    : /\b(?:assigned to|for|of)\s+((?!me\b)[A-Za-z][\w-]*(?: [A-Z][\w-]*)?)/.exec(text)?.[1]
  const about = zh
    ? /关于\s*(.+?)\s*的?工单/.exec(text)?.[1]
    : /\b(?:about|with|containing|mentioning)\s+(.+?)\??$/i.exec(text)?.[1]
  return {
    args: {
      ...(status ? { status } : {}),
      ...(who ? { assignee: who } : {}),
      ...(about ? { query: about } : {}),
    },
    mine: zh ? /我的|我负责|分配给我/.test(text) : /\b(?:my|assigned to me|mine)\b/i.test(text),
  }
}

function refersBack(text: string, language: Language): boolean {
  return language === 'zh'
    ? /(?:它|这个|那个|这张|那张|刚才的?|上面的?)(?:工单)?/.test(text) &&
        /工单|它|优先级|关闭|评论|解决|指派|分配|历史|记录|变更/.test(text)
    : /\b(?:it|that ticket|this ticket|the ticket)\b/i.test(text)
}

/** The ticket that was spoken of last. */
function lastNumber(conversation: Conversation): string | undefined {
  const said = allExchanges(conversation).flatMap((exchange) => [
    ...exchange.asks.slice(0, -1),
    ...exchange.calls.flatMap(({ outcome, arguments: args }) => [
      String(args.ticket ?? ''),
      outcome.kind === 'done' ? (textIn(outcome.data, 'ticket') ?? '') : '',
    ]),
    ...exchange.texts,
  ])
  return said.flatMap((text) => [...text.matchAll(/\b([A-Z]{1,6}-\d{1,9})\b/g)]).at(-1)?.[1]
}

function unavailable({ words }: Scene): Progress {
  return told(words.cannotHere(words.abilities.tickets))
}

function told(say: string): Progress {
  return { kind: 'done', say, acted: false }
}

function textOf(call: { readonly outcome: { readonly kind: string } }): string {
  return 'text' in call.outcome && typeof call.outcome.text === 'string' ? call.outcome.text : ''
}
