/** Mapping option "Cascading context for get status". Chapter 10 §6.2, chapter 20 §13, chapter 30 §4.2. */
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Caller } from './action.ts'

/** The payment that a look-up by its id answers with: that attempt, or with the option the newest of its cascade. */
export const inCascadingContext = async (
  { mapping, operations }: Pick<Caller, 'mapping' | 'operations'>,
  payment: PaymentRecord,
): Promise<PaymentRecord> => (mapping.cascadingContext ? operations.readNewestAttempt(payment) : payment)
