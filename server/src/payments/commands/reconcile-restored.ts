/**
 * Brings a restored database up to date by querying every acquirer. Chapter 80 §4.
 *
 * Nothing that moves money is sent. Open transactions are settled by the acquirer's answers. Effects that the database lacks are posted to
 * their payment; a charge of an unknown payment is listed with its order, if the acquirer knows it, and raises an alert. Charges of due
 * plan dates are left to the plans, which recognise them by their identifier.
 */

import { afterFiring, nextDue } from '#domain/schedule/schedule.ts'
import type { AcquirerEffect } from '../../connectors/connector.ts'
import type { RestoredRecord } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { planTransactionId } from '../attempt/plan-transaction-id.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { localDeparture } from '../exchange/sending.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { isDecided } from '../outcome/interpret-outcome.ts'
import { settle } from '../outcome/perform.ts'
import { momentOf } from '../outcome/plan.ts'
import type { Deps } from '../request/deps.ts'
import { handleDecidedEvent } from './apply-decision.ts'

export interface RestoreReport {
  /** Open transactions whose acquirer was queried, and how many of them were decided by the answer. */
  readonly asked: number
  readonly settled: number
  /** Effects that were posted to known payments. */
  readonly booked: number
  /** Charges of due plan dates, which the plans will find. */
  readonly leftToPlans: number
  readonly unknown: readonly UnknownEffect[]
  /** MIDs whose acquirer offers no list of effects, or did not answer. */
  readonly notAsked: readonly string[]
}

export interface UnknownEffect {
  readonly mid: string
  readonly effect: AcquirerEffect
}

/** Effects before `since` are ignored. */
export async function reconcileRestored(
  deps: Deps,
  record: RestoredRecord,
  since: Date | null,
): Promise<RestoreReport> {
  const open = await settleOpen(deps, record)
  const planned = await listPlannedCharges(deps, record)
  const booked = new Set<string>()
  const leftToPlans = new Set<string>()
  const unknown = new Map<string, UnknownEffect>()
  const orders = new Map<string, string>()
  const notAsked: string[] = []
  for (const mid of deps.configuration.mids()) {
    const effects = await fetchEffects(deps, mid.id, since)
    if (effects === null) notAsked.push(mid.name)
    for (const { paymentId, orderId } of effects ?? []) if (orderId !== null) orders.set(paymentId, orderId)
    for (const effect of await listMissingEffects(record, effects ?? [])) {
      if (planned.has(effect.transactionId)) leftToPlans.add(effect.transactionId)
      else if (await book(deps, mid.id, effect)) booked.add(effect.transactionId)
      else unknown.set(effect.transactionId, { mid: mid.name, effect })
    }
    for (const effect of await listEffectsOfFailed(record, effects ?? []))
      await handleDecidedEvent(deps, mid.id, decidedEvent(effect))
  }
  // Several MIDs may share one account: each lists the effects of all of them, and one of them has the payment.
  const left = [...unknown.values()]
    .filter(({ effect }) => !booked.has(effect.transactionId))
    .map(({ mid, effect }) => ({ mid, effect: { ...effect, orderId: orders.get(effect.paymentId) ?? null } }))
  for (const one of left) await raiseAlert(deps, one)
  return { ...open, booked: booked.size, leftToPlans: leftToPlans.size, unknown: left, notAsked }
}

async function settleOpen(deps: Deps, record: RestoredRecord): Promise<Pick<RestoreReport, 'asked' | 'settled'>> {
  const counts = { asked: 0, settled: 0 }
  for await (const { merchantId, paymentId, id } of record.openTransactions()) {
    const payment = await deps.payments.find(merchantId, paymentId)
    const transaction = (await deps.payments.listTransactions(merchantId, paymentId)).find((one) => one.id === id)
    if (!payment || !transaction || payment.openTransaction !== id) continue
    counts.asked += 1
    const answer = await queryStatus(deps, payment, transaction)
    if (!isDecided(answer)) continue
    await settle(deps, { payment, transaction }, answer, { ending: { reason: 'outcome-unknown' } })
    counts.settled += 1
  }
  return counts
}

/** The transaction ids of all due dates of all plans. */
async function listPlannedCharges(deps: Deps, record: RestoredRecord): Promise<ReadonlySet<string>> {
  const now = deps.clock.now()
  const ids = new Set<string>()
  for (const { merchantId, chainId } of await record.listDuePlans(now)) {
    const plan = await deps.plans.findOfChain(merchantId, chainId)
    const schedule = plan && (await deps.schedules.find(merchantId, plan.scheduleId))
    if (!plan || !schedule) continue
    let { progress } = plan
    for (;;) {
      const date = nextDue(progress, schedule, plan.start)
      if (date === null || momentOf(deps, plan, date) > now) break
      ids.add(planTransactionId(plan.id, date, progress.made))
      progress = afterFiring(progress, schedule, plan.start)
    }
  }
  return ids
}

/** Oldest first. Null if the acquirer offers no list of effects or did not answer. */
async function fetchEffects(deps: Deps, midId: string, since: Date | null): Promise<readonly AcquirerEffect[] | null> {
  const acquirer = await deps.acquirers.find(midId)
  const all: AcquirerEffect[] = []
  for (let cursor = ''; ; ) {
    const page = await acquirer.effects({ cursor, since })
    if (page === null) return null
    all.push(...page.effects.filter(({ at }) => since === null || at >= since))
    if (!page.more)
      return all.toSorted((one, other) => Number(one.at) - Number(other.at) || stepOf(one) - stepOf(other))
    cursor = page.cursor
  }
}

/** Some acquirers count in seconds, within which a hold may be captured and refunded. */
const stepOf = ({ kind }: AcquirerEffect): number => (isFollowUp(kind) ? (kind === 'capture' ? 1 : 2) : 0)

async function listMissingEffects(
  record: RestoredRecord,
  effects: readonly AcquirerEffect[],
): Promise<readonly AcquirerEffect[]> {
  const known = new Set((await listKnownTransactions(record, effects)).map(({ id }) => id))
  return effects.filter(({ transactionId }) => !known.has(transactionId))
}

/** Effects of transactions that are stored as failed. */
async function listEffectsOfFailed(record: RestoredRecord, effects: readonly AcquirerEffect[]) {
  const failed = new Set(
    (await listKnownTransactions(record, effects)).filter(({ state }) => state === 'fail').map(({ id }) => id),
  )
  return effects.filter(({ transactionId }) => failed.has(transactionId))
}

async function listKnownTransactions(record: RestoredRecord, effects: readonly AcquirerEffect[]) {
  const paymentIds = [...new Set(effects.map(({ paymentId }) => paymentId))]
  return paymentIds.length === 0 ? [] : record.findKnown(paymentIds)
}

const decidedEvent = ({ reference, paymentId, transactionId, at }: AcquirerEffect) =>
  ({ kind: 'decided', reference, paymentId, transactionId, at }) as const

const followUps = { capture: 'CAPTURE', refund: 'REFUND', reverse: 'REVERSAL', void: 'VOID' } as const

/** Posts a follow-up to its payment. False if the payment is unknown or its status does not allow it. */
async function book(deps: Deps, midId: string, effect: AcquirerEffect): Promise<boolean> {
  if (!isFollowUp(effect.kind)) return false
  const payment = await deps.payments.findAtMid(midId, effect.paymentId)
  if (!payment || payment.inFlight) return false
  const transaction = lostTransaction(deps, payment, { midId, effect, type: followUps[effect.kind] })
  const begun = await deps.payments.begin({ payment, transaction, sending: localDeparture(deps) })
  if (begun !== 'begun') return false
  const begunPayment = { ...payment, version: payment.version + 1, openTransaction: transaction.id, inFlight: true }
  const facts = { reference: effect.reference }
  const { transaction: after } = await settle(
    deps,
    { payment: begunPayment, transaction },
    { result: 'approved', facts },
  )
  return after.state === 'success'
}

const isFollowUp = (kind: AcquirerEffect['kind']): kind is keyof typeof followUps => kind in followUps

interface LostTransaction {
  readonly midId: string
  readonly effect: AcquirerEffect
  readonly type: TransactionRecord['type']
}

function lostTransaction(
  deps: Deps,
  payment: PaymentRecord,
  { midId, effect, type }: LostTransaction,
): TransactionRecord {
  const { transactionId, amountMinor, kind, at } = effect
  const givesBack = kind === 'refund' || kind === 'reverse'
  return newTransaction(payment, {
    id: transactionId,
    type,
    amountMinor,
    midId,
    parameters: null,
    creditvoidId: givesBack ? deps.ids.next() : null,
    useId: null,
    createdAt: at,
  })
}

async function raiseAlert(deps: Deps, { mid, effect }: UnknownEffect): Promise<void> {
  const { kind, transactionId, amountMinor, currency, reference, orderId, paymentId, at } = effect
  await deps.alerts.raise({
    kind: 'restored-effect-unknown',
    merchantId: null,
    paymentId,
    text:
      `After the restore this instance lacks ${kind} ${transactionId} of ${amountMinor} minor units ${currency}, executed at ` +
      `${at.toISOString()} on ${mid} (reference ${reference}). ` +
      `${orderText(orderId)} Refund or keep it, as agreed with the merchant, before the recovery ends.`,
    once: true,
  })
}

const orderText = (orderId: string | null): string =>
  orderId === null ? 'Find its order with the merchant.' : `The merchant's order is ${orderId}.`
