import type { ChatBody, ScriptedReply } from '../model.ts'

/**
 * A model that does what it is told: "ticket X" makes it propose a ticket X, "a ticket" one without a title, "tell X: Y"
 * a message, "slowly X" makes it answer piece by piece; else it names what it answers, and it tells what became of what it did.
 */
export function plainModel(body: ChatBody): ScriptedReply {
  const wanted = wantedTicket(body)
  if (wanted) return { calls: [{ name: 'create_ticket', arguments: { title: wanted, priority: 'low' } }] }
  const said = unanswered(body)
  const [, to, text] = /^tell (.*): (.*)$/.exec(said.at(-1) ?? '') ?? []
  if (to && text) return { calls: [{ name: 'send_message', arguments: { to, text } }] }
  if (said.at(-1) === 'a ticket')
    return { calls: [{ name: 'create_ticket', arguments: { priority: 'low' } }] }
  if (said.length === 0) return { text: `Told: ${news(body).slice(0, 200)}` }
  const whole = `You said: ${said.join(' + ')}`
  const slow = said.some((each) => each.includes('slowly'))
  return slow
    ? { text: `${whole}. ${'And so on and on. '.repeat(20)}`, chunkSize: 10, delayMs: 50 }
    : { text: whole }
}

/** The ticket that was asked for last, where it was not proposed yet. */
function wantedTicket(body: ChatBody): string | undefined {
  const last = body.messages.findLastIndex(({ role, content }) => role === 'user' && !isNote(content))
  const title = /(?:^|: )ticket (.*)$/.exec(String(body.messages[last]?.content))?.[1]
  const since = body.messages.slice(last)
  // One with another title was edited on its card, unless it was withdrawn because the message was edited.
  const withdrawn = new Set(
    since
      .filter(({ role, content }) => role === 'tool' && String(content).startsWith('Withdrawn'))
      .map((message) => message.tool_call_id),
  )
  const proposed = since
    .flatMap((message) => message.tool_calls ?? [])
    .some((call) => JSON.parse(call.function.arguments).title === title || !withdrawn.has(call.id))
  return proposed ? undefined : title
}

const isNote = (content: unknown) => String(content).startsWith('[Hermes note]')

/** What people have said since the model spoke last (and since the results of what it did came in). */
export function unanswered(body: ChatBody): readonly string[] {
  const last = body.messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool')
  return body.messages
    .slice(last + 1)
    .filter(({ role, content }) => role === 'user' && !isNote(content))
    .map(({ content }) => String(content))
}

/** What the model has not spoken of yet: results, and notes of Hermes. */
function news(body: ChatBody): string {
  const last = body.messages.findLastIndex(({ role }) => role === 'assistant')
  return body.messages
    .slice(last + 1)
    .map(({ content }) => String(content))
    .join(' ')
    .replace(/\s+/g, ' ')
}
