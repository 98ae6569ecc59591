/** Values as the admin API writes them: instants in ISO, money as whole minor units in text, because JSON's numbers round. */
import { z } from 'zod'

/** Out. */
export const instant = z.date()
export const minor = z.bigint()
export const id = z.uuid()
/** Free-form data that is shown as it is. */
export const anything = z.unknown()

/** In. */
export const instantInput = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
export const minorInput = z
  .string()
  .regex(/^[0-9]{1,38}$/, 'Enter a whole number of minor units.')
  .transform(BigInt)
/** A day that the database has as well: its calendar has no year 0. */
export const dayInput = z.iso.date().refine((day) => day >= '0001', 'Enter a date such as 2026-03-01.')
/** A number that counts versions, as wide as its column. */
export const countInput = z.int32()
export const emailInput = z.email('Enter an e-mail address such as ann@example.com.').max(254)
export const textInput = (longest: number) => z.string().trim().min(1).max(longest)
export const emptyBody = z.strictObject({})

export const doneOutput = z.object({ done: z.literal(true) })
export const doneAnswer = { done: true } as const

export const pageLimit = z.coerce.number().int().min(1).max(200).default(50)

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'Enter a web address such as https://shop.example/callback.' })
  .max(1024)

type MemberName<T> = T extends unknown ? keyof T : never

/** Tells the alternatives of a body apart that a schema has accepted. Bodies carry no tag, because clients send them as they are. */
export const hasMember = <T extends object, Name extends MemberName<T>>(
  body: T,
  name: Name,
): body is Extract<T, Readonly<Record<Name, unknown>>> => Object.hasOwn(body, name)
