import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import type { Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const folders = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome']
const macs = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of a Chromium on this machine: `CHROMIUM_PATH`, else the first of the usual places. */
export function browserPath(): string | undefined {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = [...new Set([...folders, ...path])].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  )
  return [...places, ...macs].find((place) => existsSync(place))
}

/** What a test prints where there is none. */
export const noBrowser =
  'No Chromium was found, so the page was NOT tested in a browser. Install one, or set CHROMIUM_PATH.'

/** Starts the browser, quiet and without a network of its own. */
export async function launchBrowser(executablePath = browserPath()): Promise<Browser> {
  if (!executablePath) throw new Error(noBrowser)
  // The test runner's own configuration asks for the path, and should not load all of this for it.
  const { chromium } = await import('playwright-core')
  return await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
