/** Which of our transactions a row of a settlement file belongs to, and what differs between the two. Chapter 60 §5. */

import { addDays } from '../schedule/day.ts'
import { utcDay } from '../time.ts'
import { type SettlementKind, settlementKinds } from './settlement-kind.ts'
import type { SettlementRow } from './settlement-row.ts'

/** A row that is booked so many days after its transaction is late; only after that a transaction without a row is missing. */
export const usualSettlementDays = 5

/** The types of transactions that a kind of row can belong to. */
const typesOfKind: Readonly<Record<SettlementKind, readonly string[]>> = {
  charge: ['SALE', 'DEBIT', 'RETRY', 'CAPTURE', 'TRANSFER'],
  refund: ['REFUND', 'REVERSAL', 'VOID'],
  chargeback: ['CHARGEBACK'],
  'chargeback-reversal': ['CHARGEBACK'],
  payout: ['CREDIT'],
  fee: [],
  adjustment: [],
}

/** Names the kind of row that settles a type of transaction: of a chargeback the one that takes the money. Null if no row does. */
export const kindOfType = (type: string): SettlementKind | null =>
  settlementKinds.find((kind) => typesOfKind[kind].includes(type)) ?? null

/** A transaction that a row may belong to. */
export interface SettledTransaction {
  readonly id: string
  readonly merchantId: string
  readonly paymentId: string
  /** Of the exchange itself; the payment's may be another after a cascade. */
  readonly midId: string | null
  readonly type: string
  readonly state: string
  readonly reference: string | null
  readonly amountMinor: bigint
  readonly currency: string
  readonly endedAt: Date | null
  /** Of a chargeback whose money came back, in our ledger. */
  readonly returned?: Movement
}

interface Movement {
  readonly amountMinor: bigint
  readonly endedAt: Date | null
}

type NamingRow = Pick<SettlementRow, 'kind' | 'paymentId' | 'transactionId' | 'reference'>

/**
 * Of the transactions of the payment that the row names, or of those that have its reference. A row that names the payment alone, or with a
 * reference that none of its transactions has, such as that of an automatic capture, must leave no choice.
 */
export function transactionOf(
  row: NamingRow,
  midId: string,
  candidates: readonly SettledTransaction[],
): SettledTransaction | null {
  const fitting = candidates.filter(({ type }) => typesOfKind[row.kind].includes(type))
  const here = fitting.filter((one) => one.midId === midId)
  return (
    likeliest(here.filter(({ id }) => id === row.transactionId)) ??
    likeliest(here.filter(({ reference }) => reference !== null && reference === row.reference)) ??
    (row.paymentId === null || row.transactionId !== null ? null : onlyChoice(row, fitting, here))
  )
}

function onlyChoice(
  { kind, reference }: NamingRow,
  fitting: readonly SettledTransaction[],
  here: readonly SettledTransaction[],
): SettledTransaction | null {
  // A chargeback has a reference of its own, which the row repeats or not.
  const isElsewhere = fitting.some((one) => reference !== null && one.reference === reference)
  if (!typesOfKind[kind].includes('CHARGEBACK') && isElsewhere) return null
  const successes = fitting.filter(isSuccess)
  return likeliest(here.filter(({ id }) => successes.every((success) => success.id === id)))
}

const isSuccess = ({ state }: SettledTransaction): boolean => state === 'success'

/** One that succeeded, otherwise the newest. */
const likeliest = (found: readonly SettledTransaction[]): SettledTransaction | null =>
  found.find(isSuccess) ?? found.toSorted((one, other) => (one.id < other.id ? 1 : -1))[0] ?? null

/**
 * Returns what a row of the kind settles of a transaction; null if our record has no such movement. A transfer passes the merchant by:
 * decisions/settlement#transfers.
 */
export function movementOf(kind: SettlementKind, transaction: SettledTransaction): Movement | null {
  if (transaction.type === 'TRANSFER') return { amountMinor: 0n, endedAt: transaction.endedAt }
  return kind === 'chargeback-reversal' ? (transaction.returned ?? null) : transaction
}

export type RowDifferenceKind =
  | 'missing-here'
  | 'other-mid'
  | 'other-outcome'
  | 'doubled'
  | 'currency'
  | 'amount'
  | 'late'

/** Reads the charged amount of the row; a row that the acquirer converted is compared in the payment's currency. */
export function chargedBy({ currency, grossMinor, conversion }: SettlementRow): {
  readonly currency: string
  readonly minor: bigint
} {
  const gross = conversion?.grossMinor ?? grossMinor
  return { currency: conversion?.currency ?? currency, minor: gross < 0n ? -gross : gross }
}

interface RowFindings {
  readonly transaction: SettledTransaction | null
  /** The payment that the row names is at another MID. */
  readonly isOfOtherMid: boolean
  /** Another row has settled the transaction before. */
  readonly isSettled: boolean
}

/** A row has one difference, the first that applies. Fees and adjustments belong to no transaction. */
export function differenceOf(
  row: SettlementRow,
  { transaction, isOfOtherMid, isSettled }: RowFindings,
): RowDifferenceKind | null {
  if (typesOfKind[row.kind].length === 0) return null
  if (transaction === null) return isOfOtherMid ? 'other-mid' : 'missing-here'
  if (!isSuccess(transaction)) return 'other-outcome'
  const ours = movementOf(row.kind, transaction)
  if (ours === null) return 'missing-here'
  if (isSettled) return 'doubled'
  const charged = chargedBy(row)
  // Where no money is expected and none came, the row has only a fee, in any currency.
  const isFeeAlone = charged.minor === 0n && ours.amountMinor === 0n
  if (charged.currency !== transaction.currency && !isFeeAlone) return 'currency'
  if (charged.minor !== ours.amountMinor) return 'amount'
  const ended = dayOf(ours)
  return ended !== null && row.bookedOn > addDays(ended, usualSettlementDays) ? 'late' : null
}

/** The day from which the acquirer has settled transactions, by one row. A late row says nothing about the days before it. */
export function firstDayOf({ bookedOn, kind }: SettlementRow, transaction: SettledTransaction | null): string {
  const ours = transaction && movementOf(kind, transaction)
  const ended = ours && dayOf(ours)
  return ended !== null && ended < bookedOn && ended >= addDays(bookedOn, -usualSettlementDays) ? ended : bookedOn
}

const dayOf = ({ endedAt }: Movement): string | null => endedAt && utcDay(endedAt)
