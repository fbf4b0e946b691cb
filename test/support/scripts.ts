import type { ChatBody, ModelStandIn, ScriptedReply } from './model.ts'

/** A reply, or a function that makes it of the request. */
export type Line = ScriptedReply | ((body: ChatBody) => ScriptedReply)

/** Scripts for conversations that run side by side: each is known by a word that people say in it. */
export interface Scripts {
  /** A word that nobody has said yet. */
  word(): string
  /** What the model answers, one line a request, where that word is the last known one that was said. */
  on(word: string, ...lines: readonly Line[]): void
  /** The requests in whose conversation the word was said, oldest first. */
  requests(word: string): readonly ChatBody[]
  /** Lines that were not asked for yet. */
  left(word: string): number
}

/** Answers what is asked after turns (is anything worth remembering?) with nothing, and turns by their word. */
export function scriptModel(model: ModelStandIn, aside: ScriptedReply = { text: '[]' }): Scripts {
  const lines = new Map<string, Line[]>()
  let count = 0
  model.script((body) => {
    if (body.tools === undefined) return aside
    const said = saidIn(body)
    const [word] = [...lines.keys()]
      .filter((known) => said.includes(known))
      .sort((a, b) => said.lastIndexOf(b) - said.lastIndexOf(a))
    const line = word === undefined ? undefined : lines.get(word)?.shift()
    return typeof line === 'function' ? line(body) : line
  })
  return {
    word() {
      count += 1
      return `kiwi${String(count).padStart(3, '0')}`
    },
    on(word, ...more) {
      lines.set(word, [...(lines.get(word) ?? []), ...more])
    },
    requests: (word) =>
      model.requests
        .map(({ body }) => body)
        .filter((body) => body.tools !== undefined && saidIn(body).includes(word)),
    left: (word) => lines.get(word)?.length ?? 0,
  }
}

/** Everything that people said in a request's conversation. */
function saidIn(body: ChatBody): string {
  return body.messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .filter((text) => !text.startsWith('[Hermes note]'))
    .join('\n')
}
