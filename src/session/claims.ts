import { before, deeds, type Kind, kinds, longAgo, said, unrealAfter, unrealBefore } from './claim-words.ts'

/** A thing that an answer says was done. */
export interface Claim {
  /** Parts of the names of tools that do such a thing. */
  readonly things: readonly string[]
  /** The words of the answer. */
  readonly words: string
  /** Does the answer say of itself that it did it? Else it may tell of others. */
  readonly own: boolean
}

/** A call that a claim may be borne out by. */
export interface Borne {
  readonly tool: string
  readonly effect: string
  readonly status: string
  readonly turnId?: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly told?: string | null
  readonly resultText?: string | null
}

/** What an answer is held against. */
export interface Standing {
  /** The turn that answers, where its person asked for something to be done: what was done before is none of it. */
  readonly acting?: string | undefined
  /** Does the request hold what others may have done: memories, for example? */
  readonly recalled?: boolean
  /** Is a declared workflow under way? What becomes of it is told by code, and its calls have names of any kind. */
  readonly workflow?: boolean
  /** What is told of older messages, whose calls are not in the ledger any more. */
  readonly summary?: string | undefined
}

/**
 * Finds what an answer claims to have done, clause by clause: only plain statements in the past ("I have sent the
 * message", 工单已创建, a row of a table), so that plans, questions and refusals are left alone.
 */
export function claimsIn(answer: string): readonly Claim[] {
  return sentencesOf(answer).flatMap((sentence) => {
    const found = rowClaim(sentence) ?? clausesOf(sentence).map((clause) => claimOf(clause, sentence))
    const [first] = [found].flat().filter((claim) => claim !== undefined)
    return first ? [first] : []
  })
}

/** The claims that no call in the ledger bears out. */
export function unfounded(
  answer: string,
  ledger: readonly Borne[],
  standing: Standing = {},
): readonly Claim[] {
  const succeeded = ledger.filter((call) => call.status === 'succeeded')
  const done = succeeded.filter((call) => call.effect !== 'read')
  // A read that shows what others did ("the ticket was closed by Li Wei") bears a claim out, too.
  const seen = succeeded.filter((call) => call.effect === 'read')
  return claimsIn(answer).filter(({ things, words, own }) => {
    if (standing.workflow && (!own || done.length > 0)) return false
    const about = (call: Borne) => saysOf(call.tool, things) || doesAnything(call)
    const counts = (call: Borne) =>
      standing.acting === undefined ||
      call.turnId === standing.acting ||
      before.test(words) ||
      names(outcomeOf(call), words)
    const { summary, acting } = standing
    if (summary !== undefined && (acting === undefined || names(summary, words))) return false
    if (done.some((call) => about(call) && counts(call))) return false
    return own || !(standing.recalled || seen.some(about))
  })
}

/** Parts of names that leave no doubt of what a tool is about; "file" and "book" may be anything that is done. */
const plain =
  /ticket|issue|mail|message|notif|remind|event|meeting|calendar|expense|payment|invoice|refund|document|folder|memor/

function saysOf(tool: string, things: readonly string[]): boolean {
  return things.some((thing) => tool.toLowerCase().includes(thing))
}

/**
 * Does the name of a call that changed something not tell what? What is taken back may be of any kind, and other
 * systems call their tools as they like: to say that something was not done that was is worse than to miss a claim.
 */
function doesAnything({ tool, effect }: Borne): boolean {
  return (
    effect !== 'read' && (tool === 'undo' || (tool.startsWith('mcp__') && !plain.test(tool.toLowerCase())))
  )
}

function outcomeOf({ arguments: args, told, resultText }: Borne): string {
  return `${JSON.stringify(args ?? {})} ${told ?? ''} ${resultText ?? ''}`
}

/** Does a text hold all ids that the words name? */
function names(text: string, words: string): boolean {
  const ids = words.match(/\b[A-Z]{1,8}-\d+\b/g) ?? []
  return ids.length > 0 && ids.every((id) => new RegExp(`(?<![\\w-])${id}(?!\\d)`).test(text))
}

function claimOf(clause: string, sentence: string): Claim | undefined {
  if (/[?？]$/.test(clause)) return undefined
  for (const kind of kinds) {
    const own = firstPerson(clause, verbThenNoun(kind)) || chineseOwn(clause, kind)
    if (own) return { things: kind.things, words: sentence, own: true }
  }
  for (const { things, verbs, spoken = false } of deeds) {
    if (firstPerson(clause, `(?:${verbs.en})\\b`, spoken) || chineseDeed(clause, verbs.zh))
      return { things, words: sentence, own: true }
  }
  for (const kind of kinds) {
    if (thirdPerson(clause, sentence, kind)) return { things: kind.things, words: sentence, own: false }
  }
  return undefined
}

const verbThenNoun = ({ verbs, nouns }: Kind) => `(?:${verbs.en})\\b(?=[^.]*\\b(?:${nouns.en})\\b)`

const going = `(?:went|gone) ahead and (?:\\w+ly )?`
const i = `\\bI(?:[’']ve|\\s+have)?(?:\\s+(?:just|also|now|already|successfully|have|then))*\\s+`
// Without a subject, at the beginning: "Sent the message to Bob."
const nobody = `^(?:done[:.,!]?\\s*)?(?:(?:just|also|successfully|already)\\s+)?`

/** "I have created the ticket": what comes before the verb decides whether it is meant. */
function firstPerson(clause: string, verb: string, spoken = false): boolean {
  const found = new RegExp(`${i}(?:${going})?${verb}`).exec(clause)
  if (found) return isMeant(clause, found)
  if (spoken) return false
  const object = '(?=\\s+(?:the|your|an?|it|that|this|\\w+ [a-z]+-\\d+)\\b)'
  // "Set a reminder" is more often a wish.
  const bare = new RegExp(`${nobody}(?!set\\b)(?:${verb})${object}`, 'i').exec(clause)
  return bare !== null && !clause.endsWith(':') && !longAgo.test(clause) && isMeant(clause, bare)
}

function isMeant(clause: string, found: RegExpExecArray): boolean {
  const end = found.index + found[0].length
  return (
    !unrealBefore.test(clause.slice(0, end)) && !unrealAfter.test(clause.slice(end)) && !said.test(clause)
  )
}

function chineseOwn(clause: string, { nouns, verbs }: Kind): boolean {
  return (
    /我|[帮为给][您你]/.test(clause) && new RegExp(nouns.zh).test(clause) && chineseDone(clause, verbs.zh)
  )
}

function chineseDeed(clause: string, verbs: string): boolean {
  const own = new RegExp(`^(?:好的?|完成)?(?:我|[帮为给][您你]|已经?(?:[把将为给向]|(?:${verbs})给))`)
  return own.test(clause) && chineseDone(clause, verbs)
}

function chineseDone(clause: string, verbs: string): boolean {
  if (unrealBefore.test(clause) || unrealAfter.test(clause) || said.test(clause)) return false
  return new RegExp(
    `(?:已经?|帮[您你]|为[您你]|给[您你])[^，。]{0,20}(?:${verbs})|(?:${verbs})(?:了|好了|成功|完成|完毕)|(?:${verbs})[给到][^，。]{0,15}了$|[把将][^，。]{1,20}(?:${verbs})[^，。]{0,15}了$|成功(?:${verbs})`,
  ).test(clause)
}

/** "The ticket has been created", "Ticket created", 工单已创建: it may also have been somebody else. */
function thirdPerson(clause: string, sentence: string, { nouns, verbs }: Kind): boolean {
  const passive = new RegExp(
    `\\b(?:${nouns.en})\\b[^.]*?(?:[’']s| has| have| was| were)(?: now)? (?:been )?(?:\\w+ly )?(?:${verbs.en})\\b`,
    'i',
  ).exec(clause)
  if (passive && !longAgo.test(clause) && isMeant(clause, passive)) return true
  const state = new RegExp(
    `\\b(?:${nouns.en})\\b[^.]* (?:is|are) now (?:${verbs.en}|open|live)\\b`,
    'i',
  ).exec(clause)
  if (state && isMeant(clause, state)) return true
  // A bare statement stands or falls with its whole sentence: "Once you confirm, the ticket is created."
  const bare = new RegExp(
    `^(?:done[:.,!]?\\s*)?(?:(?:the|your|a|new)\\s+)*(?:${nouns.en})\\b[^.]{0,60}?\\b(?:${verbs.en})(?: successfully| now)?(?:[.!]?$|:)`,
    'i',
  )
  const whole = !unrealBefore.test(sentence) && !unrealAfter.test(sentence) && !longAgo.test(sentence)
  if (bare.test(clause) && whole && !/[?？]$/.test(sentence)) return true
  return new RegExp(nouns.zh).test(clause) && !longAgo.test(clause) && chineseDone(clause, verbs.zh)
}

/** A row of a table with a cell that only says that it is done. */
function rowClaim(line: string): Claim | undefined {
  if (!/^\|.*\|$/.test(line)) return undefined
  const cells = line.split('|').map((cell) => cell.trim())
  for (const { things, nouns, verbs } of kinds) {
    const named = cells.some(
      (cell) => new RegExp(`\\b(?:${nouns.en})\\b`, 'i').test(cell) || new RegExp(nouns.zh).test(cell),
    )
    const done = new RegExp(
      `^(?:(?:${verbs.en})|已经?(?:${verbs.zh})|(?:${verbs.zh})(?:成功|完成))[.。]?$`,
      'i',
    )
    if (named && cells.some((cell) => done.test(cell))) return { things, words: line, own: false }
  }
  return undefined
}

function sentencesOf(text: string): readonly string[] {
  return (
    text
      .replace(/```[\s\S]*?```/g, '')
      // A link says what its text says.
      .replace(/!?\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
      .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, '')
      .split('\n')
      // What is quoted is somebody else's claim.
      .filter((line) => !/^\s*>/.test(line))
      .flatMap((line) =>
        /^\s*\|/.test(line) ? [line] : line.split(/(?<=[.!?]["”)]?)\s+|(?<=[。！？；])\s*/),
      )
      .map((sentence) =>
        sentence.replace(/^(?:[\s\-•.)#]|\p{Extended_Pictographic}|\uFE0F|\d+[.)])+/u, '').trim(),
      )
      .filter((sentence) => sentence !== '')
  )
}

/** Parts of a sentence that each say something of their own. */
function clausesOf(sentence: string): readonly string[] {
  const and =
    /\s*[;；]\s*|\s+[—–]\s+|[，、]\s*|,\s+(?=(?:and|but|so|then|which|who|if|once|when|please|let|you|it|that|I|the|as|because|since|after|before|unless|until|anything)\b)/
  return sentence
    .split(and)
    .map((clause) => clause.trim().replace(/[。！]$/, ''))
    .filter((clause) => clause !== '')
}
