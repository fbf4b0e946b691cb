const marks: readonly RegExp[] = [
  // A whole value in angle brackets that speaks of another call: <result of call 1>, 【上一步的结果】.
  /^\s*[<「【][^<>]{0,80}(?:result|output|response|returned|previous|call|step|结果|返回|输出|上一步)[^<>]{0,80}[>」】]\s*$/i,
  // In other brackets only what can be nothing else: [output of list_tickets], (id from the previous call).
  /^\s*[[({«]\s*(?:the |insert |use )?(?:results?|outputs?|response|ids?|value|answer) (?:of|from)\b[^[\]{}]{0,80}[\])}»]\s*$/i,
  /^\s*\{\{[^{}]{1,80}\}\}\s*$/,
  /^\s*<[a-z][\w-]{0,40}>\s*$/i,
  // Inside a text, too: {{call_1.id}}, ${step1.output}, $call_1.id, RESULT_OF_CALL_1.
  /\{\{[^{}]{0,40}(?:call|step|result|output|response|tool)[^{}]{0,40}\}\}/i,
  /\$\{[^{}]{0,40}(?:call|step|result|output|response|tool)[^{}]{0,40}\}/i,
  /(?<![\w$])\$(?:call|step|result|output|tool|prev)\w{0,20}(?:[.[]\w{1,40}\]?)+/i,
  /\b(?:RESULT|OUTPUT|ID)_(?:OF|FROM)_[A-Z0-9_]{1,40}\b/,
]

/** The first value in which a model left a place for what another call of the same step would give. */
export function placeholderIn(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const text = value.slice(0, 20_000)
    return marks.some((mark) => mark.test(text)) ? value.slice(0, 80).toWellFormed() : undefined
  }
  if (!value || typeof value !== 'object') return undefined
  for (const inner of Object.values(value)) {
    const found = placeholderIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}
