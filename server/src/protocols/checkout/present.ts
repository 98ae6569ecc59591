/** Answers of the Checkout API: members in the chapter's order; undefined members are left out. Chapter 30 §4. */
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { isPaid } from '#domain/payment/payment.ts'
import { selectFields } from '#domain/report-fields.ts'
import { fullName } from '../../payments/sessions/people.ts'
import type { AnswerFields } from '../kit/prepared.ts'
import { dateOf, reportedTransaction } from '../kit/reported-values.ts'
import { orderAnswer, orderStatus, reasonOf, transactionStatus } from './words.ts'

/** After a failed or unknown capture the hold is unchanged. */
export function captureAnswer(facts: PaymentFacts): AnswerFields {
  const transaction = reportedTransaction(facts)
  return {
    payment_id: facts.id,
    status: orderStatus(facts),
    trans_status: outcomeOf(facts),
    date: dateOf(facts, transaction.at),
    reason: transaction.state === 'fail' ? reasonOf(facts) : undefined,
  }
}

export function voidAnswer(facts: PaymentFacts): AnswerFields {
  const transaction = reportedTransaction(facts)
  return {
    status: outcomeOf(facts),
    payment_status: orderStatus(facts),
    reason: transaction.state === 'fail' ? reasonOf(facts) : undefined,
    payment_id: facts.id,
    date: dateOf(facts, transaction.at),
    order: orderAnswer(facts),
  }
}

/** `waiting` is reported as UNDEFINED, because the outcome is equally unknown to the caller. */
function outcomeOf(facts: PaymentFacts): 'SUCCESS' | 'FAIL' | 'UNDEFINED' {
  switch (transactionStatus(reportedTransaction(facts))) {
    case 'success':
      return 'SUCCESS'
    case 'fail':
      return 'FAIL'
    case 'waiting':
    case 'undefined':
      return 'UNDEFINED'
  }
}

/** Refund, retry and card credit: the outcome follows by callback. */
export const acceptedAnswer = ({ id }: PaymentFacts): AnswerFields => ({ payment_id: id, result: 'accepted' })

/** Deployed clients test for `declined` in this spelling. Chapter 30 §4.6. */
export function recurringAnswer(facts: PaymentFacts): AnswerFields {
  const { payer, status } = facts
  const name = fullName(payer)
  return {
    status: status === 'SETTLED' ? 'settled' : status === 'DECLINED' ? 'declined' : 'pending',
    reason: status === 'DECLINED' ? reasonOf(facts) : undefined,
    payment_id: facts.id,
    date: dateOf(facts, facts.createdAt),
    schedule_id: facts.schedule?.id,
    order: orderAnswer(facts),
    customer:
      name === null && payer.email === null ? undefined : { name: name ?? undefined, email: payer.email ?? undefined },
  }
}

export function statusAnswer(facts: PaymentFacts, mapping: ProtocolMapping): AnswerFields {
  const { payer, recurring, schedule, status } = facts
  const isChained = recurring !== null && (!recurring.init || isPaid(status))
  return {
    payment_id: facts.id,
    date: dateOf(facts, facts.createdAt),
    status: orderStatus(facts),
    reason: status === 'DECLINED' ? reasonOf(facts) : undefined,
    order: orderAnswer(facts),
    customer: { name: fullName(payer) ?? '', email: payer.email ?? '' },
    recurring_init_trans_id: isChained ? recurring.initTransId : undefined,
    recurring_token: isChained ? recurring.token : undefined,
    schedule_id: schedule?.id,
    schedule_start_date: schedule?.startDate ?? undefined,
    payment_schedule_amount: schedule?.amount ?? undefined,
    first_recurring_date: status === 'DECLINED' ? undefined : (schedule?.firstDate ?? undefined),
    digital_wallet: facts.digitalWallet ?? undefined,
    pan_type: facts.panType ?? undefined,
    moto_type: facts.motoType ?? undefined,
    ...Object.fromEntries(selectFields(mapping.addToStatus, facts, { protocol: 'CHECKOUT', place: 'status' })),
  }
}
