// English stemming after M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980). The rules
// are kept as tables; the order within a step matters, since the longest suffix must be tried first.

type Rule = readonly [suffix: string, replacement: string]

const step2: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]
const step3: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const step4: readonly string[] = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
  'ou',
]

/** The stem of a lower-case English word; anything but plain a–z letters comes back as it is. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  return tidyEnd(stripRest(replaceSuffix(replaceSuffix(finalY(pastAndGerund(plural(word))), step2), step3)))
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const base = word.slice(0, word.length - cut)
  if (cut === 0 || !hasVowel(base)) return word
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1)
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base
}

function finalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

function replaceSuffix(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const base = word.slice(0, -rule[0].length)
  return measure(base) > 0 ? base + rule[1] : word
}

function stripRest(word: string): string {
  const suffix = step4.find((each) => word.endsWith(each))
  if (!suffix) return word
  const base = word.slice(0, -suffix.length)
  if (suffix === 'ion' && !/[st]$/.test(base)) return word
  return measure(base) > 1 ? base : word
}

function tidyEnd(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const base = result.slice(0, -1)
    if (measure(base) > 1 || (measure(base) === 1 && !endsShort(base))) result = base
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index]!
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1)
}

/** How many times a vowel run is followed by a consonant run. */
function measure(word: string): number {
  let count = 0
  for (let index = 1; index < word.length; index++)
    if (isConsonant(word, index) && !isConsonant(word, index - 1)) count += 1
  return count
}

function hasVowel(word: string): boolean {
  for (let index = 0; index < word.length; index++) if (!isConsonant(word, index)) return true
  return false
}

function endsDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1)
}

/** Consonant, vowel, consonant at the end, where the last is not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !/[wxy]$/.test(word)
  )
}
