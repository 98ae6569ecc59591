/**
 * Commands that the service executes by itself: captures by a MID's setting, retries by the operator's retry schedule, expiry of
 * calculated debits that were not completed. Chapter 10 §6, §9.2, chapter 20 §12.3.
 */

import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { dayMs } from '#domain/time.ts'
import type { DeferredCommand, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Deps } from '../request/deps.ts'
import { expireUncompleted } from './calculation.ts'
import { followUp } from './follow-up.ts'
import { retry } from './retry.ts'

export async function carryOut(deps: Deps, deferred: DeferredCommand): Promise<void> {
  const payment = await deps.payments.find(deferred.merchantId, deferred.paymentId)
  if (!payment || isCalledOff(deps, payment, deferred)) return deps.deferred.drop(deferred)
  const plan = await planState(deps, payment, deferred)
  if (plan === 'stopped') return deps.deferred.drop(deferred)
  if (plan === 'paused') return deferAgain(deps, payment, deferred)
  if (deferred.command === 'EXPIRE') {
    await expireUncompleted(deps, payment)
    return deps.deferred.drop(deferred)
  }
  try {
    // Writing the command's intent also deletes the deferred row; a capture that the acquirer does not offer has none.
    const { transaction } = await execute(deps, payment, deferred.command)
    if (transaction.type === 'CAPTURE' && transaction.state === 'fail') await deps.deferred.drop(deferred)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return isFinalRefusal(error, deferred) ? deps.deferred.drop(deferred) : deferAgain(deps, payment, deferred)
  }
}

/** A retry that no MID can take now is deferred until one can, like a plan payment on its date. */
function isFinalRefusal({ refusal }: RefusedError, { command }: DeferredCommand): boolean {
  if (refusal === errors.previousTransactionOpen) return false
  return command !== 'RETRY' || refusal === errors.retryNotAllowed
}

/** A retry is dropped this long after the last scheduled hour: a charge that late would surprise the payer. */
const retryWaitsMs = 14 * dayMs

async function deferAgain(deps: Deps, { updatedAt }: PaymentRecord, deferred: DeferredCommand): Promise<void> {
  const now = deps.clock.now().getTime()
  const planMs = Math.max(...deps.planRetryHours, 0) * 3_600_000
  if (deferred.command === 'RETRY' && now > updatedAt.getTime() + planMs + retryWaitsMs)
    return deps.deferred.drop(deferred)
  await deps.deferred.postpone(deferred, new Date(now + limits.worker.commandAgainMs))
}

/**
 * A retry of a stopped plan is dropped; while the plan is paused, or its merchant is blocked, the retry is deferred. Chapter 10 §7.15,
 * §9.5.
 */
async function planState(deps: Deps, payment: PaymentRecord, { command }: DeferredCommand) {
  const { merchantId, subscriptionId } = payment
  if (command !== 'RETRY' || subscriptionId === null) return 'goes on'
  if (deps.configuration.merchant(merchantId)?.status !== 'active') return 'paused'
  return deps.plans.readState(merchantId, subscriptionId)
}

function execute(deps: Deps, payment: PaymentRecord, command: 'CAPTURE' | 'RETRY') {
  // `asRead` refuses if the payment has changed since it was read, for example by the same command in another process; the next run decides
  // again.
  if (command === 'RETRY') return retry(deps, { payment, useId: null, asRead: true })
  const whole = { amountMinor: undefined, parameters: undefined, useId: null }
  return followUp(deps, { payment, command, ...whole, asRead: true })
}

/** True if the setting that deferred the command has been switched off since; the command is then dropped. */
function isCalledOff(deps: Deps, { midId, facts }: PaymentRecord, { command }: DeferredCommand): boolean {
  if (command === 'EXPIRE') return false
  // The consent is checked here too, because it may be withdrawn after the plan's last payment.
  if (command === 'RETRY') return deps.planRetryHours.length === 0 || facts.consent?.state === 'cancelled'
  return midId === null || !deps.configuration.mid(midId)?.autoCaptureHours
}
