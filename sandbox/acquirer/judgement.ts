/** Decides one request: the money rules first, then a running scenario, then the row that governs the payment. */
import type { Book } from './book.ts'
import { refusal } from './charge.ts'
import type { FirstRequest, LaterRequest, TransactionRequest } from './request.ts'
import { brandPayoutVerdict, identifierTrigger } from './triggers/brand-triggers.ts'
import type { Fault } from './triggers/scenario.ts'
import { chooseTrigger, triggerByKey } from './triggers/trigger-choice.ts'
import { payoutVerdict } from './triggers/triggers.ts'
import type { TokenRecord } from './triggers/wallet-triggers.ts'
import {
  type Approval,
  approval,
  authenticationRequired,
  type Decline,
  decline,
  endlessPending,
  type Trigger,
  tryAgainLater,
  type Verdict,
} from './verdict.ts'

/** The decision waits until the payer has visited our page or sent the money; `becomes` is the outcome then. */
export interface AwaitingPayer {
  readonly kind: 'awaits-payer'
  readonly state: 'redirect' | 'waiting'
  readonly becomes: Approval | Decline
}

/** The data for a judgement besides the request. */
interface Evidence {
  readonly book: Book
  readonly tokens: TokenRecord
  /** Hash of order and payment method, for rows that depend on earlier attempts; null for all other rows. */
  readonly group: string | null
  readonly fault: Fault
}

export interface Judgement {
  readonly trigger: string
  readonly verdict: Verdict | AwaitingPayer
  /** The first step of the charge that a later step works on. */
  readonly firstId: string | null
}

export function judge(request: TransactionRequest, evidence: Evidence): Judgement {
  return request.step === 'first' ? judgeFirst(request, evidence) : judgeLater(request, evidence)
}

function judgeFirst(request: FirstRequest, evidence: Evidence): Judgement {
  if (request.type === 'credit') return judgePayout(request, evidence)
  const trigger = chooseTrigger(request, evidence.tokens)
  const verdict = forcedVerdict(evidence.fault) ?? firstVerdict(trigger, request, evidence)
  return { trigger: trigger.key, verdict, firstId: null }
}

function judgePayout({ paymentMethod: { card, brand } }: FirstRequest, { fault }: Evidence): Judgement {
  const named = brand && identifierTrigger(brand.identifier)
  const verdict = named?.first ?? (brand ? brandPayoutVerdict(brand) : payoutVerdict(card?.number ?? ''))
  return { trigger: named?.key ?? 'payout', verdict: forcedVerdict(fault) ?? verdict, firstId: null }
}

function firstVerdict(trigger: Trigger, request: FirstRequest, { group, book }: Evidence): Verdict | AwaitingPayer {
  const payerStep = askedOfPayer(trigger, request)
  if (payerStep) return payerStep

  if (request.recurring === 'subsequent' && trigger.later.recurring) {
    const tried = book.recurringTries(request.paymentId) > 0
    return (tried && trigger.later.retry) || trigger.later.recurring
  }
  if (trigger.onFirstMid) {
    const firstMid = group === null ? undefined : book.firstMid(group)
    return firstMid === undefined || firstMid === request.mid ? trigger.onFirstMid : trigger.first
  }
  return trigger.first
}

function askedOfPayer({ payerStep, first }: Trigger, request: FirstRequest): Verdict | AwaitingPayer | undefined {
  if (payerStep === 'none' || payerStep === 'frictionless') return undefined
  const becomes = first.kind === 'decided' ? first : undefined
  if (payerStep === 'money') return becomes && { kind: 'awaits-payer', state: 'waiting', becomes }
  if (request.payerAbsent) return undefined
  if (becomes && request.returnUrl !== null && isAskedHere(payerStep, request)) {
    return { kind: 'awaits-payer', state: 'redirect', becomes }
  }
  return authenticationRequired
}

/**
 * The gateway authenticates the payer before it sends a payment, except for a wallet token that only the acquirer can open. The acquirer
 * redirects to its own page itself.
 */
function isAskedHere(payerStep: '3ds' | 'redirect', { paymentMethod: { wallet } }: FirstRequest): boolean {
  return payerStep === 'redirect' || typeof wallet?.token === 'string'
}

function judgeLater(request: LaterRequest, { book, fault }: Evidence): Judgement {
  const charge = book.charge(request.original, request.reference)
  if (!charge || charge.first.record.mid !== request.mid || charge.first.record.paymentId !== request.paymentId) {
    return { trigger: 'other', verdict: decline('hard', 'Original transaction is not known'), firstId: null }
  }
  const { id: firstId, trigger: key } = charge.first.record
  const reason = refusal(charge, request.type, BigInt(request.amount), request.currency)
  const verdict =
    reason === undefined ? (forcedVerdict(fault) ?? laterVerdict(triggerByKey(key), request)) : decline('hard', reason)
  return { trigger: key, verdict, firstId }
}

function laterVerdict({ later }: Trigger, { type }: LaterRequest): Verdict {
  switch (type) {
    case 'capture':
      return later.capture ?? approval
    case 'refund':
    case 'reverse':
      return later.creditvoid ?? approval
    case 'void':
      return later.void ?? approval
  }
}

function forcedVerdict(fault: Fault): Verdict | undefined {
  if (fault.neverDecide) return endlessPending
  return fault.declineSoft ? tryAgainLater : undefined
}
