// What has to be there before a command can run: packages, the database client, a Node that runs TypeScript.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join, sep } from 'node:path'
import process from 'node:process'
import { run } from './child.mjs'
import { locked } from './lock.mjs'

const oldest = 24

/**
 * Does the steps that are due, each with a line of its own.
 * @param {string} root
 * @param {{ tools: boolean, say: (line: string) => void }} options with `tools` the development packages
 *   have to be there as well
 * @returns {Promise<{ runtime: string, mistake?: undefined } | { runtime?: undefined, mistake: string }>}
 */
export async function setUp(root, { tools, say }) {
  const steps = () => ({
    install: !installed(root, tools || !ownNode(root)),
    generate: !generated(root),
  })
  const due = steps()
  if (due.install || due.generate) {
    const mistake = await locked(root, say, async () => {
      // Another command may have done it while this one waited.
      if (steps().install) {
        say('Installing packages: a minute or two, and only this once.')
        const failure = await install(root)
        if (failure) return failure
      }
      if (steps().generate) {
        say('Generating the database client.')
        return generate(root)
      }
    })
    if (mistake) return { mistake }
  }
  const runtime = runtimeOf(root)
  return runtime
    ? { runtime }
    : { mistake: `Hermes needs Node ${oldest}: install it, or run npm rebuild node.` }
}

/** The Node that runs everything: the pinned one, or this one where it is new enough. */
function runtimeOf(root) {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  return Number.parseInt(process.versions.node, 10) >= oldest ? process.execPath : undefined
}

// Does a Node that is not one of the packages run this? Production images have one and leave the pinned
// one out, with the other development packages.
function ownNode(root) {
  return Number.parseInt(process.versions.node, 10) >= oldest && !inPackages(root, process.execPath)
}

function inPackages(root, path) {
  return path.startsWith(join(root, 'node_modules') + sep)
}

// npm writes the tree that it installed into node_modules/.package-lock.json as its last act.
function installed(root, development) {
  const there = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (!there) return false
  return Object.entries(packagesOf(join(root, 'package-lock.json')) ?? {}).every(([path, wanted]) => {
    // Optional ones are for other platforms.
    if (path === '' || wanted.optional || wanted.devOptional || wanted.link) return true
    if (wanted.dev && !development) return true
    return there[path]?.version === wanted.version && there[path]?.integrity === wanted.integrity
  })
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}

async function install(root) {
  // NODE_ENV=production would leave out the pinned Node. Node 20 itself is too old for some packages,
  // which run on the pinned one, so npm's warnings about that are noise.
  const code = await npm(root, ['ci', '--include=dev', '--loglevel=error'])
  if (code) return `The packages could not be installed: npm ci ended with exit code ${code}.`
  if (!runtimeOf(root)) {
    // Its install script lays the binary; npm may be set to run none.
    const later = await npm(root, ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
    if (later) return `Node ${oldest} could not be installed: npm rebuild node ended with exit code ${later}.`
  }
  return undefined
}

function npm(root, args) {
  // Under `npm start` PATH begins with node_modules, which is about to be removed.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !inPackages(root, join(entry, sep)))
  const { npm_execpath: script = '', npm_node_execpath: node = process.execPath } = process.env
  const direct = basename(script) === 'npm-cli.js' && existsSync(script) && !inPackages(root, node)
  const [file, ...before] = direct ? [node, script] : ['npm']
  return run(file, [...before, ...args], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    // Its report goes to standard error: standard output belongs to the command.
    stdio: ['ignore', 2, 2],
    shell: !direct && process.platform === 'win32',
  })
}

// The client is made from the schema by one version of Prisma, which npm removes together with this record.
const record = (root) => join(root, 'node_modules', '.hermes', 'prisma-client')
const client = (root) => join(root, 'src', 'store', 'prisma', 'client.ts')
const digest = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'prisma', 'schema.prisma')))
    .digest('hex')

function generated(root) {
  if (!existsSync(client(root)) || !existsSync(record(root))) return false
  return readFileSync(record(root), 'utf8') === digest(root)
}

async function generate(root) {
  const wanted = digest(root)
  const runtime = runtimeOf(root) ?? process.execPath
  const failure = await new Promise((resolve) => {
    execFile(
      runtime,
      [join(root, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'],
      { cwd: root, env: { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' } },
      (error, stdout, stderr) => resolve(error ? `${stdout}${stderr}`.trim() || error.message : undefined),
    )
  })
  if (failure) return `The database client could not be generated:\n${failure}`
  mkdirSync(join(root, 'node_modules', '.hermes'), { recursive: true })
  writeFileSync(record(root), wanted)
  return undefined
}
