/** What the actions that carry something out have in common, on both S2S protocols. */
import type { Performed } from '../../payments/outcome/perform.ts'
import type { Caller } from './action.ts'

export const done = ({ payment }: Performed) => ({ paymentId: payment.id })

export const recalled = (caller: Pick<Caller, 'merchant' | 'operations'>, useId: string): Promise<Performed | null> =>
  caller.operations.recall(caller.merchant.id, useId)
