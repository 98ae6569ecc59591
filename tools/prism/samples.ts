/** What the probe and the tests give to the package: credentials of the right shape, an order, a later step, a question. */
import { generateKeyPairSync } from 'node:crypto'
import type { Wallet } from '#domain/mid.ts'
import { secret } from '#domain/secret.ts'
import type { FollowUp, Order, StatusQuery } from '#server/connectors/connector.ts'

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

const { privateKey: curveKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-521',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

const { privateKey: oldKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
})

export function sampleText(name: string, acquirer = ''): string {
  if (/private/i.test(name) && acquirer === 'truelayer') return curveKey
  if (/private/i.test(name) && acquirer === 'trustly') return oldKey
  if (/private/i.test(name)) return keys.privateKey
  if (/publickey$/i.test(name) && /paco|juspay/i.test(name)) return keys.publicKey
  if (/kid$/i.test(name)) return '0123456789abcdef0123456789abcdef'
  if (/currency/i.test(name)) return 'EUR'
  if (/Id$|account|terminal|site$|rank/i.test(name)) return '123456'
  return Buffer.from('a sample of thirty-two characters').toString('base64').slice(0, 32)
}

/** One acquirer puts the key into it with which cards are encrypted. */
export const sampleAccessToken = `sample|||${keys.publicKey.replaceAll(/-----[A-Z ]+-----|\n/g, '')}`

const createdAt = new Date('2026-03-01T11:59:59Z')

const order: Order = {
  transactionId: '0199a1b2-c3d4-7e5f-8a6b-000000000001',
  paymentId: '0199a1b2-c3d4-7e5f-8a6b-00000000000a',
  orderId: 'ORDER-1001',
  description: 'Shoes',
  amountMinor: 1234n,
  currency: 'EUR',
  card: {
    number: secret('4111111111111111'),
    expiryMonth: 1,
    expiryYear: 2038,
    verificationCode: secret('917'),
    holder: 'John Doe',
  },
  wallet: null,
  brand: null,
  payeeCard: null,
  payer: {
    first_name: 'John',
    last_name: 'Doe',
    email: 'doe@example.com',
    country: 'US',
    state: 'CA',
    city: 'Los Angeles',
    zip: '90001',
    address: 'Main Street',
    house_number: '1',
    phone: '199999999',
    phone_country_code: '+1',
    birth_date: '1990-01-31',
  },
  payee: {},
  payerIp: '203.0.113.7',
  moto: false,
  payerPresent: true,
  storedCredential: null,
  threeDs: null,
  recurringInit: false,
  networkTransactionId: null,
  registerCard: false,
  descriptor: 'EXAMPLE SHOP',
  parameters: {},
  returnUrl: 'https://pay.example.com/verify/redirect/0/0',
  mode: 'test',
  notificationUrl: 'https://pay.example.com/acquirers/sample/notifications',
  browser: null,
  createdAt,
}

export const sampleCryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA='

const decrypted = {
  panType: 'DPAN',
  dataType: '3DSecure',
  cryptogram: secret(sampleCryptogram),
  eci: '05',
  emvData: null,
  pinData: null,
  merchantToken: null,
} as const

export const sampleWallet = (name: Wallet): Order['wallet'] => ({ name, token: null, decrypted })

export const sampleOrder = (changes: Partial<Order>): Order => ({ ...order, ...changes })

const first = { transactionId: order.transactionId, reference: '987654321', amountMinor: 76543n, createdAt, facts: {} }

export const sampleFollowUp = (changes: Partial<FollowUp>): FollowUp => ({
  transactionId: '0199a1b2-c3d4-7e5f-8a6b-000000000002',
  paymentId: order.paymentId,
  originalTransactionId: order.transactionId,
  reference: '987654321',
  amountMinor: 1234n,
  currency: 'EUR',
  parameters: {},
  createdAt,
  first: {
    ...first,
    facts: { extended: { acquirer_data: '{"creditCard":{"cardNumber":"XXXX1111","expirationDate":"XXXX"}}' } },
  },
  captures: [],
  ...changes,
})

export const sampleQuery = (changes: Partial<StatusQuery>): StatusQuery => ({
  transactionId: order.transactionId,
  paymentId: order.paymentId,
  operation: 'sale',
  reference: '987654321',
  amountMinor: 1234n,
  currency: 'EUR',
  createdAt,
  first,
  ...changes,
})
