import type { ChatBody, ScriptedReply } from '../model.ts'

/**
 * A model that does what it is told: "ticket X" makes it propose a ticket X, "slowly X" makes it answer piece by
 * piece; else it names what it answers. Whatever has been said since its last answer is answered together.
 */
export function plainModel(body: ChatBody): ScriptedReply {
  const said = unanswered(body)
  const wanted = said.map((text) => /(?:^|: )ticket (.*)$/.exec(text)?.[1]).findLast((title) => title)
  const answered = body.messages.findLastIndex(({ role }) => role === 'assistant')
  const results = body.messages
    .slice(answered + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
  if (results.length > 0) return { text: `Told: ${results.join(' ').slice(0, 200)}` }
  if (wanted) return { calls: [{ name: 'create_ticket', arguments: { title: wanted, priority: 'low' } }] }
  const text = `You said: ${said.join(' + ')}`
  const slow = said.findLast((each) => each.includes('slowly'))
  return slow ? { text: `${text}. ${'And so on and on. '.repeat(20)}`, chunkSize: 10, delayMs: 50 } : { text }
}

/** What people have said since the model spoke last, without the notes of Hermes itself. */
export function unanswered(body: ChatBody): readonly string[] {
  const last = body.messages.findLastIndex(({ role }) => role === 'assistant')
  return body.messages
    .slice(last + 1)
    .filter(({ role, content }) => role === 'user' && !String(content).startsWith('[Hermes note]'))
    .map(({ content }) => String(content))
}
