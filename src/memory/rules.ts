import type { MemoryCategory, MemoryKind } from './record.ts'

/** What kind of memory a statement makes. */
export interface Classified {
  readonly category: MemoryCategory
  readonly kind: MemoryKind
  readonly importance: number
  /** Does the statement say this clearly enough to be learned without being asked to? */
  readonly clear: boolean
}

type Rule = readonly [category: MemoryCategory, importance: number, ...patterns: readonly RegExp[]]

// The first that fits decides, so the narrow ones come first.
const rules: readonly Rule[] = [
  [
    'correction',
    0.8,
    /^(?:no,|nope,|actually,?|that['’]s (?:wrong|not right|not true|incorrect)|wrong[,:.]|correction\b)\s*\S/i,
    /^(?:不对|不是的|错了|更正|纠正一下|你(?:记|说|弄)错了)[，,。:：\s]*\S|不是.{1,30}[，,]\s*(?:而)?(?:是|应该是)/,
  ],
  [
    'instruction',
    0.9,
    /^(?:please\s+)?(?:always|never|from now on|in (?:the )?future|going forward|whenever|every time|each time|don['’]t ever)\b/i,
    /^(?:please\s+)?(?:call|address) me\b|^(?:please\s+)?(?:answer|reply|respond|write|speak|talk|use)\b.{0,60}\b(?:always|from now on|in future|with me|to me)\b/i,
    /^(?:请)?(?:以后|今后|从现在起|从现在开始|从今以后|每次|每当|永远|一律|总是)|(?:以后|今后)(?:都|请|要|不要|别)|^(?:请)?(?:叫我|称呼我)|^(?:请)?(?:始终|一直)(?:用|以)/,
  ],
  [
    'decision',
    0.7,
    /\b(?:we|i|the team|they)(?:['’]ve| have)?\s+(?:finally |just |all )?(?:decided|agreed|settled on|chose|opted|resolved|voted)\b/i,
    /\b(?:let['’]s|we['’]ll|we will|we are going to|we['’]re going to) go with\b|\b(?:final )?decision\s*(?:is|was|:)/i,
    /(?:决定|商定|选定|敲定|定下来?|达成一致|一致同意|拍板)(?:了|要|用|采用|在|于|由|是|：|:|\S)/,
  ],
  [
    'task',
    0.5,
    /\b(?:i|we|the team)(?:['’]ve| have)?\s+(?:just |finally |already )?(?:finished|completed|shipped|released|deployed|launched|submitted|delivered|closed|merged|migrated)\b\s+\S/i,
    /(?:完成|做完|上线|发布|提交|交付|部署|合并|修复)(?:好)?了/,
  ],
  [
    'goal',
    0.7,
    /\b(?:my|our) (?:long[- ]term |main |next |big )?(?:goal|aim|objective|target|dream|ambition|resolution)s?\b/i,
    /\b(?:i|we)(?:['’]m|['’]re| am| are)? (?:aim|aiming|plan|planning|hope|hoping|intend|intending|want|trying|saving)\b.{0,80}\b(?:by|before|this year|next year|within|in (?:\d{4}|the next|spring|summer|autumn|fall|winter)|one day|someday|eventually)\b/i,
    /(?:我|我们)的?(?:长期|主要|下一个)?(?:目标|理想|梦想|愿望)|(?:我|我们)(?:打算|计划|准备|希望|想要?)(?:在|于)?(?:\d{4}年|今年|明年|后年|年底|未来|将来|半年内|\S{1,4}(?:之前|以内|内))/,
  ],
  [
    'preference',
    0.6,
    /\b(?:i|we)(?: (?:really|much|also|always|usually|generally|just|still|now|don['’]t|do not|can['’]t|cannot))* (?:prefer|like|love|enjoy|hate|dislike|favou?r|stand)\b\s+\S/i,
    /\b(?:i|we)(?:['’]d| would) rather\b|\b(?:my|our) (?:favou?rite|preferred|preference)\b|\bi['’]?m (?:a fan of|fond of|not a fan of|into)\b/i,
    /\b(?:i|we) (?:always|never|usually|only) (?!(?:knew|know|thought|said|heard)\b)[a-z]+\b/i,
    /(?:我|我们)(?:还|也|更|最|很|特别|非常|比较|一直|一般|平时|现在)*(?:不)?(?:喜欢|爱|偏好|偏爱|讨厌|习惯|倾向|宁愿|受不了)\S|(?:我|我们)最(?:喜欢|爱|常用)|我(?:从不|从来不|只|总是|通常|一般)(?:吃|喝|用|在|看|坐|住|会)/,
  ],
  [
    'fact',
    0.6,
    /\b(?:my|our)\b(?! (?:bad|pleasure|turn|god|goodness|question|point|guess|apologies|fault|mistake)\b)[^,.]{1,60}?\b(?:is|are|was|were|lives?|works?|has)\b\s+\S/i,
    /\bi(?:['’]m| am) (?:allergic|vegetarian|vegan|diabetic|married|single|based|located|responsible|in charge|from|left[- ]handed|on leave|on vacation|on holiday|away|out of office|the|an?)\b/i,
    /\bi (?:live|work|study|grew up|was born|speak|own|manage|lead|run|teach|moved|was promoted|joined|have (?:an? |\w+ )?(?:allergy|allergies|kids?|children|son|daughter|sons|daughters|dog|cat|dogs|cats|wife|husband|brother|sister|brothers|sisters|partner|car|meeting|appointment))\b/i,
    /^(?!(?:there|it|this|that|here|what|who|how|when|where|why)\b)[\p{L}\d][^,?]{1,60}?\b(?:is|are) (?:responsible for|in charge of|owned by|managed by|led by|maintained by|located (?:in|at|on)|due (?:on|by)|the (?:owner|lead|manager|contact|head|maintainer|author|project manager)\b)/iu,
    /^(?:the|our) (?:owner|lead|manager|deadline|due date|contact|address|budget|launch|release|demo|code ?name|office|standup|stand-up|retro|on-call)\b[^?]{0,60}?\b(?:is|are|was|will be|moved|has)\b/i,
    /我(?:叫|姓|是(?!说|想|在|不是)|住|在\S{1,12}(?:工作|上班|上学|住)|来自|负责|对\S{1,12}过敏|吃素|有(?:一|两|三|\d)(?:个|只|条|辆)|的\S{1,12}(?:是|叫|在|住|为))|(?:我们|咱们)(?:的|公司|团队|项目|部门|组)\S{0,14}(?:是|在|叫|由|为|定在)/,
    /\S{1,14}(?:的)?(?:负责人|截止日期|截止时间|地址|联系人|预算|代号|生日|上线时间|发布时间)(?:是|为|在|改为|改成|变成|定在|：|:)\S|\S{1,8}负责\S{2,}/,
  ],
]

const question = /[?？]\s*$|(?:吗|呢|么)[。.]?\s*$/
// "I'm tired", "I love it": true for an hour, or about nothing.
const mood =
  /\bi(?:['’]m| am| feel|['’]m feeling| am feeling)(?: (?:so|very|really|a bit|a little|kind of|pretty|quite|too|just|still|not))* (?:tired|happy|sad|fine|good|great|ok|okay|well|bored|angry|excited|sorry|busy|hungry|stressed|exhausted|glad|sick|cold|hot|late|back|here|ready|sure|done|lost|confused|afraid|worried|nervous|frustrated|annoyed|upset|grateful|thankful|impressed|curious|surprised|a bit)\b/i
const moodChinese =
  /(?:好|太|真|很|有点|非常|今天)*(?:累|困|烦|开心|高兴|难过|无聊|生气|郁闷|激动|饿|忙|焦虑|压力大|崩溃|爽)(?:死|坏|啊|呀|了|啦|哦|得很|极了|$|[。！!，,])/
const smallTalk =
  /^(?:(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|yes|no|sure|great|cool|nice|good (?:morning|afternoon|evening|night)|bye|lol|haha|wow|got it|(?:hi|hello|hey) (?:there|all|everyone|team|again))[\s,.!]*)+$|^(?:i (?:love|like|hate|prefer) (?:it|this|that|you|them)\b|i (?:think|guess|mean|wonder|suppose|know|see|don['’]t know)\b)|^(?:你好|您好|嗨|谢谢|多谢|好的?|嗯|哦|哈+|是的|没事|再见|早上好|晚安|收到|辛苦了)[\s，,。！!]*$/i
// A request to act now is the turn's business, not a fact.
const request =
  /^(?:please |can you |could you |would you |will you |let['’]s |i (?:want|need|would like|['’]d like) (?:you )?to |i['’]d like you to )|^(?:请你?|麻烦|帮我|能不能|可以|给我)/i

/** What a statement is, by its form alone, in English and Chinese. */
export function classify(statement: string): Classified {
  for (const [category, importance, ...patterns] of rules) {
    if (patterns.some((pattern) => pattern.test(statement)))
      return { category, importance, kind: kindOf(category, statement), clear: isClear(statement, category) }
  }
  return { category: 'fact', importance: 0.5, kind: kindOf('fact', statement), clear: false }
}

/** Is a statement about the speaker alone, rather than about what a team shares? */
export function isPersonal(statement: string): boolean {
  if (/\b(?:we|our|ours|us|the team|everyone)\b|我们|咱们|团队|大家|全组/i.test(statement)) return false
  return /\b(?:i|my|mine|me|i['’]m)\b|我|本人/i.test(statement)
}

function isClear(statement: string, category: MemoryCategory): boolean {
  const words = statement.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu)?.length ?? 0
  if (words < 3 || question.test(statement) || smallTalk.test(statement)) return false
  if (mood.test(statement) || moodChinese.test(statement)) return false
  return category === 'instruction' || !request.test(statement)
}

// What happened once is episodic; what holds until it changes is semantic.
function kindOf(category: MemoryCategory, statement: string): MemoryKind {
  switch (category) {
    case 'task':
    case 'event':
      return 'episodic'
    case 'decision':
      return 'episodic'
    case 'fact':
      return /\b(?:met|visited|attended|went to|happened|took place|meeting with)\b|见了|参加了|去了|发生了/i.test(
        statement,
      )
        ? 'episodic'
        : 'semantic'
    case 'preference':
    case 'instruction':
    case 'goal':
    case 'correction':
      return 'semantic'
    default:
      return category satisfies never
  }
}
