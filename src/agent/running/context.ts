import { HermesError } from '../../base/errors.ts'
import { type Language, languageOf } from '../../base/words.ts'
import type { ChatModel } from '../../model/chat.ts'
import { createTrace } from '../../observe/trace.ts'
import type { Lease } from '../../session/lease.ts'
import type { PersonFacts } from '../../session/people.ts'
import type { Profile } from '../../session/profiles.ts'
import type { SessionQuestion, Snapshot, TranscriptMessage } from '../../session/transcript.ts'
import type { AgentParts, TurnContext } from '../parts.ts'

/** What a turn knows from its start. */
export async function contextFor(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  turn: { readonly id: string; readonly personId: string },
  begun?: { readonly person: PersonFacts; readonly said: string; readonly postId: string | undefined },
): Promise<TurnContext> {
  const person = begun?.person ?? (await knownPerson(parts, turn.personId, snapshot))
  const own = snapshot.messages.filter((message) => message.turnId === turn.id && message.role === 'user')
  const text = begun?.said ?? own.map((message) => message.text).join('\n')
  const postId = begun?.postId ?? own.at(-1)?.postId ?? undefined
  const { profile, gone } =
    snapshot.profile === ''
      ? { profile: parts.profiles.at(snapshot), gone: false }
      : parts.profiles.named(snapshot.profile)
  const trace = createTrace({ turnId: turn.id, sessionId: snapshot.id, clock: parts.clock, ids: parts.ids })
  trace.root.note({
    profile: profile.name,
    ...(gone ? { warning: `The profile "${snapshot.profile}" is gone from the settings.` } : {}),
  })
  return {
    turnId: turn.id,
    sessionId: snapshot.id,
    thread: snapshot.thread,
    kind: snapshot.kind,
    profile,
    person,
    // What is sent with a card has the labels of its fields, which tell nothing.
    language: answeredIn(snapshot, turn, own)?.language ?? languageFor(parts, text, person.language),
    target: {
      thread: snapshot.thread,
      ...(person.userId === undefined ? {} : { recipientId: person.userId }),
      ...(postId === undefined ? {} : { postId }),
    },
    lease,
    trace,
  }
}

/** The question whose answer the turn begins with, where it was sent with a card. */
function answeredIn(
  snapshot: Snapshot,
  turn: { readonly personId: string },
  own: readonly TranscriptMessage[],
): SessionQuestion | undefined {
  const said = own.length > 0 ? own.map(({ eventId }) => eventId) : snapshot.pending.map(({ id }) => id)
  return snapshot.questions.find(
    ({ answer, personId }) => personId === turn.personId && answer && said.includes(answer.eventId),
  )
}

/** What a session begins with, for the trace of its first turn. */
export function profileFacts({ name, tools, mcpServers, memory, limits }: Profile, model: ChatModel) {
  return {
    profile: name,
    model: model.name,
    window: model.contextWindow,
    tools,
    memory,
    ...(mcpServers ? { mcpServers } : {}),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  }
}

export async function knownPerson(
  parts: AgentParts,
  personId: string,
  snapshot: Snapshot,
): Promise<PersonFacts> {
  const person = await parts.people.find(personId, snapshot.thread)
  if (!person) throw new HermesError('session.person', `The person ${personId} is not known.`)
  return person
}

function languageFor(parts: AgentParts, text: string, own: Language | undefined): Language {
  if (/[\p{L}]/u.test(text)) return languageOf(text)
  return own ?? parts.settings.language
}
