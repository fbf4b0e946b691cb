import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { codeOf, messageOf } from '../../base/errors.ts'
import type { Settings } from '../../config/environment.ts'
import { lockDirectory } from '../../store/embedded/lock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const oldest = 24

/** The Node that runs this command, which is the one that runs Hermes. */
export function checkNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) >= oldest
    ? ok('Node', version)
    : fail('Node', `${version} is too old. Use Node ${oldest} or newer; npm start brings its own.`)
}

/** The folder of everything that is kept on this machine: can it be written, and is it free? */
export async function checkHome(home: string): Promise<Finding> {
  const place = existsSync(home) ? home : dirname(home)
  try {
    rmSync(mkdtempSync(join(place, '.hermes-doctor-')), { recursive: true })
  } catch (error) {
    return fail(
      'Home',
      `${home} can't be written (${codeOf(error)}). Give this user the right to, or set HERMES_HOME to another folder.`,
    )
  }
  if (place !== home) return ok('Home', `${home}, made at the first start`)
  try {
    const lock = await lockDirectory(home)
    lock.release()
    return ok('Home', `${home}, in use by no process`)
  } catch (error) {
    if (codeOf(error) !== 'store.locked') {
      return fail('Home', `${home} can't be locked (${messageOf(error)}). Set HERMES_HOME to a local folder.`)
    }
    const pid = /process \d+/.exec(messageOf(error))?.[0]
    return ok('Home', `${home}, in use by ${pid ?? 'a process'}`)
  }
}

/** The files that settings are read from; what is wrong in them has ended the command before this. */
export function checkFiles(files: Settings['files']): Finding {
  const { path } = files.config
  return ok('Config file', existsSync(path) ? path : `none (${path}); every setting has its default`)
}

/** What encrypts secrets in the database. */
export function checkSecretKey(settings: Settings): Finding {
  if (settings.secretKey !== undefined) return ok('Secret key', 'set')
  const { slack } = settings
  const needed = (slack.state === 'socket' || slack.state === 'http') && slack.oauth !== undefined
  const how = 'Set HERMES_SECRET_KEY; make one with: openssl rand -base64 32'
  return needed
    ? warn('Secret key', `not set, so tokens of further Slack workspaces can't be kept. ${how}`)
    : ok('Secret key', 'not set; nothing that is configured needs it')
}

/** The address of the web chat: free, or Hermes is there already. */
export async function checkPort({ host, port }: Settings['http']): Promise<Finding> {
  const place = `${host}:${port}`
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error)))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  if (code === undefined) return ok('Port', `${place} is free`)
  if (code !== 'EADDRINUSE') {
    return fail(
      'Port',
      `${place} can't be listened at (${code}). Set HOST and PORT to an address of this machine.`,
    )
  }
  if (await isHermes(host, port)) return ok('Port', `Hermes is running at ${place}`)
  return fail('Port', `${place} is taken by another program. Set PORT to another one.`)
}

async function isHermes(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const answer = await fetch(`http://${name}:${port}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const body: unknown = await answer.json()
    return typeof body === 'object' && body !== null && 'parts' in body
  } catch {
    return false
  }
}
