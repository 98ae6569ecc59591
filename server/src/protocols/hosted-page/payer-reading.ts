/** The context in which a payer's values are validated: the request and the merchant's calendar day. */
import type { Merchant } from '#domain/merchant.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { ValueTree } from '../kit/bodies/value-tree.ts'
import { type DatedReading, jsonFormat } from '../kit/values/reading.ts'

export const payerReading = (
  { clock }: { readonly clock: Clock },
  { timeZone }: Pick<Merchant, 'timeZone'>,
  tree: ValueTree,
): DatedReading => ({ tree, format: jsonFormat, today: dayIn(clock.now(), timeZone) })
