/**
 * A charge: the money of one approved first step, and how later steps changed it.
 *
 * These are the acquirer's own money rules, independent of the gateway's: one capture up to the hold, refunds up to the captured amount, a
 * void only of an amount that was taken and not refunded.
 */
import { amountOf, type LaterStep, type Transaction } from './transaction.ts'

export interface Charge {
  readonly first: Transaction
  capturedMinor: bigint
  returnedMinor: bigint
  captured: boolean
  /** The hold was released without a capture: by the caller, or because it expired. */
  released: boolean
  voided: boolean
  /** The number of undecided later steps; while there is one, no other may begin. */
  open: number
}

export function newCharge(first: Transaction): Charge {
  const holds = first.record.type === 'authorize'
  return {
    first,
    capturedMinor: holds ? 0n : amountOf(first),
    returnedMinor: 0n,
    captured: !holds,
    released: false,
    voided: false,
    open: 0,
  }
}

/** Why the step is refused; undefined if it is allowed. */
export function refusal(charge: Charge, type: LaterStep, amountMinor: bigint, currency: string): string | undefined {
  if (currency !== charge.first.record.currency) return 'Currency differs from the original'
  if (charge.voided || charge.released) return 'Original transaction was cancelled'
  if (charge.open > 0) return 'Previous operation is not completed'
  return refusals[type](charge, amountMinor)
}

/** Counts a step that was not refused; `direction` -1 subtracts a step that was declined in the end. */
export function count(charge: Charge, type: LaterStep, amountMinor: bigint, direction: 1 | -1): void {
  const signed = direction === 1 ? amountMinor : -amountMinor
  switch (type) {
    case 'capture':
      charge.captured = direction === 1
      charge.capturedMinor += signed
      return
    case 'refund':
      charge.returnedMinor += signed
      return
    case 'reverse':
      if (isHold(charge)) charge.released = direction === 1
      else charge.returnedMinor += signed
      return
    case 'void':
      charge.voided = direction === 1
      return
  }
}

/** Held, and neither captured nor released. */
export function isOpenHold(charge: Charge): boolean {
  return isHold(charge) && !charge.released
}

const isHold = (charge: Charge): boolean => charge.first.record.type === 'authorize' && !charge.captured

const refundableMinor = (charge: Charge): bigint => charge.capturedMinor - charge.returnedMinor

const refusals: Readonly<Record<LaterStep, (charge: Charge, amountMinor: bigint) => string | undefined>> = {
  capture: (charge, amountMinor) => {
    if (charge.first.record.type !== 'authorize') return 'Original transaction is not an authorization'
    if (charge.captured) return 'Authorization was captured already'
    if (amountMinor === 0n || amountMinor > amountOf(charge.first)) return 'Amount exceeds the authorization'
    return undefined
  },
  refund: (charge, amountMinor) => {
    if (!returnable.has(charge.first.record.type)) return 'Original transaction cannot be refunded'
    if (isHold(charge)) return 'Authorization is not captured'
    if (amountMinor === 0n || amountMinor > refundableMinor(charge)) return 'Amount exceeds what is left'
    return undefined
  },
  reverse: (charge, amountMinor) => {
    const { type } = charge.first.record
    if (isHold(charge)) return amountMinor === amountOf(charge.first) ? undefined : 'A hold is released in full'
    if (type === 'debit') {
      return amountMinor === 0n || amountMinor > refundableMinor(charge) ? 'Amount exceeds what is left' : undefined
    }
    // A sale is voided as a whole or not at all; returning a part of it is a refund.
    if (type === 'sale' && charge.returnedMinor === 0n && amountMinor === charge.capturedMinor) return undefined
    return 'Original transaction cannot be reversed'
  },
  void: (charge, amountMinor) => {
    if (!returnable.has(charge.first.record.type)) return 'Original transaction cannot be voided'
    if (isHold(charge)) return 'Authorization is not captured'
    if (charge.returnedMinor > 0n) return 'Original transaction was refunded'
    return amountMinor === charge.capturedMinor ? undefined : 'A void is for the full amount'
  },
}

const returnable: ReadonlySet<string> = new Set(['sale', 'authorize'])
