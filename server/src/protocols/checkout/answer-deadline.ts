/**
 * How long an answer waits for an acquirer: deployed clients give up after 20 seconds. Work that takes longer continues after the answer,
 * which reports an unknown outcome; the callback reports the final one. Chapter 30 §4.1.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { PaymentWithTransaction } from '../../payments/outcome/perform.ts'
import type { Caller } from './endpoint.ts'

/** `work` stores `useId` with its intent, so that the payment can be read by it after the deadline. */
export async function runUntilDeadline(
  caller: Pick<Caller, 'merchant' | 'operations' | 'ids' | 'log'>,
  useId: string | null,
  work: (useId: string) => Promise<PaymentWithTransaction>,
  waitMs: number = limits.acquirer.checkoutWaitMs,
): Promise<PaymentWithTransaction> {
  const use = useId ?? caller.ids.next()
  const working = work(use)
  const result = await withinTime(working, waitMs)
  if (result) return result

  working.catch((error: unknown) => caller.log.error({ err: error }, 'Work after the answer deadline failed.'))
  const presentState = await caller.operations.recall(caller.merchant.id, use)
  if (!presentState) throw new RefusedError(errors.temporarilyUnavailable)
  return presentState
}

/** Null if the deadline passes first. */
async function withinTime<T>(working: Promise<T>, waitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), waitMs)
  })
  try {
    return await Promise.race([working, over])
  } finally {
    clearTimeout(timer)
  }
}
