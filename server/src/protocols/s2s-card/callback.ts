/** Callbacks of S2S CARD: the fields of chapter 10 §11.2 in their order, signed by Formula 2. */

import { formatExpiry } from '#domain/card.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { selectCallbackFields } from '#domain/report-fields.ts'
import { cardFormulas, type Formula, type SigningKey, sign } from '#domain/signature/signature.ts'
import type { TextTree } from '../kit/bodies/form.ts'
import {
  amountOf,
  chargebackFields,
  dateOf,
  exchangeFields,
  reportedTransaction,
  textTreeOf,
} from '../kit/reported-values.ts'
import { knownFirstDate, resultOf } from './present.ts'

/** The parameters of the callback for `facts.transaction`; fields without a value are left out. */
export function cardCallbackFields(facts: PaymentFacts, mapping: ProtocolMapping, key: SigningKey): TextTree {
  const transaction = reportedTransaction(facts)
  return textTreeOf({
    action: actionOf(facts),
    result: resultOf(transaction),
    status: facts.status,
    order_id: facts.order.id,
    trans_id: facts.id,
    hash: sign(...signedBy(facts), key),
    ...ofAction(facts),
    custom_data: facts.customData ?? undefined,
    ...(transaction.state === 'success' ? exchangeFields(facts) : {}),
    ...Object.fromEntries(selectCallbackFields(mapping, facts, { protocol: 'S2S_CARD' })),
  })
}

/**
 * Formula 2, for a payout Formula 6. A wallet in virtual flow has no card term, a payment without an e-mail no e-mail
 * term, and the e-mail of a payout never takes part.
 */
function signedBy(facts: PaymentFacts): readonly [Formula, Readonly<Record<string, string | undefined>>] {
  const values = { trans_id: facts.id, pan10: facts.card?.pan10 }
  if (facts.kind === 'credit') return [cardFormulas.creditFollowUp, values]
  return [cardFormulas.followUp, { ...values, email: facts.payer.email ?? undefined }]
}

/** Callbacks carry the long form of the action; refunds and reversals are reported as CREDITVOID. */
function actionOf(facts: PaymentFacts): string {
  switch (reportedTransaction(facts).type) {
    case 'CAPTURE':
    case 'VOID':
    case 'CHARGEBACK':
      return reportedTransaction(facts).type
    case 'REFUND':
    case 'REVERSAL':
      return 'CREDITVOID'
    default:
      return facts.action
  }
}

function ofAction(facts: PaymentFacts): Readonly<Record<string, unknown>> {
  const transaction = reportedTransaction(facts)
  const declineReason = transaction.state === 'fail' ? facts.declineReason : undefined
  switch (transaction.type) {
    case 'REFUND':
    case 'REVERSAL':
      return {
        creditvoid_id: transaction.creditvoidId,
        creditvoid_date: dateOf(facts, transaction.at),
        amount: amountOf(facts, transaction.amountMinor),
        decline_reason: declineReason,
      }
    case 'VOID':
      return { trans_date: dateOf(facts, transaction.at), decline_reason: declineReason }
    case 'CAPTURE':
      return { ...moneyOf(facts), decline_reason: declineReason }
    case 'CREDIT':
      return payoutOf(facts)
    case 'CHARGEBACK':
      return chargebackFields(facts)
    default:
      return { ...moneyOf(facts), decline_reason: declineReason, ...ofPayment(facts) }
  }
}

/** As the answer of a payout: no amount, no currency. Chapter 10 §7.8. */
function payoutOf(facts: PaymentFacts): Readonly<Record<string, unknown>> {
  const { state, at } = reportedTransaction(facts)
  return {
    trans_date: dateOf(facts, at),
    descriptor: state === 'fail' ? undefined : facts.descriptor,
    decline_reason: state === 'fail' ? facts.declineReason : undefined,
  }
}

const moneyOf = (facts: PaymentFacts) => ({
  trans_date: dateOf(facts, reportedTransaction(facts).at),
  descriptor: facts.descriptor,
  amount: amountOf(facts, reportedTransaction(facts).amountMinor),
  currency: facts.order.currency,
})

function ofPayment(facts: PaymentFacts): Readonly<Record<string, unknown>> {
  const paid = reportedTransaction(facts).state === 'success'
  const showsCard = paid || (facts.kind === 'debit' && facts.paidWithToken)
  const { card } = facts
  const expiry = card?.expiryMonth && card.expiryYear ? { month: card.expiryMonth, year: card.expiryYear } : null
  return {
    ...(resultOf(reportedTransaction(facts)) === 'REDIRECT' ? redirectOf(facts) : {}),
    card: showsCard ? card?.mask : undefined,
    card_expiration_date: showsCard && expiry ? formatExpiry(expiry) : undefined,
    card_token: paid && facts.reqToken ? facts.cardToken : undefined,
    ...recurringOf(facts, paid),
    digital_wallet: facts.digitalWallet,
    pan_type: facts.panType,
    moto_type: facts.motoType,
  }
}

/** The first payment of a chain carries the chain's fields once it has succeeded; later payments always do. Chapter 10 §11.2. */
function recurringOf(facts: PaymentFacts, paid: boolean): Readonly<Record<string, unknown>> {
  const { recurring, schedule } = facts
  const tellsChain = recurring !== null && (paid || !recurring.init)
  return {
    recurring_init_trans_id: tellsChain ? recurring.initTransId : undefined,
    recurring_token: tellsChain ? recurring.token : undefined,
    schedule_id: schedule?.id,
    schedule_start_date: schedule?.startDate,
    payment_schedule_amount: schedule?.amount,
    first_recurring_date: knownFirstDate(facts),
  }
}

/** The shape of `/post`, as bracket keys. Chapter 10 §8.2. */
const redirectOf = ({ redirect }: PaymentFacts) => ({
  redirect_url: redirect?.url,
  redirect_params: redirect?.params,
  redirect_method: redirect?.method,
})
