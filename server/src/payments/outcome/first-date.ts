/**
 * The date of the first plan payment as a look-up reports it. The payment stores the date that was known when it succeeded; an update of
 * the schedule, or a pause, may have moved it since. Chapter 10 §7.12, §9.5.
 */
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export async function withCurrentFirstDate(
  { plans }: Pick<Deps, 'plans'>,
  payment: PaymentRecord,
): Promise<PaymentRecord> {
  const { merchantId, id, chainId, facts } = payment
  const { schedule, planned } = facts
  if (!schedule || schedule.firstDate === null || planned || chainId === null) return payment
  const firstDate = await plans.findFirstDate(merchantId, chainId, id)
  return firstDate === null ? payment : { ...payment, facts: { ...facts, schedule: { ...schedule, firstDate } } }
}
