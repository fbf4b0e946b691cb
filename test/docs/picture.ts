// Takes the picture of the README: the web chat of a whole Hermes with the offline model.
//   node test/docs/picture.ts
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startApp } from '../../src/app.ts'
import { systemClock } from '../../src/base/clock.ts'
import { loadSettings } from '../../src/config/load.ts'
import { createLog } from '../../src/observe/log.ts'
import { launchBrowser } from '../support/browser.ts'
import { webClient } from '../support/web-client.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const home = await mkdtemp(join(tmpdir(), 'hermes-picture-'))
// Only what the example says, whatever this machine has set.
const loaded = loadSettings(
  { HERMES_HOME: home, HERMES_MCP_CONFIG: join(root, 'mcp.example.json') },
  { folder: root },
  (path) => (path.endsWith('mcp.example.json') ? '' : undefined),
)
if ('mistakes' in loaded) throw new Error(loaded.mistakes.join('\n'))
const app = await startApp({
  settings: { ...loaded.settings, http: { ...loaded.settings.http, port: 0 } },
  config: loaded.config,
  root,
  clock: systemClock,
  log: createLog('error'),
  variables: {},
})
const browser = await launchBrowser()
try {
  const say = async (thread: string, ...texts: string[]) => {
    const ann = webClient(app.address, 'Ann', thread)
    for (const [count, text] of texts.entries()) {
      await ann.say(text)
      await ann.until(
        'an answer',
        ({ messages, state }) =>
          messages.filter(({ role }) => role === 'user').length > count &&
          (state === 'done' || state === 'awaiting_confirmation'),
        60_000,
      )
    }
  }
  await say('printer', 'Create a ticket: the printer on floor 3 is broken, high priority')
  await say('answers', 'Remember that I prefer short answers')
  await say(
    'meeting',
    "Summarise last week's project meeting notes, send the conclusion to the owner, and remind me next week to add the follow-up plan",
  )
  const page = await browser.newPage({
    viewport: { width: 1180, height: 860 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
  })
  await page.addInitScript(() => {
    const { localStorage } = globalThis as unknown as {
      localStorage: { setItem(key: string, value: string): void }
    }
    localStorage.setItem('hermes.name', 'Ann')
  })
  await page.goto(`${app.address}/#/meeting`)
  await page.getByRole('button', { name: 'Confirm', exact: true }).first().waitFor()
  await page.screenshot({ path: process.argv[2] ?? join(root, 'docs/web-chat.png') })
} finally {
  await browser.close()
  await app.stop()
  await rm(home, { recursive: true, force: true })
}
