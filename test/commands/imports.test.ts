import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
let folder: string | undefined

afterEach(async () => {
  if (folder) await rm(folder, { recursive: true })
  folder = undefined
})

/** Which rules a house of these files breaks, as `rule: file`. */
async function broken(files: Record<string, string>): Promise<readonly string[]> {
  folder = await mkdtemp(join(tmpdir(), 'hermes-imports-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const cruise = [
    join(root, 'node_modules/.bin/depcruise'),
    'src',
    'adapters',
    '--config',
    join(root, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
  ]
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, cruise, { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout) =>
      stdout ? resolve(stdout) : reject(error),
    )
  })
  const { summary } = JSON.parse(output) as {
    summary: { violations: readonly { from: string; rule: { name: string } }[] }
  }
  return summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`).toSorted()
}

const empty = 'export type Empty = undefined\n'
const using = (...paths: string[]) =>
  paths
    .map((path, index) => `import type * as x${index} from '${path}'\nexport type X${index} = x${index}\n`)
    .join('')

it('a house that imports downwards only breaks no rule', async () => {
  expect(
    await broken({
      'src/base/a.ts': empty,
      'src/channel/port.ts': using('../base/a.ts'),
      'src/memory/recall.ts': using('../base/a.ts'),
      'src/jobs/turns.ts': using('../memory/recall.ts', 'bullmq'),
      'src/app.ts': using('./jobs/turns.ts', '../adapters/slack/a.ts'),
      'adapters/slack/a.ts': using('../../src/channel/port.ts', '@slack/bolt'),
    }),
  ).toEqual([])
})

it('an import against the order of the house is found, also one of types alone', async () => {
  expect(
    await broken({
      'src/base/a.ts': using('../tools/definition.ts'),
      'src/memory/recall.ts': empty,
      'src/tools/definition.ts': empty,
      'src/tools/remember.ts': using('../memory/recall.ts'),
      'src/jobs/turns.ts': empty,
      'src/console/pages.ts': using('../jobs/turns.ts', '../app.ts'),
      'src/app.ts': empty,
      'src/attic/old.ts': using('../base/a.ts'),
      'src/search/one.ts': using('./two.ts'),
      'src/search/two.ts': using('./one.ts'),
      'src/agent/reply.ts': using('./gone.ts', '../../adapters/slack/a.ts'),
      'adapters/slack/a.ts': using('../../src/tools/definition.ts', '../web/b.ts'),
      'adapters/web/b.ts': empty,
    }),
  ).toEqual([
    'adapters-see-the-port-only: adapters/slack/a.ts',
    'adapters-see-the-port-only: adapters/slack/a.ts',
    'base-knows-only-what-is-below: src/base/a.ts',
    'every-folder-has-its-place: src/attic/old.ts',
    'jobs-and-console-are-known-to-the-root-only: src/console/pages.ts',
    'no-circles: src/search/one.ts',
    'no-dangling-imports: src/agent/reply.ts',
    'parts-do-not-know-adapters: src/agent/reply.ts',
    'the-root-is-known-to-nobody: src/console/pages.ts',
    'tools-reach-out-through-their-own-interfaces: src/tools/remember.ts',
  ])
})

it("a vendor's types outside the one place that may know them are found", async () => {
  const vendors = [
    '@slack/bolt',
    'discord.js',
    'openai',
    '@modelcontextprotocol/sdk/types.js',
    'bullmq',
    '@electric-sql/pglite',
    '@prisma/client',
  ]
  const everywhere = await broken({
    'src/agent/turn/turn.ts': using(...vendors),
    'adapters/web/a.ts': using(...vendors),
  })
  expect(everywhere).toHaveLength(2 * vendors.length)
  expect(everywhere.every((line) => line.startsWith('vendor-at-home-'))).toBe(true)
})

it('rooms of a folder import only from the rooms below them', async () => {
  expect(
    await broken({
      'src/agent/parts.ts': using('./sending/delivery.ts'),
      'src/agent/turn/turn.ts': using('../sending/delivery.ts'),
      'src/agent/sending/delivery.ts': empty,
      'src/agent/sending/saying.ts': using('../turn/turn.ts'),
      'src/tools/execution/execution.ts': using('../approvals/cards.ts'),
      'src/tools/approvals/cards.ts': empty,
      'adapters/web/a.ts': empty,
    }),
  ).toEqual([
    'agent-sending-knows-only-rooms-below: src/agent/sending/saying.ts',
    'tools-execution-knows-only-rooms-below: src/tools/execution/execution.ts',
  ])
})
