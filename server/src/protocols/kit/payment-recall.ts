/** Shared by all actions that execute a payment step: what the log notes, and how a repeated request finds its payment. */
import type { PaymentWithTransaction } from '../../payments/outcome/perform.ts'
import type { Caller } from './action.ts'

export const paymentNotes = ({ payment }: PaymentWithTransaction) => ({ paymentId: payment.id })

export const recallPayment = (
  caller: Pick<Caller, 'merchant' | 'operations'>,
  useId: string,
): Promise<PaymentWithTransaction | null> => caller.operations.recall(caller.merchant.id, useId)
