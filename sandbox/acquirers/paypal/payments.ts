/** Payments v2: authorisations are captured or voided, captures are refunded. */

import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import type { Account } from '../kit/accounts.ts'
import type { Effect } from '../kit/books.ts'
import type { Execution } from '../kit/idempotency.ts'
import { notFound, refusal } from './errors.ts'
import { amountIssue, type Capture, type Money, minorOf, moneyOf, refundedMinor, type StoredOrder } from './order.ts'
import { newId, readMoney } from './order-request.ts'
import type { Orders } from './orders.ts'
import { showAuthorization, showCapture, showRefund } from './views.ts'
import { webhookNotice } from './webhook.ts'

export const paymentRoutes = (orders: Orders): Routes => [
  [
    'GET /v2/payments/authorizations/:id',
    (call) => orders.serve(call, async (account) => show(orders.withAuthorization(call.parameters[0], account))),
  ],
  [
    'POST /v2/payments/authorizations/:id/capture',
    (call) => orders.serve(call, (account) => capture(orders, call, account)),
  ],
  [
    'POST /v2/payments/authorizations/:id/void',
    (call) => orders.serve(call, (account) => release(orders, call, account)),
  ],
  ['GET /v2/payments/captures/:id', (call) => orders.serve(call, (account) => getCapture(orders, call, account))],
  ['POST /v2/payments/captures/:id/refund', (call) => orders.serve(call, (account) => refund(orders, call, account))],
  ['GET /v2/payments/refunds/:id', (call) => orders.serve(call, (account) => getRefund(orders, call, account))],
]

const show = (order: StoredOrder | undefined): Reply =>
  order ? { status: 200, body: showAuthorization(order) } : notFound

const refuse = (reply: Reply): Execution<never> => ({ reply, isRefused: true })

const textIn = (body: unknown, name: string): string | null => {
  const value = isObject(body) ? body[name] : undefined
  return typeof value === 'string' ? value : null
}

/** Without an amount the whole is meant. */
const amountIn = (body: unknown, whole: Money): Money | null =>
  isObject(body) && body['amount'] !== undefined ? readMoney(body['amount']) : whole

/** Minor units; chooses a fault of the stand-in. */
function statedAmount(body: unknown): string | undefined {
  const amount = isObject(body) ? readMoney(body['amount']) : null
  return amount ? String(minorOf(amount)) : undefined
}

function capture(orders: Orders, call: Call, account: Account): Promise<Reply> {
  return orders.once(call, account, { amount: statedAmount(call.body) }, () => {
    const order = orders.withAuthorization(call.parameters[0], account)
    if (!order?.authorization) return refuse(notFound)
    const amount = amountIn(call.body, order.amount)
    const issue = amount ? (amountIssue(amount) ?? captureIssue(order, amount)) : 'MISSING_REQUIRED_PARAMETER'
    const invoiceId = textIn(call.body, 'invoice_id') ?? order.invoiceId
    if (!amount || issue) return refuse(refusal(422, issue ?? ''))
    if (orders.isInvoiceUsed(account.name, textIn(call.body, 'invoice_id')))
      return refuse(refusal(422, 'DUPLICATE_INVOICE_ID'))
    const newCapture: Capture = { id: newId(), amount, status: 'COMPLETED', invoiceId, refunds: [] }
    const isWhole = minorOf(amount) === minorOf(order.amount)
    const authorization = { ...order.authorization, status: isWhole ? 'CAPTURED' : 'PARTIALLY_CAPTURED' } as const
    const after = { ...order, authorization, captures: [...order.captures, newCapture] }
    const body = showCapture(after, newCapture)
    return {
      reply: { status: 201, body },
      line: {
        items: [after],
        effects: [effectOf(after, call, { kind: 'capture', amount, reference: newCapture.id })],
        notices: [webhookNotice(after, 'PAYMENT.CAPTURE.COMPLETED', body)],
      },
    }
  })
}

function captureIssue({ authorization, amount: hold }: StoredOrder, amount: Money): string | null {
  if (authorization?.status === 'VOIDED') return 'AUTHORIZATION_VOIDED'
  if (authorization?.status === 'DENIED') return 'AUTHORIZATION_DENIED'
  if (authorization?.status !== 'CREATED') return 'AUTHORIZATION_ALREADY_CAPTURED'
  if (amount.currency_code !== hold.currency_code) return 'AUTH_CAPTURE_CURRENCY_MISMATCH'
  return minorOf(amount) > minorOf(hold) ? 'MAX_CAPTURE_AMOUNT_EXCEEDED' : null
}

/** PayPal keeps no keys of voids: a second one is refused, since the hold is released. */
async function release(orders: Orders, call: Call, account: Account): Promise<Reply> {
  const order = orders.withAuthorization(call.parameters[0], account)
  if (!order?.authorization) return notFound
  if (order.authorization.status === 'VOIDED') return refusal(422, 'PREVIOUSLY_VOIDED')
  if (order.authorization.status !== 'CREATED') return refusal(422, 'PREVIOUSLY_CAPTURED')
  return orders.once(call, account, { amount: String(minorOf(order.amount)) }, () => {
    const authorization = { id: order.authorization?.id ?? '', status: 'VOIDED' } as const
    const after = { ...order, authorization }
    const body = showAuthorization(after)
    return {
      reply: { status: 200, body },
      line: {
        items: [after],
        effects: [effectOf(after, call, { kind: 'reverse', amount: order.amount, reference: authorization.id })],
        notices: [webhookNotice(after, 'PAYMENT.AUTHORIZATION.VOIDED', body)],
      },
    }
  })
}

async function getCapture(orders: Orders, call: Call, account: Account): Promise<Reply> {
  const found = orders.withCapture(call.parameters[0], account)
  return found ? { status: 200, body: showCapture(found.order, found.capture) } : notFound
}

async function getRefund(orders: Orders, call: Call, account: Account): Promise<Reply> {
  const found = orders.refund(call.parameters[0], account)
  return found ? { status: 200, body: showRefund(found) } : notFound
}

function refund(orders: Orders, call: Call, account: Account): Promise<Reply> {
  return orders.once(call, account, { amount: statedAmount(call.body) }, () => {
    const found = orders.withCapture(call.parameters[0], account)
    if (!found) return refuse(notFound)
    const { order, capture: refunded } = found
    const left = minorOf(refunded.amount) - refundedMinor(refunded)
    const amount = amountIn(call.body, moneyOf(left, refunded.amount.currency_code))
    const issue = amount ? refundIssue(refunded, amount, left) : 'MISSING_REQUIRED_PARAMETER'
    if (!amount || issue) return refuse(refusal(422, issue ?? ''))
    const invoiceId = textIn(call.body, 'invoice_id')
    const newRefund = { id: newId(), amount, invoiceId, customId: textIn(call.body, 'custom_id') }
    const withRefund = { ...refunded, refunds: [...refunded.refunds, newRefund] }
    const after = { ...order, captures: order.captures.map((one) => (one.id === refunded.id ? withRefund : one)) }
    const body = showRefund(newRefund)
    return {
      reply: { status: 201, body },
      line: {
        items: [after],
        effects: [effectOf(after, call, { kind: 'refund', amount, reference: newRefund.id })],
        notices: [webhookNotice(after, 'PAYMENT.CAPTURE.REFUNDED', body)],
      },
    }
  })
}

function refundIssue(refunded: Capture, amount: Money, left: bigint): string | null {
  if (refunded.status !== 'COMPLETED') return 'REFUND_NOT_ALLOWED'
  if (left === 0n) return 'CAPTURE_FULLY_REFUNDED'
  if (amount.currency_code !== refunded.amount.currency_code) return 'REFUND_CAPTURE_CURRENCY_MISMATCH'
  return amountIssue(amount) ?? (minorOf(amount) > left ? 'REFUND_AMOUNT_EXCEEDED' : null)
}

const effectOf = (
  { account }: StoredOrder,
  call: Call,
  { kind, amount, reference }: Pick<Effect, 'kind' | 'reference'> & { readonly amount: Money },
): Effect => ({
  account,
  transactionId: call.headers['paypal-request-id'] ?? '',
  kind,
  amount: String(minorOf(amount)),
  currency: amount.currency_code,
  state: 'executed',
  reference,
})
