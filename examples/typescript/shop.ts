/**
 * A whole shop: hosted page, hosted fields, cards from server to server with 3-D Secure, subscriptions, refunds and callbacks.
 * `orders.ts` holds what a shop stores, `pages.ts` what its customers see.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
// In a project of your own: from '@gatehouse/client'
import { CallbackError, Gatehouse, RefusedError } from '../../client/typescript/src/index.ts'
import { addOrder, findOrder, lastSequence, type Order, record } from './orders.ts'
import { cardPage, fieldsPage, homePage, messagePage, orderPage, redirectPage } from './pages.ts'

const { GATEHOUSE_URL = 'http://127.0.0.1:8080', PORT = '8090', SHOP_URL = `http://127.0.0.1:${PORT}` } = process.env
const { GATEHOUSE_KEY = '', GATEHOUSE_PASSWORD = '', GATEHOUSE_WEBHOOK_SECRET = '' } = process.env
if (!GATEHOUSE_WEBHOOK_SECRET) throw new Error('Set GATEHOUSE_KEY, GATEHOUSE_PASSWORD and GATEHOUSE_WEBHOOK_SECRET.')

const gatehouse = new Gatehouse({
  baseUrl: GATEHOUSE_URL,
  key: GATEHOUSE_KEY,
  password: GATEHOUSE_PASSWORD,
  webhookSecrets: [GATEHOUSE_WEBHOOK_SECRET],
})

interface Request {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly ip: string
  /** Of the query or of a form. */
  readonly field: (name: string) => string
}
type Reply = readonly [status: number, headers: Readonly<Record<string, string>>, body: string]

const html = (page: string, status = 200): Reply => [status, { 'content-type': 'text/html; charset=utf-8' }, page]
const goTo = (location: string): Reply => [303, { location }, '']
const plain = (body: string): Reply => [200, { 'content-type': 'text/plain' }, body]

const routes: Readonly<Record<string, (request: Request) => Promise<Reply> | Reply>> = {
  'GET /': () => html(homePage()),
  'POST /hosted-page': () => toHostedPage({}),
  'POST /subscription': () => toHostedPage({ recurring_init: true }),
  'POST /charge': ({ field }) => chargeAgain(findOrder(field('number'))),
  'GET /fields': () => showFields(),
  'POST /fields': ({ field }) => payWithFields(findOrder(field('number')), field('name')),
  'GET /card': () => html(cardPage()),
  'POST /card': payWithCard,
  'GET /order': ({ field }) => showOrder(findOrder(field('number'))),
  'POST /refund': ({ field }) => refund(findOrder(field('number'))),
  'POST /callbacks': receiveCallback,
}

const sentOrder = ({ number, amount, currency, description }: Order) => ({ number, amount, currency, description })
const addressOf = ({ number }: Order): string => `${SHOP_URL}/order?number=${number}`

/** The customer pays on the service's page, and comes back to the order. */
async function toHostedPage(more: { readonly recurring_init?: true }): Promise<Reply> {
  const order = addOrder()
  const urls = { success_url: addressOf(order), cancel_url: `${SHOP_URL}/` }
  const customer = { name: 'John Doe', email: 'doe@example.com' }
  const parameters = { operation: 'purchase', order: sentOrder(order), customer, ...urls, ...more } as const
  const session = await gatehouse.checkout('session', parameters)
  return goTo(session.redirect_url ?? addressOf(order))
}

/** The first payment of a subscription has left a token, with which the shop charges without the customer. */
async function chargeAgain({ chain }: Order): Promise<Reply> {
  if (!chain) return html(messagePage('This order is no subscription.'))
  const order = addOrder()
  await gatehouse.checkout('payment/recurring', { order: sentOrder(order), ...chain }, { idempotencyKey: order.number })
  return goTo(addressOf(order))
}

async function showFields(): Promise<Reply> {
  const order = addOrder()
  const parameters = { operation: 'purchase', order: sentOrder(order), return_url: addressOf(order) } as const
  const session = await gatehouse.checkout('session/token', parameters)
  order.token = session.token ?? ''
  return html(fieldsPage(GATEHOUSE_URL, order.number, session.client_token ?? ''))
}

/** After the frames have collected the card. The page goes to `next`, or shows `message`. */
async function payWithFields(order: Order, name: string): Promise<Reply> {
  const agreed = { order_amount: order.amount, order_currency: order.currency }
  const paid = await gatehouse.payWithFields('purchase', order.token ?? '', { name, ...agreed })
  const next = paid.result === 'redirect' ? paid.redirect_url : addressOf(order)
  return plain(JSON.stringify(paid.result === 'decline' ? { message: paid.decline_message } : { next }))
}

/** The card passes through this server, which puts it in scope of PCI DSS. */
async function payWithCard({ field, ip }: Request): Promise<Reply> {
  const order = addOrder()
  const [month = '', year = ''] = field('expiry').split('/')
  const email = field('email')
  const sale = await gatehouse.card(
    'SALE',
    {
      order_id: order.number,
      order_amount: order.amount,
      order_currency: order.currency,
      order_description: order.description,
      card_number: field('card').replaceAll(' ', ''),
      card_exp_month: month,
      card_exp_year: `20${year}`,
      card_cvv2: field('code'),
      payer_first_name: field('first_name'),
      payer_last_name: field('last_name'),
      payer_email: email,
      payer_phone: field('phone'),
      payer_ip: ip,
      term_url_3ds: addressOf(order),
    },
    { idempotencyKey: order.number },
  )
  // Later requests are signed with the e-mail and the card's first six and last four digits.
  const card = field('card').replace(/\D/g, '')
  order.card = { transId: sale.trans_id ?? '', email, card: `${card.slice(0, 6)}****${card.slice(-4)}` }
  return sale.result === 'REDIRECT' ? html(redirectPage(sale)) : goTo(addressOf(order))
}

/** A customer may be back before the callback has come, so an open order is looked up. */
async function showOrder(order: Order): Promise<Reply> {
  if (order.state !== 'open') return html(orderPage(order, order.state))
  const { card, number } = order
  const { status = 'open' } = card
    ? await gatehouse.card('GET_TRANS_STATUS', { trans_id: card.transId }, { payment: card })
    : await gatehouse.checkout('payment/status', { order_id: number })
  return html(orderPage(order, status.toLowerCase()))
}

async function refund(order: Order): Promise<Reply> {
  const { card, amount, paymentId = '' } = order
  if (card) await gatehouse.card('CREDITVOID', { trans_id: card.transId }, { payment: card })
  else await gatehouse.checkout('payment/refund', { payment_id: paymentId, amount })
  return goTo(addressOf(order))
}

/** The only proof of payment. Callbacks that did not arrive are fetched first, so that those of a payment come in order. */
async function receiveCallback({ headers, body }: Request): Promise<Reply> {
  const callback = await gatehouse.verifyCallback({ headers, body })
  const last = lastSequence(callback)
  if ((callback.sequence ?? 0) > last) for (const one of await gatehouse.events.withMissing(callback, last)) record(one)
  return plain('OK')
}

async function answer({ method, url, headers, socket }: IncomingMessage, body: string): Promise<Reply> {
  const { pathname, searchParams } = new URL(url ?? '/', SHOP_URL)
  const form = new URLSearchParams(method === 'POST' ? body : searchParams)
  const route = routes[`${method} ${pathname}`]
  try {
    if (!route) throw new RangeError('There is no such page.')
    return await route({ headers, body, ip: socket.remoteAddress ?? '', field: (name) => form.get(name) ?? '' })
  } catch (error) {
    process.stderr.write(`${method} ${pathname}: ${String(error)}\n`)
    const isShown = error instanceof RefusedError || error instanceof RangeError
    const message = isShown ? error.message : 'This did not work. Please try again.'
    return html(messagePage(message), error instanceof CallbackError ? 400 : 500)
  }
}

createServer(async (incoming, response) => {
  const [status, headers, body] = await answer(incoming, await text(incoming))
  response.writeHead(status, headers).end(body)
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`The shop is open at ${SHOP_URL}\n`))
