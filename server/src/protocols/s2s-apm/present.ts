/** Answers of S2S APM: fields in the chapter's order; undefined fields are left out. Chapter 20 §6.2, §7–§13. */
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { selectFields } from '#domain/report-fields.ts'
import type { Caller } from '../kit/action.ts'
import type { AnswerFields } from '../kit/prepared.ts'
import { amountOf, dateOf, moneyBack, reportedTransaction, transactionRows } from '../kit/reported-values.ts'

export type ResultWord = 'SUCCESS' | 'DECLINED' | 'REDIRECT' | 'INIT' | 'UNDEFINED' | 'WAITING'

/** The result of an answer; callbacks differ in one value. A transaction still being sent shows as undefined. Chapter 20 §3, §14. */
export function resultOf(facts: PaymentFacts): ResultWord {
  const { type, state } = reportedTransaction(facts)
  switch (state) {
    case 'success':
      return 'SUCCESS'
    case 'fail':
      return 'DECLINED'
    case 'waiting':
      return moneyBack.includes(type) ? 'WAITING' : waitingResult(facts)
    case 'undefined':
    case 'sent':
      return 'UNDEFINED'
  }
}

/** A sale that waits for money, and a debit whose payer is redirected, count as SUCCESS. Chapter 20 §6.2, §11, §12.3. */
function waitingResult({ status, kind, action }: PaymentFacts): ResultWord {
  if (status !== 'PENDING') return kind === 'debit' ? 'SUCCESS' : 'REDIRECT'
  if (kind === 'credit') return action === 'CREDIT2CRYPTO' ? 'INIT' : 'UNDEFINED'
  return 'SUCCESS'
}

/** The first fields of every answer and callback of a payment. */
export const heading = (action: string, result: ResultWord, facts: PaymentFacts): AnswerFields => ({
  action,
  result,
  status: facts.status,
  order_id: facts.order.id,
  trans_id: facts.id,
})

const answerHead = (action: string, facts: PaymentFacts): AnswerFields => ({
  ...heading(action, resultOf(facts), facts),
  trans_date: dateOf(facts, reportedTransaction(facts).at),
})

export function saleAnswer(facts: PaymentFacts): AnswerFields {
  const result = resultOf(facts)
  return {
    ...answerHead('SALE', facts),
    descriptor: result === 'DECLINED' || result === 'REDIRECT' ? undefined : (facts.descriptor ?? undefined),
    ...orderAmountFields(facts),
    decline_reason: declineReason(facts),
    ...redirectAnswer(facts),
    ...waitingFor(facts),
    ...walletOf(facts),
  }
}

export const captureAnswer = (facts: PaymentFacts): AnswerFields => ({
  ...answerHead('CAPTURE', facts),
  ...captureFields(facts),
  decline_reason: declineReason(facts),
})

/** The amount of the capture itself, which may be less than the hold. */
export const captureFields = (facts: PaymentFacts): AnswerFields => ({
  descriptor: facts.descriptor ?? undefined,
  amount: amountOf(facts, reportedTransaction(facts).amountMinor),
  currency: facts.order.currency,
})

export const voidAnswer = (facts: PaymentFacts): AnswerFields => ({
  ...answerHead('VOID', facts),
  decline_reason: declineReason(facts),
})

/** Four fields and no status: the outcome follows by callback. Chapter 20 §8. */
export const creditvoidAnswer = (facts: PaymentFacts): AnswerFields => ({
  action: 'CREDITVOID',
  result: 'ACCEPTED',
  order_id: facts.order.id,
  trans_id: facts.id,
})

/** Only a crypto payout has a descriptor. Chapter 20 §10, §11. */
export const payoutAnswer = (facts: PaymentFacts): AnswerFields => ({
  ...answerHead(facts.action, facts),
  descriptor: facts.action === 'CREDIT2CRYPTO' ? (facts.descriptor ?? undefined) : undefined,
  ...orderAmountFields(facts),
  decline_reason: declineReason(facts),
})

/** The three actions of debits. Chapter 20 §12.3. */
export const debitAnswer = (action: string, facts: PaymentFacts): AnswerFields => ({
  ...answerHead(action, facts),
  descriptor: facts.descriptor ?? undefined,
  ...orderAmountFields(facts),
  ...commissionOf(facts),
  decline_reason: declineReason(facts),
  ...redirectAnswer(facts),
})

/** The result is that of the look-up, not of the payment. Chapter 20 §13. */
export const statusAnswer = (action: string, facts: PaymentFacts, { mapping }: Caller): AnswerFields => ({
  ...heading(action, 'SUCCESS', facts),
  decline_reason: facts.status === 'DECLINED' ? (facts.declineReason ?? undefined) : undefined,
  ...walletOf(facts),
  ...(facts.kind === 'debit' ? commissionOf(facts) : {}),
  ...Object.fromEntries(selectFields(mapping.addToStatus, facts, { protocol: 'S2S_APM', place: 'status' })),
})

/** GET_TRANS_DETAILS, which only the addresses of S2S CARD take. A calculation is no transaction of the answer. Chapter 20 §12.3, §13. */
export const detailsAnswer = (facts: PaymentFacts, caller: Caller): AnswerFields => ({
  ...statusAnswer('GET_TRANS_DETAILS', facts, caller),
  ...orderAmountFields(facts),
  transactions: transactionRows(facts).filter(({ type }) => type !== 'CALC'),
})

/** The amount is left out until the payer has decided it. */
export const orderAmountFields = (facts: PaymentFacts): AnswerFields => ({
  amount: facts.order.amountMinor === null ? undefined : amountOf(facts, facts.order.amountMinor),
  currency: facts.order.currency,
})

export function commissionOf(facts: PaymentFacts): AnswerFields {
  const commissionMinor = facts.commissionMinor ?? 0n
  return {
    commission: amountOf(facts, commissionMinor),
    total_amount: amountOf(facts, (facts.order.amountMinor ?? 0n) + commissionMinor),
  }
}

export const declineReason = (facts: PaymentFacts): string | undefined =>
  reportedTransaction(facts).state === 'fail' ? (facts.declineReason ?? undefined) : undefined

export const walletOf = ({ digitalWallet, panType }: PaymentFacts): AnswerFields => ({
  digital_wallet: digitalWallet ?? undefined,
  pan_type: panType ?? undefined,
})

/** The redirect, address or voucher by which the payer pays, while the payment waits for it. Chapter 20 §5.3. */
export function waitingFor(facts: PaymentFacts): AnswerFields {
  if (facts.status !== 'PENDING' || reportedTransaction(facts).state !== 'waiting') return {}
  const { crypto, voucher } = facts
  return {
    crypto_address: crypto?.address ?? undefined,
    crypto_network: crypto?.network ?? undefined,
    voucher_reference: voucher?.reference,
    voucher_expires: voucher?.expires ? dateOf(facts, new Date(`${voucher.expires.replace(' ', 'T')}Z`)) : undefined,
    voucher_url: voucher?.url ?? undefined,
  }
}

/** True if the payer must be redirected now. */
export const isSentAway = (facts: PaymentFacts): boolean =>
  reportedTransaction(facts).state === 'waiting' && (facts.status === '3DS' || facts.status === 'REDIRECT')

/** An empty list when there are no parameters. */
function redirectAnswer(facts: PaymentFacts): AnswerFields {
  const redirect = isSentAway(facts) ? facts.redirect : null
  if (!redirect) return {}
  const params = Object.keys(redirect.params).length === 0 ? [] : redirect.params
  return { redirect_url: redirect.url, redirect_params: params, redirect_method: redirect.method }
}
