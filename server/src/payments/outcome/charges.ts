/**
 * Adds what the operator charges the merchant for a transaction and keeps in reserve. Written by the statement of the outcome, so that each
 * outcome is charged exactly once. See decisions/statements#charges.
 */

import type { Entry } from '#domain/money/ledger.ts'
import { chargesOf, pricedKindOf, priceListOn } from '#domain/pricing/price-list.ts'
import { utcDay } from '#domain/time.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

interface Movement {
  /** The entries of the transaction itself; none if it was declined or is still open. */
  readonly moved: readonly Entry[]
  readonly at: Date
}

export function withCharges(
  { configuration }: Pick<Deps, 'configuration'>,
  { merchantId, mode, currency, facts }: PaymentRecord,
  { type, midId, amountMinor }: TransactionRecord,
  { moved, at }: Movement,
): readonly Entry[] {
  const kind = mode === 'live' ? pricedKindOf(type, moved) : null
  const list = kind && priceListOn(configuration.priceLists(merchantId), utcDay(at))
  if (!kind || !list) return moved
  const issuerCountry = facts.acquirer?.issuerCountry ?? facts.issuer?.country ?? null
  const network = facts.network ?? facts.brand?.code ?? null
  return [...moved, ...chargesOf(list, { kind, midId, network, issuerCountry, currency, amountMinor })]
}
