/** A number below 1,000 in Chinese or Arabic numerals: 十二, 二十, 两, 12. */
export function readNumber(words: string): number {
  if (/^\d+$/.test(words)) return Number(words)
  const digits = '零一二三四五六七八九'
  const digit = (word: string) => (word === '两' ? 2 : Math.max(0, digits.indexOf(word)))
  const [hundreds, below] = words.includes('百') ? words.split('百') : ['', words]
  const rest = below ?? ''
  const base = hundreds ? digit(hundreds) * 100 : 0
  if (!rest.includes('十')) return base + digit(rest.slice(-1))
  const [tens, ones] = rest.split('十')
  return base + (tens ? digit(tens) : 1) * 10 + (ones ? digit(ones) : 0)
}
