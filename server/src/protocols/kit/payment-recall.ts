/** What the actions that carry something out have in common, on both S2S protocols. */
import type { PaymentWithTransaction } from '../../payments/outcome/perform.ts'
import type { Caller } from './action.ts'

export const paymentNotes = ({ payment }: PaymentWithTransaction) => ({ paymentId: payment.id })

export const recallPayment = (
  caller: Pick<Caller, 'merchant' | 'operations'>,
  useId: string,
): Promise<PaymentWithTransaction | null> => caller.operations.recall(caller.merchant.id, useId)
