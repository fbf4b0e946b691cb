// Whole messages that put something right. They see the text in lower case.
const english: readonly RegExp[] = [
  /^(?:(?:no+|nope|nah|wait|er+m?|um+|uh+|hm+|oh|sorry|oops|well|hey|ah|ok|but|argh|ugh|huh)[\s,.!:—-]+)*(?:(?:what )?i (?:actually |really )?(?:meant|mean|said|was (?:talking|asking|thinking) (?:about|of)|was referring to|should have (?:said|written)|wanted to (?:say|write)|(?:did not|didn't|never) (?:ask|mean|say|want|order|request))\b|i asked (?:for|about|you) .*\bnot\b)/,
  /^(?:(?:no+|nope|nah)[\s,.!:—-]+)+(?:(?:it|that|this|the|not|we|he|she|they|my|our|his|her|wrong|i (?:want|need|wanted|needed|am|was|have)|there|those|these|it's|in|on|at|for|\d|[a-z]+ (?:is|was|are|were)|only|actually|just|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b(?! (?:need|problem|thanks|worries|way)))/,
  /^(?:(?:sorry|wait|er+m?|hm+|oops|actually|oh|well|ah|um+|uh+)[\s,.!:—-]+)+(?:(?:it|that|this|he|she|they|there|the [\w ]{1,24}?|my [\w ]{1,24}?)(?:'s| is| was| were| are| has| should| must)\b|its\b|thats\b|not |the other|wrong|typo|i (?:meant|mean|said))/,
  /^(?:(?:oh|hm+|er+|no|well|but|sorry|ah),? )*(?:that|this|it)(?:'s| is| was|s)? ?(?:n't|isn't|wasn't| not)? ?(?:not (?:what|right|correct|true|my|the (?:right|one)|it\b|him|her|quite|how|where|who|me\b|mine)|n't (?:what|right|correct|true|my|it\b|quite|how|me\b|mine)|wrong|incorrect|false|a mistake|mistaken|a typo|the wrong|misspelled|misspelt|spelled|spelt|called)/,
  /^(?:that|this|it) (?:isn't|wasn't|ain't|isnt|wasnt) (?:what|right|correct|true|my|the|it\b|quite|how|me\b|mine)/,
  /^(?:wrong|incorrect|not (?:right|correct|true|quite|exactly)|correction|typo|my (?:mistake|bad|error)|mistake|scratch that|strike that|false)\b(?! *$)|^(?:wrong|incorrect|not (?:right|correct|true|quite))[.! ]*$/,
  /^(?:oops|whoops|ups)\b/,
  /^(?:[a-z]+[,.!] )?(?:i|we) (?:\w+ )?(?:typed|wrote|entered|put|gave|picked|chose|used|said|named|mixed|confused|swapped|mistyped|misspelled|copied|pasted)\b.*\b(?:wrong|up|by mistake|the other)\b/,
  /^(?:no+,? |hm+,? |sorry,? |but )*you (?:got|have|had|mixed|mis\w+|confused|made a mistake|are wrong|were wrong|used the wrong|picked the wrong|took the wrong|sent the wrong|mean|forgot)\b(?!.* to (?:remember|go)\b)/,
  /^not (?!now|yet|today|sure|really|bad|at all|anymore|a problem|much|necessary|needed|only|too|the best)[^,.;]{1,40}[,;—-] ?(?:but |it's |it is |i mean |i meant )?\S/,
  /^[^,?!]{1,60}, not (?!now|yet|today|sure|really|that)[^,?]{1,40}[.! ]*$/,
  /\b(?:it|that|this|there) (?:should(?:'ve| have)|ought to have|was supposed to|were supposed to)(?: been| be| said| read)?\b/,
  /^(?:it|that) should (?:be|say|read) [^?]*(?:,| rather than| instead of| and) ?not\b/,
  /^(?:the )?(?:wrong|other) (?:one|ticket|person|date|day|time|room|order|file|document|amount|name|li|wang|zhang|[a-z]+)(?:[,.!;]| ?$)/,
]
const chinese: readonly RegExp[] = [
  /[，,。\s](?:不对|错了|搞错了|弄错了|写错了|说错了)[啊呀吧呢。！!]*$/u,
  /^(?:(?:不好意思|抱歉|对不起|等等|等一下|等下|哎呀?|啊|呃|额|嗯|噢|哦|喂|诶)[，,。！!～\s]*)*(?:不对(?!外|称)|不是(?!很|太|说好|吗|吧|应该)(?:[^吗？?]*$)|错了|错啦|弄错|搞错|写错|打错|说错|记错|看错|听错|口误|笔误|更正|纠正|订正|更错|有误|不准确)/u,
  /^(?:(?:不好意思|抱歉|对不起|等等|等一下|等下|哎呀?|啊|呃|额|嗯|噢|哦)[，,。！!～\s]*)+(?:应该|其实|是(?!否|不是|吗)|我(?:说|指|要|想|问|的意思))/u,
  /^不+(?:[，,。！!\s]+不*)+(?:我|是|第|那|应该|要|这|他|她|在)/u,
  /^(?:我)(?:刚才|刚刚|的意思|想)?(?:说的?|指的?|问的?|要的?|讲的?|意思)(?:是|不是)/u,
  /^我(?:可)?(?:没|没有|从没|从来没)(?:让|叫|要|说|问|想|要求)/u,
  /^(?:其实|实际上|事实上|应该)(?:是|应该|在|叫|要?说)/u,
  /^(?:刚才|刚刚|上面|前面)(?:的)?(?:我)?(?:说|写|打|输|填|弄|搞)错/u,
  /(?:你|您)(?:[^，。]{0,14})?(?:理解错|搞错|弄错|说错|写错|弄混|搞混|记错|看错|听错|会错意|误解|误会|算错|找错|发错|查错|混淆)/u,
  /^[^，。？?]{1,16}(?:弄错|搞错|写错|打错|填错|说错|算错|不对|有误|错)了/u,
  /^(?:这|那)(?:个|份|张|条)?(?:不是|是旧|是老|是错|不对|错)(?!.*[吗？?])/u,
  /^(?:那|这)是(?:旧|老|错|以前|过时)/u,
  /^[^，。？?]{1,20}[，,]\s*(?:而)?不是[^，。？?]{1,20}[。！!]*$/u,
  /^不是[^，。？?]{1,24}[，,]\s*(?:而?是|应该)/u,
]

// These see the text without what it begins with: "hang on", 等等.
const bareChinese: readonly RegExp[] = [
  /^(?:\S{0,6})?(?:弄|搞|写|说|填|放|看)?反了/u,
  /^[^，。？?]{1,10}(?:写|打|听|看|说|算)成(?:了)?\S{1,8}了?[，,]/u,
  /^[^，。？?吗]{1,10}(?:不对|错了|有误|不准|不准确|弄错|搞错)(?:[，,。！!啊了]|$)/u,
  /^(?:不完全|不太|不怎么|并不|不全)(?:对|是|准确|正确)/u,
]
const fillers =
  /^(?:(?:no+|nope|nah|wait(?: a (?:second|sec|minute|moment))?|hang on|hold on|one (?:second|sec|moment)|er+m?|um+|uh+|hm+|oh|sorry|oops|well|hey|ah|ok|but|i (?:think|believe|guess|fear)(?: that)?|i'm afraid|i am afraid|actually|argh|ugh|excuse me|please)\b[\s,.!:—-]*)+|^(?:(?:不好意思|抱歉|对不起|等等|等一?下|稍等|哎呀?|啊|呃|额|嗯|噢|哦|诶|喂|慢着|先等等)[，,。！!～\s]*)+/u
const bareEnglish: readonly RegExp[] = [
  /^(?:it's |that's |it is )?(?:the )?other way (?:a?round|about)\b/,
  /^not (?:that|this|those|these|him|her|them|the (?:first|second|other|old|new|last))\b(?! (?:bad|good|much|i know))/,
  /^you(?:'re| are| were|'ve| have)? (?:\w+ )?(?:confus|mix|mistak|misread|misunderst|misheard|thinking of the wrong)/,
  /^(?:the|my|our|this|that|your|its) [\w ]{1,24} (?:is|was|are|were|looks?|seems?) (?:wrong|incorrect|not right|mistaken|false|not correct|misspelled|misspelt|off,)/,
  /^(?:that|this|it)(?:'s| is| was|s) (?:the )?(?:wrong|incorrect|not)\b/,
  /^(?:it|that|this) (?:wasn't|isn't|was not|is not|weren't) (?:me|him|her|us|them|my|our|the|mine)\b/,
]
const negated = /^(?:no+|nope|nah)\b.*,? not (?!now|yet)[^,?]+$/

/** Does a message put right what was said or understood? */
export function isCorrection(text: string): boolean {
  const said = text.slice(0, 300).toLowerCase().replace(/\s+/g, ' ').trim()
  const bare = said.replace(fillers, '')
  return (
    negated.test(said) ||
    [...english, ...chinese].some((pattern) => pattern.test(said)) ||
    [...bareEnglish, ...bareChinese].some((pattern) => pattern.test(bare))
  )
}
