import { z } from 'zod'

/** How many, from one on. */
export const whole = z.int().min(1)
/** How much, also nothing. */
export const amount = z.number().min(0)
/** A score or a weight. */
export const fraction = z.number().min(0).max(1)
/** A part of something that is never without it. */
export const share = z.number().min(0.01).max(1)
