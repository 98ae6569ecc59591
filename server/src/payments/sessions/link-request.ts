/** The Checkout request of a payment link: every payment of a link is a session like any other. Chapter 70 §8. */
import { requestTexts, textsOf } from '#domain/payment/facts.ts'
import type { PaymentLinkRecord, SessionRequest } from '../../contracts/session-records.ts'

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
  methods: [],
  channel: null,
  order: { number: orderNumber, amount, currency, description },
  urls: { success: urls.success, cancel: urls.cancel, expiry: urls.cancel, error: null, return: null },
  urlTarget: null,
  saveCard: false,
  cardTokens: [],
  recurringInit: false,
  schedule: null,
  consentRequired: false,
  auth: false,
  ...textsOf(requestTexts, () => null),
  vatCalc: false,
  formId: null,
  customer: {},
  billingAddress: language === null ? {} : { language },
  payee: {},
  payeeBillingAddress: {},
  cryptoNetwork: null,
  parameters: null,
  customData: metadata,
  customerIp: null,
})
