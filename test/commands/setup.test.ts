import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// A small project with the real scripts and a stand-in for npm, since a real installation takes a minute.
const root = new URL('../..', import.meta.url).pathname
let project: string
let children: ChildProcess[]

const npm = `#!${process.execPath}
const fs = require('node:fs')
fs.appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
if (fs.existsSync('npm-fails')) process.exit(7)
fs.rmSync('node_modules', { recursive: true, force: true })
const step = () => {
  if (fs.existsSync('npm-hangs')) return setInterval(() => fs.existsSync('npm-hangs') || process.exit(1), 50)
  fs.mkdirSync('node_modules/prisma/build', { recursive: true })
  fs.mkdirSync('node_modules/node/bin', { recursive: true })
  fs.symlinkSync(process.execPath, 'node_modules/node/bin/node')
  fs.writeFileSync('node_modules/prisma/build/index.js', ${JSON.stringify(`
    const fs = require('node:fs')
    fs.appendFileSync('prisma.log', process.argv.slice(2).join(' ') + '\\n')
    fs.mkdirSync('src/store/prisma', { recursive: true })
    fs.writeFileSync('src/store/prisma/client.ts', '')`)})
  fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
}
setTimeout(step, 300)
`
const main = `
import process from 'node:process'
console.log('ran', ...process.argv.slice(2))
process.on('SIGTERM', () => { console.log('ended'); process.exit(5) })
process.on('disconnect', () => { console.log('alone'); process.exit(6) })
if (process.argv[3] === 'stay') setInterval(() => {}, 1_000)
else process.exit(Number(process.argv[3] ?? 0))
`

function writeLock(versions: Record<string, { version: string; dev?: boolean; optional?: boolean }>): void {
  const packages = Object.fromEntries(
    Object.entries(versions).map(([name, facts]) => [
      `node_modules/${name}`,
      { ...facts, integrity: `sha512-${name}${facts.version}` },
    ]),
  )
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }))
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'hermes-setup-test-'))
  children = []
  for (const folder of ['bin', 'tmp', 'src', 'prisma']) mkdirSync(join(project, folder))
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  writeFileSync(join(project, 'bin', 'npm'), npm, { mode: 0o755 })
  writeFileSync(join(project, 'src', 'main.ts'), main)
  writeFileSync(join(project, 'prisma', 'schema.prisma'), 'model A {}')
  writeLock({ one: { version: '1.0.0' }, tool: { version: '1.0.0', dev: true } })
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(project, { recursive: true, force: true })
})

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  return {
    ...Object.fromEntries(inherited),
    PATH: [join(project, 'bin'), process.env.PATH].join(delimiter),
    TMPDIR: join(project, 'tmp'),
    ...more,
  }
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  output(): string
  errors(): string
}

function start(file: string, args: readonly string[], more?: Record<string, string>): Running {
  const child = spawn(file, args, { cwd: project, env: environment(more) })
  children.push(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended, output: () => output, errors: () => errors }
}

const command = (...args: string[]) => start(process.execPath, [join(project, 'scripts/run.mjs'), ...args])

async function finished(...args: string[]) {
  const running = command(...args)
  return { code: await running.ended, output: running.output(), errors: running.errors() }
}

function log(name: string): readonly string[] {
  const file = join(project, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

it('the first command installs, generates and runs; the next only runs, without a word', async () => {
  expect(await finished('doctor', '3', '--x')).toEqual({
    code: 3,
    output: 'ran doctor 3 --x\n',
    errors: expect.stringMatching(/^Installing packages.*\nGenerating the database client\.\n$/),
  })
  expect(await finished('trace')).toEqual({ code: 0, output: 'ran trace\n', errors: '' })
  expect(log('npm.log')).toEqual(['ci --include=dev --loglevel=error'])
  expect(log('prisma.log')).toEqual(['generate'])
})

it('a changed lock file installs again, a changed schema generates again', async () => {
  await finished('doctor')
  writeFileSync(join(project, 'prisma', 'schema.prisma'), 'model B {}')
  expect((await finished('doctor')).errors).toBe('Generating the database client.\n')
  expect(log('npm.log')).toHaveLength(1)
  writeLock({ one: { version: '1.0.1' } })
  expect((await finished('doctor')).errors).toContain('Installing packages')
  expect(log('npm.log')).toHaveLength(2)
})

it('packages of other platforms need not be there', async () => {
  await finished('doctor')
  writeLock({ one: { version: '1.0.0' }, windows: { version: '1.0.0', optional: true } })
  expect((await finished('doctor')).errors).toBe('')
})

it('two commands at once set up once, and both run', async () => {
  const both = await Promise.all([finished('doctor'), finished('migrate')])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(both.map(({ output }) => output)).toEqual(['ran doctor\n', 'ran migrate\n'])
  expect(log('npm.log')).toHaveLength(1)
  expect(log('prisma.log')).toHaveLength(1)
})

it('a set-up that was killed does not block the next one', async () => {
  writeFileSync(join(project, 'npm-hangs'), '')
  const killed = command('doctor')
  await vi.waitFor(() => expect(log('npm.log')).toHaveLength(1), 10_000)
  killed.child.kill('SIGKILL')
  rmSync(join(project, 'npm-hangs'))
  await killed.ended
  const [lock] = readdirSync(join(project, 'tmp'))
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(join(project, 'tmp', lock!), longAgo, longAgo)
  expect(await finished('doctor')).toMatchObject({ code: 0, output: 'ran doctor\n' })
  expect(readdirSync(join(project, 'tmp'))).toEqual([])
})

it('SIGTERM ends a set-up, with npm and without leaving a lock', async () => {
  writeFileSync(join(project, 'npm-hangs'), '')
  const stopped = command('doctor')
  await vi.waitFor(() => expect(log('npm.log')).toHaveLength(1), 10_000)
  stopped.child.kill('SIGTERM')
  expect(await stopped.ended).toBe(1)
  expect(stopped.output()).toBe('')
  expect(readdirSync(join(project, 'tmp'))).toEqual([])
})

it('an installation that fails is told in a sentence, and nothing runs', async () => {
  writeFileSync(join(project, 'npm-fails'), '')
  const { code, output, errors } = await finished('doctor')
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toContain('The packages could not be installed: npm ci ended with exit code 7.\n')
})

it('an image with its own new Node and without development packages needs nothing', async () => {
  await finished('doctor')
  rmSync(join(project, 'node_modules/node'), { recursive: true })
  writeFileSync(
    join(project, 'node_modules/.package-lock.json'),
    JSON.stringify({
      packages: { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-one1.0.0' } },
    }),
  )
  expect(await finished('doctor')).toEqual({ code: 0, output: 'ran doctor\n', errors: '' })
  expect(log('npm.log')).toHaveLength(1)
})

it('an unknown command is answered with those that exist', async () => {
  expect(await finished('strat')).toEqual({
    code: 1,
    output: '',
    errors:
      'There is no command strat: start, doctor, trace, audit, migrate, slack:manifest, discord:invite, test, check, bench.\n',
  })
})

it('SIGTERM reaches the command, whose exit code comes back', async () => {
  const running = command('start', 'stay')
  await vi.waitFor(() => expect(running.output()).toContain('ran start'), 10_000)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(5)
  expect(running.output()).toBe('ran start stay\nended\n')
})

it('the command is told when what started it is killed', async () => {
  const running = command('start', 'stay')
  await vi.waitFor(() => expect(running.output()).toContain('ran start'), 10_000)
  running.child.kill('SIGKILL')
  await running.ended
  expect(running.output()).toBe('ran start stay\nalone\n')
})

it('the command ends when npm is killed', async () => {
  // As npm does it: a parent between the person and the script, which dies without a word.
  const line = `"${process.execPath}" scripts/run.mjs start stay & wait`
  const running = start('/bin/sh', ['-c', line], { npm_lifecycle_event: 'start' })
  await vi.waitFor(() => expect(running.output()).toContain('ran start'), 10_000)
  running.child.kill('SIGKILL')
  await running.ended
  expect(running.output()).toBe('ran start stay\nended\n')
})
