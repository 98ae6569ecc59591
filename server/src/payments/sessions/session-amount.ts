/** The amount that a session charges: the order's amount, and VAT on top if it is calculated. Chapter 30 §3.2, §3.3. */

import { errors, type Violation, violations } from '#domain/errors.ts'
import type { Merchant } from '#domain/merchant.ts'
import { addCommission } from '#domain/money/commission.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount, parseAmount } from '#domain/money/money.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { SessionRequest } from '../../contracts/session-records.ts'

interface SessionAmount {
  /** Includes VAT; zero until the payer has chosen the amount. */
  readonly amountMinor: bigint
  readonly amountDecimals: number
  /** Null when none was calculated. */
  readonly vatMinor: bigint | null
  /** The payer chooses the amount: an open-amount crypto order, or a transfer whose amount field is empty. */
  readonly openAmount: boolean
}

export function sessionAmount(
  { order, vatCalc }: Pick<SessionRequest, 'order' | 'vatCalc'>,
  { vatPercent }: Pick<Merchant, 'vatPercent'>,
  crypto: Exponents,
): SessionAmount {
  const net = order.amount === null ? null : parseAmount(order.amount, order.currency, crypto)
  if (net === null || net === 'below-zero') {
    const amountDecimals = exponentOf(order.currency, crypto) ?? 0
    return { amountMinor: 0n, amountDecimals, vatMinor: null, openAmount: true }
  }
  if (typeof net === 'string') throw new Error(`The amount of a session cannot be read: ${net}.`)
  const percent = vatCalc ? vatPercent : null
  const { commissionMinor: vat, totalMinor } = addCommission(
    net.minor,
    percent === null ? null : { fixedMinor: 0n, percent },
  )
  return {
    amountMinor: totalMinor,
    amountDecimals: net.decimals,
    vatMinor: percent === null ? null : vat,
    openAmount: false,
  }
}

/** The amount to pay, VAT included, as the page shows it; null while the payer may choose it. */
export function totalText(
  request: Pick<SessionRequest, 'order' | 'vatCalc'>,
  merchant: Pick<Merchant, 'vatPercent'>,
  crypto: Exponents,
): string | null {
  const { amountMinor, amountDecimals, openAmount } = sessionAmount(request, merchant, crypto)
  return openAmount ? null : formatAmount(amountMinor, request.order.currency, amountDecimals)
}

/** What a caller believes to charge, or what a payer was shown; null where the amount was still open. */
interface NamedAmount {
  readonly amount: string | null
  readonly currency: string
}

/**
 * Refuses a charge of another amount or currency than the caller names. `names` are the caller's parameters, whose rows tell the present values.
 * An amount may be written with fewer decimals than its currency has.
 */
export function refuseOtherAmount(
  named: NamedAmount,
  present: NamedAmount,
  names: { readonly amount: string; readonly currency: string; readonly crypto: Exponents },
): void {
  const faults: Violation[] = []
  if (minorOf(named, names.crypto) !== minorOf(present, names.crypto))
    faults.push({ param: names.amount, text: violations.sessionHas(present.amount ?? 'no amount yet') })
  if (named.currency !== present.currency)
    faults.push({ param: names.currency, text: violations.sessionHas(present.currency) })
  if (faults.length > 0) throw new RefusedError(errors.amountChanged, { violations: faults })
}

/** A text that is no amount of the currency is equal only to itself. */
function minorOf({ amount, currency }: NamedAmount, crypto: Exponents): bigint | string | null {
  const read = amount === null ? null : parseAmount(amount, currency, crypto)
  return read === null || typeof read === 'string' ? amount : read.minor
}
