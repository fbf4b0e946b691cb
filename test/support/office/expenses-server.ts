// A stand-in for a company's expense system, as an MCP server over stdio: `expenses-server.ts claims.json`. The file
// holds a list of `{person, date, amount}` and is read at each call; each call is noted in a file beside it.
import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

interface Claim {
  readonly person: string
  /** An ISO day. */
  readonly date: string
  readonly amount: string
}

const file = process.argv[2] ?? ''
const server = new McpServer({ name: 'expenses', version: '1.0.0' })

server.registerTool(
  'find_expenses',
  {
    title: 'Find expenses',
    description: 'Finds the expense claims that a person submitted in a range of days. 查询某人提交的报销。',
    inputSchema: {
      person: z.string().describe('Name of the person'),
      from: z.iso.date().describe('First day'),
      to: z.iso.date().describe('Last day'),
    },
    annotations: { readOnlyHint: true },
  },
  (filters) => {
    appendFileSync(`${file}.calls`, `${JSON.stringify(filters)}\n`)
    const claims = (JSON.parse(readFileSync(file, 'utf8')) as readonly Claim[]).filter(
      ({ person, date }) => person === filters.person && date >= filters.from && date <= filters.to,
    )
    return { content: [{ type: 'text', text: JSON.stringify({ filters, count: claims.length, claims }) }] }
  },
)

await server.connect(new StdioServerTransport())
