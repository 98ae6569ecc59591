/**
 * A plan's payment on its date. Chapter 10 §9.2, chapter 50 §5.
 *
 * The payment's intent and the plan's next date are written by one statement, which writes nothing if the plan or the schedule has changed.
 * After a crash before it the date is still due; after a crash behind it the reconciler finishes the payment. So every date has exactly one
 * payment.
 */
import { limits } from '#domain/limits.ts'
import { isKeyHonoured } from '#domain/payment/resend.ts'
import { afterFiring, nextDue } from '#domain/schedule/schedule.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PlanRecord, ScheduleRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { settleAttempt } from '../attempt/cascade.ts'
import { findChainByToken } from '../attempt/chain.ts'
import { type ChainCharge, prepareDraftOnChain } from '../attempt/chain-charge.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import { type Intent, prepareDeparture } from '../exchange/sending.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { momentOf, withNextDate } from '../outcome/plan.ts'
import type { Deps } from '../request/deps.ts'
import { isLimitClash } from '../routing/limit-usage.ts'
import { placePayment } from '../routing/placement.ts'

/** Returns the moment of the plan's next payment; null if there is none, or if this one was not made. */
export async function firePlan(deps: Deps, plan: PlanRecord): Promise<Date | null> {
  const schedule = await deps.schedules.find(plan.merchantId, plan.scheduleId)
  const date = schedule && nextDue(plan.progress, schedule, plan.start)
  // The schedule was deleted, paused or changed since the date was claimed; that change has already computed a new date.
  if (!schedule || schedule.paused || date === null || date !== plan.nextDate) return null

  const order = await planCharge(deps, plan, date)
  const fired = order && (await catchRefusal(() => fire(deps, plan, schedule, order)))
  if (!fired || fired instanceof RefusedError) {
    await postpone(deps, plan, date, fired)
    return null
  }
  if (fired.stale) return null
  const { payment, transaction } = fired.intent
  const lost = await findEarlierCharge(deps, fired.intent, momentOf(deps, plan, date))
  const outcome = lost ?? (await charge(deps, fired.intent, fired.data))
  await settleAttempt(deps, { payment, transaction }, outcome, fired.data)
  return fired.nextAt
}

const notReported: Outcome = {
  result: 'unknown',
  reason: 'The acquirer cannot report whether the charge was made before the recovery',
  facts: {},
}

/** The restored database may lack the charge of a date before the recovery, so the acquirer is queried before the date is charged. */
async function findEarlierCharge(deps: Deps, { payment, transaction }: Intent, dueAt: Date): Promise<Outcome | null> {
  const { recoveredAt } = deps.recovery
  if (recoveredAt === null || dueAt > recoveredAt) return null
  const { recovery } = await deps.acquirers.find(transaction.midId)
  const answer = await queryStatus(deps, payment, transaction)
  switch (answer.result) {
    case 'never-arrived':
      return null
    // Its transaction id is the idempotency key: an acquirer that executed it before the recovery answers with that result.
    case 'cannot-be-asked':
      return isKeyHonoured(recovery.idempotencyKey, deps.clock.now().getTime() - dueAt.getTime()) ? null : notReported
    case 'approved':
    case 'declined':
    case 'not-executed':
    case 'waiting':
    case 'payer-step':
    case 'unknown':
      return answer
  }
}

type FireResult =
  | { readonly stale: true }
  | { readonly stale: false; readonly intent: Intent; readonly data: ChargeData; readonly nextAt: Date | null }

/** `stale`: the plan was changed concurrently, and that change has already computed a new date. */
async function fire(deps: Deps, before: PlanRecord, schedule: ScheduleRecord, order: ChainCharge): Promise<FireResult> {
  const { chosen, draftAt, data } = await prepareDraftOnChain(deps, order)
  const after = withNextDate(deps, schedule, before, afterFiring(before.progress, schedule, before.start))
  return placePayment<FireResult>(chosen, null, async (placement) => {
    const { payment, transaction, limits } = draftAt(placement)
    const departure = await prepareDeparture(deps, transaction.midId)
    const opening = { payment, card: null, transaction, sending: departure, limits }
    const written = await deps.plans.fire({ before, after, schedule, opening })
    if (isLimitClash(written)) return written
    if (written === 'stale') return { stale: true }
    return { stale: false, intent: { payment, transaction, departure }, data, nextAt: after.nextAt }
  })
}

/** Order, description, custom_data and callback_url are those of the payment that started the plan. Null while the merchant is blocked. */
async function planCharge(
  deps: Deps,
  { merchantId, id, chainId, startedBy, amountMinor, amountDecimals, scheduleId, progress }: PlanRecord,
  date: string,
): Promise<ChainCharge | null> {
  const merchant = deps.configuration.merchant(merchantId)
  if (merchant?.status !== 'active') return null
  const chain = await findChainByToken(deps, merchantId, chainId)
  // A plan is usually started by the first payment of its chain.
  const initiating = chain?.first.id === startedBy ? chain.first : await deps.payments.find(merchantId, startedBy)
  if (!chain || !initiating) throw new Error(`The chain or the first payment of plan ${id} is missing.`)
  return {
    merchant,
    protocol: initiating.protocol,
    chain,
    auth: false,
    order: { id: initiating.orderId, description: initiating.orderDescription, amountMinor, amountDecimals },
    callbackUrl: initiating.facts.sentCallbackUrl ?? null,
    aloneInOrder: false,
    source: 'schedule',
    schedule: { id: scheduleId, startDate: null, amount: null, firstDate: null },
    plan: { subscriptionId: id, date, made: progress.made },
    parameters: null,
    customData: initiating.customData,
    useId: null,
  }
}

async function catchRefusal<T>(work: () => Promise<T>): Promise<T | RefusedError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RefusedError) return error
    throw error
  }
}

/** No MID can take the payment now. Its date stays due and is tried again; only the first failure of a date raises an alert. */
async function postpone(deps: Deps, plan: PlanRecord, date: string, refused: RefusedError | null): Promise<void> {
  const { merchantId, id, startedBy, nextAt } = plan
  const again = new Date(deps.clock.now().getTime() + limits.worker.planAgainMs)
  await deps.plans.postpone(plan, again)
  if (!refused || nextAt?.getTime() !== momentOf(deps, plan, date).getTime()) return
  await deps.alerts.raise({
    kind: 'plan-payment-refused',
    merchantId,
    paymentId: startedBy,
    text: `The payment of plan ${id} for ${date} cannot be made: ${refused.message} It is retried until it succeeds.`,
  })
}
