/** The Transactions page: search with every filter of chapter 50 §8, and the details of a payment. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import { kinds, statuses } from '#domain/payment/payment.ts'
import type { PanelContext } from '../../../../../panel/panel-context.ts'
import { findPaymentsFor, midNamed, type PaymentDetails, readDetails } from '../../../../../panel/payments/payments.ts'
import { schemaNames } from '../../documented.ts'
import { type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, id, instant, instantInput, minor, minorInput, pageLimit } from '../../values.ts'
import { checkRecord, shownWalletFacts } from '../../wallet-checks.ts'
import { shownCallback } from './callbacks.ts'
import { tagInput } from './notes.ts'

export const foundPayment = z.object({
  id,
  merchantId: id,
  protocol: z.string(),
  action: z.string(),
  kind: z.string(),
  status: z.string(),
  test: z.boolean(),
  orderId: z.string(),
  amountMinor: minor,
  amountDecimals: z.number(),
  currency: z.string(),
  authorisedMinor: minor,
  capturedMinor: minor,
  refundedMinor: minor,
  chargedBackMinor: minor,
  /** `YYYY-MM-DD` at the MID; null before the outcome. */
  financialDay: z.string().nullable(),
  declineReason: z.string().nullable(),
  midId: id.nullable(),
  midName: z.string().nullable(),
  cardMask: z.string().nullable(),
  payerEmail: z.string().nullable(),
  wallet: z.string().nullable(),
  brand: z.string().nullable(),
  /** The attempt's number in the cascade, from 1. */
  attempt: z.number(),
  /** `continues`: another attempt will follow; `continued`: it has followed; null for the last attempt and outside of cascades. */
  cascading: z.enum(['continues', 'continued']).nullable(),
  createdAt: instant,
})
foundPayment.register(schemaNames, { name: 'Payment' })

const text = z.string().trim().min(1).max(255)

/** The first six and the last four digits, with `*`, `•` or `x` between them. */
const maskedCard = z
  .string()
  .max(40)
  .transform((sent) => sent.replaceAll(/[\s\u2022xX]/g, (sign) => (/\s/.test(sign) ? '' : '*')))
  .pipe(
    z.string().regex(/^[0-9]{6}\*+[0-9]{4}$/, 'Enter six digits, asterisks and four digits, such as 411111******1111.'),
  )

/** With a decimal point and without grouping: only the panel knows how its user writes numbers. */
const writtenAmount = z.string().regex(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,18})?$/, 'Enter an amount such as 1000.00.')

const currencyCode = z
  .string()
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9]{3,10}$/, 'Enter the code of a currency, such as EUR.'))

const countryCode = z
  .string()
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{2}$/, 'Enter two letters, such as DE.'))

const ipAddress = z.string().refine((address) => isIP(address) !== 0, 'Enter an IP address, such as 203.0.113.7.')

export const paymentFilters = {
  paymentId: z.uuid(),
  merchantId: z.uuid(),
  midId: z.uuid(),
  connector: text,
  status: z.enum(statuses),
  /** The beginning of the order number, in any case. */
  orderId: text,
  /** ARN, RRN, approval code or another reference of the acquirer. */
  reference: text,
  subscriptionId: z.uuid(),
  tag: tagInput,
  currency: currencyCode,
  /** In the currency’s own decimals; without a currency, in any currency. */
  amount: writtenAmount,
  amountMin: writtenAmount,
  amountMax: writtenAmount,
  /** In minor units. */
  amountFrom: minorInput,
  amountTo: minorInput,
  test: z.enum(['true', 'false']).transform((word) => word === 'true'),
  payerEmail: text,
  /** The beginning of the last name, or the beginnings of first name and last name. */
  payerName: text,
  payerIp: ipAddress,
  country: countryCode,
  /** The country of the card’s issuer; `country` prefers that of the payer. */
  issuerCountry: countryCode,
  bin: z.string().regex(/^[0-9]{6}$/, 'Enter the first six digits of the card.'),
  /** As figures count: a hold is approved, and so is what was refunded or charged back later. */
  outcome: z.enum(['approved', 'declined', 'open']),
  declineReason: text,
  protocol: z.enum(protocols),
  /** `income`: sales and debits, as the dashboard counts. */
  kind: z.enum([...kinds, 'income']),
  network: text,
  lastFour: z.string().regex(/^[0-9]{4}$/, 'Enter the last four digits of the card.'),
  card: maskedCard,
  /** One stored card of those with the same digits; needs `card` or `lastFour`. */
  cardId: z.uuid(),
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
  /** `last`: of a cascade only the attempt that ended it, as the dashboard counts. */
  attempts: z.enum(['last']),
  from: instantInput,
  to: instantInput,
}

/** Names and values, shown unchanged. */
const words = z.record(z.string(), z.string().nullable())

const shownTransaction = z.object({
  id,
  type: z.string(),
  state: z.string(),
  amountMinor: minor,
  midId: id,
  midName: z.string().nullable(),
  reference: z.string().nullable(),
  declineReason: z.string().nullable(),
  declineClass: z.string().nullable(),
  creditvoidId: id.nullable(),
  asks: z.number(),
  /** The acquirer is asked no more, and people decide. */
  isUnresolved: z.boolean(),
  /** Data from the acquirer: arn, rrn, approval code … */
  facts: anything,
  createdAt: instant,
  endedAt: instant.nullable(),
})
shownTransaction.register(schemaNames, { name: 'Transaction' })

const shownDetails = z.object({
  payment: foundPayment.extend({
    version: z.number(),
    orderDescription: z.string(),
    declineClass: z.string().nullable(),
    channel: z.string().nullable(),
    cardExpiry: z.string().nullable(),
    cardSource: z.string().nullable(),
    payerIp: z.string().nullable(),
    payer: words,
    payee: words,
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
  threeDs: words.nullable(),
  browser: words.nullable(),
  storedCredential: words.nullable(),
  /** With the result of every check of the token. */
  walletFacts: shownWalletFacts.nullable(),
  brandFacts: anything,
  issuer: words.nullable(),
  chargeback: z.object({ at: z.string(), bankDate: z.string(), reasonCode: z.string() }).nullable(),
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
  /** What the acquirer reported by itself: an event of a notification each, oldest first. */
  notifications: z
    .array(
      z.object({
        midName: z.string().nullable(),
        notificationId: z.string(),
        kind: z.string(),
        reference: z.string(),
        state: z.enum(['waiting', 'entered', 'failed']),
        tries: z.number(),
        note: z.string().nullable(),
        receivedAt: instant,
      }),
    )
    .readonly(),
  refusedTokens: z.array(z.object({ requestId: z.string(), at: instant, record: checkRecord })).readonly(),
  /** All attempts of the payment's cascade, including this one. */
  attempts: z.array(foundPayment).readonly(),
  /** When the payer’s data was erased; null if it was not. */
  erasedAt: instant.nullable(),
  /** The commands that the payment's status allows now, regardless of the caller's permissions. */
  offers: z.object({
    capture: z.boolean(),
    void: z.boolean(),
    refund: z.boolean(),
    retry: z.boolean(),
    chargeback: z.boolean(),
    partialCapture: z.boolean(),
    partialRefund: z.boolean(),
    refundLimitMinor: minor.nullable(),
  }),
})

export const paymentEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/payments',
    summary: 'Lists payments that match all filters, newest first; the next page starts before the last id.',
    access: 'payments.read',
    query: { ...z.object(paymentFilters).partial().shape, before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ payments: z.array(foundPayment).readonly() }),
    run: async ({ query: { limit, ...filter } }, { context, grant }) => ({
      payments: withMidNames(context, await findPaymentsFor(context, grant, filter, limit)),
    }),
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/payments/:paymentId',
    summary: 'Returns all details of a payment.',
    access: 'payments.read',
    output: shownDetails,
    run: async ({ params: { merchantId, paymentId } }, { context }) =>
      detailsAnswer(context, await readDetails(context, merchantId, paymentId)),
  }),
]

export const withMidNames = <Row extends { readonly midId: string | null }>(
  context: PanelContext,
  rows: readonly Row[],
) => rows.map((row) => ({ ...row, midName: midNamed(context, row.midId) }))

/** Tokens of saved cards and of chains are left out, because they can be used to make payments. */
function detailsAnswer(
  context: PanelContext,
  { payment, transactions, unresolved, attempts, notifications, ...rest }: PaymentDetails,
): z.input<typeof shownDetails> {
  const { facts } = payment
  return {
    ...rest,
    attempts: withMidNames(context, attempts),
    notifications: withMidNames(context, notifications),
    payment: {
      ...payment,
      test: payment.mode === 'test',
      midName: midNamed(context, payment.midId),
      wallet: facts.wallet?.name ?? null,
      brand: facts.brand?.code ?? null,
      recurringFirst: facts.recurringFirst ?? null,
    },
    routing: payment.routing,
    threeDs: facts.threeDs ?? null,
    browser: facts.browser ?? null,
    storedCredential: facts.storedCredential ? { ...facts.storedCredential } : null,
    walletFacts: facts.wallet ?? null,
    brandFacts: facts.brand ?? null,
    issuer: facts.issuer ? { ...facts.issuer } : null,
    chargeback: facts.chargeback ?? null,
    timeline: transactions.map(({ facts: { storedCredential: _credential, ...otherFacts }, ...one }) => ({
      ...one,
      midName: midNamed(context, one.midId),
      isUnresolved: unresolved.includes(one.id),
      facts: otherFacts,
    })),
  }
}
