// Clauses that are said for company: nothing is asked.
const english =
  /^(?:hi+|hello+|hey+|yo|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|morning|evening|night|bye+|goodbye|see (?:you|ya)|cya|later|take care|have a (?:good|nice|great|lovely) \w+|thanks?|thank you|thx|ty|tysm|cheers|much appreciated|appreciate it|appreciated|great(?: job| work| news)?|nice(?: one| job| work)?|cool|awesome|amazing|perfect|wonderful|excellent|brilliant|fantastic|lovely|well done|good (?:job|work|one|to know|luck|stuff)|congrat\w*|wow|whoa|lol|lmao|rofl|ha(?:ha)+h?|hehe|hm+|oh|ah|ok(?:ay)?|i see|got it|understood|noted|interesting|funny|no (?:worries|problem|prob|rush|hurry)|never better|you'?re (?:welcome|the best|great|awesome|funny|right|so \w+)|you are (?:welcome|the best|great|awesome|so \w+)|welcome|sorry|my pleasure|what an? \w+|are you (?:an? )?(?:robot|bot|human|person|real|there|ok|okay|alright|alive|happy|tired|awake|ai)\b|(?:talk|speak|chat|see you|catch you|ttyl) (?:later|soon|tomorrow)|sounds (?:good|great|fun|nice|like a plan)|same (?:here|to you)|happy (?:new year|birthday|holidays|friday|monday|easter|weekend)|merry christmas|how (?:are|r) (?:you|u|things)|how (?:was|is|were|are) (?:your|the) (?:weekend|day|holidays?|trip|vacation|morning|evening|night|lunch|family|party|flight)|how'?s it going|how do you do|how have you been|what'?s up|sup|nice to meet you|pleased to meet you|long time no see|it'?s (?:me|raining|snowing|so|cold|hot|late|friday|monday)|i(?:'m| am) (?:so |very |really |a bit |just )?(?:tired|happy|sad|bored|hungry|sick|back|here|fine|good|ok|okay|done|excited|busy|exhausted|glad)|i (?:love|like|hate|enjoy|hope|feel|guess|think so|agree|see)\b|love (?:it|you|this)|hope (?:you|your|all|this)\b|that(?:'s| is| was)? (?:so |really |very |just )?(?:great|good|nice|cool|funny|awesome|amazing|helpful|kind|sweet|fair|interesting|lovely|helps|helped|all|fun|sad|true)|the weather)\b/
const chinese =
  /^(?:你好|您好|大家好|嗨|哈喽|哈啰|hello|hi|hey|早(?:上好|安|啊)?$|早上好|上午好|中午好|下午好|晚上好|晚安|午安|再见|拜拜|拜|回见|(?:明天|周一|回头|下周|一会儿?|改天|待会儿?)见|谢谢|谢啦|谢了|多谢|感谢|感激|辛苦|哈{2,}|呵呵|嘿嘿|嘻嘻|哇|哎|唉|嗯|哦|噢|喔|好的|好嘞|收到|明白|了解$|了解了|知道了|懂了|原来如此|太(?:好|棒|强|厉害|感谢|贴心|有意思|赞|牛)|真(?:好|棒|厉害|不错|有意思|聪明|行|贴心)|厉害|牛|赞|棒|不错|干得|做得(?:好|漂亮|不错)|漂亮|恭喜|祝|(?:新年|生日|节日|周末|圣诞|国庆|中秋|元旦|春节)(?:快乐|愉快|好)|没事|没关系|不客气|客气|别客气|不(?:着)?急|慢慢来|有意思|有趣|好玩|好笑|无聊|在吗|在不在|在么|吃了吗|最近(?:怎么样|如何|好吗|忙吗)|(?:周末|假期|昨天|今天|最近|旅行|你)?(?:过得|玩得|休息得|睡得)(?:怎么样|咋样|好吗|如何|开心吗)|(?:没什么|没啥)(?:，|,|$)|随便(?:问问|聊聊|看看)|开玩笑|逗你|给力|靠谱|佩服|爱你|服了|你是(?:机器人|真人|人类?|ai|谁)|你(?:也太|好棒|好厉害|好可爱|多大|几岁|叫什么|开心)|你(?:最近)?(?:怎么样|好吗|还好吗|是谁|真|太|好(?!像)|好聪明)|今天(?:好|真|天气|心情|有点|太)|天气|又?下雨|又?下雪|好(?:累|困|饿|冷|热|开心|无聊|烦)|我(?:好|很|真|太|有点)?(?:(?:爱|喜欢)(?=你|这|那|咱|大家|我们)|开心|高兴|累|困|饿|烦|难过|回来了|来了|到了|走了|先走)|很高兴|久仰|不好意思|抱歉|对不起|哭|笑死|绝了|可以啊|加油)/iu
const nothing =
  /^(?:[\p{P}\p{S}\p{Extended_Pictographic}\s\d]|\ufe0f|\u200d)*$|^[:;=8xX][-']?[)(DPpOo/\\|]+$/u

/** Is a clause mere company: a greeting, thanks, a feeling, a smiley? */
export function isSmallTalk(clause: string): boolean {
  const said = clause
    .toLowerCase()
    .replace(/^hermes[,\s]+/, '')
    .trim()
  return nothing.test(said) || english.test(said) || chinese.test(said)
}
