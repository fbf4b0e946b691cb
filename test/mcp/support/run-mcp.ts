// A process of its own with MCP servers, to be killed: `run-mcp.ts home servers`. Prints a line when they are connected.
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseMcpConfig } from '../../../src/mcp/config/config.ts'
import { createMcp } from '../../../src/mcp/mcp.ts'
import { silentLog } from '../../../src/observe/log.ts'

const [home = '', servers = '{}'] = process.argv.slice(2)
const config = parseMcpConfig(`{"mcpServers": ${servers}}`, { file: 'mcp.json', variables: {} })
const pins = { get: async () => undefined, put: async () => {} }
const mcp = createMcp({ config, home, pins, log: silentLog })
process.once('SIGTERM', () => void mcp.stop().then(() => process.exit(0)))
mcp.start()
while (mcp.states().some(({ status, tools }) => status !== 'connected' || tools === 0)) await delay(20)
console.log('connected')
