import type { Driver, Guest, Talk } from '../contract/channel.ts'
import { answered } from '../contract/stage.ts'
import type { Town } from '../contract/town.ts'
import type { Line } from '../support/scripts.ts'

/** Somebody new, with a name of their own on each platform. */
export interface Somebody {
  /** Nobody else's. */
  readonly word: string
  readonly slack: Guest
  readonly discord: Guest
  readonly web: Guest
}

export function newcomer(town: Town, called: string): Somebody {
  const word = town.scripts.word()
  const named = (driver: Driver, where: string) => driver.guest(`${called} ${where} ${word}`)
  return {
    word,
    slack: named(town.slack, 'S'),
    discord: named(town.discord, 'D'),
    web: named(town.web, 'W'),
  }
}

/** The id of the person who has that name somewhere. */
export async function personOf({ rows }: Town, { name }: Guest): Promise<string | undefined> {
  const found = await rows.query<{ person_id: string }>(
    'SELECT person_id FROM identity WHERE name = $1',
    name,
  )
  return found[0]?.person_id
}

/** Says something where nobody else reads, and waits for the last of the answers. */
export async function said(
  { scripts, rows }: Town,
  driver: Driver,
  guest: Guest,
  text: string,
  ...lines: readonly Line[]
): Promise<{ talk: Talk; requests: () => ReturnType<typeof scripts.requests> }> {
  const word = scripts.word()
  scripts.on(word, ...lines)
  const direct = driver.channel === 'web' ? 'a new thread' : 'a direct message'
  const talk = await driver.beginnings[direct]!(guest, `${text} ${word}`)
  const last = lines.at(-1)
  if (last && 'text' in last && last.text) await answered(talk, last.text)
  await rows.quiet()
  return { talk, requests: () => scripts.requests(word) }
}

/** Links the second identity with the first one's person; gives what was told at the end. */
export async function linked(
  [from, owner]: readonly [Driver, Guest],
  [to, same]: readonly [Driver, Guest],
): Promise<string> {
  const offer = await to.told(same, `link ${codeIn(await from.command(owner, 'link'))}`)
  return plain(await offer.press('Link'))
}

/** The code in what somebody was told. */
export function codeIn(text: string): string {
  const code = /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(text)?.[0]
  if (code === undefined) throw new Error(`There is no code in: ${text}`)
  return code
}

/** Without marks of Markdown. */
export function plain(text: string): string {
  return text.replaceAll('*', '').replaceAll('\\', '')
}
