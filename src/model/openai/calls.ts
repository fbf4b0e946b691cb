import type { ModelToolCall } from '../chat.ts'

/** A piece of a tool call, as servers send them: any part may be missing. */
export interface CallPiece {
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly arguments?: string | undefined
}

/** Puts the calls of one reply together. */
export interface CallAssembly {
  add(piece: CallPiece): void
  /** The calls in their order; ids that are missing, or taken already, are made up. */
  finish(taken: ReadonlySet<string>, newId: () => string): ModelToolCall[]
}

interface Draft {
  index: number | undefined
  id: string
  name: string
  arguments: string
}

/** Starts with no calls. */
export function createCallAssembly(): CallAssembly {
  const drafts: Draft[] = []
  return {
    add(piece) {
      const found = find(drafts, piece)
      const draft: Draft = found ?? { index: piece.index, id: '', name: '', arguments: '' }
      if (!found) drafts.push(draft)
      if (piece.id && !draft.id) draft.id = piece.id
      // Some servers repeat the name with every piece.
      if (piece.name && !draft.name) draft.name = piece.name
      draft.arguments += piece.arguments ?? ''
    },
    finish(taken, newId) {
      const used = new Set(taken)
      return drafts.map((draft) => {
        // Servers that number their calls from 0 in each reply repeat ids of earlier replies. OpenAI, which may
        // be asked next, takes 40 characters.
        const id = draft.id && draft.id.length <= 40 && !used.has(draft.id) ? draft.id : newId()
        used.add(id)
        return { id, name: safeName(draft.name), arguments: draft.arguments }
      })
    },
  }
}

function find(drafts: readonly Draft[], piece: CallPiece): Draft | undefined {
  const last = drafts.at(-1)
  const known = piece.id ? drafts.find((draft) => draft.id === piece.id) : undefined
  // The same id under another index is a second call with a doubled id.
  if (known && (piece.index === undefined || known.index === piece.index))
    return startsAnew(known, piece) ? undefined : known
  const candidate = piece.index === undefined ? last : drafts.findLast((draft) => draft.index === piece.index)
  if (!candidate) return undefined
  // Gemini's compatible endpoint gives every parallel call index 0; others leave the index out. A new id alone
  // proves nothing, since some servers make up one for each piece: a new call also brings a name.
  if (piece.name && piece.id && candidate.id && piece.id !== candidate.id) return undefined
  return startsAnew(candidate, piece) ? undefined : candidate
}

/** A name after complete arguments begins the next call. */
function startsAnew(draft: Draft, piece: CallPiece): boolean {
  return Boolean(piece.name && draft.name && isComplete(draft.arguments) && piece.arguments)
}

function isComplete(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A name that can be sent back in the next request; one that no tool has is answered as unknown later. */
function safeName(name: string): string {
  return (
    name
      .trim()
      .replace(/[^a-zA-Z0-9_-]/g, '_')
      .slice(0, 64) || 'unnamed'
  )
}
