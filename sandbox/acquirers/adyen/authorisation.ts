/** `POST /payments` and `POST /payments/details`: a payment is authorised, refused, or waits for its payer. */
import { randomBytes } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Effect, Line } from '../kit/books.ts'
import { brandOf } from '../kit/card-brands.ts'
import type { Execution } from '../kit/idempotency.ts'
import { disputeAsNamed, scenarioIn } from './disputes.ts'
import { invalid } from './errors.ts'
import { newReference, type Payment, type Payments } from './payment.ts'
import { type Verdict, verdictOn } from './test-cards.ts'
import { noticeOf } from './webhook.ts'

interface PaymentContext {
  readonly account: string
  readonly merchantAccount: string
  readonly transactionId: string
  /** This program's address. */
  readonly url: string
  readonly payments: Payments
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function authorise(body: Fields, context: PaymentContext): Execution<Payment> {
  const { value, currency } = fieldsOf(body.amount)
  const method = fieldsOf(body.paymentMethod)
  const refusal = refusalOf(body, method, context)
  if (refusal) return { reply: refusal, isRefused: true }
  const stores = body.storePaymentMethod === true
  const verdict = verdictFor(body, method)
  const isSale = body.captureDelayHours === 0
  const payment: Payment = {
    pspReference: newReference(),
    account: context.account,
    reference: textOf(body.reference),
    transactionId: context.transactionId || textOf(body.reference),
    kind: isSale ? 'sale' : 'authorize',
    amount: Number(value),
    currency: textOf(currency),
    lastFour: textOf(method.number).slice(-4),
    brand: brandOf(textOf(method.number)),
    state: 'at-payer',
    captured: 0,
    refunded: 0,
    storedId: stores ? newReference() : null,
    shopperReference: textOf(body.shopperReference) || null,
    page: verdict.result === 'RedirectShopper' ? pageOf(body) : null,
    scenario: scenarioIn(holderIn(body, method)),
  }
  if (payment.page) {
    const { url } = context
    const action = {
      type: 'redirect',
      paymentMethodType: 'scheme',
      method: 'GET',
      url: `${url}/pages/${payment.page.key}`,
    }
    const reply = {
      resultCode: 'RedirectShopper',
      pspReference: payment.pspReference,
      merchantReference: payment.reference,
      action,
    }
    return { reply: { status: 200, body: reply }, line: { items: [payment] } }
  }
  return decide(payment, verdict, context.merchantAccount)
}

function refusalOf(body: Fields, method: Fields, { account, payments }: PaymentContext) {
  const { value, currency } = fieldsOf(body.amount)
  if (!Number.isSafeInteger(value) || Number(value) < 0) return invalid('100', 'No amount specified')
  if (!/^[A-Z]{3}$/.test(textOf(currency))) return invalid('138', 'Unsupported currency specified')
  if (!textOf(body.reference)) return invalid('130', 'Required field reference is not provided.')
  if (!textOf(body.returnUrl)) return invalid('14_030', 'Return URL is missing.')
  const stored = textOf(method.storedPaymentMethodId)
  if (!stored) return textOf(method.type) ? null : invalid('14_004', 'Missing payment method details')
  const owner = payments.thatStored(account, stored)?.shopperReference
  return owner && owner === body.shopperReference ? null : invalid('800', 'Contract not found')
}

function verdictFor(body: Fields, method: Fields): Verdict {
  const isWallet = Boolean(method.applePayToken ?? method.googlePayToken)
  if (isWallet || method.storedPaymentMethodId || method.type === 'networkToken') return { result: 'Authorised' }
  const isExempt =
    body.mpiData !== undefined ||
    body.shopperInteraction !== 'Ecommerce' ||
    fieldsOf(body.authenticationData).attemptAuthentication === 'never'
  return verdictOn({
    number: textOf(method.number),
    expiryMonth: textOf(method.expiryMonth),
    expiryYear: textOf(method.expiryYear),
    holderName: holderIn(body, method),
    isExempt,
  })
}

/** A request without the card's holder can choose a refusal or a dispute by the shopper's name. */
function holderIn({ shopperName }: Fields, { holderName }: Fields): string {
  const { firstName, lastName } = fieldsOf(shopperName)
  return textOf(holderName) || `${textOf(firstName)} ${textOf(lastName)}`
}

const pageOf = (body: Fields): Payment['page'] => ({
  key: randomBytes(16).toString('base64url'),
  returnUrl: textOf(body.returnUrl),
  merchant: textOf(body.shopperStatement),
  decision: null,
  redirectResult: null,
})

/** The payer is back, and the merchant brings what the page gave to the browser. */
export function complete(body: Fields, { account, payments, merchantAccount }: PaymentContext): Execution<Payment> {
  const payment = payments.withResult(account, textOf(fieldsOf(body.details).redirectResult))
  if (!payment) return { reply: invalid('14_006', 'The redirectResult is invalid'), isRefused: true }
  if (payment.state !== 'at-payer') return { reply: { status: 200, body: resultOf(payment, {}) } }
  const isApproved = payment.page?.decision === 'approve'
  return isApproved
    ? decide(payment, { result: 'Authorised' }, merchantAccount)
    : decide(payment, { result: 'Refused', code: '16', reason: 'Shopper Cancelled' }, merchantAccount)
}

function decide(payment: Payment, verdict: Verdict, merchantAccount: string): Execution<Payment> {
  const { amount, kind } = payment
  const isAuthorised = verdict.result === 'Authorised'
  const isCancelled = verdict.code === '16'
  const decided: Payment = {
    ...payment,
    state: isAuthorised ? 'authorised' : isCancelled ? 'cancelled' : 'refused',
    captured: isAuthorised && kind === 'sale' ? amount : 0,
  }
  const report = { eventCode: 'AUTHORISATION', success: isAuthorised, reason: verdict.reason ?? '' }
  const disputed = disputeAsNamed(decided, merchantAccount)
  const line: Line<Payment> = {
    items: [disputed.payment],
    effects: [effectOf(decided, isAuthorised ? 'executed' : 'declined'), ...disputed.effects],
    notices: [noticeOf(decided, report, merchantAccount), ...disputed.notices],
  }
  return { reply: { status: 200, body: resultOf(decided, verdict) }, line }
}

function effectOf(payment: Payment, state: Effect['state']): Effect {
  const { account, transactionId, kind, amount, currency, pspReference: reference } = payment
  return { account, transactionId, kind, amount: String(amount), currency, state, reference }
}

function resultOf(payment: Payment, { code, reason }: Partial<Verdict>): Fields {
  const { pspReference, reference, state, storedId, shopperReference, amount, currency } = payment
  const common = { pspReference, merchantReference: reference, amount: { currency, value: amount } }
  if (state === 'cancelled') return { ...common, resultCode: 'Cancelled' }
  if (state === 'refused')
    return { ...common, resultCode: 'Refused', refusalReason: reason ?? 'Refused', refusalReasonCode: code ?? '2' }
  const token = storedId && {
    'tokenization.shopperReference': shopperReference,
    'tokenization.storedPaymentMethodId': storedId,
    'tokenization.store.operationType': 'created',
  }
  const additionalData = {
    authCode: pspReference.replace(/\D/g, '').padEnd(6, '0').slice(0, 6),
    networkTxReference: `NTX${pspReference}`,
    cvcResultRaw: 'M',
    ...token,
  }
  return { additionalData, ...common, resultCode: 'Authorised' }
}
