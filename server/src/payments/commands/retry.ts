/** RETRY: a recurring payment with a soft decline is charged again, as the same payment. Chapter 10 §6, §7.7. */
import { errors } from '#domain/errors.ts'
import { decide } from '#domain/payment/decide.ts'
import type { TransactionType } from '#domain/payment/payment.ts'
import { hasRoom } from '#domain/routing/budget.ts'
import { countersOf, type LimitUse } from '#domain/routing/limit-use.ts'
import type { LimitClash } from '../../contracts/ports.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { countedTry } from '../attempt/cascade-opening.ts'
import { needOnChain } from '../attempt/chain.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { type Intent, prepareDeparture } from '../exchange/sending.ts'
import { today } from '../exchange/today.ts'
import { readStoredCharge } from '../methods/stored-charge.ts'
import { type PaymentWithTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { type ChosenMid, chooseMid } from '../routing/choose-mid.ts'
import { isLimitClash, limitUsesAt } from '../routing/limit-usage.ts'
import { type Placement, placePayment } from '../routing/placement.ts'

export interface RetryRequest {
  readonly payment: PaymentRecord
  readonly useId: string | null
  /** True refuses if the payment has changed since it was read. */
  readonly asRead?: boolean
}

export async function retry(
  deps: Deps,
  { payment, useId, asRead = false }: RetryRequest,
): Promise<PaymentWithTransaction> {
  const begun = await writeCurrent({
    record: payment,
    write: (current) => begin(deps, current, useId),
    read: asRead ? null : () => readCurrentPayment(deps, payment),
  })
  if (!begun) throw new RefusedError(errors.previousTransactionOpen)
  const outcome = await charge(deps, begun, begun.data)
  return settle(deps, begun, outcome, { ending: { reason: 'stays', because: 'retry' } })
}

async function begin(
  deps: Deps,
  read: PaymentRecord,
  useId: string | null,
): Promise<(Intent & { readonly data: ChargeData }) | null> {
  const decision = decide(read, 'RETRY', {
    amountMinor: undefined,
    today: today(deps, read.midId === null ? null : deps.configuration.mid(read.midId)),
    retryBudget: await hasBudgetLeft(deps, read),
  })
  if (!decision.allowed) throw new RefusedError(decision.refusal)
  // The card is missing if the payer's data has been erased.
  const data = await readStoredCharge(deps, read)
  if (!data) throw new RefusedError(errors.retryNotAllowed)

  const chosen = await chooseMids(deps, read)
  const begun = await placePayment<BeginResult>(chosen, 'retry', (placement) =>
    beginAt(deps, retryPlacement(deps, read, placement), decision, useId),
  )
  return begun.stale ? null : { ...begun, data }
}

type BeginResult = { readonly stale: true } | ({ readonly stale: false } & Intent)

async function beginAt(
  deps: Deps,
  { payment, limits }: RetryPlacement,
  { records: type, amountMinor }: { readonly records: TransactionType; readonly amountMinor: bigint },
  useId: string | null,
): Promise<BeginResult | LimitClash> {
  const now = deps.clock.now()
  const transaction = newTransaction(payment, {
    id: deps.ids.next(),
    type,
    amountMinor,
    midId: payment.midId,
    parameters: payment.parameters,
    creditvoidId: null,
    useId,
    createdAt: now,
  })
  const departure = await prepareDeparture(deps, payment.midId)
  const written = await deps.payments.begin({
    payment,
    transaction,
    sending: departure,
    limits,
    try: countedTry(deps, payment),
  })
  if (isLimitClash(written)) return written
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  // Concurrent attempts have used up the card's retry budget.
  if (written === 'budget-spent') throw new RefusedError(errors.retryNotAllowed)
  if (written === 'stale') return { stale: true }
  const { id } = transaction
  const version = payment.version + 1
  return {
    stale: false,
    payment: { ...payment, version, firstTransaction: id, openTransaction: id, inFlight: true },
    transaction,
    departure,
  }
}

/**
 * The budget is read only for a payment that could be retried otherwise, because that costs a query. An attempt that the
 * cascade has continued, or will continue, cannot be retried; only the newest attempt can.
 */
async function hasBudgetLeft(deps: Deps, payment: PaymentRecord): Promise<boolean> {
  if (payment.cascading !== null) return false
  if (payment.status !== 'DECLINED' || !payment.recurring) return true
  const tried = countedTry(deps, payment)
  return !tried || hasRoom(tried.windows, await deps.payments.listTriesOfCard(payment.merchantId, tried.cardId))
}

/** The MID of the chain's first payment comes first if it is available; a MID in DMS mode then holds the amount. Chapter 10 §7.6. */
async function chooseMids(deps: Deps, payment: PaymentRecord): Promise<ChosenMid> {
  const { protocol, kind, holds, amountMinor, customData } = payment
  const { recurringFirst, network = null } = payment.facts
  const first = recurringFirst === undefined ? null : await deps.payments.find(payment.merchantId, recurringFirst)
  const bin = payment.pan10?.slice(0, 6) ?? null
  const chainMidId = first?.midId ?? null
  const need = { protocol, kind, auth: holds, network, bin, customData, amountMinor, chainMidId }
  return chooseMid(deps, payment.merchantId, needOnChain(payment, need), payment.id)
}

interface RetryPlacement {
  readonly payment: PaymentRecord & { readonly midId: string }
  readonly limits: readonly LimitUse[]
}

function retryPlacement(deps: Deps, payment: PaymentRecord, { choice, explanation }: Placement): RetryPlacement {
  const limits = limitUsesAt(deps, choice, payment.currency)
  const { limits: _, cascade: __, cascadeEnd: ___, ...facts } = payment.facts
  return {
    limits,
    payment: {
      ...payment,
      midId: choice.mid.id,
      mappingId: choice.mapping.id,
      holds: choice.holds,
      routing: explanation,
      // Chapter 10 §1.4: RETRY is exempt from "Reject duplicate orders". §7.1.9: its source is the chain, not the schedule.
      aloneInOrder: false,
      facts: {
        ...facts,
        ...(limits.length > 0 ? { limits: countersOf(limits) } : {}),
        storedCredential: { initiator: 'merchant', sequence: 'subsequent', source: 'recurring' },
      },
    },
  }
}
