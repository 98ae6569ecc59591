/**
 * Brings a restored record forward by asking every acquirer. Chapter 80 §4.
 *
 * Nothing is sent that moves money. What is open in our record is settled by what the acquirer says. What the acquirer executed and our
 * record does not have is booked where its payment is known; a charge of a payment that is not in the record at all is listed and raised,
 * because only a person can tell whose order it was. Charges that due plans will find again by their identifier are left to those plans.
 */
import { afterFiring, nextDue } from '#domain/schedule/schedule.ts'
import type { AcquirerEffect } from '../../connectors/connector.ts'
import type { RestoredRecord } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { planTransactionId } from '../attempt/plan-transaction.ts'
import { departureNowhere } from '../exchange/sending.ts'
import { statusAnswer } from '../exchange/status-query.ts'
import { newTransaction } from '../exchange/transaction.ts'
import { settle } from '../outcome/perform.ts'
import { momentOf } from '../outcome/plan.ts'
import type { Deps } from '../request/deps.ts'
import { enterDecision } from './decision.ts'

export interface RestoreReport {
  /** Open transactions whose acquirer was asked, and how many of them are decided now. */
  readonly asked: number
  readonly settled: number
  /** Effects that were entered into payments of our record. */
  readonly booked: number
  /** Charges of plan dates that are due; the plans take them over. */
  readonly leftToPlans: number
  readonly unknown: readonly UnknownEffect[]
  /** MIDs whose acquirer has no record to ask for, or did not answer. */
  readonly notAsked: readonly string[]
}

export interface UnknownEffect {
  readonly mid: string
  readonly effect: AcquirerEffect
}

/** Effects before `since` are not looked at. */
export async function reconcileRestored(
  deps: Deps,
  record: RestoredRecord,
  since: Date | null,
): Promise<RestoreReport> {
  const open = await settleOpen(deps, record)
  const planned = await plannedCharges(deps, record)
  const found = { booked: 0, leftToPlans: 0 }
  const unknown: UnknownEffect[] = []
  const notAsked: string[] = []
  for (const mid of deps.configuration.mids()) {
    const effects = await effectsAt(deps, mid.id, since)
    if (effects === null) notAsked.push(mid.name)
    for (const effect of await missing(record, effects ?? [])) {
      if (planned.has(effect.transactionId)) found.leftToPlans += 1
      else if (await book(deps, mid.id, effect)) found.booked += 1
      else unknown.push({ mid: mid.name, effect })
    }
    for (const effect of await writtenOff(record, effects ?? [])) await enterDecision(deps, mid.id, decidedBy(effect))
  }
  for (const one of unknown) await raise(deps, one)
  return { ...open, ...found, unknown, notAsked }
}

async function settleOpen(deps: Deps, record: RestoredRecord): Promise<Pick<RestoreReport, 'asked' | 'settled'>> {
  const counts = { asked: 0, settled: 0 }
  for await (const { merchantId, paymentId, id } of record.openTransactions()) {
    const payment = await deps.payments.find(merchantId, paymentId)
    const transaction = (await deps.payments.transactions(merchantId, paymentId)).find((one) => one.id === id)
    if (!payment || !transaction || payment.openTransaction !== id) continue
    counts.asked += 1
    const answer = await statusAnswer(deps, payment, transaction)
    if (answer.result !== 'approved' && answer.result !== 'declined') continue
    await settle(deps, { payment, transaction }, answer, { ending: { reason: 'outcome-unknown' } })
    counts.settled += 1
  }
  return counts
}

/** Every date that is due by now, of every plan. */
async function plannedCharges(deps: Deps, record: RestoredRecord): Promise<ReadonlySet<string>> {
  const now = deps.clock.now()
  const ids = new Set<string>()
  for (const { merchantId, chainId } of await record.duePlans(now)) {
    const subscription = await deps.subscriptions.ofChain(merchantId, chainId)
    const schedule = subscription && (await deps.schedules.find(merchantId, subscription.scheduleId))
    if (!subscription || !schedule) continue
    let { plan } = subscription
    for (;;) {
      const date = nextDue(plan, schedule, subscription.grid)
      if (date === null || momentOf(deps, subscription, date) > now) break
      ids.add(planTransactionId(subscription.id, date, plan.made))
      plan = afterFiring(plan, schedule, subscription.grid)
    }
  }
  return ids
}

/** Null when the acquirer cannot be asked. */
async function effectsAt(deps: Deps, midId: string, since: Date | null): Promise<readonly AcquirerEffect[] | null> {
  const acquirer = await deps.acquirers.of(midId)
  const all: AcquirerEffect[] = []
  for (let cursor = ''; ; ) {
    const page = await acquirer.effects(cursor)
    if (page === null) return null
    all.push(...page.effects.filter(({ at }) => since === null || at >= since))
    if (!page.more) return all
    cursor = page.cursor
  }
}

async function missing(record: RestoredRecord, effects: readonly AcquirerEffect[]): Promise<readonly AcquirerEffect[]> {
  const known = new Set((await knownOf(record, effects)).map(({ id }) => id))
  return effects.filter(({ transactionId }) => !known.has(transactionId))
}

/** Failed by our record, executed by the acquirer's. */
async function writtenOff(record: RestoredRecord, effects: readonly AcquirerEffect[]) {
  const failed = new Set((await knownOf(record, effects)).filter(({ state }) => state === 'fail').map(({ id }) => id))
  return effects.filter(({ transactionId }) => failed.has(transactionId))
}

async function knownOf(record: RestoredRecord, effects: readonly AcquirerEffect[]) {
  const paymentIds = [...new Set(effects.map(({ paymentId }) => paymentId))]
  return paymentIds.length === 0 ? [] : record.known(paymentIds)
}

const decidedBy = ({ reference, paymentId, transactionId, at }: AcquirerEffect) =>
  ({ kind: 'decided', reference, paymentId, transactionId, at }) as const

const followUps = { capture: 'CAPTURE', refund: 'REFUND', reverse: 'REVERSAL', void: 'VOID' } as const

/** Enters a follow-up of a payment that we know. False when the payment is unknown, or does not take it as it stands. */
async function book(deps: Deps, midId: string, effect: AcquirerEffect): Promise<boolean> {
  if (!isFollowUp(effect.kind)) return false
  const payment = await deps.payments.atMid(midId, effect.paymentId)
  if (!payment || payment.inFlight) return false
  const transaction = lostTransaction(deps, payment, midId, effect, followUps[effect.kind])
  const begun = await deps.payments.begin({ payment, transaction, sending: departureNowhere(deps) })
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

function lostTransaction(
  deps: Deps,
  payment: PaymentRecord,
  midId: string,
  { transactionId, amountMinor, kind, at }: AcquirerEffect,
  type: TransactionRecord['type'],
): TransactionRecord {
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

async function raise(deps: Deps, { mid, effect }: UnknownEffect): Promise<void> {
  const { kind, transactionId, amountMinor, currency, reference, paymentId, at } = effect
  await deps.alerts.raise({
    kind: 'restored-effect-unknown',
    merchantId: null,
    paymentId,
    text:
      `After the restore this instance lacks ${kind} ${transactionId} of ${amountMinor} minor units ${currency}, executed at ` +
      `${at.toISOString()} on ${mid} (reference ${reference}). Find its order with the merchant, then refund or keep it.`,
  })
}
