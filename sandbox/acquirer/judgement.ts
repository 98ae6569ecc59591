/** Decides one request: the money rules first, then a running scenario, then the trigger of the test card. */
import type { Book } from './book.ts'
import { refusal } from './charge.ts'
import type { FirstRequest, LaterRequest, TransactionRequest } from './request.ts'
import type { Fault } from './scenario.ts'
import {
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

export interface Judgement {
  readonly trigger: string
  readonly verdict: Verdict
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

function firstVerdict(trigger: Trigger, request: FirstRequest, group: string | null, book: Book): Verdict {
  const asksPayer = trigger.payerStep === '3ds' || trigger.payerStep === 'redirect'
  if (asksPayer && !request.payerAbsent) return authenticationRequired

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
