/**
 * The package's requests are not trusted: an address outside the acquirer's row is not sent to, and an amount or currency other than ours is
 * not sent. Chapter 60 §1.2.
 */
import type { Mode } from '#domain/merchant.ts'
import { exponentOf } from '#domain/money/money.ts'
import { acquirerAmounts } from '../amounts.ts'
import { valuesOf } from './body-values.ts'
import type { AcquirerRow, ReadBack } from './table/row.ts'
import type { BuiltRequest } from './transformer/protocol.ts'

/** Why the request must not leave; null if it may. `path` is where it goes on the host of the row. */
type GuardResult =
  | { readonly kind: 'passed'; readonly origin: string; readonly path: string }
  | { readonly kind: 'stopped'; readonly reason: string }

const stop = (reason: string): GuardResult => ({ kind: 'stopped', reason })

export function guardAddress({ url }: BuiltRequest, row: AcquirerRow, mode: Mode): GuardResult {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address === null) return stop('The helper named no address.')
  const isOurs = row.hosts[mode].includes(address.origin) && address.username === '' && address.password === ''
  if (!isOurs) return stop(`The helper named an address outside the table: ${address.host}.`)
  return { kind: 'passed', origin: address.origin, path: address.pathname + address.search }
}

interface Money {
  readonly amountMinor: bigint
  readonly currency: string
}

const amounts = acquirerAmounts()

/** Null if the body asks for exactly this money, as far as the row knows where it stands. */
export function moneyFault(request: BuiltRequest, readBack: ReadBack | undefined, money: Money): string | null {
  // Without a way to look, the package's notion of minor units is trusted only where all acquirers agree on it.
  if (!readBack)
    return exponentOf(money.currency) === 2
      ? null
      : `Amounts in ${money.currency} cannot be verified for this acquirer.`
  const values = valuesOf(request)
  const amount = readAmount(values.get(readBack.amount), readBack.unit, money.currency)
  if (amount !== money.amountMinor) return 'The built request asks for another amount.'
  if (readBack.currency === undefined) return null
  const currency = values.get(readBack.currency)
  return currency?.toUpperCase() === money.currency ? null : 'The built request names another currency.'
}

function readAmount(text: string | undefined, unit: ReadBack['unit'], currency: string): bigint | null {
  if (text === undefined) return null
  if (unit === 'decimal') return amounts.fromDecimal(text, currency)
  return /^[0-9]{1,18}$/.test(text) ? BigInt(text) : null
}
