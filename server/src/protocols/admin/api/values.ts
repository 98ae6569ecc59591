/** Value formats of the admin API: instants in ISO 8601; money as minor units in text, because JSON numbers are rounded. */
import { z } from 'zod'
import { isDay } from '#domain/schedule/day.ts'
import { schemaNames } from './documented.ts'

/** In answers. */
export const instant = z.date()
export const minor = z.bigint()
export const id = z.uuid()
/** Free-form data, shown unchanged. */
export const anything = z.unknown()

/** In requests. */
export const instantInput = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
export const minorInput = z
  .string()
  .regex(/^[0-9]{1,38}$/, 'Enter a whole number of minor units.')
  .transform(BigInt)
const dayFault = 'Enter a date such as 2026-03-01.'
export const dayInput = z.iso.date(dayFault).refine(isDay, dayFault)
/** A version number, as wide as its column. */
export const countInput = z.int32()
export const emailInput = z.email('Enter an e-mail address such as ann@example.com.').max(254)
export const textInput = (longest: number) => z.string().trim().min(1).max(longest)
export const emptyBody = z.strictObject({})

export const doneOutput = z.object({ done: z.literal(true) }).register(schemaNames, { name: 'Done' })
export const doneAnswer = { done: true } as const

export const pageLimit = z.coerce.number().int().min(1).max(200).default(50)

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'Enter a web address such as https://shop.example/callback.' })
  .max(1024)

type MemberName<T> = T extends unknown ? keyof T : never

/** Distinguishes the alternatives of a validated body, which has no tag. */
export const hasMember = <T extends object, Name extends MemberName<T>>(
  body: T,
  name: Name,
): body is Extract<T, Readonly<Record<Name, unknown>>> => Object.hasOwn(body, name)

/** Limits of MIDs and mappings: amounts by currency, in minor units. */
export const shownLimit = z.object({
  amounts: z.record(z.string(), minor),
  count: z.number().nullable(),
})

const currency = z.string().regex(/^[A-Z0-9]{2,10}$/, 'Enter a currency such as EUR.')

export const limitInput = z.strictObject({
  amounts: z
    .record(currency, minorInput)
    .refine((amounts) => Object.keys(amounts).length <= 200, 'Enter at most 200 currencies.'),
  count: countInput.min(0).nullable(),
})
