/** The payment requests for both wallets. Chapter 40 §3, §17 "Request". */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSession } from '../read-answers.ts'
import { walletARequest } from './wallet-a/request.ts'
import { walletBRequest } from './wallet-b/provider.ts'

/** In the format of the service. */
const readWallet = (wallet: object, over: object = {}) => {
  const view = {
    country_code: 'DE',
    shop_name: 'Shoes',
    supported_networks: ['visa'],
    merchant_public_id: 'id',
    ...wallet,
  }
  const session = readSession({
    order: { amount: '10.00', currency: 'EUR' },
    total_amount: '12.00',
    methods: [{ code: 'wallet', kind: 'wallet', wallet: view }],
    ...over,
  })
  const [method] = session.methods
  assert.ok(method)
  return { session, method }
}

test('the request for wallet A has country, currency, capabilities, networks, the session’s total and its binding value', () => {
  const { session, method } = readWallet({ merchant_capabilities: ['supports3DS'], application_data: 'YmluZGluZw==' })
  assert.deepEqual(walletARequest(session, method), {
    countryCode: 'DE',
    currencyCode: 'EUR',
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa'],
    total: { label: 'Shoes', amount: '12.00', type: 'final' },
    applicationData: 'YmluZGluZw==',
  })
})

const ofB = {
  environment: 'TEST',
  gateway: 'gatehouse',
  gateway_merchant_id: 'key',
  merchant_identifier: 'BCR2',
  auth_methods: ['PAN_ONLY'],
}
const parametersOf = (more: object) => {
  const { session, method } = readWallet({ ...ofB, ...more })
  const request = Object(walletBRequest(session, method))
  return request.allowedPaymentMethods[0].parameters
}

test('the request for wallet B has the gateway, the merchant, the allowed methods and networks, and the final total', () => {
  const { session, method } = readWallet(ofB)
  assert.deepEqual(walletBRequest(session, method), {
    apiVersion: 2,
    apiVersionMinor: 0,
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: { allowedAuthMethods: ['PAN_ONLY'], allowedCardNetworks: ['visa'] },
        tokenizationSpecification: {
          type: 'PAYMENT_GATEWAY',
          parameters: { gateway: 'gatehouse', gatewayMerchantId: 'key' },
        },
      },
    ],
    merchantInfo: { merchantName: 'Shoes', merchantId: 'BCR2' },
    transactionInfo: {
      totalPriceStatus: 'FINAL',
      totalPrice: '12.00',
      currencyCode: 'EUR',
      countryCode: 'DE',
    },
  })
})

// biome-ignore format: a table is read in columns.
const addressCases = [
  // billing address, phone                    requested
  [{ billing_address: false, phone: false },  undefined],
  [{ billing_address: true,  phone: false },  { format: 'FULL', phoneNumberRequired: false }],
  [{ billing_address: true,  phone: true },   { format: 'FULL', phoneNumberRequired: true }],
  [{ billing_address: false, phone: true },   { format: 'MIN',  phoneNumberRequired: true }],
] as const

for (const [settings, expected] of addressCases) {
  test(`wallet B with ${JSON.stringify(settings)} requests ${JSON.stringify(expected) ?? 'nothing more'}`, () => {
    const parameters = parametersOf(settings)
    assert.deepEqual(parameters.billingAddressParameters, expected)
    assert.equal(parameters.billingAddressRequired, expected === undefined ? undefined : true)
  })
}
