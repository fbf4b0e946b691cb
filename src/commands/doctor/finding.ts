/** How one part stands: one line, with what to do about it unless all is well. */
export interface Finding {
  readonly part: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** A sentence or a few; where something is wrong, the last one says how to mend it. */
  readonly text: string
}

export const ok = (part: string, text: string): Finding => ({ part, state: 'ok', text })
/** It works, but should be looked at. */
export const warn = (part: string, text: string): Finding => ({ part, state: 'warn', text })
/** It does not work, though somebody meant it to. */
export const fail = (part: string, text: string): Finding => ({ part, state: 'fail', text })

/** "1 tool", "2 tools". */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
