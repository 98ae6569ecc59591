/** One item of a webhook, as far as it is read. */
import { z } from 'zod'
import { exponentOf } from '#domain/money/money.ts'
import { adyenAmounts } from './currencies.ts'

export const itemSchema = z.object({
  pspReference: z.string().min(1),
  originalReference: z.string().nullish(),
  merchantAccountCode: z.string(),
  merchantReference: z.string().nullish(),
  amount: z.object({ value: z.int(), currency: z.string() }),
  eventCode: z.string(),
  eventDate: z.iso.datetime({ offset: true }),
  // Documented as a text; some events have it as a boolean.
  success: z.union([z.enum(['true', 'false']), z.boolean()]).transform(String),
  reason: z.string().nullish(),
  additionalData: z.record(z.string(), z.unknown()).nullish(),
})

export type NotificationItem = z.infer<typeof itemSchema>

/** Null if it has no exact form in our units. */
export const amountIn = ({ amount }: NotificationItem): bigint | null =>
  exponentOf(amount.currency) === undefined ? null : adyenAmounts.fromAcquirer(BigInt(amount.value), amount.currency)
