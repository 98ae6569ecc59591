/**
 * Facts for the tests of presenters and for the reference: a payment with no known fact, and one with all of them. The compiler reports a
 * fact that is missing here; facts that are one text are generated from the lists of their names.
 */
import {
  acquirerReferences,
  browserFacts,
  type PayerFacts,
  type PaymentFacts,
  payerFacts,
  type Texts,
  textFacts,
  textsOf,
  threeDsFacts,
} from '../facts.ts'

/** A person without any known fact; known facts are spread over it. */
export const unknownPerson: PayerFacts = Object.freeze(textsOf(payerFacts, () => null))

/** A card sale with no known fact but the order. */
export const bareFacts: PaymentFacts = {
  ...textsOf([...textFacts, ...acquirerReferences], () => null),
  id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  merchant: { name: 'shop', title: 'The Shop', timeZone: 'Europe/Berlin' },
  mid: null,
  protocol: 'S2S_CARD',
  action: 'SALE',
  kind: 'sale',
  status: 'SETTLED',
  mode: 'test',
  createdAt: new Date('2026-03-10T10:51:53Z'),
  order: {
    id: 'ORDER-1',
    description: 'Shoes',
    amountMinor: 1000n,
    amountDecimals: 2,
    currency: 'EUR',
    amountAsSent: '10.00',
  },
  transaction: null,
  transactions: null,
  declineClass: null,
  card: null,
  payer: unknownPerson,
  payee: unknownPerson,
  panType: null,
  storedCredential: null,
  threeDs: null,
  browser: null,
  customData: null,
  extendedData: null,
  exchange: null,
  commissionMinor: null,
  vatMinor: null,
  recurring: null,
  schedule: null,
  consent: null,
  reqToken: false,
  paidWithToken: false,
  brandDocument: null,
  crypto: null,
  voucher: null,
  redirect: null,
  chargeback: null,
}

/** A refund of 4.00 that is still being sent. */
export const exampleRefund = {
  id: '6f1d0a2e-7b3c-4d5e-8f90-a1b2c3d4e501',
  type: 'REFUND',
  state: 'sent',
  amountMinor: 400n,
  at: new Date('2026-07-01T22:30:00Z'),
  creditvoidId: '0d2c5f5e-7a11-4f0c-9a53-2f3b1a77c001',
} as const

type Complete<Facts> = { readonly [Fact in keyof Facts]: NonNullable<Facts[Fact]> }

/** The same sale with all facts. Each text is the name of its fact, so that a test notices two swapped columns. */
export const fullFacts: Complete<PaymentFacts> = {
  ...bareFacts,
  ...namesOf([...textFacts, ...acquirerReferences]),
  mid: { name: 'midName', connectorTitle: 'connectorName', overrideLinkTarget: null },
  transaction: exampleRefund,
  transactions: [exampleRefund],
  declineClass: 'hard',
  card: {
    mask: '411111******1111',
    pan10: '4111111111',
    expiryMonth: 1,
    expiryYear: 2038,
    network: 'network',
    issuerCountry: 'issuerCountry',
    issuerBank: 'issuerBank',
  },
  payer: namesOf(payerFacts, 'payer'),
  payee: namesOf(payerFacts, 'payee'),
  panType: 'DPAN',
  storedCredential: { initiator: 'cardholder', sequence: 'initial', source: 'card_token' },
  threeDs: namesOf(threeDsFacts),
  browser: namesOf(browserFacts, 'browser'),
  customData: { cart: '778' },
  extendedData: { avs_result: 'Y', cvv_result: 'M' },
  exchange: { rate: '1.1', rateBase: '1.2', currency: 'USD', amount: '11.00' },
  commissionMinor: 55n,
  vatMinor: 19n,
  recurring: { initTransId: bareFacts.id, token: '7b3c4d5e-8f90-4a1b-92c3-d4e501020304', init: true },
  schedule: {
    id: '57fddecf-17b9-4d38-9320-a670f0c29ec0',
    startDate: '2026-05-31',
    amount: '9.99',
    firstDate: '2026-05-31',
  },
  consent: { id: null, state: 'ignored' },
  reqToken: true,
  paidWithToken: true,
  brandDocument: 'payment_document_card',
  crypto: { address: 'bc1q', network: 'BTC' },
  voucher: { reference: '1', expires: '2026-03-13 10:51:53', url: 'https://voucher.example.com' },
  redirect: { url: 'https://acs.example.com', method: 'POST', params: { PaReq: 'request', MD: bareFacts.id } },
  chargeback: { at: bareFacts.createdAt, bankDate: '2026-04-01', reasonCode: '1212 Fraud' },
}

/** `payerFirstName` for `firstName` of a payer. */
function namesOf<Fact extends string>(facts: readonly Fact[], owner = ''): Texts<Fact, string> {
  return textsOf(facts, (fact) => (owner === '' ? fact : owner + fact.charAt(0).toUpperCase() + fact.slice(1)))
}
