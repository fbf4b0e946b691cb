import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config/file.ts'
import { root } from './pages.ts'

/** The workflow of the example file as a diagram. */
export function claimDiagram(): string {
  const read = readConfig(readFileSync(join(root, 'hermes.config.example.json'), 'utf8'), 'the example')
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  const { initial, states } = read.config.workflows.expense_claim!
  const lines = Object.entries(states).flatMap(([name, { on, end, cancel }]) => [
    ...Object.entries(on).map(([happening, target]) => `  ${name} --> ${target}: ${happening}`),
    ...(cancel ? [`  ${name} --> ${cancel.to}: left, after its cancel action`] : []),
    ...(end ? [`  ${name} --> [*]`] : []),
  ])
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${initial}`, ...lines, '```'].join('\n')
}
