import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StandInDiscord } from '../test/support/discord/discord.ts'
import type { StandInSlack } from '../test/support/slack/server.ts'
import type { InstantModel } from './instant-model.ts'
import { type Subject, startSubject } from './subject.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A Hermes with a folder of its own, started as `npm start` does after its set-up. */
export interface HermesSubject {
  readonly address: string
  start(nodeArgs?: readonly string[]): Promise<Subject>
  remove(): Promise<void>
}

/** Prepares one that speaks to these platforms and asks this model; the rest is as nobody has set anything. */
export async function prepareHermes(options: {
  readonly slack: StandInSlack
  readonly discord: StandInDiscord
  readonly model: InstantModel
  readonly databaseUrl?: string
  readonly redisUrl?: string
}): Promise<HermesSubject> {
  const { slack, discord, model, databaseUrl, redisUrl } = options
  const folder = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const mcp = join(folder, 'mcp.example.json')
  await writeFile(mcp, await exampleServers())
  const env = {
    HERMES_HOME: join(folder, 'home'),
    HERMES_MCP_CONFIG: mcp,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'bench-key',
    HERMES_MODEL: 'instant',
    ...slack.variables(),
    ...discord.variables(),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  }
  return {
    address,
    start: (nodeArgs) =>
      startSubject(join(root, 'src/main.ts'), {
        args: ['start'],
        env,
        // Not the project's folder, whose .env is somebody's own.
        cwd: folder,
        ready: () => isReady(address),
        ...(nodeArgs === undefined ? {} : { nodeArgs }),
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The servers of the example file, whose paths are relative to the project. */
async function exampleServers(): Promise<string> {
  const example = await readFile(join(root, 'mcp.example.json'), 'utf8')
  return example.replace('"node_modules/', `"${root}/node_modules/`)
}

async function isReady(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
