// Words that say nothing about what a question is about.
const english = new Set(
  `a about after again all am an and any are as at be been before but by can could did do does doing done for from
  get give go had has have he her here hers him his how i if in into is it its just know let like look make many may
  me might more most much my need no not now of off on one only or other our out over own please put say says search
  see she should show so some tell than thank thanks that the their them then there these they thing things this those
  to too up us use want was we were what when where which who whom whose why will with would you your find document
  documents docs file files summarise summarize summary long`.split(/\s+/),
)
const chinese =
  /请问|请|帮我|麻烦|一下|什么|怎么样|怎么|怎样|如何|多少|哪里|哪些|哪个|哪|几|谁|为什么|是不是|有没有|能不能|可以|需要|应该|关于|里面|的|了|吗|呢|吧|是|在|有|和|与|要|我们|我|你|您|它|这|那|说|写|查|找|搜索|文档|文件|多久|多长/g

/** The words of a text that carry its subject: stems of English words, pairs of Chinese characters. */
export function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[a-z][a-z0-9'-]*[a-z0-9]|\d+(?:[.-]\d+)*/g))
    if (!english.has(word)) terms.add(stem(word))
  for (const [run] of text.replace(chinese, ' ').matchAll(/\p{Script=Han}+/gu)) {
    if (run.length === 1) terms.add(run)
    for (let at = 0; at + 1 < run.length; at += 1) terms.add(run.slice(at, at + 2))
  }
  return terms
}

function stem(word: string): string {
  const plain = word.replace(/'s$|'$/, '')
  if (plain.length < 4) return plain
  const singular = plain
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|x|ch|sh)es$/, '')
    .replace(/(?<=[^su])s$/, '')
  return singular.length < 6 ? singular : singular.replace(/(?:ing|ed)$/, '')
}

/** How much of the first set is in the second: 0 to 1. */
export function coverage(wanted: ReadonlySet<string>, held: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0
  let found = 0
  for (const term of wanted) if (held.has(term)) found += 1
  return found / wanted.size
}
