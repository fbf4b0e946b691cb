import type { Language } from '../base/words.ts'
import { labelOf } from './arguments/forms.ts'
import { hashOf } from './hash.ts'
import {
  type ArgumentProblem,
  type CallContext,
  type ResultFile,
  type Tool,
  ToolFailure,
  type ToolResult,
} from './tool.ts'

/** A tool that lives outside (on an MCP server), as `tools` needs to know it. The composition root provides it. */
export interface ExternalTool {
  readonly name: string
  readonly title: string
  /** The system it belongs to, as people call it. */
  readonly server: string
  readonly description: string
  readonly effect: 'read' | 'write'
  readonly idempotent: boolean
  /** Of silence, once the call is on its way. */
  readonly timeoutMs: number
  readonly longestMs: number
  readonly readyMs: number
  readonly parameters: Readonly<Record<string, unknown>>
  readonly definitionHash: string
  /** Stands for the place that a call goes to. What was confirmed for one place is not confirmed for another. */
  readonly target: string
  readonly blocked?: string
  /** The arguments as they may be shown and sent, and what does not fit the tool's own schema. */
  check(args: Readonly<Record<string, unknown>>): {
    readonly args: Readonly<Record<string, unknown>>
    readonly problems: readonly ArgumentProblem[]
  }
  /** Rejects with a ToolFailure. Tells by `alive` of the context when it is on its way, and that it makes progress. */
  call(
    args: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<{ content: unknown; files?: readonly ResultFile[] }>
}

/** An external tool under the same rules as a built-in one. */
export function externalTool(external: ExternalTool): Tool {
  return {
    name: external.name,
    server: external.server,
    description: descriptionOf(external),
    effect: external.effect,
    idempotent: external.idempotent,
    timeoutMs: external.timeoutMs,
    longestMs: external.longestMs,
    readyMs: external.readyMs,
    cacheSeconds: 0,
    parameters: external.parameters,
    definitionHash: hashOf([external.definitionHash, external.effect, external.target]),
    ...(external.blocked === undefined ? {} : { blocked: external.blocked }),
    title: () => labelOf(external.title),
    activity: (language) => (language === 'zh' ? `正在询问 ${external.server}` : `Asking ${external.server}`),
    risk: (language: Language) =>
      language === 'zh'
        ? `这会在 ${external.server} 中进行更改，Hermes 无法撤销。`
        : `This changes something in ${external.server}; Hermes cannot undo it.`,
    async check(raw) {
      const { args, problems } = external.check(raw)
      return problems.length === 0 ? { ok: true, arguments: { ...args } } : { ok: false, problems }
    },
    card: () => ({}),
    async run(args, context): Promise<ToolResult> {
      if (external.blocked) throw new ToolFailure('permission', external.blocked)
      const { content, files = [] } = await external.call(args, context)
      return {
        content,
        files,
        ...(external.effect === 'write' ? { told: doneIn(external, context.person.language) } : {}),
      }
    },
  }
}

/** Fewer letters than this say nothing that the name does not say. */
const thin = 12

/** What the server says; where that is next to nothing, what can be known of it all the same. */
function descriptionOf({ title, server, description, effect }: ExternalTool): string {
  if ([...description.trim()].length >= thin) return description
  const does =
    effect === 'read' ? 'It only looks.' : 'It changes something there, after a person has confirmed it.'
  const said = description.trim() === '' ? '' : `${description.trim()} `
  return `${said}"${labelOf(title)}" of the server ${server}, which says nothing more about it. ${does} Call it only where its name plainly fits.`
}

function doneIn(external: ExternalTool, language: Language): string {
  return language === 'zh'
    ? `${labelOf(external.title)}已在 ${external.server} 完成`
    : `${labelOf(external.title)} done in ${external.server}`
}
