import type { TurnContext } from '../parts.ts'

/** Who the calls of a step run for, where their turn is not the one at work. */
export type ContextOf = (turnId: string) => Promise<TurnContext>
