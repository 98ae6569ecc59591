/** Callbacks of S2S APM: the fields of chapter 20 §6.6 and §7–§12 in the order of §16, signed by C1, C2 or C3. */
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { selectCallbackFields } from '#domain/report-fields.ts'
import { apmFormulas, type SigningKey, sign, signTree } from '#domain/signature/signature.ts'
import type { TextTree } from '../kit/bodies/form.ts'
import {
  amountOf,
  chargebackFields,
  dateOf,
  exchangeFields,
  reportedTransaction,
  textTreeOf,
} from '../kit/reported-values.ts'
import {
  captureFields,
  commissionOf,
  declineReason,
  heading,
  isSentAway,
  orderAmountFields,
  type ResultWord,
  resultOf,
  waitingFor,
  walletOf,
} from './present.ts'

type Fields = Readonly<Record<string, unknown>>

/** The parameters of the callback for `facts.transaction`; fields without a value are left out. */
export function apmCallbackFields(facts: PaymentFacts, mapping: ProtocolMapping, key: SigningKey): TextTree {
  const action = actionOf(facts)
  const head = textTreeOf(heading(action, resultIn(facts), facts))
  const rest = textTreeOf({ ...ofAction(facts), ...mappedData(facts, mapping) })
  return { ...head, hash: hashOf(action, facts, { ...head, ...rest }, key), ...rest }
}

/** C2 for payouts, C3 for sales in crypto money, C1 for everything else. Chapter 20 §4.2. */
function hashOf(action: string, facts: PaymentFacts, fields: TextTree, key: SigningKey): string {
  const values = { trans_id: facts.id, order_id: facts.order.id, status: facts.status }
  if (facts.kind === 'credit') return sign(apmFormulas.payoutCallback, values, key)
  if (action === 'SALE' && facts.brandDocument === 'payment_document_crypto') {
    return sign(apmFormulas.cryptoCallback, { trans_id: facts.id, payer_email: facts.payer.email ?? undefined }, key)
  }
  return signTree(fields, key)
}

/** A calculated debit is reported as DEBIT2VIRTUAL_CALC until it is completed. Chapter 20 §12.3. */
function actionOf(facts: PaymentFacts): string {
  const { type } = reportedTransaction(facts)
  switch (type) {
    case 'CAPTURE':
    case 'VOID':
    case 'CHARGEBACK':
      return type
    case 'REFUND':
    case 'REVERSAL':
      return 'CREDITVOID'
    case 'CALC':
      return 'DEBIT2VIRTUAL_CALC'
    default:
      return facts.kind === 'debit' ? 'DEBIT2VIRTUAL' : facts.action
  }
}

/** A sale that waits for money is reported as INIT here, while its answer says SUCCESS. Chapter 20 §6.6. */
function resultIn(facts: PaymentFacts): ResultWord {
  const begins = facts.kind === 'sale' && facts.status === 'PENDING' && reportedTransaction(facts).state === 'waiting'
  return begins && reportedTransaction(facts).type === 'SALE' ? 'INIT' : resultOf(facts)
}

function ofAction(facts: PaymentFacts): Fields {
  const { type, at } = reportedTransaction(facts)
  switch (type) {
    case 'REFUND':
    case 'REVERSAL':
      return refundOf(facts)
    case 'VOID':
      return { trans_date: dateOf(facts, at), decline_reason: declineReason(facts) }
    case 'CAPTURE':
      return { trans_date: dateOf(facts, at), ...captureFields(facts), decline_reason: declineReason(facts) }
    case 'CHARGEBACK':
      return chargebackFields(facts)
    default:
      return { ...ofFirstStep(facts), custom_data: facts.customData }
  }
}

function ofFirstStep(facts: PaymentFacts): Fields {
  switch (facts.kind) {
    case 'credit':
      return payoutOf(facts)
    case 'debit':
      return debitOf(facts)
    default:
      return saleOf(facts)
  }
}

/** A redirect has no descriptor, and the decline reason comes before the amount. Chapter 20 §6.6. */
function saleOf(facts: PaymentFacts): Fields {
  return {
    trans_date: dateOf(facts, reportedTransaction(facts).at),
    descriptor: isSentAway(facts) ? undefined : facts.descriptor,
    decline_reason: declineReason(facts),
    ...redirectFields(facts),
    ...orderAmountFields(facts),
    ...(reportedTransaction(facts).state === 'success' ? exchangeFields(facts) : {}),
    ...waitingFor(facts),
    ...walletOf(facts),
  }
}

const payoutOf = (facts: PaymentFacts): Fields => ({
  trans_date: dateOf(facts, reportedTransaction(facts).at),
  descriptor: facts.action === 'CREDIT2CRYPTO' ? facts.descriptor : undefined,
  ...orderAmountFields(facts),
  decline_reason: declineReason(facts),
})

const debitOf = (facts: PaymentFacts): Fields => ({
  trans_date: dateOf(facts, reportedTransaction(facts).at),
  descriptor: facts.descriptor,
  ...orderAmountFields(facts),
  ...commissionOf(facts),
  decline_reason: declineReason(facts),
  ...redirectFields(facts),
})

/** A failed refund has neither date nor amount. Chapter 20 §8. */
function refundOf(facts: PaymentFacts): Fields {
  const { state, at, amountMinor, creditvoidId } = reportedTransaction(facts)
  if (state === 'fail') return { creditvoid_id: creditvoidId, decline_reason: declineReason(facts) }
  return {
    creditvoid_id: creditvoidId,
    creditvoid_date: dateOf(facts, at),
    amount: amountOf(facts, amountMinor),
  }
}

function redirectFields(facts: PaymentFacts): Fields {
  const redirect = isSentAway(facts) ? facts.redirect : null
  return redirect
    ? { redirect_url: redirect.url, redirect_params: redirect.params, redirect_method: redirect.method }
    : {}
}

/** Follow-ups carry it only with their success. Chapter 20 §7, §8, §9. */
function mappedData(facts: PaymentFacts, mapping: ProtocolMapping): Fields {
  const { type, state } = reportedTransaction(facts)
  const followUp = ['CAPTURE', 'REFUND', 'REVERSAL', 'VOID'].includes(type)
  if (followUp && state !== 'success') return {}
  return Object.fromEntries(selectCallbackFields(mapping, facts, { protocol: 'S2S_APM' }))
}
