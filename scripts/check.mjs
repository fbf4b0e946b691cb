// Everything that can be said about the code without running it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './child.mjs'

const checks = [
  { name: 'Types', args: ['typescript/bin/tsc'] },
  { name: 'Format and lint', args: ['@biomejs/biome/bin/biome', 'check'] },
  { name: 'Imports', args: ['dependency-cruiser/bin/dependency-cruiser.mjs', '--config'], folders: true },
  { name: 'Unused code', args: ['knip/bin/knip.js'] },
]
// Not tests: their directions are free, and swc's graph knows no `using` yet.
const folders = ['src', 'adapters', 'bench', 'scripts']

/**
 * Runs all checks, also after one has failed, and ends with one line for each.
 * @param {string} runtime
 * @param {import('node:child_process').SpawnOptions & { cwd: string }} options
 * @param {(line: string) => void} say
 * @returns {Promise<number>} 1 if any failed
 */
export async function check(runtime, options, say) {
  const results = []
  for (const { name, args, folders: walk } of checks) {
    const [tool, ...rest] = args
    const where = walk ? folders.filter((folder) => existsSync(join(options.cwd, folder))) : []
    const file = join(options.cwd, 'node_modules', tool)
    const code = await run(runtime, [file, ...where, ...rest], options)
    // Stopped by hand: the others are not wanted either.
    if (code > 128) return code
    results.push({ name, passed: code === 0 })
  }
  for (const { name, passed } of results) say(`${passed ? 'passed' : 'FAILED'}  ${name}`)
  return results.every(({ passed }) => passed) ? 0 : 1
}
