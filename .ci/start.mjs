// `npm start` as a stranger types it: it has to become ready, answer, and end cleanly on SIGTERM.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

const home = mkdtempSync(join(tmpdir(), 'hermes-ci-start-'))
const port = await freePort()
const env = { ...process.env, HERMES_HOME: home, PORT: String(port), LOG_LEVEL: 'warn' }
try {
  for (const [name, limit] of [
    ['first', 240_000],
    ['later', 90_000],
  ])
    await once(name, limit)
} catch (error) {
  console.log(error.message)
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function once(name, limit) {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  const child = spawn('npm', ['start', '--silent'], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)))
  try {
    const early = await Promise.race([ended, ready(limit)])
    if (early !== true) throw new Error(`The ${name} start ended with ${early} before it was ready.`)
    console.log(`The ${name} start was ready after ${since()} ms.`)
    const asked = since()
    child.kill('SIGTERM')
    const code = await Promise.race([ended, delay(12_000, 'no end', { ref: false })])
    if (code !== 0 && code !== 'SIGTERM') throw new Error(`SIGTERM ended the ${name} start with ${code}.`)
    console.log(`It ended ${since() - asked} ms after SIGTERM.`)
  } finally {
    child.kill('SIGKILL')
  }
}

async function ready(limit) {
  const end = Date.now() + limit
  let last = 'no answer'
  while (Date.now() < end) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(2_000),
    }).catch((error) => error.cause?.message ?? error.message)
    if (answer.status === 200) return true
    last = typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`
    await delay(100)
  }
  throw new Error(`It was not ready after ${limit} ms: ${last}`)
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
