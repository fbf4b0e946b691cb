import type { Primary } from './intent.ts'
import { nearWord } from './near-word.ts'

const verbs: Readonly<Record<'query' | 'action' | 'modify' | 'cancel' | 'remember' | 'forget', string>> = {
  query:
    'show list find search check look lookup tell get fetch read summarize summarise explain compare count describe display see view verify calculate compute analyze analyse review translate browse recap define track identify pull double-check give inspect outline estimate see refresh skim grep peek inspect monitor quote recite name',
  action:
    'create make open file raise send mail email message notify ping remind book schedule submit post write draft order setup invite forward reply respond answer approve upload share publish start run register reserve pay buy log add ask call announce copy escalate export generate sign launch prepare request arrange organize organise tell text dm inform alert warn issue hire enroll enrol subscribe reorder print trigger execute deploy download install contact plan apply compose record report build nudge cc thank greet congratulate confirm retry repeat redo do save transfer attach deliver ship rent charge bring grant collect hand grab wish block kick lock unlock provision allocate hold fill sync spin handle process restart reboot refund reimburse apologize apologise congratulate scan fax ring page loop pick lend borrow bill invoice deploy test activate trigger summon commission source fire begin initiate propose suggest offer nominate vote rate sell ping hook connect link join leave clean repair mend prep pass relay assemble stage load import publish broadcast circulate distribute enter submit log',
  modify:
    'change update edit move rename reschedule postpone shift assign reassign lower increase reduce decrease bump replace swap switch extend shorten close reopen resolve mark adjust merge tag label convert reword rephrase rewrite modify set push fix correct raise upgrade downgrade delay lengthen prolong tweak revise alter complete finish unassign archive prioritize prioritise swop put turn append amend relabel split polish trim soften tone spell cut shift enable disable deactivate expand narrow enlarge crop reorder resize bring swap rearrange realign retitle redirect reroute up mute unmute pause resume',
  cancel:
    'cancel abort stop undo revert withdraw delete remove drop scrap discard kill revoke retract recall unbook unschedule rescind nix quit halt unsend clear dismiss skip unsubscribe void terminate scratch axe nuke ditch cease end',
  remember: 'remember memorize memorise note bear',
  forget: 'forget erase unlearn wipe',
}
const classOf = new Map<string, Primary>()
for (const primary of ['query', 'action', 'modify', 'cancel', 'remember', 'forget'] as const)
  for (const verb of verbs[primary].split(' ')) if (!classOf.has(verb)) classOf.set(verb, primary)
const questionWords =
  'what who whom whose where when why how which whats whos wheres hows is are am was were do does did has have had will would can could should may might shall isnt arent dont doesnt didnt hasnt havent wont'
/** Words that begin a question. */
export const asks: ReadonlySet<string> = new Set(questionWords.split(' '))
const spellable = [
  ...classOf.keys(),
  'what',
  'where',
  'when',
  'which',
  'does',
  'could',
  'would',
  'reminder',
].filter((word) => word.length >= 4)

// Verbs that are as often nouns: without an object after them they ask for nothing.
const alsoNouns = new Set(
  'list search check count view review file mail email message post draft order book schedule start run log call copy export sign request text issue print report record change update move shift increase reduce bump switch close mark tag label set push fix raise delay trim stop drop recall note track plan answer reply share ping display text hand ship charge bring finish complete'.split(
    ' ',
  ),
)
const mostlyNouns = new Set(
  'report update schedule note plan order list request message mail email text copy review view draft issue record change increase delay log file count recall share'.split(
    ' ',
  ),
)
const objectAhead =
  /^\S+ (?:(?:the|a|an|it|them|him|her|me|us|all|any|my|our|his|their|that|this|those|these|every\w*|each|some|what|who|whether|if|when|where|how|why|which|up|for|on|to|in|into|at|out|off|down|over|back|through|again|another|one|two|three|five|ten|new|more)\b|[A-Z"'“(@#]|\d|T-)/

/** Is the first word of a clause a noun as often as a verb, with nothing behind it that a verb would take? */
export function mayBeNoun(clause: string): boolean {
  const word = /^[a-z][a-z'-]*/i.exec(clause)?.[0].toLowerCase() ?? ''
  return alsoNouns.has(word) && !objectAhead.test(clause)
}

/** Does a clause begin as a request does, with a verb? */
export function startsWithVerb(clause: string, asked: boolean): boolean {
  const word = /^[a-z][a-z'-]*/i.exec(clause)?.[0].toLowerCase() ?? ''
  if (/^(?:don't|dont|do|let|forget|never|always|put|try|hold|take|call|keep)$/.test(word)) return true
  const verb = verbOf(word, asked)
  return verb !== undefined && !isNoun(verb.word, clause)
}

/** Is a verb's word a noun here: "report from …", "order 12 is late"? */
export function isNoun(verb: string, clause: string): boolean {
  if (!alsoNouns.has(verb)) return false
  if (/^\S+ (?:is|was|are|were|has|of|from|will|isn't|doesn't|failed|number)\b/i.test(clause)) return true
  return mostlyNouns.has(verb) && /^\S+ (?:for|on|about|by|at|in|with|and|or)\b/i.test(clause)
}

/** Is a word a misspelt question word? */
export function spelledAsQuestion(word: string): boolean {
  const near = word.length >= 4 && !asks.has(word) ? nearWord(word, spellable) : undefined
  return near !== undefined && asks.has(near)
}

/** The verb that a word is: as it stands, as "checking", or one letter away from it. */
export function verbOf(
  word: string,
  asked: boolean,
): { readonly word: string; readonly primary: Primary; readonly exact: boolean } | undefined {
  const own = classOf.get(word)
  if (own) return { word, primary: own, exact: true }
  if (asked && word.endsWith('ing')) {
    const stem = word.slice(0, -3)
    for (const base of [stem, `${stem}e`, stem.slice(0, -1)]) {
      const primary = classOf.get(base)
      if (primary) return { word: base, primary, exact: true }
    }
  }
  if (word.length < 4) return undefined
  const near = nearWord(word, spellable)
  const primary = near === undefined ? undefined : classOf.get(near)
  return near !== undefined && primary ? { word: near, primary, exact: false } : undefined
}
