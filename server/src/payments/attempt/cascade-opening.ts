/** Writes a cascade's next attempt, or returns why it could not be written. Chapter 50 §4. */
import { openWindows, spentWindow } from '#domain/routing/budget.ts'
import type { Ending } from '#domain/routing/ending.ts'
import type { LimitClash, OpenResult } from '../../contracts/ports.ts'
import type { CardTry, PaymentRecord } from '../../contracts/records.ts'
import type { ChargeData } from '../exchange/charge.ts'
import { type Departure, localDeparture, prepareDeparture } from '../exchange/sending.ts'
import { sealSameParameters } from '../methods/prepare-brand.ts'
import { sealWallet } from '../methods/stored-wallet.ts'
import type { Deps } from '../request/deps.ts'
import { isLimitClash } from '../routing/limit-usage.ts'
import type { DraftedPayment } from './draft.ts'

export type NextOpening =
  | { readonly kind: 'opened'; readonly departure: Departure }
  | { readonly kind: 'clash'; readonly limit: LimitClash }
  | { readonly kind: 'ended'; readonly ending: Ending }

/** Token uses and card were stored with the first attempt; data that may have to be sent again is sealed with every attempt. */
export async function openNext(
  deps: Deps,
  former: PaymentRecord,
  { payment, transaction, limits }: DraftedPayment,
  { data, isTry }: { readonly data: ChargeData; readonly isTry: boolean },
): Promise<NextOpening> {
  const { wallet } = data
  const sealed = await (wallet ? sealWallet(deps, former.merchantId, wallet) : sealSameParameters(deps, payment, data))
  const departure = transaction.type === '3DS' ? localDeparture(deps) : await prepareDeparture(deps, transaction.midId)
  const written = await deps.payments.open({
    payment,
    card: null,
    transaction,
    sending: departure,
    sealedData: sealed ?? null,
    follows: { id: former.id, version: former.version },
    limits,
    try: isTry ? countedTry(deps, payment) : null,
  })
  if (written === 'opened') return { kind: 'opened', departure }
  if (isLimitClash(written)) return { kind: 'clash', limit: written }
  return { kind: 'ended', ending: await findEnding(deps, payment, written) }
}

/** Null if tries are not counted: no stored card, or a network without a limit. Chapter 50 §4. */
export function countedTry(deps: Deps, { cardId, facts }: PaymentRecord): CardTry | null {
  const windows = openWindows(deps.retryBudgets, facts.network ?? null, deps.clock.now())
  return cardId === null || windows.length === 0 ? null : { cardId, windows }
}

async function findEnding(
  deps: Deps,
  payment: PaymentRecord,
  written: Exclude<OpenResult, 'opened' | LimitClash>,
): Promise<Ending> {
  if (written === 'budget-spent') return endSpentBudget(deps, payment)
  // Used only if the process that ended the cascade has not stored its own reason.
  return { reason: written === 'cascade-ended' ? 'process-ended' : 'order-taken' }
}

async function endSpentBudget(
  deps: Deps,
  { merchantId, cardId, facts: { network = '' } }: PaymentRecord,
): Promise<Ending> {
  const tries = cardId === null ? [] : await deps.payments.listTriesOfCard(merchantId, cardId)
  const window = spentWindow(deps.retryBudgets, network, tries, deps.clock.now())
  return { reason: 'budget-spent', network, ...(window ? { window } : {}) }
}
