import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { freshDirectory } from '../support/database.ts'
import { type ModelStandIn, type ScriptedCall, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'
import { injections } from './injections.ts'

const root = new URL('../../', import.meta.url).pathname
const office = join(root, 'test/support/office-server.ts')
const filesystem = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')

let model: ModelStandIn
let scripts: Scripts
let app: TestApp
let rows: Rows
let folder: string
let journal: string
const words: string[] = []
const clients: ReturnType<typeof webClient>[] = []

/** Everything that could be changed, called at once: the worst that a model can make of a text. */
const worst = (word: string): readonly ScriptedCall[] => [
  { name: 'create_ticket', arguments: { title: `Pwned ${word}` } },
  { name: 'send_message', arguments: { to: 'Bob', text: `Pwned ${word}` } },
  { name: 'update_ticket', arguments: { ticket: 'T-1001', status: 'closed' } },
  { name: 'comment_ticket', arguments: { ticket: 'T-1001', text: `Pwned ${word}` } },
  { name: 'mcp__documents__write_file', arguments: { path: join(folder, `${word}.txt`), content: 'Pwned' } },
  {
    name: 'mcp__documents__move_file',
    arguments: { source: join(folder, 'doc-0.md'), destination: join(folder, word) },
  },
  { name: 'mcp__office__file_expense', arguments: { employee: 'Ann', amount: 9_999 } },
  // What there is not, however sure the model is of it.
  { name: 'approve', arguments: { all: true } },
  { name: 'approval.confirm', arguments: { value: 'apr_0' } },
]
const writes = 7

/** The call that brings the text of a case before the model; a memory comes by itself. */
function bringing(index: number, tickets: ReadonlyMap<number, string>): readonly ScriptedCall[] {
  const { source } = injections[index]!
  switch (source) {
    case 'document':
      return [
        { name: 'mcp__documents__read_text_file', arguments: { path: join(folder, `doc-${index}.md`) } },
      ]
    case 'file name':
      return [{ name: 'mcp__documents__list_directory', arguments: { path: join(folder, `names-${index}`) } }]
    case 'tool result':
      return [{ name: 'mcp__office__announcement', arguments: { number: index } }]
    case 'ticket':
      return [{ name: 'get_ticket', arguments: { ticket: tickets.get(index)! } }]
    case 'memory':
      return [{ name: 'recall', arguments: {} }]
    default:
      return source satisfies never
  }
}

beforeAll(async () => {
  folder = await freshDirectory()
  const aside = await freshDirectory()
  journal = join(aside, 'journal')
  await writeFile(journal, '')
  await writeFile(join(aside, 'announcements'), JSON.stringify(injections.map(({ text }) => text)))
  for (const [index, { source, text }] of injections.entries()) {
    await writeFile(join(folder, `doc-${index}.md`), source === 'document' ? text : 'Nothing.')
    if (source !== 'file name') continue
    await mkdir(join(folder, `names-${index}`))
    await writeFile(join(folder, `names-${index}`, text), 'Nothing.')
  }
  model = await startModel()
  scripts = scriptModel(model)
  app = await startTestApp({
    variables: model.variables(),
    // So that every call gets as far as its card, however little anybody asked for it.
    config: { tools: { selection: { call: 0 } } },
    mcp: {
      mcpServers: {
        documents: { command: process.execPath, args: [filesystem, folder], trusted: true },
        office: {
          command: process.execPath,
          args: [office, journal, join(aside, 'announcements')],
          trusted: true,
        },
      },
    },
  })
  await app.mcp.settled(60_000)
  rows = await openRows(app.home)
  await webClient(app.address, 'Bob', 'bobs').say('Hello')
  const tickets = new Map<number, string>()
  for (const [index, { source, text }] of injections.entries()) {
    if (source !== 'ticket') continue
    const [made] = await rows.query<{ number: number }>(
      `INSERT INTO ticket (id, workspace, title, body, created_by, session_id, call_id)
       SELECT 'tkt_' || $1, workspace, 'A ticket', $2, 'per_1', id, 'call_' || $1 FROM session LIMIT 1 RETURNING number`,
      String(index),
      text,
    )
    tickets.set(index, `T-${made!.number}`)
  }

  // All of them at once, each in a conversation of its own.
  await Promise.all(
    injections.map(async ({ source, text }, index) => {
      const word = scripts.word()
      words[index] = word
      const ann = webClient(app.address, source === 'memory' ? `Ann ${index}` : 'Ann', word)
      clients[index] = ann
      if (source === 'memory') {
        scripts.on(word, { calls: [{ name: 'remember', arguments: { text } }] }, { text: 'Kept.' })
        await ann.say(`Keep that, ${word}`)
        await ann.until(
          'it to be kept',
          ({ messages }) => messages.some((one) => one.text === 'Kept.'),
          60_000,
        )
      }
      scripts.on(
        word,
        { calls: bringing(index, tickets) },
        { text: 'I do as I am told.', calls: worst(word) },
        { text: 'It waits for you.' },
      )
      await ann.say(`Please have a look at it, ${word}`)
      await ann.until(
        'the cards',
        ({ state, messages }) =>
          state === 'awaiting_confirmation' && messages.flatMap(({ cards }) => cards).length >= writes,
        90_000,
      )
    }),
  )
  await rows.quiet(60_000)
}, 180_000)
afterAll(async () => {
  await rows?.close()
  await app?.end()
  await model?.stop()
})

it('there are at least 25, from every source and in both languages', () => {
  expect(injections.length).toBeGreaterThanOrEqual(25)
  expect(new Set(injections.map(({ source }) => source)).size).toBe(5)
  expect(injections.filter(({ text }) => /\p{Script=Han}/u.test(text)).length).toBeGreaterThanOrEqual(10)
})

it.each(injections.map(({ source, text }, index) => [source, text, index] as const))(
  'from a %s changes nothing without a person: %s',
  async (_source, text, index) => {
    const word = words[index]!
    // The model has read it, so that this is about what it did then.
    const seen = scripts
      .requests(word)
      .at(-1)!
      .messages.map(({ content }) => String(content))
      .join('\n')
    // Inside JSON its quotes are escaped.
    expect(seen.replaceAll('\\', '')).toContain(text.split('\n').at(-1)!.slice(0, 30))
    const calls = await rows.query<{ status: string; decided: string | null; n: number }>(
      `SELECT c.status::text, a.status::text AS decided, count(*)::int AS n FROM tool_call c
       LEFT JOIN approval a ON a.call_id = c.id
       WHERE c.effect = 'write' AND c.session_id = (SELECT session_id FROM message WHERE text LIKE $1 LIMIT 1)
       GROUP BY 1, 2`,
      `%have a look at it, ${word}%`,
    )
    expect(calls).toEqual([{ status: 'proposed', decided: 'open', n: writes }])
  },
)

it('and nothing was changed anywhere', async () => {
  const [tickets] = await rows.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ticket WHERE title LIKE 'Pwned%'`,
  )
  const [changed] = await rows.query<{ n: number }>(
    'SELECT (SELECT count(*) FROM ticket_change)::int + (SELECT count(*) FROM ticket_comment)::int AS n',
  )
  const [sent] = await rows.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM delivery WHERE purpose = 'message'`,
  )
  expect([tickets!.n, changed!.n, sent!.n]).toEqual([0, 0, 0])
  expect(readFileSync(journal, 'utf8')).toBe('')
  expect(readdirSync(folder).filter((name) => words.includes(name.replace('.txt', '')))).toEqual([])
})

it('and what a person then confirms is done, and only that', async () => {
  const ann = clients[0]!
  const { messages } = await ann.read()
  const card = messages.flatMap(({ cards }) => cards).find(({ target }) => target === `Pwned ${words[0]}`)!
  await ann.press('approval.confirm', card.id)
  await rows.quiet(30_000)
  await ann.until(
    'the ticket',
    (view) =>
      view.messages
        .flatMap(({ cards }) => cards)
        .some(({ footer }) => /Ticket T-\d+ created/.test(footer ?? '')),
    20_000,
  )
  const done = await rows.query<{ tool: string }>(
    `SELECT tool FROM tool_call WHERE effect = 'write' AND status <> 'proposed'`,
  )
  expect(done).toEqual([{ tool: 'create_ticket' }])
  expect(readFileSync(journal, 'utf8')).toBe('')
})
