const stop =
  'the and for with that this from are was you your please can could would have has had not but what which when who how does did about into than then them they our all any some its also will just like want need use used using when not returns fails with tool only where there here one more'

/** "tickets", "searching" and "updated" as "ticket", "search" and "updat": enough for names and verbs. */
export function stem(word: string): string {
  if (word.length <= 3) return word
  const one = word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|z|ch|sh)es$/, '')
    .replace(/(?<!s|u|i)s$/, '')
  const bare = one.length > 5 ? one.replace(/(?:ing|ed)$/, '').replace(/([bdgmnprt])\1$/, '$1') : one
  return bare.length > 4 ? bare.replace(/e$/, '') : bare
}

const stopStems = new Set(stop.split(' ').map(stem))

/** The English words of a text in their order and simplest form. */
export function englishWords(text: string): readonly string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[’']s\b/g, '')
    .replaceAll('e-mail', 'email')
    .match(/[a-z]+(?:['’][a-z]+)?/g)
  return (words ?? []).map((word) => stem(word.replace(/['’]/g, '')))
}

/** The words of a description or an English request that say something, in their simplest form. */
export function contentWords(text: string): ReadonlySet<string> {
  return new Set(englishWords(text).filter((word) => word.length > 2 && !stopStems.has(word)))
}
