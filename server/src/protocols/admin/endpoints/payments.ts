/** The Transactions page: search with every filter of chapter 50 §8, and the details of a payment. */
import { z } from 'zod'
import { wallets } from '#domain/mid.ts'
import { statuses } from '#domain/payment/payment.ts'
import { detailsOf, type PaymentDetails, paymentsFor } from '../../../admin/payments.ts'
import { type Endpoint, reading } from '../endpoint.ts'
import { anything, id, instant, instantGiven, minor, minorGiven, pageLimit } from '../values.ts'
import { shownCallback } from './callbacks.ts'

export const foundPayment = z.object({
  id,
  merchantId: id,
  protocol: z.string(),
  action: z.string(),
  status: z.string(),
  test: z.boolean(),
  orderId: z.string(),
  amountMinor: minor,
  amountDecimals: z.number(),
  currency: z.string(),
  authorisedMinor: minor,
  capturedMinor: minor,
  refundedMinor: minor,
  declineReason: z.string().nullable(),
  midId: id.nullable(),
  cardMask: z.string().nullable(),
  payerEmail: z.string().nullable(),
  wallet: z.string().nullable(),
  brand: z.string().nullable(),
  createdAt: instant,
})

const text = z.string().trim().min(1).max(255)

/** First six and last four digits, however the stars between them are written. */
const maskedCard = z
  .string()
  .max(40)
  .transform((sent) => sent.replaceAll(/[\s•xX]/g, (sign) => (/\s/.test(sign) ? '' : '*')))
  .pipe(z.string().regex(/^[0-9]{6}\*+[0-9]{4}$/, 'Six digits, stars, four digits, such as 411111******1111.'))

export const paymentFilters = {
  paymentId: z.uuid(),
  merchantId: z.uuid(),
  midId: z.uuid(),
  connector: text,
  status: z.enum(statuses),
  orderId: text,
  currency: text,
  amountFrom: minorGiven,
  amountTo: minorGiven,
  test: z.enum(['true', 'false']).transform((word) => word === 'true'),
  payerEmail: text,
  card: maskedCard,
  brand: text,
  wallet: z.enum(wallets),
  panType: z.enum(['DPAN', 'FPAN']),
  threeDSServerTransID: text,
  transStatus: text,
  dsTransID: text,
  acsTransID: text,
  xid: text,
  transFlow: text,
  initiator: z.enum(['cardholder', 'merchant']),
  sequence: z.enum(['initial', 'subsequent']),
  source: z.enum(['card_token', 'recurring', 'schedule']),
  from: instantGiven,
  to: instantGiven,
}

const shownTransaction = z.object({
  id,
  type: z.string(),
  state: z.string(),
  amountMinor: minor,
  midId: id,
  reference: z.string().nullable(),
  declineReason: z.string().nullable(),
  declineClass: z.string().nullable(),
  creditvoidId: id.nullable(),
  asks: z.number(),
  /** What the acquirer told: arn, rrn, approval code … */
  facts: anything,
  createdAt: instant,
  endedAt: instant.nullable(),
})

const shownDetails = z.object({
  payment: foundPayment.extend({
    version: z.number(),
    kind: z.string(),
    orderDescription: z.string(),
    chargedBackMinor: minor,
    financialDay: z.string().nullable(),
    declineClass: z.string().nullable(),
    channel: z.string().nullable(),
    cardExpiry: z.string().nullable(),
    cardSource: z.string().nullable(),
    payerIp: z.string().nullable(),
    payer: anything,
    payee: anything,
    customData: anything,
    language: z.string(),
    callbackUrl: z.string().nullable(),
    /** The first payment of its chain. */
    recurringFirst: id.nullable(),
    subscriptionId: id.nullable(),
    planDate: z.string().nullable(),
    sessionId: id.nullable(),
    updatedAt: instant,
  }),
  routing: anything,
  threeDs: anything,
  browser: anything,
  storedCredential: anything,
  /** With every check of the token and what it found. */
  walletFacts: anything,
  brandFacts: anything,
  issuer: anything,
  chargeback: anything,
  timeline: z.array(shownTransaction).readonly(),
  callbacks: z.array(shownCallback).readonly(),
  ledger: z
    .array(
      z.object({
        transactionId: id,
        fromAccount: z.string(),
        toAccount: z.string(),
        currency: z.string(),
        amountMinor: minor,
        at: instant,
      }),
    )
    .readonly(),
  refusedTokens: z.array(z.object({ requestId: z.string(), at: instant, record: anything })).readonly(),
})

export const paymentEndpoints: readonly Endpoint[] = [
  reading({
    path: '/payments',
    summary: 'Payments that fit all filters, newest first; the next page begins before the last one’s id.',
    access: 'payments.read',
    query: { ...z.object(paymentFilters).partial().shape, before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ payments: z.array(foundPayment).readonly() }),
    run: async ({ query: { limit, ...filter } }, { panel, grant }) => ({
      payments: await paymentsFor(panel, grant, filter, limit),
    }),
  }),
  reading({
    path: '/merchants/:merchantId/payments/:paymentId',
    summary: 'Everything that is known of a payment.',
    access: 'payments.read',
    output: shownDetails,
    run: async ({ params: { merchantId, paymentId } }, { panel }) =>
      shown(await detailsOf(panel, merchantId, paymentId)),
  }),
]

/** Tokens of saved cards and of chains stay out: they are what a payment can be made with. */
function shown({ payment, transactions, ...rest }: PaymentDetails): z.input<typeof shownDetails> {
  const { facts } = payment
  return {
    ...rest,
    payment: {
      ...payment,
      wallet: facts.wallet?.name ?? null,
      brand: facts.brand?.code ?? null,
      recurringFirst: facts.recurringFirst ?? null,
    },
    routing: payment.routing,
    threeDs: facts.threeDs ?? null,
    browser: facts.browser ?? null,
    storedCredential: facts.storedCredential ?? null,
    walletFacts: facts.wallet ?? null,
    brandFacts: facts.brand ?? null,
    issuer: facts.issuer ?? null,
    chargeback: facts.chargeback ?? null,
    timeline: transactions.map(({ facts: { storedCredential: _credential, ...told }, ...one }) => ({
      ...one,
      facts: told,
    })),
  }
}
