/** The Checkout request of a payment link: every payment of a link is a session like any other. Chapter 70 §8. */
import type { PaymentLinkRecord, SessionRequest } from '../../contracts/session-records.ts'
import { plainRequest } from './plain-request.ts'

interface LinkVisit {
  readonly amount: string
  readonly orderNumber: string
  readonly language: string | null
  readonly urls: { readonly success: string; readonly cancel: string }
}

export const linkRequest = (
  { currency, description, metadata }: PaymentLinkRecord,
  { amount, orderNumber, language, urls }: LinkVisit,
): SessionRequest => ({
  ...plainRequest({ number: orderNumber, amount, currency, description }),
  urls: { success: urls.success, cancel: urls.cancel, expiry: urls.cancel, error: null, return: null },
  billingAddress: language === null ? {} : { language },
  customData: metadata,
})
