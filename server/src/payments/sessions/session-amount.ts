/** The amount that a session charges: the order's amount, and VAT on top if it is calculated. Chapter 30 §3.2, §3.3. */
import type { Merchant } from '#domain/merchant.ts'
import { addCommission } from '#domain/money/commission.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { exponentOf, parseAmount } from '#domain/money/money.ts'
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
