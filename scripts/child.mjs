// Running a program in this terminal as if it were this process.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'

const passed = ['SIGTERM', 'SIGINT', 'SIGHUP']

/**
 * Runs a program to its end and returns its exit code; signals are passed on to it.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
export function run(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, options)
    const pass = (signal) => {
      // A terminal's Ctrl-C reaches every process in its foreground: passed on, it would be two.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    // Killed outright, npm can't pass anything on; what it started then ends as if it had.
    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000)
    if (!process.env.npm_lifecycle_event) clearInterval(watch)
    const done = () => {
      clearInterval(watch)
      for (const signal of passed) process.off(signal, pass)
    }
    for (const signal of passed) process.on(signal, pass)
    child.on('error', (error) => {
      done()
      console.error(error.message)
      // As shells report a command that they don't find.
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      done()
      // As shells report the end by a signal.
      resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0))
    })
  })
}
