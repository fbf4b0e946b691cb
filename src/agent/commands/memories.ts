import type { Form } from '../../channel/card.ts'
import type { ActionEvent, FormEvent } from '../../channel/events.ts'
import type { Receipt } from '../../channel/port.ts'
import { answer, short } from './answer.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'
import { commandWords } from './words.ts'

/** What Hermes remembers of a person, as a list. */
export async function listMemories(
  memory: CommandMemory,
  asker: CommandAsker,
  rest: string,
): Promise<Receipt> {
  const words = commandWords(asker.language)
  const { lines, hidden } = await memory.list(asker, rest)
  const shown = lines.map((line) => `- ${line.text}`).join('\n')
  return answer(
    [
      lines.length > 0 ? `${words.memories}\n${shown}` : words.noMemories,
      hidden > 0 ? words.hidden(hidden) : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  )
}

/** What would be forgotten, with a button for each. */
export async function previewForgetting(
  memory: CommandMemory,
  asker: CommandAsker,
  rest: string,
): Promise<Receipt> {
  const words = commandWords(asker.language)
  if (rest === '') return answer(words.forgetWhat)
  const found = await memory.preview(asker, rest)
  if (found.length === 0) return answer(words.nothingFits)
  return answer(
    `${words.wouldForget}\n${found.map((one) => `- ${one.text}`).join('\n')}`,
    found.slice(0, 5).map((one) => ({
      label: words.forgetOne(short(one.text)),
      action: 'memory.forget',
      value: one.id,
      style: 'danger' as const,
    })),
  )
}

/** A button below a memory: correct, forget, restore. */
export async function pressMemory(
  memory: CommandMemory,
  asker: CommandAsker,
  event: ActionEvent,
): Promise<Receipt> {
  const words = commandWords(asker.language)
  if (event.action === 'memory.correct') {
    const [found] = await memory.byIds(asker, [event.value ?? ''])
    return found?.own ? { kind: 'answered', form: correcting(found, words) } : answer(words.nothingFits)
  }
  const ids = [event.value ?? '']
  if (event.action === 'memory.restore') {
    const count = await memory.restore(asker, ids)
    return answer(count > 0 ? words.restored : words.nothingFits)
  }
  const gone = await memory.forget(asker, ids)
  if (gone.length === 0) return answer(words.nothingFits)
  return answer(words.forgotten(gone.map((one) => one.text).join(' · ')), [
    { label: words.undo, action: 'memory.restore', value: ids[0]!, style: 'quiet' },
  ])
}

/** The sent form in which a memory was corrected. */
export async function correctMemory(
  memory: CommandMemory,
  asker: CommandAsker,
  event: FormEvent,
): Promise<Receipt> {
  const words = commandWords(asker.language)
  const text = event.fields.text?.trim() ?? ''
  const [found] = await memory.byIds(asker, [event.value ?? ''])
  if (!found?.own) return answer(words.nothingFits)
  const form = correcting({ ...found, text: text || found.text }, words)
  if (text === '') return { kind: 'answered', form }
  const corrected = await memory.correct(asker, found.id, text, event.dedupeKey)
  if (!corrected) return answer(words.nothingFits)
  if ('sentence' in corrected) return { kind: 'answered', form: { ...form, error: corrected.sentence } }
  return answer(words.corrected(corrected.text))
}

function correcting(
  memory: { readonly id: string; readonly text: string },
  words: ReturnType<typeof commandWords>,
): Form {
  return {
    action: 'memory.correct',
    value: memory.id,
    title: words.correctTitle,
    submitLabel: words.save,
    fields: [
      { name: 'text', label: words.correctField, kind: 'multiline', value: memory.text, required: true },
    ],
  }
}
