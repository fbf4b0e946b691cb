// Whole messages that ask for a person, and nothing else.
const asks = [
  /^(?:please |hi,? |hello,? |hey,? )*(?:(?:can|could|may) (?:i|you)(?: please)? |i (?:just )?(?:want|need|would like|wish) to |i'd like to |let me )?(?:talk|speak|chat|be connected|connect me) (?:to|with) (?:a |an |some ?|the |your )?(?:real |actual |live |human )*(?:person|human|human being|one|body|people|agent|operator|colleague|support|staff|representative|desk)(?: of (?:the|your) \S+)?(?:,? please)?[\s.!?]*$/i,
  /^(?:please )?(?:get me|give me|i (?:want|need)|hand (?:me|this|it) over to|pass (?:me|this|it) (?:on )?to) (?:a |an |the |some )?(?:real |actual |live |human )*(?:person|human|agent|operator|desk|people)(?:,? please)?[\s.!?]*$/i,
  /^(?:请|麻烦|帮我|给我|我要|我想|能不能|可以)*(?:转接?(?:到|至|给)?人工(?:客服|服务)?|人工(?:客服|服务)|(?:找|要)(?:个|一个|一位)?(?:真人|人工(?:客服|服务)?|客服)|(?:和|跟|与)(?:个|一个)?(?:真人|人工(?:客服)?|客服|人)(?:说话|谈谈?|聊聊?|沟通|对话|讲))(?:一下)?(?:吗|吧|好吗)?[\s。.!！?？]*$/,
]

// Whole messages that give a thread back to Hermes, and nothing else.
const releases =
  /^(?:release|released|hand (?:it |this |me )?back|back to (?:hermes|the bot)|交还|交回|转回机器人|交还给(?:机器人|hermes)|结束人工(?:服务)?)[\s.!。！]*$/i

/** Does a message ask for a person, and nothing else? */
export function asksForPerson(text: string): boolean {
  const said = text.trim()
  return said.length <= 120 && asks.some((pattern) => pattern.test(said))
}

/** Does a message give the thread back to Hermes, and nothing else? */
export function givesBack(text: string): boolean {
  return releases.test(text.trim())
}
