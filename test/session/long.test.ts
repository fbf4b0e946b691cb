import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTokens } from '../../src/model/tokens.ts'
import { until } from '../contract/waiting.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ChatBody, type ModelStandIn, startModel } from '../support/model.ts'
import { type OfficeServer, serveOffice } from '../support/office/http.ts'
import { mistakesInOpenAiRequest } from '../support/openai-rules.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { webClient } from '../support/web-client.ts'
import { changed, conversation, conversationModel, settled, textOf } from './long-conversation.ts'

const window = 12_000
const inputLimit = window / 2

/** Rows of a made-up system: as many as are asked for. */
function records(server: McpServer): void {
  server.registerTool(
    'find_records',
    {
      title: 'Find records',
      description: 'Finds records of printers, sales, stock and vendors. 查询记录、销售、库存。',
      inputSchema: { rows: z.int() },
      annotations: { readOnlyHint: true },
    },
    ({ rows }) => {
      const list = Array.from({ length: rows }, (_, n) => ({ id: `REC-${1_000 + n}`, note: `record ${n}` }))
      return { content: [{ type: 'text', text: JSON.stringify(list) }] }
    },
  )
}

describe('sixty turns of three people in one thread, with a small window', { timeout: 180_000 }, () => {
  const tokens = createTokens()
  const turns = conversation()
  const thread = 'long'
  let model: ModelStandIn
  let office: OfficeServer
  let app: TestApp
  let rows: Rows
  /** The requests of each turn, with the turn's number. */
  let requests: { readonly turn: number; readonly body: ChatBody }[]

  beforeAll(async () => {
    await tokens.load()
    model = await startModel()
    model.script(conversationModel(turns))
    office = await serveOffice('records', records)
    app = await startTestApp({
      variables: {
        ...model.variables(),
        HERMES_CONTEXT_WINDOW: String(window),
      },
      mcp: { mcpServers: { records: { url: office.url, trusted: true } } },
    })
    if (!(await app.mcp.settled(30_000))) throw new Error('The records could not be mounted.')
    rows = await openRows(app.home)
    requests = []
    for (const [index, turn] of turns.entries()) await converse(index + 1, turn)
    await rows.quiet()
  }, 180_000)
  afterAll(async () => {
    await rows?.close()
    await app?.end()
    await office?.stop()
    await model?.stop()
  }, 60_000)

  async function converse(number: number, turn: (typeof turns)[number]): Promise<void> {
    const person = webClient(app.address, turn.by, thread)
    const from = model.requests.length
    await person.say(`${turn.text} #${number}#`)
    if (turn.card) {
      const card = await person.card()
      await person.press(turn.card === 'Confirm' ? 'approval.confirm' : 'approval.cancel', card.id)
    }
    await person.until(
      `answer ${number}`,
      ({ messages, state }) => {
        const last = messages.findLast(
          (message) => message.role === 'assistant' && message.cards.length === 0,
        )
        return state === 'done' && last?.text.startsWith(`Answer ${number}.`) === true
      },
      30_000,
    )
    for (const { body } of model.requests.slice(from))
      if (body.tools !== undefined) requests.push({ turn: number, body })
    // Three times the conversation rests for as long as its older part takes to be summarised.
    if (number % 18 === 0) {
      const before = await summaries()
      await until('a summary', async () => (await summaries()) > before || (await isShort()))
    }
  }

  const summaries = async () =>
    Number(
      (await rows.query<{ n: string }>(`SELECT count(*) AS n FROM stored_result WHERE call_id IS NULL`))[0]
        ?.n,
    )
  const isShort = async () => {
    const [row] = await rows.query<{ n: string }>(
      `SELECT count(DISTINCT m.turn_id) AS n FROM message m JOIN session s ON s.id = m.session_id WHERE m.seq > s.summary_seq`,
    )
    return Number(row?.n) < 12
  }
  const sizeOf = (body: ChatBody) =>
    tokens.countRequest({
      messages: body.messages.map((message) =>
        message.role === 'assistant'
          ? {
              role: 'assistant',
              content: textOf(message),
              toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
                id,
                name,
                arguments: args,
              })),
            }
          : message.role === 'tool'
            ? { role: 'tool', toolCallId: message.tool_call_id ?? '', content: textOf(message) }
            : { role: message.role as 'user', content: textOf(message) },
      ),
      tools: (body.tools ?? []).map((tool) => ({
        ...tool.function,
        parameters: tool.function.parameters as Record<string, unknown>,
      })),
    })

  it('sends no request that is malformed for the API', () => {
    expect(requests.length).toBeGreaterThan(80)
    for (const { body } of requests) expect(mistakesInOpenAiRequest(body)).toEqual([])
  })

  it('keeps every request under half of the window, and records where its tokens went', async () => {
    const sizes = requests.map(({ body }) => sizeOf(body))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(inputLimit)
    // It is a conversation that would not fit: the budget is used.
    expect(Math.max(...sizes)).toBeGreaterThan(inputLimit * 0.6)
    const spans = await rows.query<{ sections: Record<string, number> }>(
      `SELECT attributes->'sections' AS sections FROM span WHERE name = 'model' ORDER BY id`,
    )
    expect(spans).toHaveLength(requests.length)
    for (const { sections } of spans) {
      expect(sections.input).toBeLessThanOrEqual(inputLimit)
      for (const name of ['rules', 'state', 'summary', 'history', 'results', 'tools'])
        expect(sections[name]).toBeTypeOf('number')
    }
    expect(spans.some(({ sections }) => sections.summary! > 0)).toBe(true)
  })

  it('was summarised several times meanwhile, by a model that keeps nothing, and originals can be read', async () => {
    expect(await summaries()).toBeGreaterThanOrEqual(3)
    const originals = await rows.query<{ text: string }>(
      `SELECT text FROM stored_result WHERE call_id IS NULL ORDER BY id`,
    )
    expect(originals[0]?.text).toContain('Ann: We plan the offsite with Director Wang')
    expect(originals.map(({ text }) => text).join('\n')).toContain('record 2')
  })

  it('holds what was settled early in every later request, word for word', () => {
    for (const { turn, body } of requests) {
      if (turn < 4) continue
      const text = JSON.stringify(body.messages)
      const missing = settled.filter((words) => !text.includes(words))
      expect({ turn, missing }).toEqual({ turn, missing: [] })
      if (turn >= 7) expect(text).toContain('Book room Kaya for the offsite')
      if (turn > changed.at) expect(text).toContain(changed.words)
    }
  })

  it('puts the plan aside for a request of several parts, and offers it again after that', () => {
    const stateOf = (turn: number) => textOf(requests.findLast((one) => one.turn === turn)?.body.messages[0])
    expect(stateOf(43)).toMatch(/Plan: Plan the offsite\n/)
    expect(stateOf(44)).toMatch(/Plan: Check the records of last week;[\s\S]*Put aside: Plan the offsite\./)
    expect(stateOf(45)).toContain('Plan: Plan the offsite (it was put aside; offer to go on with it)')
    expect(stateOf(45)).toContain('Must hold: only vegetarian food')
  })

  it('lets nothing enter twice', () => {
    for (const { turn, body } of requests) {
      const history = body.messages.slice(1).map(textOf)
      const summary = textOf(body.messages[0]).split('Summary of what was said before:')[1] ?? ''
      for (let number = 1; number <= turn; number++) {
        const times = history.filter((text) => text.includes(`#${number}#`)).length
        expect({ turn, number, times: Math.max(0, times - 1) }).toEqual({ turn, number, times: 0 })
        if (times > 0) expect(summary).not.toContain(`#${number}#`)
      }
    }
  })

  it('shows every answer once, and each effect happened once', async () => {
    const { messages } = await webClient(app.address, 'Ann', thread).read()
    const shown = messages.filter((one) => one.role === 'assistant' && one.cards.length === 0)
    expect(new Set(shown.map((one) => one.text)).size).toBe(shown.length)
    const tickets = await rows.query<{ title: string }>('SELECT title FROM ticket')
    expect(tickets).toEqual([{ title: 'Book room Kaya for the offsite' }])
  })
})
