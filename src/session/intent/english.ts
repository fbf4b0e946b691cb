import type { Primary } from './intent.ts'
import { nearWord } from './near-word.ts'

/** What a clause is, and how sure that is. */
export interface Reading {
  readonly primary: Primary
  readonly confidence: number
  /** It begins as a request does, with a verb: what comes before it is another request. */
  readonly opens: boolean
}

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
const asks = new Set(questionWords.split(' '))
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

type Rule = readonly [pattern: RegExp, primary: Primary, confidence: number]

// The first that fits counts. They see a clause in lower case, without what leads up to it.
const rules: readonly Rule[] = [
  // Memory before everything, since its words ("delete", "don't") mean other things elsewhere.
  [/^forget (?:it|about it|this|that)?(?: then| please| now)?[.!]*$/, 'cancel', 0.85],
  [
    /^(?:don't|dont|do not|never) (?:let me )?forget (?:to )?(?!that\b)(?:send|call|book|mail|remind|order|ask)/,
    'action',
    0.75,
  ],
  [/^(?:don't|dont|do not|never) forget\b/, 'remember', 0.85],
  [
    /^(?:(?:don't|dont|do not) (?:keep|store|save|remember|memorize)|stop (?:remembering|storing|keeping|tracking))\b/,
    'forget',
    0.9,
  ],
  [
    /^forget (?:about )?(?:the|that) \w+(?: \w+)?[,;.–-] ?(?:i|we|he|she|they)(?:'ll|'m|'re|'d| will| am| are| can)\b/,
    'cancel',
    0.8,
  ],
  [
    /\b(?:scrub|purge|throw (?:out|away)|get rid of|lose|discard|dump|strike|drop|delete|remove|erase)\b.*\b(?:from your (?:notes?|records?|files?|memory|mind)|what (?:you|u) (?:know|have|saved|stored|noted|keep)|the (?:note|thing|info\w*|fact|entry) (?:you|about m[ey]))\b/,
    'forget',
    0.9,
  ],
  [/^(?:forget|erase|wipe|unlearn)\b/, 'forget', 0.9],
  [/[,;-] *(?:please |so |just |you can )?forget (?:that|it|this|about)\b/, 'forget', 0.85],
  [
    /^(?:delete|remove|clear|drop|erase|purge|scrub)\b.*\b(?:memor(?:y|ies)|(?:you|u) (?:remember|know)|what i (?:told|said))\b/,
    'forget',
    0.9,
  ],
  [/^(?:what|which|do|does|did|how|have|can|could) .*\b(?:you|u) (?:\w+ )?(?:remember|know)\b/, 'query', 0.9],
  [
    /^remember (?:that |this|when i say|my|me|i\b|we\b|the\b|how|who|what|where|to (?:always|never))|^remember\b/,
    'remember',
    0.9,
  ],
  [
    /^(?:note|mind|know) (?:that|down that|for (?:later|the future))\b|^(?:make|take) (?:a )?(?:mental )?note\b|^note:|^(?:keep|bear|hold) .*\bin (?:mind|memory)\b|^keep in (?:mind|memory)\b/,
    'remember',
    0.9,
  ],
  [
    /^(?:save|store|keep|learn|memori[sz]e|record) (?:this|that|the fact|it for|the following|for later)\b/,
    'remember',
    0.8,
  ],
  [
    /\b(?:from now on|from here on|going forward|for (?:future|later|your) reference|for (?:the )?next time|in (?:the )?future|from today on|for the record|for your information|as a rule)\b/,
    'remember',
    0.8,
  ],
  [/^(?:always|never(?! ?mind)|whenever|every time|each time|any time|by default)\b/, 'remember', 0.8],
  [
    /^(?:if|when(?:ever)?) i (?:say|write|mention|talk about)\b.*\b(?:i mean|means?|refers?|stands? for)\b|^by \S.* i mean\b/,
    'remember',
    0.85,
  ],
  [
    /^(?:add|put|write|save|note|keep) (?:.*\b)?(?:in(?:to)?|to|down in) your (?:memory|notes?|records?)\b|^keep track of (?:the fact|that)\b/,
    'remember',
    0.85,
  ],
  [
    /^(?:you should know|fyi|just so (?:that )?you(?:'re| are)? (?:know|aware)|my preferred|i (?:always )?prefer)\b/,
    'remember',
    0.75,
  ],
  [/\b(?:please |always )?(?:remember|keep|note) (?:that|this|it)[.! ]*$/, 'remember', 0.8],
  [
    /\b(?:don't|do not|needn't|no need|no longer|not|stop)\b(?: \w+){0,3} (?:remember|keep|store)(?:ing)?\b.*\b(?:any ?(?:more|longer)|memory|about me|my)\b/,
    'forget',
    0.85,
  ],
  [
    /\b(?:told|said|mentioned|noted|saved|know|thing)\b.*[,;:–-] ?(?:please |just |you can |so )*forget (?:it|them|all that)\b/,
    'forget',
    0.85,
  ],
  [/[,;.–-] ?(?:please |so |and )?(?:keep|bear) (?:that|this|it) in (?:mind|memory)\b/, 'remember', 0.85],
  [
    /^(?:i (?:usually|always|generally) (?:want|like|prefer|need)|i go by|my (?:preferred|favou?rite) \w+ is|i'd rather (?:get|have|see|be called))\b/,
    'remember',
    0.7,
  ],
  // Asking before doing: "remind me what we said" reminds nobody.
  [/^remind (?:me|us) (?:of|what|who|when|where|why|how|which|whether|if)\b/, 'query', 0.85],
  [
    /^(?:tell|show|give|send|let|get|read) (?:me|us)\b(?=.* (?:know )?(?:what|who|when|where|why|how|which|whether|if|more|about)\b)(?!.*\bthat\b)/,
    'query',
    0.85,
  ],
  [
    /^(?:let me know|tell me|tell us|give me|show me|read me|get me|give us|show us|walk me|talk me|take me through|fill me in|bring me up)\b/,
    'query',
    0.85,
  ],
  [
    /^(?:status|state|progress|details|info|information|update|updates|news|any news|any update|eta|summary|overview|results?)\b(?! the)(?: (?:of|on|about|for|from|regarding|please|pls)\b|$)/,
    'query',
    0.8,
  ],
  [/^any(?:thing|one|body)? (?:new|news|update|updates|progress|idea|word|luck|left|else)\b/, 'query', 0.75],
  [/^(?:ask|see|check|find out|verify|look|know)\b.*\b(?:yourself)\b/, 'query', 0.6],
  [
    /^(?:look|find|figure|work|pull|bring|dig|go|search) (?:up|out|at|for|into|over|through|around|back)\b/,
    'query',
    0.85,
  ],
  [/^let me (?:see|look|have a look|check|view|hear|read)\b/, 'query', 0.8],
  [
    /^(?:break down|point me|direct me|lead me to|(?:have|take) a (?:quick )?(?:look|peek) at|walk through)\b/,
    'query',
    0.8,
  ],
  [
    /^(?:i|we)(?:'ve| have)? (?:forgot(?:ten)?|don't (?:know|remember|recall)|do not know|can't (?:find|remember|recall)|cannot find|have no (?:idea|clue)|am not sure|'m not sure|wonder)\b.*\b(?:where|what|who|when|how|why|which|whether|if)\b/,
    'query',
    0.7,
  ],
  [/^(?:no|not sure|any) idea (?:where|what|who|when|how|why|which|whether|if)\b/, 'query', 0.7],
  [
    /\b(?:is|are) (?:no longer|not) (?:needed|necessary|required|happening|wanted|on)\b|\b(?:is|are) off[.!]*$|\b(?:isn't|aren't) (?:needed|necessary|happening|required)\b/,
    'cancel',
    0.7,
  ],
  [
    /^(?:i|we)(?:'m| am|'re| are) not (?:going|coming|attending|doing|taking|buying|flying|travelling|traveling|joining)\b|^(?:i|we) (?:won't|will not|can't) (?:be )?(?:need|go|attend|come|make|tak|join|us)/,
    'cancel',
    0.7,
  ],
  [
    /^(?:call it off|pull out of|opt (?:me |us )?out|take (?:me|us) off|count (?:me|us) out|sign (?:me|us) off|actually,? (?:no|leave it))\b/,
    'cancel',
    0.8,
  ],
  // Asked for in the passive: "could the invoice be sent to …".
  [
    /^(?:can|could|would|will|please have) .*\b(?:be|get) (?:cancelled|canceled|deleted|removed|stopped|withdrawn|dropped)\b/,
    'cancel',
    0.75,
  ],
  [
    /^(?:can|could|would|will) .*\b(?:be|get) (?:moved|changed|closed|updated|renamed|reassigned|postponed|shortened|extended|rescheduled|replaced|corrected|fixed|assigned|raised|lowered|pushed)\b/,
    'modify',
    0.75,
  ],
  [
    /^(?:can|could|would|will) .*\bplease\b.*\b(?:be|get) \w+(?:ed|nt|de|ne|en|id|t)\b|^(?:can|could|would|will) .*\b(?:be|get) (?:sent|made|booked|created|ordered|printed|shared|forwarded|paid|repaired|cleaned|delivered|scheduled|invited|mailed|posted|uploaded)\b/,
    'action',
    0.75,
  ],
  [
    /[,;:] ?(?:what|which|who|whom|where|when|why|how) (?:\w+ ){0,3}(?:is|are|was|were|do|does|did|has|have|can|should|will|much|many|long)\b/,
    'query',
    0.7,
  ],
  [
    /^get (?!me|us|rid|the (?:latest|newest|current)).+ (?:to|on the phone|fixed|done|ready|started|going|repaired|sorted)\b/,
    'action',
    0.75,
  ],
  [
    /^(?:please )?(?:call|address) me (?!an?\b|back|later|at\b|in\b|on\b|when|tomorrow|today|tonight|now|up\b|if\b|please|again|asap)\S/,
    'remember',
    0.8,
  ],
  [
    /^no (?!worries|problem|prob|idea|wonder|way|doubt|rush|hurry|luck|kidding|need|thanks|it|that|this|i|we)\w+(?: \w+)?(?: please| thanks| thank you| today| now)[.!]*$/,
    'cancel',
    0.7,
  ],
  [/^(?:hold on|pull (?:it |that |the \w+ )?back|take (?:it |that |the \w+ )?down)\b/, 'cancel', 0.7],
  [
    /^(?:delete|remove|drop|cut|strike) (?:half|part|some|parts|the (?:first|second|third|last|next|final|opening|closing)?(?: \w+)? ?(?:sentence|paragraph|line|row|column|word|section|page|slide|bullet|clause))\b/,
    'modify',
    0.8,
  ],
  [
    /^(?:hand|pass|turn) .+ over to\b|^(?:hand|pass|give) (?:t-\d+|it|that (?:one|ticket)) (?:on )?to\b/,
    'modify',
    0.75,
  ],
  [
    /^(?:add|insert) (?:an?|another|one more|two|a new) (?:\w+ )?(?:column|row|line|paragraph|section|sentence|field|step|slide|day|night|hour|person|seat|deadline|due date|tag|label|word)\b/,
    'modify',
    0.75,
  ],
  [/^(?:book|order|reserve|add) (?:one|two|three|a few|another) more\b/, 'modify', 0.65],
  // What undoes.
  [
    /^(?:no more\b|pull the plug|(?:shut|close|wind) (?:it |that |the \w+ )?down\b|put an end to|never ?mind|nvm|scratch that$|hold off|hold on with|call off|back out|leave it|take (?:it |that |this )?back|put .* on hold|get rid of|throw (?:away|out)|let it (?:go|be)$|let's (?:not|drop|skip))/,
    'cancel',
    0.85,
  ],
  [
    /^(?:don't|dont|do not|no longer|please don't) (?:use|rely on|show|take|give) .*\b(?:cache|cached|old|earlier|stale|previous)\b/,
    'query',
    0.8,
  ],
  [
    /^(?:don't|dont|do not) (?:worry|mention it|you|we|they|i|be sorry|feel|know|think|have|mind|understand|care|like|see|get it)\b/,
    'chat',
    0.5,
  ],
  [/^(?:don't|dont|do not)\b/, 'cancel', 0.8],
  [/^(?:not (?:do|send|book|order|go|create|make|now|yet|anymore|any more))\b/, 'cancel', 0.75],
  [
    /^(?:i|we) (?:no longer|don't|dont|do not|won't|wont|will not)(?: really)? (?:need|want|have to|wish)\b/,
    'cancel',
    0.85,
  ],
  [/^(?:i|we)(?:'ve| have)? changed (?:my|our) minds?[.! ]*$/, 'cancel', 0.8],
  [/\bafter all[.!]*$/, 'cancel', 0.5],
  [
    /^(?:delete|drop|remove|take) .+\b(?:from|off) (?:the|my|our|that|this|it|his|her)\b(?! (?:calendar|diary|agenda))/,
    'modify',
    0.8,
  ],
  // What changes something that is there.
  [/^(?:add|append) (?!an?\b|another|new|some)\S.* to\b/, 'modify', 0.75],
  [/^set (?:an?|up|another|off)\b/, 'action', 0.85],
  [/^(?:set|put) (?!an?\b|me|us|in an?\b|in the (?:order|request)|together|out an?).+/, 'modify', 0.75],
  [/^put (?:an?|me|us)\b/, 'action', 0.8],
  [/^push (?:the|my|it|that|this|our|back)\b|^push .+ (?:back|to|by|until)\b/, 'modify', 0.85],
  [
    /^raise (?:the|its|my|that) (?:priority|amount|limit|price|budget|number|severity|volume|level)\b/,
    'modify',
    0.85,
  ],
  [/^raise (?:an?|the)? ?(?:issue|ticket|bug|request|incident|alarm)\b/, 'action', 0.85],
  [
    /^make (?:it|that|this|them|these|those|the|its|my|his|her|our|their|T-\d+)\b(?!.*\bagain\b)(?: \S+){1,12}$/i,
    'modify',
    0.8,
  ],
  [/^turn (?:on|off)\b|^switch (?:on|off)\b/, 'action', 0.8],
  [/^keep (?:it|that|this|the \w+) (?!in (?:mind|memory))\S/, 'modify', 0.75],
  [
    /^(?:i|we)(?:'d| would)? (?:want|need|like|prefer) (?:the|it|that|this|my|its) .*\b(?:to (?:be|have|say|go|start|end|include)|changed|moved|closed|higher|lower|shorter|longer|earlier|later|instead)\b/,
    'modify',
    0.8,
  ],
  [
    /\b(?:should|must|needs? to|has to|ought to) (?:be |get )?(?:assigned|moved|changed|renamed|closed|reopened|set|marked|updated|called|rescheduled|postponed|replaced)\b/,
    'modify',
    0.75,
  ],
  [
    /^(?:the |its |their )?(?:title|priority|deadline|amount|date|time|status|description|owner|assignee|recipient|subject|name)\b.*\b(?:should (?:be|say|read)|to be|instead|must be)\b/,
    'modify',
    0.7,
  ],
  [/\binstead[.! ]*$/, 'modify', 0.6],
  [
    /^(?:a bit |a little |slightly |much |even )?(?:shorter|longer|friendlier|earlier|later|higher|lower|simpler|smaller|bigger|louder|softer)\b/,
    'modify',
    0.7,
  ],
  [/^(?:bring|pull) .+\b(?:forward|ahead|closer)\b/, 'modify', 0.8],
  [
    /^(?:the|my|our|its|his|her|their|that|this|\S+'s) (?:\S+ ){1,5}(?:should|needs? to|must|has to|have to|ought to) (?:be|say|read|start|end|have|go|contain|include|not)\b(?!.*\?)/,
    'modify',
    0.65,
  ],
  [
    /\b(?:later|earlier|sooner|longer|shorter|bigger|smaller|higher|lower|simpler|friendlier|shorter)[.!? ]*$/,
    'modify',
    0.6,
  ],
  [/^(?:assign|give|add) an? (?!higher|lower|new (?:title|name|owner|date))/, 'action', 0.65],
  [/^put in (?:an?|the|my|our)\b/, 'action', 0.8],
  [/^have (?!you|we|i\b|they|he|she|it\b|there|fun|a (?:nice|good|great|lovely))[^?]*$/, 'action', 0.7],
  // What does something new.
  [
    /^(?:tell|let|give|ask|help|thank) (?:him|her|them|everyone|everybody|the|my|our|all|both|each|[a-z]+)\b(?=.*)/,
    'action',
    0.8,
  ],
  [
    /^(?:do (?:the same|that again|it again|this again|one more|another|it once more)|(?:try|run|do|send|start|go|say|ask) (?:it |that |this |them )?(?:again|once more|one more time)|once more|one more time|again|retry|repeat)\b/,
    'action',
    0.85,
  ],
  [
    /^(?:i|we)(?:'d| would)?(?: (?:also|really|urgently))? (?:need|want|like|require)(?: to have)? (?:an?|another|two|three|some|the|my|all|last|this)?(?: ?[\w']+){0,4}? ?(?:sheet|statement|spreadsheet|history|breakdown|stats|minutes|slides|contact|phone|price|prices|agenda|list|numbers?|figures?|report|info\w*|details|overview|address|data|status|summary|link|answer|explanation|document|file|copy)\b/,
    'query',
    0.7,
  ],
  [
    /^(?:i|we)(?:'d| would)?(?: (?:also|really|urgently))? (?:need|want|like|require) (?:help|advice|coffee|sleep|a break|a holiday)\b/,
    'chat',
    0.4,
  ],
  [
    /^(?:i|we)(?:'d| would)?(?: (?:also|really|urgently))? (?:need|want|like|require) (?:an?|another|one|two|three|four|five|some|more|new)\b/,
    'action',
    0.75,
  ],
  [
    /^(?:an? )?(?:new|another) (?:ticket|reminder|task|issue|bug|meeting|event|order|appointment|note|request)\b/,
    'action',
    0.85,
  ],
  [
    /^(?:ticket|reminder|task|bug|todo|to-do|meeting|appointment|note to \w+|message to \w+|mail to \w+)(?: (?:for|to|about|that|with)\b|:)/,
    'action',
    0.8,
  ],
  // Same but other form.
  [
    /^(?:(?:the )?same(?: thing| again)?|that|it|this)?[, ]*(?:but )?(?:as|in) (?:an? )?(?:table|list|bullet|bullets|csv|json|chart|chinese|english|german|short|markdown)\b/,
    'query',
    0.75,
  ],
]

const question: Rule = [/[?？]\s*$/, 'query', 0.75]
// "Grab me a seat": whatever the verb means, something shall be done.
const imperative =
  /^(?!(?:i|you|he|she|it|we|they|there|here|this|that|these|those|the|a|an|my|your|our|his|her|its|their|some|any|no|not|in|on|at|by|for|from|with|about|of|to|as|than|but|because|since|so|too|very|just|only|even|still|already|almost|maybe|perhaps|hope|love|like|hate|sounds|looks|seems|feels|thank|thanks|hi|hey|hello|bye|good|bad|nice|great|what|who|how|why|when|where|both|all|each|every|one|two|three|after|before|during|until|while|though|although|if|once|finally|luckily|sadly|unfortunately|today|tomorrow|yesterday|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|people|everyone|everybody|nobody|somebody|someone|nothing|something|everything|happy|merry|sorry|got|saw|had|went|came|heard|found|made|done|phew|haha|wow|yay|lol)\b)[a-z]{3,12}(?<!ing|ed|ly|ness|tion) (?:me|us|the|an?|my|our|all|this|that|these|those|him|them|everyone|everybody|some|two|three|T-\d+)\b/

const namesSomeone =
  /^[a-z]{3,10}(?<!ing|ed|ly|s) (?:\p{Lu}[\p{L}-]+ )+(?:an?|the|my|our|some|that|to|for|about)\b/u

/** Is the first word of a clause a noun as often as a verb, with nothing behind it that a verb would take? */
export function mayBeNoun(clause: string): boolean {
  const word = /^[a-z][a-z'-]*/i.exec(clause)?.[0].toLowerCase() ?? ''
  return alsoNouns.has(word) && !objectAhead.test(clause)
}

/** Reads a clause in English, without what leads up to it. `asked` says that the words ask for it to be done. */
export function readEnglish(clause: string, asked: boolean): Reading | undefined {
  const text = clause.toLowerCase().replace(/\s+/g, ' ').trim()
  const rule = rules.find(([pattern]) => pattern.test(text))
  if (rule) return { primary: rule[1], confidence: rule[2], opens: startsWithVerb(clause, asked) || asked }
  const word = /^[a-z][a-z'-]*/.exec(text)?.[0] ?? ''
  const bare = word.replaceAll("'", '')
  const contracted = /^(?:what|who|where|when|how|why)'?(?:s|re|d|ll)$/.test(word)
  if (!asked && (asks.has(word.endsWith("n't") ? bare : word) || contracted)) {
    return { primary: 'query', confidence: /[?]/.test(text) ? 0.9 : 0.8, opens: false }
  }
  if (/^what an? /.test(text)) return undefined
  const verb = verbOf(word, asked)
  if (verb && (asked || !isNoun(verb.word, clause))) {
    return { primary: verb.primary, confidence: verb.exact ? 0.85 : 0.65, opens: true }
  }
  if (!verb && spelledAsQuestion(word)) return { primary: 'query', confidence: 0.65, opens: false }
  if (question[0].test(text)) return { primary: question[1], confidence: question[2], opens: false }
  // "I need somebody to come and fix it": a wish, though the verb is not known.
  if (asked) return { primary: 'action', confidence: 0.6, opens: true }
  if (imperative.test(text) || namesSomeone.test(clause))
    return { primary: 'action', confidence: 0.55, opens: false }
  return undefined
}

function startsWithVerb(clause: string, asked: boolean): boolean {
  const word = /^[a-z][a-z'-]*/i.exec(clause)?.[0].toLowerCase() ?? ''
  if (/^(?:don't|dont|do|let|forget|never|always|put|try|hold|take|call|keep)$/.test(word)) return true
  const verb = verbOf(word, asked)
  return verb !== undefined && !isNoun(verb.word, clause)
}

function isNoun(verb: string, clause: string): boolean {
  if (!alsoNouns.has(verb)) return false
  if (/^\S+ (?:is|was|are|were|has|of|from|will|isn't|doesn't|failed|number)\b/i.test(clause)) return true
  return mostlyNouns.has(verb) && /^\S+ (?:for|on|about|by|at|in|with|and|or)\b/i.test(clause)
}

function spelledAsQuestion(word: string): boolean {
  const near = word.length >= 4 && !asks.has(word) ? nearWord(word, spellable) : undefined
  return near !== undefined && asks.has(near)
}

/** The verb that a word is: as it stands, as "checking", or one letter away from it. */
function verbOf(
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
