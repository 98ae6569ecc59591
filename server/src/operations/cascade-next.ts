/**
 * The next attempt of a cascade: the declined payment once more, at another MID or with 3-D Secure. Chapter 10 §6.2.
 *
 * It is written only where the limits have room and the card's network grants one more try. What only memory holds, the
 * verification code, goes with it as long as the same process carries on.
 */
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import { openWindows } from '#domain/routing/budget.ts'
import type { Following } from '#domain/routing/cascade.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { CardTry, PaymentRecord, TransactionRecord } from '../records.ts'
import { outcomeOf, threeDsOf } from './authenticate.ts'
import { keptParameters } from './brand-means.ts'
import { stepUp } from './cascade-authentication.ts'
import { nextDraft } from './cascade-draft.ts'
import { type ChargeData, charge } from './charge.ts'
import type { Deps } from './deps.ts'
import type { Drafted } from './draft.ts'
import { keepWallet } from './kept-wallet.ts'
import { isLimitClash } from './limit-usage.ts'
import { type Performed, settle } from './perform.ts'
import { collectorUrl } from './return-url.ts'
import { askIfForgotten } from './transaction.ts'

/** A charge with its outcome, or a payer who was sent away. */
export type Next =
  | { readonly performed: Performed }
  | {
      readonly payment: PaymentRecord
      readonly transaction: TransactionRecord
      readonly outcome: Outcome
      readonly data: ChargeData
    }

export interface Wish {
  readonly follows: Exclude<Following, 'end'>
  /** Whether the card's network counts it: the attempt before was declined, and not merely never made. */
  readonly isTry: boolean
}

/** Null when no attempt could be written: then the cascade is over. */
export async function nextAttempt(
  deps: Deps,
  former: PaymentRecord,
  data: ChargeData,
  { follows, isTry }: Wish,
): Promise<Next | null> {
  const again = follows === 'step-up' ? await authenticatedAttempt(deps, former, data) : 'pointless'
  if (again !== 'pointless') return again

  for (const [index, { midId, mappingId, holds }] of (former.facts.cascade?.left ?? []).entries()) {
    const place = placeOf(deps, former.merchantId, midId, mappingId)
    if (!place) continue
    const draft = nextDraft(deps, former, { ...place, holds }, index + 1)
    const written = await open(deps, former, draft, data, isTry)
    if (isLimitClash(written)) continue
    return written === 'opened' ? charged(deps, draft, data) : null
  }
  return null
}

/** The same MID once more. What the issuer said is asked for before anything is written, as in a first step. */
async function authenticatedAttempt(
  deps: Deps,
  former: PaymentRecord,
  data: ChargeData,
): Promise<Next | null | 'pointless'> {
  const { midId, mappingId, holds } = former
  const place = midId && mappingId ? placeOf(deps, former.merchantId, midId, mappingId) : null
  if (!place) return 'pointless'
  const charge = nextDraft(deps, former, { ...place, holds }, 0)
  const answer = await stepUp(deps, charge.payment, data)
  if (!answer) return 'pointless'
  const draft = proved(charge, threeDsOf(answer))
  if (answer.result === 'authenticated') {
    if ((await open(deps, former, draft, data)) !== 'opened') return null
    return charged(deps, draft, { ...data, threeDs: answer.data })
  }
  const waiting = { ...draft, transaction: { ...draft.transaction, type: '3DS' as const } }
  if ((await open(deps, former, waiting, data)) !== 'opened') return null
  const { payment, transaction } = waiting
  return { performed: await settle(deps, payment, transaction, outcomeOf(answer, collectorUrl(deps, payment))) }
}

const proved = (draft: Drafted, threeDs: ReturnType<typeof threeDsOf>): Drafted => ({
  ...draft,
  payment: { ...draft.payment, facts: { ...draft.payment.facts, ...threeDs } },
})

async function charged(deps: Deps, { payment, transaction }: Drafted, data: ChargeData): Promise<Next> {
  return { payment, transaction, data, outcome: await charge(deps, payment, transaction, data) }
}

/** Null for a MID that was switched off, or began to fail, since it was put into the order. */
function placeOf(
  { configuration, standings }: Deps,
  merchantId: string,
  midId: string,
  mappingId: string,
): { readonly mid: Mid; readonly mapping: MerchantMapping } | null {
  const place = configuration.candidates(merchantId).find(({ mapping }) => mapping.id === mappingId)
  if (!place || place.mid.id !== midId || !place.mid.enabled || !place.mapping.enabled) return null
  return standings.admits(midId) ? place : null
}

/** Token and card are kept already; what an acquirer may have to be sent once more is sealed with every attempt. */
async function open(
  deps: Deps,
  former: PaymentRecord,
  { payment, transaction, limits }: Drafted,
  data: ChargeData,
  isTry = true,
) {
  const { wallet } = data
  const kept = await (wallet ? keepWallet(deps, former.merchantId, wallet) : keptParameters(deps, payment, data))
  const written = await deps.payments.open({
    payment,
    card: null,
    transaction,
    sentBy: deps.processNumber,
    askAt: askIfForgotten(transaction.createdAt),
    kept: kept ?? null,
    follows: { id: former.id, version: former.version },
    limits,
    try: isTry ? tryOf(deps, payment) : null,
  })
  if (written === 'budget-spent')
    deps.log.info({ paymentId: former.id }, 'The cascade ends: the card has no try left at its network.')
  return written
}

/** Null where nobody counts: no card that is kept, or a network that grants any number. Chapter 50 §4. */
export function tryOf(deps: Deps, { cardId, facts }: PaymentRecord): CardTry | null {
  const windows = openWindows(deps.retryBudgets, facts.network ?? null, deps.clock.now())
  return cardId === null || windows.length === 0 ? null : { cardId, windows }
}
