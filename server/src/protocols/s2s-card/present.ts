/** Answers of S2S CARD: fields in the chapter's order; what is undefined is left out. Chapter 10 §7.1.3, §7.3, §7.4, §7.10. */
import type { PaymentFacts, TransactionFacts } from '#domain/payment/facts.ts'
import { isPaid } from '#domain/payment/payment.ts'
import { selectFields } from '#domain/report-fields.ts'
import type { Caller } from '../kit/action.ts'
import type { AnswerFields } from '../kit/prepared.ts'
import { amountOf, dateOf, moneyBack, reportedTransaction, transactionRows } from '../kit/reported-values.ts'

type ResultWord = 'SUCCESS' | 'DECLINED' | 'REDIRECT' | 'UNDEFINED' | 'WAITING'

/** From transaction to result: chapter 10 §5.4. One still being sent shows as undefined. */
export function resultOf({ type, state }: TransactionFacts): ResultWord {
  switch (state) {
    case 'success':
      return 'SUCCESS'
    case 'fail':
      return 'DECLINED'
    case 'waiting':
      return moneyBack.includes(type) ? 'WAITING' : 'REDIRECT'
    case 'undefined':
    case 'sent':
      return 'UNDEFINED'
  }
}

/** The first fields of every answer of a payment. */
const heading = (action: string, facts: PaymentFacts): AnswerFields => ({
  action,
  result: resultOf(reportedTransaction(facts)),
  status: facts.status,
  order_id: facts.order.id,
  trans_id: facts.id,
})

/** SALE and its relatives; CAPTURE has the same shape with the captured amount. */
export function paymentAnswer(facts: PaymentFacts, caller: Caller): AnswerFields {
  const transaction = reportedTransaction(facts)
  return {
    ...chargeFields(facts, facts.action),
    recurring_token: startedToken(facts, transaction.state === 'success'),
    ...scheduleAnswer(facts, knownFirstDate(facts)),
    card_token: facts.reqToken && transaction.state === 'success' ? (facts.cardToken ?? undefined) : undefined,
    ...(resultOf(transaction) === 'REDIRECT' ? redirectAnswer(facts, caller.path) : {}),
    digital_wallet: facts.digitalWallet ?? undefined,
    pan_type: facts.panType ?? undefined,
    moto_type: facts.motoType ?? undefined,
  }
}

function chargeFields(facts: PaymentFacts, action: string): AnswerFields {
  const transaction = reportedTransaction(facts)
  return {
    ...heading(action, facts),
    trans_date: dateOf(facts, transaction.at),
    descriptor: facts.descriptor ?? undefined,
    amount: amountOf(facts, transaction.amountMinor),
    currency: facts.order.currency,
    decline_reason: transaction.state === 'fail' ? (facts.declineReason ?? undefined) : undefined,
  }
}

/** Only the first payment of a chain carries its token, once it has started the chain. */
const startedToken = ({ recurring }: PaymentFacts, started: boolean): string | undefined =>
  recurring?.init && started ? recurring.token : undefined

const scheduleAnswer = ({ schedule }: PaymentFacts, firstDate: string | undefined): AnswerFields => ({
  schedule_id: schedule?.id,
  first_recurring_date: firstDate,
  schedule_start_date: schedule?.startDate ?? undefined,
  payment_schedule_amount: schedule?.amount ?? undefined,
})

/** Chapter 10 §7.1.3: with success, or at once when the merchant itself chose the date; a decline has none. */
export function knownFirstDate(facts: PaymentFacts): string | undefined {
  return resultOf(reportedTransaction(facts)) === 'DECLINED' ? undefined : (facts.schedule?.firstDate ?? undefined)
}

/** `/v2/post` lists the parameters, `/post` names them and leaves the key out when there are none. Chapter 10 §8.2. */
function redirectAnswer({ redirect }: PaymentFacts, path: string): AnswerFields {
  if (!redirect) return {}
  const params = Object.entries(redirect.params)
  const named = params.length === 0 ? undefined : redirect.params
  return {
    redirect_url: redirect.url,
    redirect_params: path === '/v2/post' ? params.map(([name, value]) => ({ name, value })) : named,
    redirect_method: redirect.method,
  }
}

/** CREDIT2CARD: no amount and no currency; the descriptor is missing from a decline. Chapter 10 §7.8. */
export function payoutAnswer(facts: PaymentFacts): AnswerFields {
  const { state, at } = reportedTransaction(facts)
  return {
    ...heading(facts.action, facts),
    trans_date: dateOf(facts, at),
    descriptor: state === 'fail' ? undefined : (facts.descriptor ?? undefined),
    decline_reason: state === 'fail' ? (facts.declineReason ?? undefined) : undefined,
  }
}

export const captureAnswer = (facts: PaymentFacts): AnswerFields => chargeFields(facts, 'CAPTURE')

export function voidAnswer(facts: PaymentFacts): AnswerFields {
  const transaction = reportedTransaction(facts)
  return {
    ...heading('VOID', facts),
    trans_date: dateOf(facts, transaction.at),
    decline_reason: transaction.state === 'fail' ? (facts.declineReason ?? undefined) : undefined,
  }
}

/** Four fields and no status: the outcome follows by callback. */
export const acceptedAnswer = (action: string, facts: PaymentFacts): AnswerFields => ({
  action,
  result: 'ACCEPTED',
  trans_id: facts.id,
  order_id: facts.order.id,
})

/** RETRY: as for CREDITVOID the outcome follows by callback. Chapter 10 §7.7. */
export const retryAnswer = (facts: PaymentFacts): AnswerFields => ({
  action: 'RETRY',
  result: 'ACCEPTED',
  order_id: facts.order.id,
  trans_id: facts.id,
})

/** GET_TRANS_STATUS and GET_TRANS_STATUS_BY_ORDER. */
export const statusAnswer = (action: string, facts: PaymentFacts, caller: Caller): AnswerFields => ({
  ...statusFields(action, facts),
  ...selectedFields(facts, caller),
})

const selectedFields = (facts: PaymentFacts, { mapping }: Caller): AnswerFields =>
  Object.fromEntries(selectFields(mapping.addToStatus, facts, { protocol: 'S2S_CARD', place: 'status' }))

/** The result is that of the look-up, not of the payment. */
function statusFields(action: string, facts: PaymentFacts): AnswerFields {
  return {
    action,
    result: 'SUCCESS',
    status: facts.status,
    order_id: facts.order.id,
    trans_id: facts.id,
    decline_reason: facts.status === 'DECLINED' ? (facts.declineReason ?? undefined) : undefined,
    recurring_token: startedToken(facts, isPaid(facts.status)),
    ...scheduleAnswer(facts, facts.status === 'DECLINED' ? undefined : (facts.schedule?.firstDate ?? undefined)),
    digital_wallet: facts.digitalWallet ?? undefined,
    pan_type: facts.panType ?? undefined,
    moto_type: facts.motoType ?? undefined,
  }
}

export function detailsAnswer(facts: PaymentFacts, caller: Caller): AnswerFields {
  const { firstName, lastName, email } = facts.payer
  const name = [firstName, lastName].filter((part) => part !== null).join(' ')
  return {
    ...statusFields('GET_TRANS_DETAILS', facts),
    name: name === '' ? undefined : name,
    mail: email ?? undefined,
    ip: facts.ip ?? undefined,
    amount: facts.order.amountMinor === null ? undefined : amountOf(facts, facts.order.amountMinor),
    currency: facts.order.currency,
    card: facts.card?.mask,
    ...selectedFields(facts, caller),
    transactions: transactionRows(facts),
  }
}
