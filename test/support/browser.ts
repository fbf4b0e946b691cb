import { existsSync } from 'node:fs'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine, if it has one. Tests named `*.browser.test.ts` run only where it does. */
export function browserPath(): string | undefined {
  return usual.find((path) => existsSync(path))
}
