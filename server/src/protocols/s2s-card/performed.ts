/** What the actions that carry something out have in common. */
import type { Performed } from '../../operations/perform.ts'
import type { Caller } from '../kit/action.ts'

export const done = ({ payment, dropAnswer }: Performed) => ({ dropAnswer, paymentId: payment.id })

export const recalled = (caller: Caller, useId: string): Promise<Performed | null> =>
  caller.operations.recall(caller.merchant.id, useId)
