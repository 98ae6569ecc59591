/** The addresses of the demo shop, one row each. */
import { readFile } from 'node:fs/promises'
import { failure, type Reply, seeOther } from '../kit/reply.ts'
import type { Call, Routes } from '../kit/routes.ts'
import { type Account, members } from './gateway.ts'
import { fieldsPage, frontPage, messagePage } from './pages.ts'
import { paymentPage, type ShownPayment } from './payment-page.ts'
import type { Shop } from './shop.ts'
import type { FollowUp } from './signed-request.ts'
import type { WayToPay } from './ways.ts'

// biome-ignore format: a table is read in columns.
export const shopRoutes = (shop: Shop): Routes => [
  // address                  answers
  [ 'GET /shop',              (call) => front(shop, call) ],
  [ 'POST /shop/pay/:way',    (call) => pay(shop, call) ],
  [ 'GET /shop/fields',       async () => fieldsPage(await shop.account()) ],
  [ 'POST /shop/fields/begin', async (call) => uncachedReply(await shop.openFieldsSession(addressOf(call))) ],
  [ 'POST /shop/fields/pay',  (call) => charge(shop, call) ],
  [ 'GET /shop/return',       async ({ query }) => returnPage(await shop.showReturn(query), query.has('left')) ],
  [ 'GET /shop/payment',      async ({ query }) => paymentPage('Payment', await shop.payment(query.get('payment_id') ?? '', query.get('order_id') ?? '')) ],
  [ 'POST /shop/capture',     (call) => followUp(shop, call, 'capture') ],
  [ 'POST /shop/refund',      (call) => followUp(shop, call, 'refund') ],
  [ 'GET /shop/docs/:page',   ({ parameters: [name = ''] }) => document(name) ],
  [ 'POST /shop/callbacks',   (call) => receive(shop, call) ],
  [ 'GET /shop/callbacks',    async ({ query }) => uncachedReply(shop.orders.receivedAfter(Number(query.get('after') ?? 0))) ],
  [ 'GET /shop/style.css',    () => file('style.css', 'text/css; charset=utf-8') ],
  [ 'GET /shop/shop.js',      () => file('shop.js', 'text/javascript; charset=utf-8') ],
  [ 'GET /shop/fields.js',    () => file('fields.js', 'text/javascript; charset=utf-8') ],
]

function returnPage(payment: ShownPayment, left: boolean): Reply {
  const isPaid = payment.status === 'settled' || payment.status === 'pending'
  return paymentPage(isPaid ? 'Thank you' : left ? 'Not paid' : 'Welcome back', payment)
}

async function front(shop: Shop, call: Call): Promise<Reply> {
  const requestOf = (way: WayToPay, account: Account) => shop.requestOf(way, account, addressOf(call))
  return frontPage(await shop.accounts(), call.query.get('acquirer') ?? '', requestOf)
}

async function followUp(shop: Shop, { body }: Call, kind: FollowUp): Promise<Reply> {
  const { payment_id: paymentId, order_id: orderNumber } = members(body)
  if (typeof paymentId !== 'string' || typeof orderNumber !== 'string')
    return failure(400, 'invalid_request', 'payment_id and order_id are required.')
  const notice = await shop.followUp(kind, paymentId, orderNumber)
  return paymentPage('Payment', await shop.payment(paymentId, orderNumber), notice)
}

/** The reference pages of the interface, as text. */
async function document(name: string): Promise<Reply> {
  if (!documents.has(name)) return messagePage(404, 'Not found', 'This page does not exist.')
  const text = await readFile(new URL(`../../docs/interface/${name}`, import.meta.url), 'utf8')
  return { status: 200, body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}

const documents: ReadonlySet<string> = new Set(['checkout.md', 'hosted-fields.md', 'checkout-sdk.md'])

const uncachedReply = (body: unknown): Reply => ({ status: 200, body, headers: { 'cache-control': 'no-store' } })

async function pay(shop: Shop, call: Call): Promise<Reply> {
  const [way = ''] = call.parameters
  const begun = await shop.begin(way, addressOf(call), call.query.get('acquirer') ?? '')
  return begun.kind === 'begun' ? seeOther(begun.url) : messagePage(502, 'An error occurred', begun.fault)
}

async function charge(shop: Shop, { body }: Call): Promise<Reply> {
  const { order, name } = members(body)
  if (typeof order !== 'string' || typeof name !== 'string')
    return failure(400, 'invalid_request', 'order and name are required.')
  const answer = await shop.charge(order, name)
  return answer
    ? uncachedReply(answer)
    : failure(
        502,
        'gateway_away',
        'The gateway is not ready yet, or the shop was restarted. Reload this page in a moment.',
      )
}

/** The gateway counts a callback as delivered only with exactly this answer. */
async function receive(shop: Shop, { body }: Call): Promise<Reply> {
  const fields = Object.entries(members(body)).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  await shop.receive(Object.fromEntries(fields))
  return { status: 200, body: 'OK', headers: { 'content-type': 'text/plain' } }
}

/** The shop's address as the browser sees it, because its port may be forwarded. */
const addressOf = ({ host = '127.0.0.1' }: Call): string => `http://${host}/shop`

async function file(name: string, type: string): Promise<Reply> {
  const text = await readFile(new URL(`./browser/${name}`, import.meta.url), 'utf8')
  return {
    status: 200,
    body: text,
    headers: { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' },
  }
}
