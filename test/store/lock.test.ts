import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDirectory } from '../../src/store/embedded/lock.ts'

// Says "held" or the refusal, then stays until it is ended.
const holder = `
  import { lockDirectory } from ${JSON.stringify(new URL('../../src/store/embedded/lock.ts', import.meta.url).href)}
  const said = await lockDirectory(process.argv[1]).then(() => 'held', (error) => error.message)
  console.log(said)
  if (said === 'held') setInterval(() => {}, 1000)
`
let directory: string
const children: ChildProcess[] = []

async function startHolder(): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(createInterface(child.stdout!), 'line')
  return { child, said }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hermes-lock-'))
})

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  await rm(directory, { recursive: true, force: true })
})

test('a second process is refused with the id of the first, until that one is killed', async () => {
  const { child, said } = await startHolder()
  expect(said).toBe('held')
  await expect(lockDirectory(directory)).rejects.toMatchObject({
    code: 'store.locked',
    message: `Hermes is already running here (process ${child.pid}). Stop it or set HERMES_HOME to another folder.`,
  })
  await kill(child)
  const lock = await lockDirectory(directory)
  lock.release()
})

test('of several processes that start together over a dead one exactly one gets the directory', async () => {
  await kill((await startHolder()).child)
  const started = await Promise.all([startHolder(), startHolder(), startHolder(), startHolder()])
  expect(started.filter(({ said }) => said === 'held')).toHaveLength(1)
  const winner = started.find(({ said }) => said === 'held')!
  for (const { said } of started.filter((one) => one !== winner))
    expect(said).toContain(`(process ${winner.child.pid})`)
})

test('the same process gets a directory once, and again after its release', async () => {
  const first = await lockDirectory(directory)
  await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'store.locked' })
  // The refused attempt must not have dropped the first one's lock, as closing a file does with POSIX locks.
  expect((await startHolder()).said).toContain(`(process ${process.pid})`)
  first.release()
  first.release()
  const second = await lockDirectory(directory)
  second.release()
})
