/** Readers of settings that several tables of settings share. */
import { z } from 'zod'

/** A number as the environment has it: text. */
export const wholeNumber = (low: number, high: number, standard: number) =>
  z
    .string()
    .regex(/^[0-9]{1,6}$/, `must be a whole number from ${low} to ${high}`)
    .transform(Number)
    .pipe(z.number().min(low).max(high))
    .default(standard)
