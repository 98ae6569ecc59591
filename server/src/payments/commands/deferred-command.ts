/**
 * Commands that the service gives by itself: captures by a MID's setting, retries by the operator's plan, the end of debits that
 * nobody completed. Chapter 10 §6, §9.2, chapter 20 §12.3.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { DeferredCommand, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Deps } from '../request/deps.ts'
import { expireCalculated } from './calculation.ts'
import { followUp } from './follow-up.ts'
import { retry } from './retry.ts'

export async function carryOut(deps: Deps, deferred: DeferredCommand): Promise<void> {
  const payment = await deps.payments.find(deferred.merchantId, deferred.paymentId)
  if (!payment || isCalledOff(deps, payment, deferred)) return deps.deferred.drop(deferred)
  const plan = await planOf(deps, payment, deferred)
  if (plan === 'stopped') return deps.deferred.drop(deferred)
  if (plan === 'paused') return deferAgain(deps, payment, deferred)
  if (deferred.command === 'EXPIRE') {
    await expireCalculated(deps, payment)
    return deps.deferred.drop(deferred)
  }
  try {
    // The command's intent removes the row.
    await give(deps, payment, deferred.command)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return isForGood(error, deferred) ? deps.deferred.drop(deferred) : deferAgain(deps, payment, deferred)
  }
}

/** A retry that no MID can take now waits for one, as a plan payment on its date does. */
function isForGood({ refusal }: RefusedError, { command }: DeferredCommand): boolean {
  if (refusal === errors.previousTransactionOpen) return false
  return command !== 'RETRY' || refusal === errors.retryNotAllowed
}

/** After so long nobody expects the money of a declined payment any more. */
const retryWaitsMs = 14 * 86_400_000

async function deferAgain(deps: Deps, { updatedAt }: PaymentRecord, deferred: DeferredCommand): Promise<void> {
  const now = deps.clock.now().getTime()
  const planMs = Math.max(...deps.planRetryHours, 0) * 3_600_000
  if (deferred.command === 'RETRY' && now > updatedAt.getTime() + planMs + retryWaitsMs)
    return deps.deferred.drop(deferred)
  await deps.deferred.postpone(deferred, new Date(now + limits.engine.commandAgainMs))
}

/**
 * Who has stopped a plan is not charged for it any more; while it is paused, or its merchant is blocked, nothing fires. Chapter 10 §7.15,
 * §9.5.
 */
async function planOf(deps: Deps, payment: PaymentRecord, { command }: DeferredCommand) {
  const { merchantId, subscriptionId } = payment
  if (command !== 'RETRY' || subscriptionId === null) return 'goes on'
  if (deps.configuration.merchant(merchantId)?.status !== 'active') return 'paused'
  return deps.subscriptions.standing(merchantId, subscriptionId)
}

function give(deps: Deps, payment: PaymentRecord, command: 'CAPTURE' | 'RETRY') {
  // As it was read: whatever changed the payment since, such as the same command given by another process, is looked at anew.
  if (command === 'RETRY') return retry(deps, { payment, useId: null, asRead: true })
  const whole = { amountMinor: undefined, parameters: undefined, useId: null }
  return followUp(deps, { payment, command, ...whole, asRead: true })
}

/** A setting that was switched off since holds for what was put off under it, too. */
function isCalledOff(deps: Deps, { midId, facts }: PaymentRecord, { command }: DeferredCommand): boolean {
  if (command === 'EXPIRE') return false
  // A consent may be withdrawn after the plan has made its last payment.
  if (command === 'RETRY') return deps.planRetryHours.length === 0 || facts.consent?.state === 'cancelled'
  return midId === null || !deps.configuration.mid(midId)?.autoCaptureHours
}
