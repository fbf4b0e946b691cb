/** What stands before the request itself, taken away: greetings, politeness, "could you", 能不能帮我. */
export interface Led {
  readonly text: string
  /** The words ask for it to be done, whatever the form: "could you …", 麻烦…. */
  readonly asked: boolean
  /** The words ask a question: 请问, "do you know". */
  readonly asks: boolean
}

const english =
  /^(?:(?:hi|hey|hello|dear|ok|okay|so|well|um+|uh+|er+m?|hm+|ah|oh|also|then|and|but|finally|lastly|afterwards|after that|either way|in (?:any|either) case|just(?! so)|now|great|cool|perfect|alright|maybe|perhaps|hermes|@hermes|quickly|again|yes|yeah|yep|sure|please|pls|plz|kindly|good (?:morning|afternoon|evening))\b(?: (?:hermes|there|all|everyone|team)\b)?[\s,:!.—-]*|(?:thanks|thank you|thx|by the way|btw|in that case|if you don't mind|if (?:that's )?possible|when you (?:have|get) (?:time|a (?:minute|moment|sec|second|chance))|after that|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|actually|quick question|(?:one )?(?:more|other|small|quick) (?:thing|question)|sorry)\s*[,:!.—-]+\s*)/i

const asking =
  /^(?:(?:can|could|would|will|can't|couldn't|won't|may|might) (?:you|u|we|hermes|someone|somebody|anyone|anybody)(?: all)?\b(?: (?:please|pls|plz|kindly|also|quickly|just|maybe|possibly|perhaps|then|help me(?: to)?|be so (?:kind|nice)(?: as)? to|be able to|be willing to|mind))*|(?:do|would) you (?:mind|think (?:you|we) (?:can|could))|(?:i|we)(?:(?: would|'d)(?: really| just| also)*(?: (?:like|love|prefer))|(?: really| just| also)*(?: (?:want|need|have to ask|expect)))(?: (?:you|hermes|someone|somebody))? to|i(?:'d| would) (?:appreciate|be grateful|be glad) (?:it )?if you (?:could|can|would)|(?:i(?:'m| am| was)|just)? ?wondering if (?:you|we) (?:can|could|would|might)|i was hoping (?:you|we) (?:can|could|would)|(?:it(?:'d| would) be|would be) (?:great|nice|good|lovely|helpful|awesome|cool|best|better) (?:if (?:you|we) (?:can|could|would)?|to)|(?:is it|would it be) (?:possible|ok|okay|alright|fine) (?:for you )?(?:to|if (?:you|we))|why (?:don't|not)(?: you| we)?|how about(?: we)?|what about|what if (?:you|we)|let's|let us|(?:you|we) (?:can|could|should|may|might(?: want to)?|need to|have to|must|'d better|had better)|feel free to|(?:make|be) sure (?:to|that you|you)|help me(?: to)?|go ahead and|go and|try to|i(?:'d| would) like|may i ask you to)\s+/i

const askingChinese =
  /^(?:(?:麻烦|劳驾|烦请|拜托|有劳)(?:你|您|大家)?(?:了)?(?:帮?忙)?[，,]?|(?:谁|有人|哪位)(?:能|可以|来|方便)?帮(?:个)?(?:忙|我)?|帮(?:个)?忙|(?:请|烦)?(?:帮|替|为)(?:一下)?(?:我们?|咱们?|一下|忙)|请(?:你|您)?(?!假|客|教|问|求|[一两二三四五半几\d]+[天个])|(?:你|您)?(?:能不能|能否|可不可以|可否|是否可以|是不是可以|方便)(?:帮)?|(?:你|您)(?:能|可以)(?:帮)?|(?:我|我们)?(?:想要?|希望|打算|准备)(?:请|让|麻烦)?(?:你|您)?(?!知道|问|了解|看看|不)|(?:我|我们)(?:要|需要|得)(?!求|是|的)|(?:你|您)(?:去|给我|给|来|要|得|应该)(?=\p{Script=Han})|可以(?=.{2,}[吗么？?])|能(?=.{2,}[吗么？?])|(?:给|替)我(?=[查看找列搜订建发写做读算弄])|咱们?|来(?=个|一|份))/u

const neutralChinese =
  /^(?:(?:你好|您好|嗨|哈喽|喂|(?:hi|hello|hermes)\b)[呀啊，,！! ]*|(?:那就|那么|那|然后|接着|随后|之后|最后|再|先|首先|其次|无论如何|不管(?:怎样|怎么样|如何)|顺便|另外|还有|同时|并且|并|也|都|就|快|赶紧|赶快|尽快|现在|马上|立刻|立即|直接|好的|好|嗯|行|可以|对了|ok\b|不过|但是|但|务必|最好|还是|有空|谢谢)(?:帮我)?[，,、！!。\s]*|[，,、：:；;\s！!。]+|@\S+\s+)/iu

const asksFirst =
  /^(?:请问|想问(?:一?下)?|我想问(?:一?下)?|问一?下[，,]|我想(?:知道|了解)|想(?:知道|了解)|你?知道|do you (?:know|remember|happen to know)|(?:i|we)(?:'d| would)? (?:want|need|like|love) to (?:know|see|understand|find out|hear|learn|check)|i(?:'m| am| was) (?:just )?(?:wondering|curious)|(?:i|we) wonder|any (?:idea|clue|news|update|chance))(?![a-z])/iu

/** Takes the leads off, one by one. */
export function withoutLeads(clause: string): Led {
  let text = clause.trim()
  let asked = false
  for (let round = 0; round < 8; round++) {
    if (asksFirst.test(text)) return { text, asked, asks: true }
    const lead = asking.exec(text) ?? askingChinese.exec(text)
    const neutral = lead ?? english.exec(text) ?? neutralChinese.exec(text)
    // A message that is nothing but a lead ("hello", 好的) keeps it.
    if (!neutral || neutral[0].length === 0 || neutral[0].length >= text.length) break
    const rest = text.slice(neutral[0].length).trimStart()
    if (rest === '') break
    asked ||= lead !== null
    text = rest
  }
  return { text, asked, asks: false }
}
