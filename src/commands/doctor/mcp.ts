import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../../base/clock.ts'
import type { Settings } from '../../config/environment.ts'
import { readMcpConfig } from '../../mcp/config/config.ts'
import type { PinStore } from '../../mcp/listing/drift.ts'
import { createPins } from '../../mcp/listing/pins.ts'
import { createMcp, type Mcp, type ServerState } from '../../mcp/mcp.ts'
import { prepareSampleDocuments } from '../../mcp/samples.ts'
import { silentLog } from '../../observe/log.ts'
import type { Database } from '../../store/client.ts'
import { counted, type Finding, fail, ok, warn } from './finding.ts'

/** How long servers may take to connect and list their tools, ms; npx has to fetch what it runs. */
const patience = 30_000

/** What is set up for the check; tests shorten it. */
export interface McpCheck {
  readonly settings: Settings
  readonly root: string
  readonly db: Database | undefined
  readonly patienceMs?: number
}

/** Connects to every MCP server of the file and lists its tools. Accepts nothing and keeps nothing. */
export async function checkMcp(check: McpCheck): Promise<readonly Finding[]> {
  const { settings, root, db, patienceMs = patience } = check
  const { path, namedBy } = settings.files.mcp
  const own = namedBy !== undefined || existsSync(path)
  const scratch = await mkdtemp(join(tmpdir(), 'hermes-doctor-'))
  try {
    let home = settings.home
    if (!own && !existsSync(join(home, 'documents'))) {
      // The first start lays the documents of the example out.
      home = scratch
      await prepareSampleDocuments(join(root, 'samples'), join(home, 'documents'), new Date())
    }
    const config = await readMcpConfig(own ? path : join(root, 'mcp.example.json'), {
      ...process.env,
      HERMES_HOME: home,
    })
    // Children are on record beside those of a Hermes that may be running, so that it leaves these alone.
    const mcp = createMcp({ config, home: scratch, pins: reading(db), log: silentLog, clock: systemClock })
    try {
      mcp.start()
      await mcp.settled(patienceMs)
      const states = mcp
        .states()
        .filter((state) => !config.blocked.some((one) => one.server === state.server))
      return [
        ...config.errors.map((error) => fail('MCP file', error)),
        ...config.warnings.map((warning) => warn('MCP file', warning)),
        ...(states.length === 0 && config.errors.length === 0 ? [ok('MCP', 'no servers')] : []),
        ...states.flatMap((state) => serverFindings(state, mcp, patienceMs)),
      ]
    } finally {
      await mcp.stop()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function serverFindings(state: ServerState, mcp: Mcp, patienceMs: number): readonly Finding[] {
  const part = `MCP ${state.server}`
  if (state.status !== 'connected') {
    const reason = state.reason ?? `It did not answer within ${patienceMs / 1_000} s.`
    const printed = lastLine(state.output)
    return [
      fail(
        part,
        `not connected. ${reason}${printed ? ` It printed: ${printed}` : ''} Look at its entry in the MCP file, or set "disabled": true.`,
      ),
    ]
  }
  const drifts = mcp.drifts().filter(({ server }) => server === state.server)
  return [
    ok(part, counted(state.tools, 'tool')),
    ...state.quarantined.map(({ tool, reason }) => warn(part, `the tool ${tool} is left out. ${reason}`)),
    ...state.notes.map((note) => warn(part, note)),
    ...drifts.map(({ tool, changed }) =>
      warn(
        part,
        `the definition of ${tool} changed since it was accepted (${changed.join(', ')}). Writes of it stay blocked until the change is accepted.`,
      ),
    ),
  ]
}

function lastLine(output: string | undefined): string | undefined {
  return output
    ?.split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim()
    .slice(0, 200)
}

/** The accepted definitions, without accepting new ones. */
function reading(db: Database | undefined): PinStore {
  const pins = db && createPins(db)
  return { get: async (server, tool) => pins?.get(server, tool).catch(() => undefined), put: async () => {} }
}
