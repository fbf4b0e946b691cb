// Tokens of input and output together, as makers publish them; local servers often serve less than a model could
// take, so families that are mostly run locally are given what such servers give.
const windows: readonly (readonly [RegExp, number])[] = [
  [/(?:^|\/)gpt-5/i, 400_000],
  [/(?:^|\/)gpt-4\.1/i, 1_047_576],
  [/(?:^|\/)(?:gpt-4o|gpt-4-turbo|chatgpt-4o)/i, 128_000],
  [/(?:^|\/)o[134](?:-|$)/i, 200_000],
  [/(?:^|\/)gpt-oss/i, 128_000],
  [/(?:^|\/)gpt-4/i, 8_192],
  [/(?:^|\/)gpt-3\.5/i, 16_385],
  [/(?:^|\/)claude/i, 200_000],
  [/(?:^|\/)gemini/i, 1_000_000],
  [/(?:^|\/)(?:grok|deepseek|kimi|glm|minimax)/i, 128_000],
]

/** What an unknown model is taken to have: enough to work with, and rarely too much. */
const unknown = 32_768

/** The context window that a model's name tells, in tokens. */
export function windowOf(model: string): number {
  return windows.find(([name]) => name.test(model))?.[1] ?? unknown
}
