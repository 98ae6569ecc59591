/**
 * How long a browser waits for an acquirer. An attempt that takes longer continues without it, and the page polls the state. Chapter 30
 * §4.1.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { PaymentWithTransaction } from '../../../payments/outcome/perform.ts'
import type { HostedPageParts } from '../parts.ts'

/** `recall` reads the payment as it is stored at the deadline. */
export async function awaitUntilDeadline(
  { log }: Pick<HostedPageParts, 'log'>,
  working: Promise<PaymentWithTransaction>,
  recall: () => Promise<PaymentWithTransaction | null>,
): Promise<PaymentWithTransaction> {
  const over = Promise.withResolvers<'over'>()
  const timer = setTimeout(() => over.resolve('over'), limits.acquirer.checkoutWaitMs)
  try {
    const result = await Promise.race([working, over.promise])
    if (result !== 'over') return result
  } finally {
    clearTimeout(timer)
  }
  working.catch((error: unknown) => log.error({ err: error }, 'An attempt failed after its request was answered.'))
  const presentState = await recall()
  if (!presentState) throw new RefusedError(errors.temporarilyUnavailable)
  return presentState
}
