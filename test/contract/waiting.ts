import type { App } from '../../src/app.ts'
import { pause } from '../../src/base/wait.ts'

/** Waits until looking gives something, and gives it. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  limitMs = 25_000,
): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const looked = performance.now()
    const found = await look()
    if (found !== undefined && found !== false && found !== null) return found
    if (performance.now() > end) throw new Error(`Waited ${limitMs} ms in vain for ${what}.`)
    // Where a look costs something, looking all the time would slow down what is waited for.
    await pause(Math.max(20, 2 * (performance.now() - looked)))
  }
}

/** Waits until every part of a Hermes is up: database, queue and channels, and the tools of its MCP servers. */
export async function whenUp(app: Pick<App, 'readiness' | 'mcp'>): Promise<void> {
  await until('every part to be up', async () => (await app.readiness()).ready)
  if (!(await app.mcp.settled(60_000))) throw new Error('The MCP servers did not list their tools.')
}
