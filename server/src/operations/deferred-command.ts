/**
 * Commands that the service gives by itself: captures by a MID's setting, retries by the operator's plan, the end of debits that
 * nobody completed. Chapter 10 §6, §9.2, chapter 20 §12.3.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { DeferredCommand, PaymentRecord } from '../records.ts'
import { RefusedError } from '../refused-error.ts'
import { expireCalculated } from './calculation.ts'
import type { Deps } from './deps.ts'
import { followUp } from './follow-up.ts'
import { retry } from './retry.ts'

export async function carryOut(deps: Deps, deferred: DeferredCommand): Promise<void> {
  const payment = await deps.payments.find(deferred.merchantId, deferred.paymentId)
  if (!payment || isCalledOff(deps, payment, deferred)) return deps.deferred.drop(deferred)
  if (deferred.command === 'EXPIRE') {
    await expireCalculated(deps, payment)
    return deps.deferred.drop(deferred)
  }
  try {
    // The command's intent removes the row.
    await give(deps, payment, deferred.command)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    if (error.refusal !== errors.previousTransactionOpen) return deps.deferred.drop(deferred)
    const again = new Date(deps.clock.now().getTime() + limits.engine.commandAgainMs)
    await deps.deferred.postpone(deferred, again)
  }
}

function give(deps: Deps, payment: PaymentRecord, command: 'CAPTURE' | 'RETRY') {
  if (command === 'RETRY') return retry(deps, { payment, useId: null })
  return followUp(deps, { payment, command, amountMinor: undefined, parameters: undefined, useId: null })
}

/** A setting that was switched off since holds for what was put off under it, too. */
function isCalledOff(deps: Deps, { midId }: PaymentRecord, { command }: DeferredCommand): boolean {
  if (command === 'EXPIRE') return false
  if (command === 'RETRY') return deps.planRetryHours.length === 0
  return midId === null || !deps.configuration.mid(midId)?.autoCaptureHours
}
