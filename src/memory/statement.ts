// What a person wants remembered, taken out of how they ask for it.

const asks: readonly RegExp[] = [
  /^(?:(?:hey|ok|okay|hi)\b[\s,]*)?(?:(?:can|could|would|will) you\s+)?(?:please\s+)?(?:remember|memori[sz]e|keep in mind|note|make a note|take note|save|store|don['’]t forget|do not forget)(?:\s+(?:down|for me|for later))?(?:\s*[:,，：]\s*|\s+that\s+|\s+this\s*[:,：]?\s+|(?:\s+(?:that|this|it))?\s*$|\s+(?=(?:i|i['’]m|my|we|our|the|a|an|to|always|never|it|he|she|they|all|every|[A-Z]|\d)\b))/i,
  /^(?:请|麻烦)?(?:你)?(?:帮我|给我|替我)?(?:记住|记一下|记下来?|记着|记得|牢记|别忘了?|不要忘记|存一下|备注一下)(?:一下|这个|这点)?[\s,，:：]*/,
]
const asksLast =
  /[\s,，;；.。]*(?:(?:please\s+)?remember (?:that|this|it)|请?(?:帮我|给我)?(?:记住|记一下|记下来?)(?:这个|这点|了|吧)?)[\s.。!！]*$/i
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

/** Cuts a text into sentences, each with its own end sign removed; decimals, names and times stay whole. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[。！？!?；;])|\n+|(?<=[^\s.][\w)"'’”]{2,}\.)\s+(?=[A-Z\p{Script=Han}])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 0)
}

function tidy(text: string): string {
  return text.replace(courtesy, '').trim()
}
