import type { ResultFile } from '../tool.ts'

/** What the line of a result begins with that names a file. */
export const fileMark = '[File: '

/** A file that is kept, as the rows have it. */
export interface KeptFileRow {
  readonly name: string | null
  readonly mediaType: string
}

/** Is what is kept under a reference a file, rather than a text that was too long? */
export function isFile({ name, mediaType }: KeptFileRow): boolean {
  // Those of before files had names are known by their types.
  return name !== null || !/^text\/|json/.test(mediaType)
}

/** A name that people can be shown, whatever a server says: no folders, no signs that nobody sees, not too long. */
export function fileName({ name = '', mimeType }: Pick<ResultFile, 'name' | 'mimeType'>): string {
  const [kind = '', sub = ''] = mimeType.toLowerCase().split(/[;+]/)[0]!.split('/')
  const ending = /^[a-z0-9]{2,5}$/.test(sub) ? sub : 'bin'
  const clean = name
    .normalize('NFC')
    .replace(/^.*[/\\]/, '')
    .replace(/[\p{C}<>:"|?*[\]]+/gu, '')
    .trim()
  const own = /[\p{L}\p{N}]/u.test(clean) ? clean : ['image', 'audio', 'video'].includes(kind) ? kind : 'file'
  const dot = own.lastIndexOf('.')
  const [stem, tail] =
    dot > 0 && own.length - dot <= 10 ? [own.slice(0, dot), own.slice(dot)] : [own, `.${ending}`]
  return `${[...stem].slice(0, 80).join('')}${tail}`
}
