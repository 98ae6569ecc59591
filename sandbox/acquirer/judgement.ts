/** Decides one request: the money rules first, then a running scenario, then the trigger of the test card. */
import type { Book } from './book.ts'
import { refusal } from './charge.ts'
import type { FirstRequest, LaterRequest, TransactionRequest } from './request.ts'
import type { Fault } from './scenario.ts'
import {
  type Approved,
  approved,
  authenticationRequired,
  type Declined,
  payoutVerdict,
  type Trigger,
  triggerByKey,
  triggerFor,
  tryAgainLater,
  undecided,
  type Verdict,
} from './triggers.ts'

/** Nothing is decided before the payer has been at our page; `becomes` is what happens when he agrees. */
export interface AwaitingPayer {
  readonly state: 'redirect'
  readonly becomes: Approved | Declined
}

export interface Judgement {
  readonly trigger: string
  readonly verdict: Verdict | AwaitingPayer
  /** The first step of the charge that a later step works on. */
  readonly firstId: string | null
}

export function judge(request: TransactionRequest, group: string | null, book: Book, fault: Fault): Judgement {
  return request.step === 'first' ? judgeFirst(request, group, book, fault) : judgeLater(request, book, fault)
}

function judgeFirst(request: FirstRequest, group: string | null, book: Book, fault: Fault): Judgement {
  if (request.type === 'credit') {
    return { trigger: 'payout', verdict: forced(fault) ?? payoutVerdict(request.number), firstId: null }
  }
  const trigger = triggerFor(request.number, request.expiry)
  const verdict = forced(fault) ?? firstVerdict(trigger, request, group, book)
  return { trigger: trigger.key, verdict, firstId: null }
}

function firstVerdict(
  trigger: Trigger,
  request: FirstRequest,
  group: string | null,
  book: Book,
): Verdict | AwaitingPayer {
  if (!request.payerAbsent) {
    const asked = askedOfPayer(trigger, request)
    if (asked) return asked
  }

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

/** An authentication is made before we are asked; to our own page we send the browser ourselves, if there is one. */
function askedOfPayer({ payerStep, first }: Trigger, { returnUrl }: FirstRequest): Verdict | AwaitingPayer | undefined {
  if (payerStep !== '3ds' && payerStep !== 'redirect') return undefined
  const final = first.state === 'approved' || first.state === 'declined'
  if (payerStep === 'redirect' && returnUrl !== null && final) return { state: 'redirect', becomes: first }
  return authenticationRequired
}

function judgeLater(request: LaterRequest, book: Book, fault: Fault): Judgement {
  const charge = book.charge(request.original, request.reference)
  if (!charge || charge.first.record.mid !== request.mid || charge.first.record.paymentId !== request.paymentId) {
    return { trigger: 'other', verdict: refused('Original transaction is not known'), firstId: null }
  }
  const { id: firstId, trigger: key } = charge.first.record
  const reason = refusal(charge, request.type, BigInt(request.amount), request.currency)
  const verdict = reason === undefined ? (forced(fault) ?? laterVerdict(triggerByKey(key), request)) : refused(reason)
  return { trigger: key, verdict, firstId }
}

function laterVerdict({ later }: Trigger, { type }: LaterRequest): Verdict {
  switch (type) {
    case 'capture':
      return later.capture ?? approved
    case 'refund':
    case 'reverse':
      return later.creditvoid ?? approved
    case 'void':
      return later.void ?? approved
  }
}

function forced(fault: Fault): Verdict | undefined {
  if (fault.neverDecide) return undecided
  return fault.declineSoft ? tryAgainLater : undefined
}

function refused(reason: string): Declined {
  return { state: 'declined', reason, declineClass: 'hard' }
}
