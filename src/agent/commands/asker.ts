import type { Language } from '../../base/words.ts'

/** The person who sent a command, and where. */
export interface CommandAsker {
  readonly personId: string
  readonly name: string
  readonly timeZone: string
  readonly language: Language
  readonly workspace: string
  readonly shared: boolean
  readonly privateInShared: boolean
}

/** What commands ask of the memory layer. */
export interface CommandMemory {
  list(
    asker: CommandAsker,
    search: string,
  ): Promise<{ lines: readonly { id: string; text: string }[]; hidden: number }>
  preview(asker: CommandAsker, what: string): Promise<readonly { id: string; text: string }[]>
  forget(asker: CommandAsker, ids: readonly string[]): Promise<readonly { id: string; text: string }[]>
  restore(asker: CommandAsker, ids: readonly string[]): Promise<number>
  exportAll(asker: CommandAsker): Promise<unknown>
  /** Of all of the person's, wherever they may be read. */
  allIds(asker: CommandAsker): Promise<readonly string[]>
  /** As far as they may be read here; `own` ones can be forgotten and corrected. */
  byIds(
    asker: CommandAsker,
    ids: readonly string[],
  ): Promise<readonly { id: string; text: string; own: boolean }[]>
  /** Gives the memory as it is then, or a sentence where it is refused. */
  correct(
    asker: CommandAsker,
    id: string,
    text: string,
    sourceId: string,
  ): Promise<{ text: string } | { sentence: string } | undefined>
}
