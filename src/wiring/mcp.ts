import { join } from 'node:path'
import { messageOf } from '../base/errors.ts'
import { readMcpConfig } from '../mcp/config/config.ts'
import { createPins } from '../mcp/listing/pins.ts'
import { createMcp, type Mcp } from '../mcp/mcp.ts'
import { prepareSampleDocuments } from '../mcp/samples.ts'
import type { AppOptions } from './options.ts'

/** The servers of the MCP file; where there is none, those of the example, so that the tour has documents. */
export async function openMcp(
  options: AppOptions,
  db: Parameters<typeof createPins>[0],
): Promise<{ mcp: Mcp; warnings: readonly string[] }> {
  const { settings, config: house, root, clock, log } = options
  const { mcp: file } = settings.files
  const own = await exists(file.path)
  const path = own || file.namedBy ? file.path : join(root, 'mcp.example.json')
  if (path.endsWith('mcp.example.json')) {
    await prepareSampleDocuments(join(root, 'samples'), join(settings.home, 'documents'), clock.now()).catch(
      (error: unknown) => log.warn({ error: messageOf(error) }, 'The sample documents could not be laid out'),
    )
  }
  const variables = { ...options.variables, HERMES_HOME: settings.home }
  const config = await readMcpConfig(path, variables, house.tools.timeoutSeconds * 1000)
  for (const warning of config.warnings) log.warn({ file: path }, warning)
  for (const error of config.errors) log.error({ file: path }, error)
  const mcp = createMcp({ config, home: settings.home, pins: createPins(db), log, clock })
  return { mcp, warnings: [...config.errors, ...config.warnings] }
}

async function exists(path: string): Promise<boolean> {
  const { access } = await import('node:fs/promises')
  return access(path).then(
    () => true,
    () => false,
  )
}
