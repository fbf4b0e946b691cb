import type { Clause } from './clauses.ts'
import type { Conversation } from './conversation.ts'
import { report, type Task } from './plan.ts'

const wanted = {
  en: /^(?:please )?(?:undo|revert|take back)(?: (?:it|that|this|the last (?:one|thing|step|change)|what you (?:just )?did))?(?: please)?[.!]?$/i,
  zh: /^(?:请)?(?:撤销|还原)(?:它|刚才的|刚才那个|上一步|这个|那个)?(?:吧|一下)?[。！]?$/,
} as const

/** Reads the wish to take back what was done last. */
export function readUndoRequest({ text, language }: Clause, _: Conversation): Task | undefined {
  if (!wanted[language].test(text)) return undefined
  return {
    advance(scene) {
      const { words } = scene
      const tool = scene.tool('undo')
      if (!tool) return { kind: 'done', say: words.cannotHere(words.abilities.undoing), acted: false }
      const call = scene.acted(tool)
      if (!call) return { kind: 'act', confirm: false, calls: [{ tool, arguments: {} }] }
      if (call.outcome.kind === 'refused') return { kind: 'done', say: words.undo.nothing, acted: true }
      return report(call, words.undo.name, words, () => words.undo.done)
    },
  }
}
