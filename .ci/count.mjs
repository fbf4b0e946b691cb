// Adds up Vitest's JSON reports and prints the one line that tells what ran. A test file that could not even
// be loaded counts as a failed test.
import { readFileSync } from 'node:fs'
import process from 'node:process'

let passed = 0
let failed = 0
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  passed += report.numPassedTests
  failed += report.numFailedTests
  failed += report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  ).length
}
console.log(`${passed} passed, ${failed} failed`)
if (passed === 0 || failed > 0) process.exitCode = 1
