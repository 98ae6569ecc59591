/** A session with the data that decides which actions it allows. Chapter 30 §7.2. */
import { type Attempt, isAttemptOpen, type SessionState, sessionState } from '#domain/checkout/session.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant } from '#domain/merchant.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import type { Deps } from '../request/deps.ts'

export interface SessionContext {
  readonly session: SessionRecord
  readonly merchant: Merchant
  readonly mapping: ProtocolMapping
  /** Newest first. */
  readonly payments: readonly PaymentRecord[]
  readonly state: SessionState
  /** The operator's table of crypto currencies. */
  readonly crypto: Exponents
}

/** Null if the merchant has been blocked or has lost Checkout since: the session can no longer be paid. */
export async function loadSessionContext(deps: Deps, session: SessionRecord): Promise<SessionContext | null> {
  const merchant = deps.configuration.merchant(session.merchantId)
  const mapping = deps.configuration.mapping(session.merchantId, 'CHECKOUT')
  if (!merchant || merchant.status === 'blocked' || !mapping) return null
  // A cascade is one attempt of the payer; its last payment has the result. Chapter 10 §6.2, chapter 30 §7.8.
  const payments = (await deps.sessions.listPayments(session)).filter(({ cascading }) => cascading !== 'continued')
  const attempts = await Promise.all(payments.map((payment) => readAttempt(deps, payment)))
  const facts = { attempts, maxDeclines: mapping.maxDeclines, expiresAt: session.expiresAt }
  const state = sessionState(facts, deps.clock.now())
  const shown = withAmountOfAttempt(session, state, payments[0])
  return { session: shown, merchant, mapping, payments, state, crypto: deps.configuration.cryptoCurrencies() }
}

/** While an attempt of another visitor of the link is open or has paid, every visitor sees its amount. */
function withAmountOfAttempt(
  session: SessionRecord,
  state: SessionState,
  attempt: PaymentRecord | undefined,
): SessionRecord {
  const amount = attempt?.facts.amountAsSent
  const isTheirs = session.visitorAmount !== undefined && (isAttemptOpen(state) || state === 'complete')
  return isTheirs && amount !== undefined ? withOrderAmount(session, amount) : session
}

/** The session with another amount than the stored one. */
export const withOrderAmount = (session: SessionRecord, amount: string): SessionRecord => ({
  ...session,
  request: { ...session.request, order: { ...session.request.order, amount } },
})

async function readAttempt(deps: Deps, payment: PaymentRecord): Promise<Attempt> {
  const { holds, facts, declineReason } = payment
  const brand = facts.brand !== undefined
  // Declined, and the cascade's next attempt is being sent.
  if (payment.cascading === 'continues')
    return { status: 'PREPARE', holds, declineReason, openTransaction: 'sent', brand }
  return { status: payment.status, holds, declineReason, openTransaction: await openState(deps, payment), brand }
}

/** Only open attempts matter here; an open refund does not affect the session. */
async function openState(deps: Deps, payment: PaymentRecord): Promise<Attempt['openTransaction']> {
  const { merchantId, id, openTransaction, status } = payment
  if (openTransaction === null || status === 'DECLINED' || status === 'SETTLED') return null
  const transactions = await deps.payments.listTransactions(merchantId, id)
  const state = transactions.find((transaction) => transaction.id === openTransaction)?.state ?? null
  return state === 'waiting' && (await isBack(deps, payment)) ? 'sent' : state
}

/** The payer has returned from the step, and its result is being read: there is nothing left for the payer to confirm. */
async function isBack(deps: Deps, payment: PaymentRecord): Promise<boolean> {
  if (payment.status !== '3DS' && payment.status !== 'REDIRECT') return false
  const step = await deps.steps.findNewest(payment)
  return step !== null && step.state !== 'waiting'
}
