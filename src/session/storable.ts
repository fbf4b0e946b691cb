import type { Author } from '../channel/events.ts'

/**
 * A name as it may stand in prompts and cards: no control characters, no marks that turn the direction of
 * writing, at most 80 characters, never empty.
 */
export function displayName(author: Pick<Author, 'name' | 'userId'>): string {
  const clean = (text: string) =>
    storable(text)
      .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  return [...clean(author.name)].slice(0, 80).join('') || clean(author.userId) || 'someone'
}

/** PostgreSQL takes no NUL, and JSON no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
