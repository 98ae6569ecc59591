/** Mapping option "Reject duplicate orders". Payments of a schedule, RETRY and cascades are exempt. Chapter 10 §1.4. */

import { errors, violations } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import { openStatuses } from '#domain/payment/payment.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { Deps } from '../request/deps.ts'
import { hideUnfinishedDecline } from './cascade-end.ts'

export async function refuseDuplicate(
  deps: Deps,
  payment: {
    readonly mapping: ProtocolMapping
    readonly merchant: Merchant
    readonly order: { readonly id: string }
    readonly mode: Mode
  },
): Promise<void> {
  const { mapping, merchant, order, mode } = payment
  if (!mapping.rejectDuplicateOrders) return
  const earlier = await deps.payments.findNewestUndeclined(merchant.id, order.id, mode)
  if (!earlier) return
  if (openStatuses.includes(hideUnfinishedDecline(earlier).status)) throw new RefusedError(errors.previousPaymentOpen)
  throw invalid({ param: 'order_id', text: violations.duplicate })
}
