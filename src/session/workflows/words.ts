import type { Workflow } from '../../config/workflows.ts'

// Whole messages by which a person leaves a workflow midway.
const leaving =
  /^(?:(?:please |pls )?(?:cancel|abort|quit|exit|drop|discard|scrap|leave)(?: (?:it|this|that|everything|all|the (?:workflow|process|claim|request|form|whole thing)))?|never ?mind|forget (?:it|about it|this)|i(?:'ve| have)? changed my mind|(?:请|麻烦)?(?:取消|放弃|作废|退出)(?:它|这个|流程|申请|报销|全部)?(?:吧|了)?|算了|算了吧|不办了|不弄了|不要了|不报了|不申请了)(?: (?:please|pls|thanks|thank you))?[\s.!。！~…]*$/i

/** Does a message say nothing but that its person wants to leave what is under way? */
export function isLeaving(text: string): boolean {
  return leaving.test(text.trim().replaceAll('’', "'"))
}

/** The workflow that a message begins by its words, the longest that fits. Questions begin none. */
export function startedBy(workflows: Readonly<Record<string, Workflow>>, text: string): string | undefined {
  if (text.length > 400 || /[?？]\s*$/.test(text)) return undefined
  const said = ` ${plain(text)} `
  const fits = Object.entries(workflows).flatMap(([name, { start }]) =>
    start.filter((words) => holds(said, plain(words))).map((words) => ({ name, length: words.length })),
  )
  return fits.toSorted((a, b) => b.length - a.length)[0]?.name
}

/** Latin words are whole ones; Chinese ones stand anywhere. */
function holds(said: string, words: string): boolean {
  if (words === '') return false
  return /\p{Script=Han}/u.test(words) ? said.includes(words) : said.includes(` ${words} `)
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
