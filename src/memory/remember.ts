import { writableScope } from './access.ts'
import type { MemoryParts } from './fact.ts'
import type { Asker, MemoryCategory, MemoryRecord, MemoryScope, Place } from './record.ts'
import { isPersonal } from './rules.ts'
import { isSecret } from './secrets.ts'
import { languageOf, type Refusal, refusalSentence } from './sentences.ts'
import { asksToForget, sentencesOf, statementOf } from './statement.ts'
import { writeFact } from './write.ts'

/** An explicit wish to remember. */
export interface RememberRequest {
  readonly asker: Asker
  readonly place: Place
  /** As it was said ("remember that …") or the statement alone. */
  readonly text: string
  /** The event or tool call it comes from; a repetition of it writes nothing twice. */
  readonly sourceId: string
  readonly turnId?: string
  /** Default: private; where others read, the team's unless the speaker talks about themselves. */
  readonly scope?: MemoryScope
  readonly category?: MemoryCategory
  /** What it is about, where the caller knows; a later statement of that subject replaces it. */
  readonly subject?: string
  /** What was said around it, for search alone. */
  readonly context?: string
  /** When it was said; default now. */
  readonly at?: Date
  readonly signal?: AbortSignal
}

/** What became of it. A refusal stores nothing at all. */
export interface Remembered {
  readonly stored: readonly { readonly memory: MemoryRecord; readonly replaced: readonly MemoryRecord[] }[]
  /** Known already, now confirmed. */
  readonly known: readonly MemoryRecord[]
  readonly refused?: { readonly reason: Refusal; readonly sentence: string }
}

const longest = 1_500
const mostFacts = 8

/** Writes what a person explicitly asks to remember, one memory a fact. */
export async function remember(parts: MemoryParts, request: RememberRequest): Promise<Remembered> {
  const { asker, place } = request
  const statement = (statementOf(request.text) ?? request.text).trim()
  const meant =
    request.scope === 'team' && place.workspace === ''
      ? 'private'
      : (request.scope ?? defaultScope(place, statement))
  const scope = writableScope(place, meant)
  const refusal = refuse(request.text, statement) ?? (scope === undefined ? 'place' : undefined)
  if (refusal || scope === undefined) {
    const reason = refusal ?? 'place'
    const language = asker.language ?? languageOf(request.text)
    return { stored: [], known: [], refused: { reason, sentence: refusalSentence(reason, language) } }
  }
  const stored: { memory: MemoryRecord; replaced: readonly MemoryRecord[] }[] = []
  const known: MemoryRecord[] = []
  const at = request.at ?? parts.clock.now()
  const facts = factsOf(statement)
  for (const [ordinal, text] of facts.entries()) {
    const written = await writeFact(
      parts,
      asker,
      place,
      {
        text,
        context: request.context,
        source: 'said',
        sourceId: request.sourceId,
        ordinal,
        turnId: request.turnId,
        at,
        scope,
        category: request.category,
        // A subject that was named for the whole can't be that of each part.
        subject: facts.length === 1 ? request.subject : undefined,
      },
      request.signal,
    )
    if (written.kind === 'stored') stored.push({ memory: written.memory, replaced: written.replaced })
    else if (written.kind === 'known' || written.kind === 'outweighed') known.push(written.memory)
  }
  return { stored, known }
}

/** Who may later use what is said here, when nobody says. */
export function defaultScope(place: Place, statement: string): MemoryScope {
  return place.shared && place.workspace !== '' && !isPersonal(statement) ? 'team' : 'private'
}

function refuse(said: string, statement: string): Refusal | undefined {
  if (isSecret(said)) return 'secret'
  if (!/[\p{L}\p{N}]/u.test(statement) || asksToForget(statement)) return 'empty'
  if (statement.length > longest) return 'long'
  return /[?？]$/.test(statement) ? 'question' : undefined
}

// "My desk is on floor 3. It is beside the window." is one fact: what begins with a pronoun needs what it
// points to. What follows the last allowed fact stays with it.
function factsOf(statement: string): string[] {
  const facts: string[] = []
  for (const sentence of sentencesOf(statement)) {
    const leans =
      /^(?:it|this|that|these|those|he|she|they|and|but|so|also|because|which)\b|^(?:它|他|她|这|那|并且|而且|但是|所以|因为)/i
    if (facts.length === 0 || (!leans.test(sentence) && facts.length < mostFacts)) facts.push(sentence)
    else facts[facts.length - 1] += ` ${sentence}`
  }
  return facts.map((fact) => fact.replace(/[\s.。;；]+$/, ''))
}
