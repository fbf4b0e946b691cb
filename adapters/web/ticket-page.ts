import { html, raw } from 'hono/html'
import { ticketValues } from '../../src/base/ticket-words.ts'
import type { TicketEntry, TicketView } from '../../src/channel/pages.ts'
import type { MarkdownHtml } from './html.ts'

const words = {
  en: {
    fields: {
      title: 'Title',
      status: 'Status',
      priority: 'Priority',
      assignee: 'Assignee',
      labels: 'Labels',
      due: 'Due',
    },
    values: ticketValues.en,
    nobody: 'Nobody',
    none: 'None',
    created: 'Created',
    by: (name: string) => `by ${name}`,
    history: 'History',
    nothing: 'Nothing has happened yet.',
    missing: 'There is no such ticket',
    hint: 'It may be of another place, or its number is another one.',
    chat: 'Web chat',
  },
  zh: {
    fields: {
      title: '标题',
      status: '状态',
      priority: '优先级',
      assignee: '负责人',
      labels: '标签',
      due: '截止时间',
    },
    values: ticketValues.zh,
    nobody: '无人',
    none: '无',
    created: '创建',
    by: (name: string) => `由 ${name}`,
    history: '历史记录',
    nothing: '还没有任何记录。',
    missing: '没有这个工单',
    hint: '它可能属于别处，或者编号有误。',
    chat: '网页聊天',
  },
} as const

type Language = keyof typeof words

/** The page of one ticket: what it is, how it stands, and what happened to it. */
export function ticketPage(
  ticket: TicketView,
  at: { readonly language: Language; readonly html: MarkdownHtml; readonly timeZone: string },
) {
  const { language } = at
  const say = words[language]
  const value = (name: string | null, empty: string = say.none) =>
    name === null || name === '' ? empty : ((say.values as Record<string, string>)[name] ?? name)
  const time = (date: Date) => html`<time datetime="${date.toISOString()}">${shownTime(date, at)}</time>`
  const field = (name: keyof (typeof words)['en']['fields'], shown: unknown) =>
    html`<div><dt>${say.fields[name]}</dt><dd>${shown}</dd></div>`
  const changed = (name: string, text: string | null) =>
    name === 'due' && text !== null && !Number.isNaN(Date.parse(text)) ? time(new Date(text)) : value(text)
  const entry = (one: TicketEntry) =>
    one.kind === 'comment'
      ? html`<li><p class="byline">${one.by} · ${time(one.at)}</p><div class="said">${raw(at.html(one.text))}</div></li>`
      : html`<li><p class="byline">${one.by} · ${time(one.at)}</p><p>${(say.fields as Record<string, string>)[one.field] ?? one.field}:
          ${changed(one.field, one.before)} → ${changed(one.field, one.after)}</p></li>`
  return frame(
    language,
    `${ticket.key} ${ticket.title}`,
    html`<header>
        <p class="key">${ticket.key} <span class="state ${ticket.status}">${value(ticket.status)}</span></p>
        <h1>${ticket.title}</h1>
        <p class="byline">${say.created} ${say.by(ticket.createdBy)} · ${time(ticket.createdAt)}</p>
      </header>
      <dl>
        ${field('priority', value(ticket.priority))} ${field('assignee', value(ticket.assignee, say.nobody))}
        ${field('due', ticket.dueAt ? time(ticket.dueAt) : say.none)}
        ${field('labels', ticket.labels.length > 0 ? ticket.labels.join(', ') : say.none)}
      </dl>
      ${ticket.body === '' ? '' : html`<section class="said">${raw(at.html(ticket.body))}</section>`}
      <section>
        <h2>${say.history}</h2>
        ${ticket.history.length === 0 ? html`<p class="byline">${say.nothing}</p>` : html`<ol>${ticket.history.map(entry)}</ol>`}
      </section>`,
  )
}

/** What is shown where there is no such ticket. */
export function noTicketPage(language: Language) {
  const say = words[language]
  return frame(language, say.missing, html`<h1>${say.missing}</h1><p class="byline">${say.hint}</p>`)
}

function frame(language: Language, title: string, content: unknown) {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Hermes</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/style.css" />
        <link rel="stylesheet" href="/assets/ticket.css" />
      </head>
      <body class="ticket">
        <nav><a href="/">${words[language].chat}</a></nav>
        <main>${content}</main>
      </body>
    </html>`
}

function shownTime(date: Date, at: { readonly language: Language; readonly timeZone: string }): string {
  return new Intl.DateTimeFormat(at.language === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: at.timeZone,
  }).format(date)
}
