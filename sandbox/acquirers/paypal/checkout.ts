/** Orders v2: created, approved by the payer, captured or authorised. */
import type { Reply } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import type { Account } from '../kit/accounts.ts'
import type { Effect, Notice } from '../kit/books.ts'
import type { Execution } from '../kit/idempotency.ts'
import { notFound, refusal } from './errors.ts'
import { minorOf, type StoredOrder } from './order.ts'
import { newId, readOrderRequest } from './order-request.ts'
import type { Orders } from './orders.ts'
import { showAuthorization, showCapture, showOrder } from './views.ts'
import { webhookNotice } from './webhook.ts'

export const checkoutRoutes = (orders: Orders): Routes => [
  ['POST /v2/checkout/orders', (call) => orders.serve(call, (account) => create(orders, call, account))],
  [
    'GET /v2/checkout/orders/:id',
    (call) => orders.serve(call, async (account) => orderReply(orders, orders.ofAccount(call.parameters[0], account))),
  ],
  [
    'POST /v2/checkout/orders/:id/capture',
    (call) => orders.serve(call, (account) => complete(orders, call, account, 'CAPTURE')),
  ],
  [
    'POST /v2/checkout/orders/:id/authorize',
    (call) => orders.serve(call, (account) => complete(orders, call, account, 'AUTHORIZE')),
  ],
]

const orderReply = (orders: Orders, order: StoredOrder | undefined, status = 200): Reply =>
  order ? { status, body: showOrder(order, orders.base) } : notFound

const refuse = (reply: Reply): Execution<never> => ({ reply, isRefused: true })

function create(orders: Orders, call: Call, account: Account): Promise<Reply> {
  const { name } = account
  const reading = readOrderRequest(call.body, name)
  if (call.headers['paypal-request-id'] === undefined)
    return Promise.resolve(refusal(400, 'PAYPAL_REQUEST_ID_REQUIRED'))
  if (!reading.ok) return Promise.resolve(refusal(reading.status, reading.issue))
  const { order } = reading
  return orders.once(call, account, { amount: String(minorOf(order.amount)) }, () => {
    if (order.status === 'PAYER_ACTION_REQUIRED')
      return { reply: { status: 201, body: showOrder(order, orders.base) }, line: { items: [order] } }
    return settle(orders, order)
  })
}

function complete(orders: Orders, call: Call, account: Account, intent: StoredOrder['intent']): Promise<Reply> {
  const known = orders.ofAccount(call.parameters[0], account)
  const amount = known && String(minorOf(known.amount))
  return orders.once(call, account, { amount }, () => {
    const order = orders.ofAccount(call.parameters[0], account)
    if (!order) return refuse(notFound)
    if (order.intent !== intent) return refuse(refusal(422, 'ACTION_DOES_NOT_MATCH_INTENT'))
    if (order.status === 'PAYER_ACTION_REQUIRED') return refuse(refusal(422, 'ORDER_NOT_APPROVED'))
    if (order.status !== 'APPROVED')
      return refuse(refusal(422, intent === 'CAPTURE' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED'))
    return settle(orders, order)
  })
}

/** Charges or holds the money, or is declined by the issuer. */
function settle(orders: Orders, order: StoredOrder): Execution<StoredOrder> {
  if (orders.isInvoiceUsed(order.account, order.invoiceId)) return refuse(refusal(422, 'DUPLICATE_INVOICE_ID'))
  const done = order.intent === 'CAPTURE' ? capture(order) : authorise(order)
  return {
    reply: { status: 201, body: showOrder(done, orders.base) },
    line: { items: [done], effects: [effectOf(done)], notices: [noticeOf(done)] },
  }
}

function capture(order: StoredOrder): StoredOrder {
  const status = order.rejection === null ? 'COMPLETED' : 'DECLINED'
  const { amount, invoiceId } = order
  return { ...order, status: 'COMPLETED', captures: [{ id: newId(), amount, status, invoiceId, refunds: [] }] }
}

const authorise = (order: StoredOrder): StoredOrder => ({
  ...order,
  status: 'COMPLETED',
  authorization: { id: newId(), status: order.rejection === null ? 'CREATED' : 'DENIED' },
})

function effectOf(order: StoredOrder): Effect {
  const { account, amount, intent, rejection } = order
  const reference = order.captures[0]?.id ?? order.authorization?.id ?? order.id
  return {
    account,
    transactionId: order.referenceId,
    kind: intent === 'CAPTURE' ? 'sale' : 'authorize',
    amount: String(minorOf(amount)),
    currency: amount.currency_code,
    state: rejection === null ? 'executed' : 'declined',
    reference,
  }
}

function noticeOf(order: StoredOrder): Notice {
  const [capture] = order.captures
  const isDeclined = order.rejection !== null
  if (capture)
    return webhookNotice(
      order,
      isDeclined ? 'PAYMENT.CAPTURE.DECLINED' : 'PAYMENT.CAPTURE.COMPLETED',
      showCapture(order, capture),
    )
  const type = isDeclined ? 'PAYMENT.AUTHORIZATION.DENIED' : 'PAYMENT.AUTHORIZATION.CREATED'
  return webhookNotice(order, type, showAuthorization(order))
}
