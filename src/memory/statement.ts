// What a person wants remembered, taken out of how they ask for it.

const asks: readonly RegExp[] = [
  /^(?:(?:hey|ok|okay|hi)\b[\s,]*)?(?:(?:can|could|would|will) you\s+)?(?:please\s+)?(?:remember|memori[sz]e|keep in mind|note|make a note|take note|save|store|don['’]t forget|do not forget)(?:\s+(?:down|for me|for later|this|it|that))*(?:\s*[:：]\s*|\s*[,，]\s*(?:that\s+)?|(?<=that)\s+|\s*[.!]*$)/i,
  // "Remember I own a boat", but neither "remember to call" nor "remember when we met".
  /^(?:please\s+)?remember\s+(?!(?:to|when|how|who|whom|what|where|why|which|if|whether|me|us|any|anything|everything|this|that|it)\b)/i,
  /^(?:请|麻烦)?(?:你)?(?:帮我|给我|替我)?(?:记住|记一下|记下来?|记着|记得|牢记|别忘了?|不要忘记|存一下|备注一下)(?:一下|这个|这点)?[\s,，:：]*/,
]
const asksLast =
  /(?:[,;.!]\s*(?:and\s+|so\s+)?(?:please\s+)?|\s+please\s+)remember (?:that|this|it)[\s.!]*$|[\s,，;；.。]+请?(?:帮我|给我)?(?:记住|记一下|记下来?)(?:这个|这点|了|吧)?[\s.。!！]*$/i
const courtesy = /[\s,，]*(?:please|thanks|thank you|谢谢|多谢|好吗|可以吗)[\s.。!！?？]*$/i

/** The statement inside "please remember that …" or 请记住…, perhaps empty; undefined when a text doesn't ask for it. */
export function statementOf(text: string): string | undefined {
  const trimmed = text.trim()
  for (const ask of asks) {
    const match = ask.exec(trimmed)
    if (match) return tidy(trimmed.slice(match[0].length))
  }
  const last = asksLast.exec(trimmed)
  return last && last.index > 0 ? tidy(trimmed.slice(0, last.index)) : undefined
}

/** Does a sentence ask to forget something? Such a sentence is never itself remembered. */
export function asksToForget(text: string): boolean {
  return (
    /^(?:please\s+)?(?:(?:can|could) you\s+)?(?:forget|erase|delete|remove)\b/i.test(text.trim()) ||
    /^(?:请|麻烦)?(?:你)?(?:帮我)?(?:忘记|忘掉|忘了|删掉|删除|清除)/.test(text.trim())
  )
}

// A full stop ends a sentence where a capital letter follows and neither a title nor an initial stands before.
const borders =
  /(?<=[。！？；])|\n+|(?<=[!?;])\s+|(?<=\.)(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|No|approx|e\.g|i\.e|[A-Z])\.)\s+(?=[A-Z\p{Script=Han}])/u

/** Cuts a text into sentences, each with its own end sign; decimals, titles, versions and addresses stay whole. */
export function sentencesOf(text: string): string[] {
  return text
    .split(borders)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 0)
}

function tidy(text: string): string {
  return text.replace(courtesy, '').trim()
}
