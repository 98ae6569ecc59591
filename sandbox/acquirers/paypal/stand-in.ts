/**
 * The stand-in for PayPal: Orders v2, Payments v2, OAuth tokens, signed webhooks, the page on which the payer approves, and that of disputes.
 *
 * The card 4111111111111111 is approved; names on the card and cards of PayPal's own tests decide otherwise (`test-cards.ts`).
 */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import { pem } from '../../wallet/certificates/certificate.ts'
import { now } from '../kit/clock.ts'
import { disputePages } from '../kit/dispute-pages.ts'
import { payerPages } from '../kit/payer-pages.ts'
import { type Base, type OpenStandIn, openBase } from '../kit/stand-in.ts'
import { openCertificates, type WebhookCertificates } from './certificates.ts'
import { checkoutRoutes } from './checkout.ts'
import { disputeAnswerRoutes } from './dispute-answers.ts'
import { disputable, takeStep } from './disputes.ts'
import { noClient, notFound } from './errors.ts'
import { minorOf, type StoredOrder } from './order.ts'
import { Orders } from './orders.ts'
import { paymentRoutes } from './payments.ts'
import { showOrder } from './views.ts'
import { certificateName, webhookForm, webhookNotice } from './webhook.ts'

const secretOf = (bytes: number): string => randomBytes(bytes).toString('base64url')

export const openPaypal: OpenStandIn = async (folder) => {
  await mkdir(folder, { recursive: true })
  const certificates = await openCertificates(folder)
  const orders = new Orders()
  const kit = await openBase<StoredOrder>({
    folder,
    issue: (name) => ({
      client_id: `paypal-${name}-${secretOf(12)}`,
      client_secret: secretOf(30),
      webhook_id: randomBytes(8).toString('hex').toUpperCase(),
    }),
    apply: (order) => orders.apply(order),
    notifications: webhookForm(certificates, () => orders.base),
  })
  orders.use(kit)
  return {
    routes: [
      ['POST /v1/oauth2/token', (call) => issueToken(orders, kit, call)],
      ...checkoutRoutes(orders),
      ...paymentRoutes(orders),
      ...disputeAnswerRoutes(orders),
      ...webhookRoutes(orders, certificates),
      ...pagesOf(orders, kit),
      ...disputePages(kit, {
        list: () => disputable(orders.all()),
        take: (reference, step) => takeStep(orders.all(), reference, step),
      }),
      ...kit.routes,
    ],
    now,
    reportsDisputes: true,
    credentials: (url) => {
      orders.base = url
      const of = (name: string) => ({
        ...kit.accounts.byName(name)?.secrets,
        webhook_authority: pem(certificates.authority),
        base_url: url,
      })
      return { live: of('live'), test: of('test') }
    },
    close: () => kit.close(),
  }
}

const tokenSeconds = 32_400

async function issueToken(orders: Orders, kit: Base<StoredOrder>, { headers }: Call): Promise<Reply> {
  const basic = Buffer.from((headers['authorization'] ?? '').replace(/^Basic /, ''), 'base64').toString('utf8')
  const [id = '', secret = ''] = basic.split(':')
  const account = kit.accounts.bySecret('client_id', id)
  if (!account || account.secrets['client_secret'] !== secret) return noClient
  const body = { access_token: orders.issueToken(account.name), token_type: 'Bearer', expires_in: tokenSeconds }
  return { status: 200, body }
}

const webhookRoutes = (orders: Orders, certificates: WebhookCertificates): Routes => [
  [
    'GET /v1/notifications/webhooks',
    (call) =>
      orders.serve(call, async ({ secrets }) => ({
        status: 200,
        body: { webhooks: [{ id: secrets['webhook_id'] }] },
      })),
  ],
  [
    'GET /v1/notifications/webhooks/:id',
    (call) =>
      orders.serve(call, async ({ secrets, notificationUrl }) =>
        call.parameters[0] === secrets['webhook_id']
          ? { status: 200, body: { id: secrets['webhook_id'], url: notificationUrl } }
          : notFound,
      ),
  ],
  [
    'GET /v1/notifications/certs/:name',
    async ({ parameters: [name] }) =>
      name === certificateName(certificates)
        ? {
            status: 200,
            body: pem(certificates.signer) + pem(certificates.authority),
            headers: { 'content-type': 'application/octet-stream' },
          }
        : notFound,
  ],
]

/** PayPal adds its own parameters to the address to which the payer goes back. */
function backTo({ returnUrl, cancelUrl, id, status }: StoredOrder): string {
  const isApproved = status !== 'PAYER_ACTION_REQUIRED' && status !== 'VOIDED'
  const url = new URL(isApproved ? returnUrl : cancelUrl)
  url.searchParams.set('token', id)
  return url.href
}

function pagesOf(orders: Orders, kit: Base<StoredOrder>): Routes {
  const find = (key: string): StoredOrder | undefined => [...orders.all()].find(({ pageKey }) => pageKey === key)
  return payerPages({
    find: (key) => {
      const order = find(key)
      if (!order) return undefined
      const { amount, card, status } = order
      const payment = {
        merchant: '',
        amountMinor: minorOf(amount),
        currency: amount.currency_code,
        card: card ? `**** ${card.lastDigits}` : '',
      }
      return { payment, returnUrl: status === 'PAYER_ACTION_REQUIRED' ? null : backTo(order) }
    },
    decide: async (key, decision) => {
      const order = find(key)
      if (!order) throw new Error('The page belongs to no order.')
      const decided = decide(order, decision)
      const approval = decided.status === 'APPROVED' && decided.card === null
      await kit.write({
        items: [decided],
        ...(approval && {
          notices: [webhookNotice(decided, 'CHECKOUT.ORDER.APPROVED', showOrder(decided, orders.base))],
        }),
      })
      return backTo(decided)
    },
  })
}

/** A payer who fails the authentication of a card still comes back by the address of success. */
function decide(order: StoredOrder, decision: 'approve' | 'decline'): StoredOrder {
  if (order.card) {
    const authentication = decision === 'approve' ? 'Y' : 'N'
    return { ...order, status: 'APPROVED', card: { ...order.card, authentication } }
  }
  return decision === 'approve' ? { ...order, status: 'APPROVED' } : order
}
