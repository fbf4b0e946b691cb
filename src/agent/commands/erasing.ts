import type { Ids } from '../../base/ids.ts'
import type { Receipt } from '../../channel/port.ts'
import type { Database } from '../../store/client.ts'
import { answer } from './answer.ts'
import type { CommandAsker, CommandMemory } from './asker.ts'
import { countWords, eraseWords } from './own-words.ts'
import { commandWords } from './words.ts'

interface ErasingParts {
  readonly db: Database
  readonly ids: Ids
  readonly memory: CommandMemory
}

/** Is all meant that is kept of a person? */
export function isEverything(what: string): boolean {
  return /^(?:everything|all|全部|所有)$/i.test(what)
}

/** Says how much there is of a person, and offers to erase it. */
export async function previewErasing({ db, memory }: ErasingParts, asker: CommandAsker): Promise<Receipt> {
  const words = commandWords(asker.language)
  const { messages, reminders } = await countWords(db, asker.personId)
  const memories = (await memory.allIds(asker)).length
  return answer(words.wouldErase(memories, messages, reminders), [
    { label: words.eraseAll, action: 'own.erase', value: 'all', style: 'danger' },
  ])
}

/** Erases it. */
export async function erase({ db, ids, memory }: ErasingParts, asker: CommandAsker): Promise<Receipt> {
  await memory.forget(asker, await memory.allIds(asker))
  await eraseWords(db, asker.personId, ids('aud'))
  return answer(commandWords(asker.language).erased)
}
