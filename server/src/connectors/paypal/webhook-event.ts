/** What a verified webhook of PayPal reports. A kind that changes no payment is ignored, and so is a payment of another shop of the account. */

import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import { utcDay } from '#domain/time.ts'
import { readMerchantReference } from '../merchant-reference.ts'
import type { NotificationReading } from '../notification.ts'
import type { AcquirerEvent } from '../reports.ts'
import { type PaymentKind, paymentOutcome } from './answer.ts'
import { fromMoney } from './currencies.ts'
import { readDispute } from './dispute-event.ts'
import { type Payment, paymentSchema } from './resources.ts'
import type { Webhook } from './webhook.ts'

const eventSchema = z.object({
  id: z.string().min(1),
  event_type: z.string(),
  create_time: z.iso.datetime({ offset: true }),
  resource: z.record(z.string(), z.unknown()),
})

export function readEvent(body: Buffer): NotificationReading {
  const parsed = eventSchema.safeParse(parseJson(body.toString('utf8')))
  if (!parsed.success) return { kind: 'unverified', reason: 'The notification could not be read.' }
  const { id, event_type: type, create_time, resource } = parsed.data
  const events = [(readers.get(type) ?? ignore)({ id, type, at: new Date(create_time), resource }) ?? []].flat()
  return events.length > 0 ? { kind: 'verified', id, events } : { kind: 'ignored', id }
}

type Reader = (event: Webhook) => AcquirerEvent | readonly AcquirerEvent[] | null

const ignore: Reader = () => null

const orderSchema = z.object({ purchase_units: z.array(z.object({ custom_id: z.string() })).min(1) })

/** The payer approved an order, and may never come back to us: it is completed now. */
const readApproval: Reader = ({ id, at, resource }) => {
  const [unit] = orderSchema.safeParse(resource).data?.purchase_units ?? []
  const ids = readMerchantReference(unit?.custom_id ?? '')
  return ids && { kind: 'decided', reference: id, ...ids, at }
}

/** A capture or refund of ours has its own invoice number; everything carries the first step's as `custom_id`. */
const idsOf = ({ invoice_id, custom_id }: Payment) =>
  readMerchantReference(invoice_id ?? '') ?? readMerchantReference(custom_id ?? '')

const readPayment =
  (kind: PaymentKind): Reader =>
  ({ id, at, resource }) => {
    const payment = paymentSchema.safeParse(resource).data
    const ids = payment && idsOf(payment)
    return ids ? { kind: 'decided', reference: id, ...ids, at, outcome: paymentOutcome(kind, payment) } : null
  }

const relatedSchema = z.object({
  supplementary_data: z.object({ related_ids: z.object({ authorization_id: z.string() }) }),
})

/** A capture of an authorisation that has the authorisation's own number was not asked for by us. */
const readCapture: Reader = (event) => {
  const payment = paymentSchema.safeParse(event.resource).data
  const isForeign =
    relatedSchema.safeParse(event.resource).success &&
    (payment?.invoice_id === undefined || payment.invoice_id === payment.custom_id)
  const ids = payment && isForeign ? idsOf(payment) : null
  const amountMinor = payment?.amount ? fromMoney(payment.amount) : null
  if (!ids || amountMinor === null) return readPayment('capture')(event)
  return { kind: 'captured', reference: event.id, ...ids, at: event.at, amountMinor }
}

/** PayPal took the money back, after a dispute or a chargeback at the bank. */
const readReversal: Reader = ({ id, at, resource }) => {
  const payment = paymentSchema.safeParse(resource).data
  const ids = payment && idsOf(payment)
  const amountMinor = payment?.amount ? fromMoney(payment.amount) : null
  if (!ids || amountMinor === null) return null
  const bankDate = utcDay(at)
  return {
    kind: 'chargeback',
    reference: id,
    paymentId: ids.paymentId,
    amountMinor,
    at,
    bankDate,
    reasonCode: '0000 Reversed by PayPal',
  }
}

const readFailedRefund: Reader = ({ id, at, resource }) => {
  const payment = paymentSchema.safeParse(resource).data
  const ids = payment && idsOf(payment)
  return ids ? { kind: 'refund-failed', reference: id, ...ids, at, reason: 'The refund failed at PayPal' } : null
}

const expirySchema = z.object({ expiration_time: z.iso.datetime({ offset: true }) })

/** A hold that we voided is reported as well; only one whose time was over has lapsed. */
const readVoided: Reader = ({ id, at, resource }) => {
  const payment = paymentSchema.safeParse(resource).data
  const ids = payment && idsOf(payment)
  const expiry = expirySchema.safeParse(resource).data
  if (!ids || !expiry || new Date(expiry.expiration_time) > at) return null
  return { kind: 'lapse', reference: id, paymentId: ids.paymentId, at }
}

// biome-ignore format: a table is read in columns.
const readers: ReadonlyMap<string, Reader> = new Map([
  ['CHECKOUT.ORDER.APPROVED',             readApproval],
  ['CHECKOUT.PAYMENT-APPROVAL.REVERSED',  readApproval],
  ['PAYMENT.AUTHORIZATION.CREATED',       readPayment('authorization')],
  ['PAYMENT.AUTHORIZATION.DENIED',        readPayment('authorization')],
  ['PAYMENT.AUTHORIZATION.VOIDED',        readVoided],
  ['PAYMENT.CAPTURE.COMPLETED',           readCapture],
  ['PAYMENT.CAPTURE.DECLINED',            readPayment('capture')],
  ['PAYMENT.CAPTURE.DENIED',              readPayment('capture')],
  ['PAYMENT.CAPTURE.PENDING',             ignore],
  ['PAYMENT.CAPTURE.REFUNDED',            readPayment('refund')],
  ['PAYMENT.CAPTURE.REVERSED',            readReversal],
  ['PAYMENT.REFUND.PENDING',              ignore],
  ['PAYMENT.REFUND.FAILED',               readFailedRefund],
  ['CUSTOMER.DISPUTE.CREATED',            readDispute],
  ['CUSTOMER.DISPUTE.UPDATED',            readDispute],
  ['CUSTOMER.DISPUTE.RESOLVED',           readDispute],
])
