/** Readers of setting values that several tables of settings share. */
import { z } from 'zod'

/** A number as text, as in the environment. */
export const wholeNumber = (low: number, high: number, standard: number) => {
  const fault = `Must be a whole number from ${low} to ${high}.`
  return z
    .string()
    .regex(/^[0-9]{1,6}$/, fault)
    .transform(Number)
    .pipe(z.number().min(low, fault).max(high, fault))
    .default(standard)
}

/** A number as DER encodes it: whole bytes, with a leading zero if the first byte would look negative. */
export function encodedSerial(entered: string): string {
  const digits = entered.toLowerCase().replace(/^0+(?=.)/, '')
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`
  return /^[89a-f]/.test(bytes) ? `00${bytes}` : bytes
}
