/** Our words into those of CyberSource. Fields that say nothing are left out; null is returned for what CyberSource cannot take. */
import type { FollowUp, Order, SentTransaction } from '../connector.ts'
import { catalogueBrandOf } from '../order.ts'
import { toCybersourceAmount } from './currencies.ts'
import { authenticationOf, commerceIndicatorOf, initiatorOf } from './initiation.ts'
import { billToOf, deviceOf } from './payer.ts'
import { numberOf, paymentInformationOf } from './payment-information.ts'
import { plainReference, reversibleReference } from './references.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request with what its answer must repeat. */
export interface Request {
  readonly body: Fields
  readonly reference: string
  readonly amount: string
  readonly currency: string
}

/** `isCaptured`: a sale, which CyberSource captures together with its authorisation. */
export function paymentOf(order: Order, isCaptured: boolean): Request | null {
  const payment = paymentInformationOf(order)
  const amount = toCybersourceAmount(order.amountMinor, order.currency)
  if (!payment || amount === null || catalogueBrandOf(order)) return null
  const clientReferenceInformation = reversibleReference(order)
  const { currency } = order
  const initiator = initiatorOf(order)
  const billTo = billToOf(order.payer)
  const deviceInformation = deviceOf(order)
  const authentication = authenticationOf(order)
  const body = {
    clientReferenceInformation: { ...clientReferenceInformation, comments: commentOf(order) },
    processingInformation: {
      // An amount of zero verifies the card; there is nothing to capture.
      capture: isCaptured && order.amountMinor !== 0n,
      commerceIndicator: commerceIndicatorOf(order),
      ...(payment.solution && { paymentSolution: payment.solution }),
      authorizationOptions: {
        // Otherwise an account may be set up to approve less than was asked for.
        partialAuthIndicator: false,
        ...(initiator && { initiator }),
      },
    },
    paymentInformation: payment.fields,
    orderInformation: { amountDetails: { totalAmount: amount, currency }, ...(billTo && { billTo }) },
    ...(deviceInformation && { deviceInformation }),
    ...(order.descriptor && { merchantInformation: descriptorOf(order) }),
    ...(authentication && { consumerAuthenticationInformation: authentication }),
  }
  return { body, reference: clientReferenceInformation.code, amount, currency }
}

/** Shown with the transaction in the Business Center. */
const commentOf = ({ orderId, description }: Order): string => `${orderId}: ${description}`.slice(0, 255)

const descriptorOf = ({ descriptor }: Order): Fields => ({ merchantDescriptor: { name: descriptor.slice(0, 23) } })

/** A credit that belongs to no payment: a payout to a card. */
export function creditOf(order: Order): Request | null {
  const { card, payeeCard, payee, payer, currency } = order
  const number = payeeCard ?? card?.number
  const amount = toCybersourceAmount(order.amountMinor, currency)
  if (!number || amount === null || order.brand) return null
  const clientReferenceInformation = reversibleReference(order)
  const billTo = billToOf(payee.last_name || payee.first_name ? payee : payer)
  const { expiryMonth = null, expiryYear = null } = card ?? {}
  const body = {
    clientReferenceInformation: { ...clientReferenceInformation, comments: commentOf(order) },
    processingInformation: { commerceIndicator: 'internet' },
    paymentInformation: { card: numberOf({ number, expiryMonth, expiryYear }) },
    orderInformation: { amountDetails: { totalAmount: amount, currency }, ...(billTo && { billTo }) },
    ...(order.descriptor && { merchantInformation: descriptorOf(order) }),
  }
  return { body, reference: clientReferenceInformation.code, amount, currency }
}

/** A capture or refund of an amount. */
export function captureOrRefundOf(followUp: FollowUp, more: Fields = {}): Request | null {
  const { currency } = followUp
  const amount = toCybersourceAmount(followUp.amountMinor, currency)
  if (amount === null) return null
  const clientReferenceInformation = reversibleReference(followUp)
  const orderInformation = { amountDetails: { totalAmount: amount, currency } }
  const body = { clientReferenceInformation, ...more, orderInformation }
  return { body, reference: clientReferenceInformation.code, amount, currency }
}

/** Several captures of one hold are numbered, and the last one says that it is the last. */
export function captureOf(followUp: FollowUp): Request | null {
  const { captures, amountMinor, first } = followUp
  if (captures.length === 0 && amountMinor >= first.amountMinor) return captureOrRefundOf(followUp)
  const captured = captures.reduce((sum, capture) => sum + capture.amountMinor, amountMinor)
  const number = captures.length + 1
  const isLast = captured >= first.amountMinor
  const captureOptions = { captureSequenceNumber: number, totalCaptureCount: isLast ? number : mostCaptures }
  return captureOrRefundOf(followUp, { processingInformation: { captureOptions } })
}

/** Stands for a number that is not known yet. */
const mostCaptures = 99

/** What a release names: a follow-up, or a transaction that was sent. */
export type ReleaseStep = Pick<SentTransaction, 'transactionId' | 'paymentId' | 'amountMinor' | 'currency'>

/** The release of a hold. */
export function reversalOf(step: ReleaseStep): Request | null {
  const { currency } = step
  const amount = toCybersourceAmount(step.amountMinor, currency)
  if (amount === null) return null
  const clientReferenceInformation = plainReference(step)
  const body = {
    clientReferenceInformation,
    reversalInformation: { amountDetails: { totalAmount: amount, currency } },
  }
  return { body, reference: clientReferenceInformation.code, amount, currency }
}

/** A void is always that of the whole. */
export function voidOf(step: ReleaseStep): Request {
  const clientReferenceInformation = plainReference(step)
  const body = { clientReferenceInformation }
  return { body, reference: clientReferenceInformation.code, amount: '', currency: step.currency }
}

/** Reverses by our own id of the transaction, whose answer never came. */
export function timeoutReversalOf(sent: SentTransaction): Request | null {
  const request = reversalOf(sent)
  return request && { ...request, body: { ...request.body, clientReferenceInformation: reversibleReference(sent) } }
}

export const timeoutVoidOf = (sent: SentTransaction): Request => ({
  ...voidOf(sent),
  body: { clientReferenceInformation: reversibleReference(sent) },
})
