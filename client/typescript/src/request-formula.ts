/** The formula of a request and the values it covers, by protocol and action. */
import type { Sent } from './form.ts'
import type { FormulaName, Values } from './formulas.ts'
import { type KnownPayment, pan10, paymentValues } from './known-payment.ts'

export type Protocol = 'card' | 'apm' | 'checkout'

interface Signed {
  readonly formula: FormulaName
  readonly values: Values
}

type Parameters = Readonly<Record<string, Sent>>

/** `action` is the action of a form, or the path of Checkout. */
export function signedBy(protocol: Protocol, action: string, parameters: Parameters, payment: KnownPayment): Signed {
  const values = { ...textsOf(parameters), ...valuesOfCard(parameters), ...paymentValues(payment) }
  switch (protocol) {
    case 'card':
      return { formula: cardFormula(action, parameters), values: withoutPayoutEmail(action, values) }
    case 'apm':
      return { formula: apmFormula(action), values }
    case 'checkout':
      return { formula: checkoutFormula(action, parameters), values }
  }
}

function cardFormula(action: string, { card_number, card_token, payment_token }: Parameters): FormulaName {
  switch (action) {
    case 'SALE':
    case 'AUTH':
    case 'DEBIT':
      if (card_number === undefined && card_token !== undefined) return 'card.start-with-token'
      return card_number === undefined && payment_token !== undefined ? 'card.wallet' : 'card.start'
    case 'CARD2CARD':
    case 'RECURRING_SALE':
    case 'RECURRING_DEBIT':
      return 'card.start'
    case 'CREDIT2CARD':
      return card_number === undefined ? 'card.credit-with-token' : 'card.credit'
    case 'GET_TRANS_STATUS_BY_ORDER':
      return 'card.by-order'
    case 'CREATE_SCHEDULE':
      return 'card.create-schedule'
    default:
      return /SCHEDULE/.test(action) ? 'card.schedule' : 'card.follow-up'
  }
}

function apmFormula(action: string): FormulaName {
  switch (action) {
    case 'SALE':
    case 'DEBIT2VIRTUAL':
    case 'DEBIT2VIRTUAL_CALC':
      return 'apm.start'
    case 'CREDITVOID':
      return 'apm.credit-void'
    case 'CREDIT2VIRTUAL':
    case 'CREDIT2CRYPTO':
      return 'apm.payout'
    case 'GET_TRANS_STATUS_BY_ORDER':
      return 'apm.by-order'
    default:
      return 'apm.follow-up'
  }
}

function checkoutFormula(path: string, { payment_id }: Parameters): FormulaName {
  switch (path) {
    case '/api/v1/session':
    case '/api/v1/session/token':
      return 'checkout.session'
    case '/api/v1/payment/capture':
    case '/api/v1/payment/refund':
      return 'checkout.payment-amount'
    case '/api/v1/payment/recurring':
      return 'checkout.recurring'
    case '/api/v1/payment/card/credit':
      return 'checkout.card-credit'
    default:
      return payment_id === undefined ? 'checkout.order' : 'checkout.payment'
  }
}

/** Look-ups and follow-ups of a payout are signed without an e-mail: pass the payment without one. */
const withoutPayoutEmail = (action: string, values: Values): Values =>
  action === 'CREDIT2CARD' ? { ...values, email: undefined } : values

function valuesOfCard({ card_number, payer_card_number, payer_email }: Parameters): Values {
  const number = card_number ?? payer_card_number
  return {
    ...(typeof payer_email === 'string' && { email: payer_email }),
    ...(typeof number === 'string' && { pan10: pan10(number) }),
  }
}

/** Members of an object by their names with a point. A number signs as it is written in JSON. */
function textsOf(parameters: Parameters, prefix = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]): readonly (readonly [string, string])[] => {
      if (typeof value === 'string' || typeof value === 'number') return [[prefix + name, String(value)]]
      return isParameters(value) && prefix === '' ? Object.entries(textsOf(value, `${name}.`)) : []
    }),
  )
}

const isParameters = (value: Sent): value is Parameters => typeof value === 'object' && !Array.isArray(value)
