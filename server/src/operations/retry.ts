/** RETRY: a recurring payment that was declined softly is charged once more, as the same payment. Chapter 10 §6, §7.7. */
import { errors } from '#domain/errors.ts'
import { decide } from '#domain/payment/decide.ts'
import { countedSince, hasRoom } from '#domain/payment/retry-budget.ts'
import type { PaymentRecord, TransactionRecord } from '../records.ts'
import { RefusedError } from '../refused-error.ts'
import { needOnChain } from './chain.ts'
import { charge } from './charge.ts'
import { chooseMid } from './choose-mid.ts'
import type { Deps } from './deps.ts'
import { type Performed, settle, today } from './perform.ts'
import { storedCharge } from './stored-charge.ts'
import { askIfForgotten, newTransaction } from './transaction.ts'

export interface RetryRequest {
  readonly payment: PaymentRecord
  readonly useId: string | null
}

/** Another command may change the payment between reading and writing; then it is read and decided anew. */
const beginTries = 5

export async function retry(deps: Deps, { payment, useId }: RetryRequest): Promise<Performed> {
  let read = payment
  for (let tries = 0; tries < beginTries; tries += 1) {
    const begun = await begin(deps, read, useId)
    if (begun) {
      const data = await storedCharge(deps, begun.payment)
      if (!data) throw new Error(`The card of payment ${payment.id} is gone.`)
      return settle(deps, begun.payment, begun.transaction, await charge(deps, begun.payment, begun.transaction, data))
    }
    const current = await deps.payments.find(payment.merchantId, payment.id)
    if (!current) throw new Error(`Payment ${payment.id} has disappeared.`)
    read = current
  }
  throw new RefusedError(errors.previousTransactionOpen)
}

async function begin(
  deps: Deps,
  read: PaymentRecord,
  useId: string | null,
): Promise<{ payment: PaymentRecord; transaction: TransactionRecord } | null> {
  const decision = decide(read, 'RETRY', {
    amountMinor: undefined,
    today: today(deps, read.midId === null ? null : deps.configuration.mid(read.midId)),
    retryBudget: await budgetLeft(deps, read),
  })
  if (!decision.allowed) throw new RefusedError(decision.refusal)

  const now = deps.clock.now()
  const payment = await routed(deps, read)
  const transaction = newTransaction(payment, {
    id: deps.ids.next(),
    type: decision.records,
    amountMinor: decision.amountMinor,
    midId: payment.midId,
    parameters: payment.parameters,
    creditvoidId: null,
    useId,
    createdAt: now,
  })
  const beginning = { payment, transaction, sentBy: deps.processNumber, askAt: askIfForgotten(now) }
  const written = await deps.payments.begin(beginning)
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  if (written === 'stale') return null
  const { id } = transaction
  const version = payment.version + 1
  return { payment: { ...payment, version, firstTransaction: id, openTransaction: id, inFlight: true }, transaction }
}

/** Only asked of a payment that could be retried otherwise: the count costs a look into the card's past. */
async function budgetLeft(deps: Deps, payment: PaymentRecord): Promise<boolean> {
  if (payment.status !== 'DECLINED' || !payment.recurring || payment.cardId === null) return true
  const now = deps.clock.now()
  const network = payment.facts.network ?? null
  const since = countedSince(network, now)
  if (since === null) return true
  return hasRoom(network, await deps.payments.retriesOfCard(payment.merchantId, payment.cardId, since), now)
}

/** The MID of the chain's first payment while it can do it, else a new choice; a MID in DMS mode then holds. Chapter 10 §7.6. */
async function routed(deps: Deps, payment: PaymentRecord): Promise<PaymentRecord & { readonly midId: string }> {
  const { protocol, kind, holds, amountMinor } = payment
  const { recurringFirst, network = null } = payment.facts
  const first = recurringFirst === undefined ? null : await deps.payments.find(payment.merchantId, recurringFirst)
  const need = { protocol, kind, auth: holds, network, amountMinor, chainMidId: first?.midId ?? null }
  const { choice, explanation } = await chooseMid(deps, payment.merchantId, needOnChain(payment, need), payment.id)
  return {
    ...payment,
    midId: choice.mid.id,
    mappingId: choice.mapping.id,
    holds: choice.holds,
    routing: explanation,
    // Chapter 10 §1.4: RETRY is exempt from "Reject duplicate orders". §7.1.9: its source is the chain, not the schedule.
    aloneInOrder: false,
    facts: {
      ...payment.facts,
      storedCredential: { initiator: 'merchant', sequence: 'subsequent', source: 'recurring' },
    },
  }
}
