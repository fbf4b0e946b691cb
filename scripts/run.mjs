// What every npm script starts: sets up what is missing, then runs the command on the project's own Node.
// Plain JavaScript for Node 20.19 and newer that needs no package, since it runs before any is installed.
import { realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { check } from './check.mjs'
import { run } from './child.mjs'
import { setUp } from './setup.mjs'

const main = { file: 'src/main.ts', named: true, tools: false }
const commands = {
  start: main,
  doctor: main,
  trace: main,
  audit: main,
  migrate: main,
  'slack:manifest': main,
  'discord:invite': main,
  test: { file: 'node_modules/vitest/vitest.mjs', before: ['run'], tools: true },
  check: { tools: true },
  bench: { file: 'bench/run.ts', tools: true },
}

const [name = '', ...given] = process.argv.slice(2)
const root = realpathSync(dirname(dirname(fileURLToPath(import.meta.url))))
const say = (line) => console.error(line)
process.exitCode = await runCommand()

async function runCommand() {
  if (!Object.hasOwn(commands, name)) {
    say(`${name ? `There is no command ${name}` : 'Name a command'}: ${Object.keys(commands).join(', ')}.`)
    return 1
  }
  const command = commands[name]
  const { runtime, mistake } = await setUp(root, { tools: command.tools, say })
  if (mistake) {
    say(mistake)
    return 1
  }
  // The packages' commands first, as npm has it, so that what is started by name finds the same ones.
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
  const options = { cwd: root, env: { ...process.env, PATH: path }, stdio: 'inherit' }
  if (name === 'check') return check(runtime, options, say)
  if (name === 'test' && !process.env.REDIS_URL && !process.env.DATABASE_URL)
    say('Everything runs embedded. Set REDIS_URL or DATABASE_URL to run the tests of these services too.')
  const args = [command.file, ...(command.named ? [name] : []), ...(command.before ?? []), ...given]
  // The channel's `disconnect` event tells what runs for long that this process was killed.
  return run(runtime, args, name === 'start' ? { ...options, stdio: [0, 1, 2, 'ipc'] } : options)
}
