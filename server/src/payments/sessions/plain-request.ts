/** A Checkout request that has an order and nothing else; links and the virtual terminal add what they know. */
import { requestTexts, textsOf } from '#domain/payment/facts.ts'
import type { SessionRequest } from '../../contracts/session-records.ts'

export const plainRequest = (order: SessionRequest['order']): SessionRequest => ({
  methods: [],
  channel: null,
  order,
  urls: { success: null, cancel: null, expiry: null, error: null, return: null },
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
  billingAddress: {},
  payee: {},
  payeeBillingAddress: {},
  cryptoNetwork: null,
  parameters: null,
  customData: null,
  customerIp: null,
})
