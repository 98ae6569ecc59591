/**
 * Compares three independent records: the gateway's, the acquirer's, and the merchant's. Every disagreement is a line; an audit without
 * lines is clean.
 */

import type { Pool } from '#server/store/database/pool.ts'
import type { AcquirerClient, Effect } from './acquirer.ts'
import { type OurRecord, ourRecord, type PaymentRow, type TransactionRow } from './our-record.ts'
import type { Arrival, Receiver } from './receiver.ts'

export interface Audit {
  readonly payments: number
  readonly transactions: number
  readonly effects: number
  readonly callbacks: number
  /** Money that only one record contains, or a transaction without an outcome. */
  readonly lost: readonly string[]
  /** An effect that was requested once and happened more often, and an order that was paid more than once. */
  readonly doubled: readonly string[]
  /** Same effect, different money: amounts, payment totals and postings. */
  readonly disagreeing: readonly string[]
  /** Events that the merchant never received, or that arrived with other content than was written. */
  readonly missingCallbacks: readonly string[]
  readonly outOfOrder: readonly string[]
  readonly unverified: readonly string[]
}

export async function audit(parts: {
  readonly pool: Pool
  readonly acquirer: AcquirerClient
  readonly receiver: Receiver
}): Promise<Audit> {
  const ours = await ourRecord(parts.pool)
  const effects = await parts.acquirer.ledger()
  const wanted = effects.filter(isWanted)
  const effectsOf = Map.groupBy(wanted, (effect) => effect.transaction_id)
  const lapsed = new Set(effects.filter(({ type }) => type === 'lapse').map(({ payment_id }) => payment_id))
  const arrivals = parts.receiver.byPayment()
  return {
    payments: ours.payments.length,
    transactions: ours.transactions.length,
    effects: effects.length,
    callbacks: parts.receiver.arrivals.length,
    lost: findLost(ours, wanted, effectsOf, lapsed),
    doubled: findDoubled(ours, effectsOf),
    disagreeing: [...otherAmounts(ours, effectsOf), ...otherTotals(ours, effects)],
    missingCallbacks: findMissingCallbacks(ours, arrivals),
    outOfOrder: [...arrivals].flatMap(([payment, arrived]) => (inOrder(arrived) ? [] : [`Callbacks of ${payment}`])),
    unverified: parts.receiver.arrivals.flatMap((arrival) =>
      arrival.verified ? [] : [`Callback ${arrival.webhookId}`],
    ),
  }
}

/** Effects that were requested; lapsed holds and chargebacks come from the acquirer itself. */
export const isWanted = ({ type }: Effect): boolean => type !== 'lapse' && type !== 'chargeback'

// biome-ignore format: a table is read in columns.
const effectTypes: Readonly<Record<string, readonly Effect['type'][]>> = {
  // ours      the acquirer's; types that are missing here involve no acquirer
  SALE:        ['sale'],
  AUTH:        ['authorize'],
  DEBIT:       ['debit'],
  CREDIT:      ['credit'],
  TRANSFER:    ['transfer'],
  RETRY:       ['sale', 'authorize', 'debit'],
  CAPTURE:     ['capture'],
  REFUND:      ['refund'],
  REVERSAL:    ['reverse'],
  VOID:        ['void'],
}

type EffectsOf = ReadonlyMap<string, readonly Effect[]>

function findLost(
  { transactions }: OurRecord,
  effects: readonly Effect[],
  effectsOf: EffectsOf,
  lapsed: ReadonlySet<string>,
): readonly string[] {
  const known = new Set(transactions.map(({ id }) => id))
  return [
    ...effects
      .filter(({ transaction_id }) => !known.has(transaction_id))
      .map((effect) => `Executed but not in the database: ${effectText(effect)}`),
    ...transactions.flatMap((transaction) => {
      const executed = effectsOf.has(transaction.id)
      // The release of a lapsed hold was never requested: the acquirer reported it.
      const wasReported = transaction.type === 'REVERSAL' && lapsed.has(transaction.payment_id)
      if (transaction.state === 'success' && !executed && !wasReported && isExecuted(transaction))
        return [`Never executed: ${ours(transaction)}`]
      if (transaction.state === 'fail' && executed) return [`Executed but recorded as declined: ${ours(transaction)}`]
      return ['success', 'fail'].includes(transaction.state) ? [] : [`Still ${transaction.state}: ${ours(transaction)}`]
    }),
  ]
}

const isExecuted = ({ type }: TransactionRow): boolean => type in effectTypes

function findDoubled({ payments, transactions }: OurRecord, effectsOf: EffectsOf): readonly string[] {
  const perOrder = Map.groupBy(
    // Attempts of a cascade share their order, and all but the last have failed.
    payments.filter(({ planned, continued }) => !planned && !continued),
    ({ order_id }) => order_id,
  )
  return [
    ...transactions.flatMap((transaction) => {
      const times = effectsOf.get(transaction.id)?.length ?? 0
      return times > 1 ? [`Executed ${times} times: ${ours(transaction)}`] : []
    }),
    ...[...perOrder].flatMap(([order, all]) => (all.length > 1 ? [`Order ${order} has ${all.length} payments`] : [])),
  ]
}

function otherAmounts({ transactions }: OurRecord, effectsOf: EffectsOf): readonly string[] {
  return transactions.flatMap((transaction) => {
    const [effect] = effectsOf.get(transaction.id) ?? []
    if (!effect) return []
    const same = effect.amount === transaction.amount_minor && effectTypes[transaction.type]?.includes(effect.type)
    return same && effect.payment_id === transaction.payment_id
      ? []
      : [`${ours(transaction)} is ${effectText(effect)} to them`]
  })
}

/** Per payment: the columns, our postings and the acquirer's effects must give the same two sums. */
function otherTotals(record: OurRecord, effects: readonly Effect[]): readonly string[] {
  const postings = Map.groupBy(record.postings, ({ payment_id }) => payment_id)
  const executed = Map.groupBy(effects, ({ payment_id }) => payment_id)
  const mids = new Map(record.transactions.map(({ payment_id, mid }) => [payment_id, mid]))
  return record.payments.flatMap((payment) => {
    const balance = (account: string): bigint =>
      (postings.get(payment.id) ?? []).reduce((sum, { from_account, to_account, amount_minor }) => {
        if (to_account === account) return sum + amount_minor
        return from_account === account ? sum - amount_minor : sum
      }, 0n)
    const theirs = sumsOf(executed.get(payment.id) ?? [])
    const columns = columnsOf(payment)
    const agree =
      balance('settled') === columns.settled &&
      columns.settled === theirs.settled &&
      balance('held') === columns.held &&
      columns.held === theirs.held
    const line = `Payment ${payment.id} at ${mids.get(payment.id)} ${payment.status}: postings ${balance('settled')}/${balance('held')}`
    return agree
      ? []
      : [`${line}, columns ${columns.settled}/${columns.held}, acquirer ${theirs.settled}/${theirs.held}`]
  })
}

interface Sums {
  readonly settled: bigint
  readonly held: bigint
}

/** A payout is taken from earlier settlements; a transfer never passes through us. */
function columnsOf({ kind, status, authorised_minor, captured_minor, refunded_minor }: PaymentRow): Sums {
  if (kind === 'transfer') return { settled: 0n, held: 0n }
  const taken = captured_minor - refunded_minor
  return { settled: kind === 'credit' ? -taken : taken, held: status === 'PENDING' ? authorised_minor : 0n }
}

/** A capture releases the rest of its hold; the reversal of a hold moves nothing that was settled. Chapter 10 §6. */
function sumsOf(effects: readonly Effect[]): Sums {
  let [settled, held] = [0n, 0n]
  for (const { type, amount } of effects) {
    if (type === 'sale' || type === 'debit') settled += amount
    if (type === 'credit') settled -= amount
    if (type === 'authorize') held += amount
    if (type === 'lapse') held = 0n
    if (type === 'refund' || type === 'void') settled -= amount
    if (type === 'capture') [settled, held] = [settled + amount, 0n]
    if (type === 'reverse') [settled, held] = held > 0n ? [settled, 0n] : [settled - amount, held]
  }
  return { settled, held }
}

/** Each callback arrived as it was written, and each finished transaction has one that reports its end. */
function findMissingCallbacks(
  { payments, callbacks, transactions }: OurRecord,
  arrivals: ReadonlyMap<string, readonly Arrival[]>,
): readonly string[] {
  const ends = new Map(callbacks.map((callback) => [callback.transaction_id, callback.body]))
  const withoutCallbacks = new Set(payments.filter(({ continued }) => continued).map(({ id }) => id))
  return [
    ...callbacks.flatMap(({ payment_id, sequence, body }) => {
      const arrived = (arrivals.get(payment_id) ?? []).filter((arrival) => arrival.sequence === sequence)
      if (!arrived.some(({ stored }) => stored)) return [`Callback ${sequence} of ${payment_id} ${lossOf(arrived)}`]
      return arrived.every((arrival) => arrival.body === body) ? [] : [`Callback ${sequence} of ${payment_id} differs`]
    }),
    ...transactions.flatMap((transaction) => {
      const result = resultIn(ends.get(transaction.id) ?? '')
      const end = { success: 'SUCCESS', fail: 'DECLINED' }[transaction.state]
      // Chapter 10 §5.4: a successful payer step has no callback of its own.
      if (end === 'SUCCESS' && !isExecuted(transaction)) return []
      // Chapter 10 §6.2: the end of an attempt that was followed by another is not called back.
      if (withoutCallbacks.has(transaction.payment_id))
        return result === end ? [`Callback sent before the end: ${ours(transaction)}`] : []
      return end === undefined || result === end
        ? []
        : [`No callback reports the end of ${ours(transaction)}: ${result}`]
    }),
  ]
}

/** Checkout has other result names. Chapter 30 §5.3. */
function resultIn(body: string): string | null {
  const fields = new URLSearchParams(body)
  const words: Readonly<Record<string, string>> = { success: 'SUCCESS', fail: 'DECLINED' }
  return fields.get('result') ?? words[fields.get('status') ?? ''] ?? null
}

const lossOf = (arrived: readonly Arrival[]): string =>
  arrived.length === 0 ? 'never arrived' : `was lost by the receiver in all ${arrived.length} deliveries`

/** At least once, in order per payment: nothing is sent before the merchant has accepted the previous number. Chapter 10 §11.1. */
function inOrder(arrivals: readonly Arrival[]): boolean {
  let newest = 0
  return arrivals.every(({ sequence, stored }) => {
    if (sequence > newest + 1) return false
    if (stored) newest = Math.max(newest, sequence)
    return true
  })
}

const ours = ({ type, amount_minor, mid, id, payment_id }: TransactionRow): string =>
  `${type} of ${amount_minor} at ${mid}, transaction ${id}, payment ${payment_id}`

const effectText = ({ type, amount, transaction_id }: Effect): string =>
  `${type} of ${amount}, transaction ${transaction_id}`
