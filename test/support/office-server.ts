// A stdio MCP server as an office would have one: orders to look at, files to fetch, expenses to file. What it is told
// to write goes as a line into the file of its first argument; what it announces stands in that of the second.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { servers } from '../../bench/selection/catalogue.ts'

const [, , journal = '/dev/null', announcements] = process.argv
const server = new McpServer({ name: 'office', version: '1.0.0' })
const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] })
const looks = { annotations: { readOnlyHint: true } }
let asked = 0

/** Orders with amounts of 10, 20, 30, … in one of two regions. */
const orders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `ORD-${index + 1}`,
    amount: (index + 1) * 10,
    region: index % 2 === 0 ? 'north' : 'south',
    note: `Delivered at door ${index + 1}`,
  }))

server.registerTool(
  'list_orders',
  {
    description: 'List the orders of this year.',
    inputSchema: { count: z.number().int().optional() },
    ...looks,
  },
  async ({ count = 3 }) => {
    asked += 1
    return text(JSON.stringify({ asked, orders: orders(count) }))
  },
)
server.registerTool(
  'server_log',
  { description: 'The log of the server.', inputSchema: {}, ...looks },
  async () =>
    text(
      Array.from({ length: 400 }, (_, index) => {
        const level = index === 250 || index === 390 ? 'ERROR' : 'INFO'
        return `2026-11-30T08:${String(Math.floor(index / 10)).padStart(2, '0')}:00Z ${level} request ${index}`
      }).join('\n'),
    ),
)
server.registerTool(
  'drawing',
  { description: 'A drawing of the floor.', inputSchema: {}, ...looks },
  async () => ({
    content: [
      { type: 'text', text: 'Floor 3' },
      { type: 'image', data: Buffer.from('not really a picture').toString('base64'), mimeType: 'image/png' },
    ],
  }),
)
server.registerTool(
  'ten_megabytes',
  { description: 'A very long text.', inputSchema: {}, ...looks },
  async () => text(`First line\n${'word '.repeat(1_600_000)}\nLast line`),
)
server.registerTool(
  'slow_read',
  { description: 'Takes its time.', inputSchema: { ms: z.number(), n: z.number() }, ...looks },
  async ({ ms, n }) => {
    await delay(ms)
    return text(String(n))
  },
)
server.registerTool(
  'announcement',
  { description: 'What the office announces.', inputSchema: { number: z.number().int() }, ...looks },
  async ({ number }) => text((JSON.parse(readFileSync(announcements!, 'utf8')) as string[])[number] ?? ''),
)
// What is to be looked after: the first attempt ends the process, before or after it has done its work.
const isFirst = (what: string) => {
  const mark = `${journal}.${what}`
  if (existsSync(mark)) return false
  writeFileSync(mark, '')
  return true
}
const reserved = (): { room: string; key?: string; meta?: object }[] =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"room"'))
        .map((line) => JSON.parse(line))
    : []
server.registerTool(
  'find_rooms',
  { description: 'Who has which room.', inputSchema: { room: z.string() }, ...looks },
  async ({ room }) => text(JSON.stringify({ reservations: reserved().filter((one) => one.room === room) })),
)
server.registerTool(
  'reserve_room',
  { description: 'Reserve a room.', inputSchema: { room: z.string(), dies: z.enum(['before', 'after']) } },
  async ({ room, dies }) => {
    const first = isFirst(room)
    if (first && dies === 'before') process.exit(1)
    appendFileSync(journal, `${JSON.stringify({ room })}\n`)
    if (first) process.exit(1)
    return text('Reserved.')
  },
)
server.registerTool(
  'reserve_room_once',
  {
    description: 'Reserve a room, once by its key.',
    inputSchema: { room: z.string(), request_id: z.uuid() },
  },
  async ({ room, request_id }, { _meta }) => {
    if (reserved().some(({ key }) => key === request_id)) return text('Reserved before.')
    appendFileSync(journal, `${JSON.stringify({ room, key: request_id, meta: _meta })}\n`)
    if (isFirst(room)) process.exit(1)
    return text('Reserved.')
  },
)
server.registerTool(
  'file_expense',
  {
    description: 'File an expense.',
    inputSchema: {
      employee: z.string().meta({ 'x-entity': 'person' }),
      amount: z.number().describe('In euros'),
      urgent: z.boolean().optional(),
      ticket: z.string().optional().meta({ 'x-entity': 'ticket' }),
      project: z.string().optional().meta({ 'x-entity': 'project' }),
      category: z.string().optional(),
      spent: z.iso.date().optional(),
    },
  },
  async (args) => {
    appendFileSync(journal, `${JSON.stringify(args)}\n`)
    return text('Filed.')
  },
)
server.registerTool(
  'find_projects',
  { description: 'Find projects by name.', inputSchema: { query: z.string() }, ...looks },
  async ({ query }) => {
    const projects = ['Apollo', 'Gemini North', 'Gemini South'].map((name, n) => ({
      code: `P-${n + 7}`,
      name,
    }))
    const fits = projects.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
    return text(JSON.stringify({ projects: fits }))
  },
)
const leg = z
  .object({ to: z.string(), day: z.iso.date(), seats: z.number().int() })
  .meta({ id: 'Leg', description: 'A stretch of it' })
server.registerTool(
  'plan_trip',
  {
    description: 'Plan a trip.',
    inputSchema: z.strictObject({
      legs: z.array(leg),
      pay: z.object({ cost_centre: z.string(), shared: z.boolean().nullable() }).optional(),
      starts: z.iso.datetime({ offset: true }).optional(),
      budget: z.union([z.number(), z.string()]).optional(),
      tags: z.array(z.string()).optional(),
    }),
  },
  async (args) => {
    appendFileSync(journal, `${JSON.stringify(args)}\n`)
    return text('Planned.')
  },
)
server.registerTool(
  'pay_bill',
  { description: 'Pay a bill.', inputSchema: { amount: z.number() } },
  async (args) => {
    appendFileSync(journal, `${JSON.stringify(args)}\n`)
    return text('Paid.')
  },
)
server.registerTool(
  'unlock_door',
  {
    description: 'Unlock a door of the office.',
    inputSchema: { door: z.string(), password: z.string(), silent: z.boolean() },
  },
  async ({ door }) => {
    appendFileSync(journal, `${JSON.stringify({ door })}\n`)
    return text('Unlocked.')
  },
)
// As many more tools as a company's systems have; what they would change goes into the journal.
if (process.env.OFFICE_CROWD) {
  const own = new Set(['list_orders', 'file_expense'])
  for (const line of Object.values(servers).flat()) {
    const [, write, name = '', description = ''] = /^(!?)(\w+): (.*)$/.exec(line)!
    if (own.has(name)) continue
    server.registerTool(
      name,
      { description, inputSchema: { query: z.string().optional() }, ...(write ? {} : looks) },
      async (args) => {
        if (write) appendFileSync(journal, `${JSON.stringify({ tool: name, ...args })}\n`)
        return text(`Done: ${name}`)
      },
    )
  }
}
await server.connect(new StdioServerTransport())
