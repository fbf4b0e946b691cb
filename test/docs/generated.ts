import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '../../src/tools/tool.ts'
import { root } from './pages.ts'
import { stateDiagram, stateTable } from './states.ts'
import { claimDiagram } from './workflows.ts'

/** A part of a page that is made from the code, between two marks. */
export interface GeneratedPart {
  readonly page: string
  readonly mark: string
  readonly text: string
}

/** All of them, as they should be. */
export async function generatedParts(): Promise<readonly GeneratedPart[]> {
  return [
    { page: 'architecture.md', mark: 'generated: states', text: `${stateDiagram()}\n\n${stateTable()}` },
    { page: 'tools.md', mark: 'generated: tools', text: toolTable(await builtinTools()) },
    { page: 'workflows.md', mark: 'generated: claim', text: claimDiagram() },
    { page: 'configuration.md', mark: 'generated: unused', text: unusedSettings() },
  ]
}

/** The page with its part put in. */
export function withPart(page: string, { mark, text }: GeneratedPart): string {
  return page.replace(
    new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- end -->)`),
    (_, begin: string, end: string) => `${begin}${text}\n${end}`,
  )
}

/** Every built-in tool, from every file of its folder. */
async function builtinTools(): Promise<readonly Tool[]> {
  const folder = join(root, 'src/tools/builtin')
  const modules = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name))))
  return modules.flatMap((module: Record<string, unknown>) =>
    Object.entries(module).flatMap(([name, made]) =>
      name.endsWith('Tools') && typeof made === 'function'
        ? (made(name === 'httpTools' ? anyHost : nothing) as readonly Tool[])
        : [],
    ),
  )
}

// What tools are made with is used only when they run.
const nothing: unknown = new Proxy(() => {}, { get: () => nothing, apply: () => nothing })

// Without a host that it may look at there is no such tool.
const anyHost = { allow: ['those of `http.allow`'], internal: [], timeoutMs: 1, maxBytes: 1 }

function toolTable(tools: readonly Tool[]): string {
  const whenOf = (tool: Tool) => /^Use when: (.*)$/m.exec(tool.description)?.[1]?.replaceAll('|', '\\|') ?? ''
  return [
    '| Tool | Effect | Used when |',
    '| --- | --- | --- |',
    ...[...tools]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((tool) => `| \`${tool.name}\` | ${tool.effect} | ${whenOf(tool)} |`),
  ].join('\n')
}

// Where a variable's own name is not how the code calls it.
const properties: Readonly<Record<string, string>> = {
  HERMES_SECRET_KEY: 'secretKey',
  SLACK_CLIENT_ID: 'oauth',
  SLACK_CLIENT_SECRET: 'oauth',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'otlpEndpoint',
  allowBots: 'allowBots',
  'memory.threshold': 'threshold',
  'memory.perSession': 'perSession',
  'sessions.archiveDays': 'archiveDays',
  'tools.timeoutSeconds': 'tools.timeoutSeconds',
}

/** Settings that are read and checked, but that nothing works with so far. */
function unusedSettings(): string {
  const code = [...sources(join(root, 'src')), ...sources(join(root, 'adapters'))]
    .filter((file) => !/\/src\/(config|commands\/doctor)\//.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const unused = Object.entries(properties).filter(([, property]) => !code.includes(`.${property}`))
  return unused.length === 0
    ? 'None: every setting above has its effect.'
    : `Read and checked, but without an effect in this version: ${unused.map(([name]) => `\`${name}\``).join(', ')}.`
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('prisma/'))
    .map((name) => join(folder, name))
}
