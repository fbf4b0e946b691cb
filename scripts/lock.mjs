// One set-up at a time in one folder, also between processes that don't know each other.
import { createHash } from 'node:crypto'
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

const beatMs = 1_000
const staleMs = 15_000
const longestMs = 15 * 60_000

/**
 * Does the work while no other process does any for the same folder. The lock is a file outside of it
 * (npm removes node_modules) that its holder keeps young; an old one was left by a killed process.
 * @template T
 * @param {string} root
 * @param {(line: string) => void} say
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function locked(root, say, work) {
  const file = join(
    tmpdir(),
    `hermes-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
  )
  const limit = Date.now() + longestMs
  for (let waiting = false; !taken(file); waiting = true) {
    if (!waiting) say('Waiting for another command to finish setting up.')
    if (Date.now() > limit)
      throw new Error(`Another set-up holds ${file} for too long; remove it if none runs.`)
    await delay(200)
  }
  const beat = setInterval(() => touch(file), beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    rmSync(file, { force: true })
  }
}

function taken(file) {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isStale(file)) clear(file)
  return false
}

function isStale(file) {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return at !== undefined && Date.now() - at > staleMs
}

// Two may find the same old lock. Moving it aside is atomic, and what was moved is looked at again: if it is
// a new holder's, it goes back.
function clear(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (!isStale(aside)) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function touch(file) {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
