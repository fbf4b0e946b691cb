import { messageOf } from '../base/errors.ts'
import type { Mcp, McpTool } from '../mcp/mcp.ts'
import { externalTool } from '../tools/external.ts'
import type { ArgumentProblem, Tool } from '../tools/tool.ts'
import { ToolFailure } from '../tools/tool.ts'

/** The tools of all MCP servers, as the registry takes them. Made again only when a list has changed. */
export function mcpTools(mcp: Mcp): () => readonly Tool[] {
  let cached: readonly Tool[] | undefined
  mcp.onChange(() => {
    cached = undefined
  })
  return () => {
    cached ??= mcp.tools().map((tool) => toolOf(mcp, tool))
    return cached
  }
}

function toolOf(mcp: Mcp, tool: McpTool): Tool {
  return externalTool({
    name: tool.name,
    title: tool.title || tool.tool,
    server: tool.server,
    description: tool.description,
    effect: tool.effect,
    idempotent: tool.idempotent,
    timeoutMs: tool.timeoutMs,
    longestMs: tool.longestTimeoutMs,
    readyMs: tool.readyMs,
    parameters: tool.inputSchema,
    definitionHash: tool.definitionHash,
    target: tool.target,
    ...(tool.blocked === undefined ? {} : { blocked: tool.blocked }),
    check(args) {
      const checked = mcp.check(tool.name, args)
      if (!checked) return { args, problems: [{ field: '', problem: 'the tool is gone', missing: false }] }
      const problems = checked.problems.map(
        (problem): ArgumentProblem => ({ field: '', problem, missing: false }),
      )
      return { args: checked.args, problems }
    },
    async call(args, context) {
      const result = await mcp
        .call(tool.name, args, {
          signal: context.signal,
          idempotencyKey: context.callId,
          ...(context.keyName === undefined ? {} : { keyName: context.keyName }),
          // The time in force is kept where the call is made, since it may have been raised, and since an answer that
          // comes after it is heard until here.
          timeoutMs: tool.longestTimeoutMs,
          onSent: () => context.alive?.(),
          onProgress: ({ progress, total, message }) => {
            context.alive?.()
            context.progress(
              message ?? (total ? `${tool.title} ${Math.round((progress / total) * 100)} %` : tool.title),
            )
          },
          ...(tool.effect === 'write' ? { approval: { definitionHash: tool.definitionHash } } : {}),
        })
        .catch((error: unknown) => {
          if (context.signal.aborted) throw error
          throw new ToolFailure(tool.effect === 'write' ? 'unknown' : 'transient', messageOf(error), {
            cause: error,
          })
        })
      if (result.outcome !== 'succeeded') {
        const failure = result.failure
        throw new ToolFailure(failure?.kind ?? 'permanent', failure?.message ?? result.text, {
          ...(failure?.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
        })
      }
      const text = result.text === '' && result.structured ? JSON.stringify(result.structured) : result.text
      return {
        content: text === '' && result.attachments.length === 0 ? '(empty result)' : text,
        files: result.attachments,
      }
    },
  })
}
