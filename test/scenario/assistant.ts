import type { ChatBody, ScriptedReply } from '../support/model.ts'
import type { Line } from '../support/scripts.ts'
import { pickLastWeeks, type Request } from './notes.ts'

/** What was called so far, with what came of it. */
interface Done {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly result: string
}

function doneIn(body: ChatBody): readonly Done[] {
  return body.messages.flatMap((message) =>
    (message.tool_calls ?? []).map((call) => ({
      name: call.function.name,
      arguments: JSON.parse(call.function.arguments) as Record<string, unknown>,
      result: String(body.messages.find((other) => other.tool_call_id === call.id)?.content ?? ''),
    })),
  )
}

/**
 * A model that carries out the founding request as a good one would: it looks only at what each request holds, calls
 * only what is offered, and says at the end what the results say.
 */
export function assistant(request: Request, now: () => Date): Line {
  return (body) => {
    const done = doneIn(body)
    const of = (name: string) => done.filter((call) => call.name.endsWith(name))
    const call = (name: string, args: Readonly<Record<string, unknown>>, text?: string): ScriptedReply => {
      const tool = body.tools?.find((offered) => offered.function.name.endsWith(name))
      if (!tool) return { text: `I have no tool to ${name}, only: ${namesOf(body).join(', ')}.` }
      return {
        ...(text === undefined ? {} : { text }),
        calls: [{ name: tool.function.name, arguments: args }],
      }
    }

    const [search] = of('search_files')
    if (!search) return call('search_files', { path: '.', pattern: '**/*.md' })
    const path = pickLastWeeks(search.result.split('\n'), request, now())
    if (path === undefined) return { text: `I found no notes of last week, only: ${search.result}` }
    const [notes] = of('read_text_file')
    if (!notes) return call('read_text_file', { path })
    const shortened = /stored as (ref_\w+)/.exec(notes.result)?.[1]
    const pages = of('read_result')
    if (shortened && pages.length === 0) return call('read_result', { ref: shortened })
    const text = shortened ? pages.map((page) => page.result).join('\n') : notes.result
    const conclusion =
      /^## (?:Conclusion|结论)\n+([\s\S]*?)\n+## /m.exec(text)?.[1]?.trim() ?? 'no conclusion'
    const owner = /^- (?:Owner: |负责人：)([^（(\n]+)/m.exec(text)?.[1]?.trim() ?? 'nobody'

    const [sending] = of('send_message')
    const [reminding] = of('set_reminder')
    if (!sending || !reminding) {
      const send = call('send_message', { to: owner, text: conclusion })
      const remind = call('set_reminder', { text: request.reminder, when: request.nextWeek })
      if (!('calls' in send && 'calls' in remind)) return send
      return {
        text: `${request.owner}: ${conclusion}`,
        calls: [...(send.calls ?? []), ...(remind.calls ?? [])],
      }
    }
    const sent = /"sent":\s*true/.test(sending.result)
    const words = /"words":\s*"([^"]+)"/.exec(reminding.result)?.[1] ?? reminding.result
    return {
      text: sent
        ? `Summary above; the conclusion was sent to ${owner}; reminder: ${words}.`
        : `Summary above; nothing was sent to ${owner}; reminder: ${words}.`,
    }
  }
}

/** The names of the tools that a request offers. */
export function namesOf(body: ChatBody): readonly string[] {
  return (body.tools ?? []).map((tool) => tool.function.name)
}
