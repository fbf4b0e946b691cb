import type { Primary } from './intent.ts'

/** Words, what a clause with them is, and how sure that is. */
export type Rule = readonly [pattern: RegExp, primary: Primary, confidence: number]

// The first that fits counts. They see a clause in lower case, without what leads up to it.
export const rules: readonly Rule[] = [
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
