/**
 * What the contract tests put into every connector: one order, one follow-up and one question, the same for all.
 *
 * A fixture's `given` changes single fields of them. It is JSON, so amounts and secrets stand there as plain text.
 */
import { secret } from '#domain/secret.ts'
import type { FollowUp, Order, PayerReturn, StatusQuery } from '../connector.ts'

/** Values that must never be seen in a log. The numbers are test cards. */
export const canaries = {
  number: '4111111111111111',
  verificationCode: '917',
  payeeNumber: '5555555555554444',
  authenticationValue: 'AAABBJg0VhI0VniQEjRWAAAAAAA=',
  token: '{"version":"EC_v1","data":"c2VjcmV0 of the wallet\\/","header":{"transactionId":"5a"}}',
  cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  emvData: 'nyYIAQIDBAUGBwifJwGA',
  merchantToken: 'DNITHE382500000000000001',
  account: 'DE89370400440532013000',
} as const

const order: Order = {
  transactionId: '0199a1b2-c3d4-7e5f-8a6b-000000000001',
  paymentId: '0199a1b2-c3d4-7e5f-8a6b-00000000000a',
  orderId: 'ORDER-1001',
  description: 'Shoes',
  amountMinor: 1000n,
  currency: 'EUR',
  card: {
    number: secret(canaries.number),
    expiryMonth: 1,
    expiryYear: 2038,
    verificationCode: secret(canaries.verificationCode),
    holder: 'John Doe',
  },
  wallet: null,
  brand: null,
  payeeCard: null,
  payer: { first_name: 'John', last_name: 'Doe', email: 'doe@example.com', country: 'DE' },
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
  browser: null,
  createdAt: new Date('2026-03-01T11:59:59Z'),
}

const first = {
  transactionId: order.transactionId,
  reference: 'REF-1',
  amountMinor: 1000n,
  createdAt: order.createdAt,
  facts: { reference: 'REF-1' },
}

const followUp: FollowUp = {
  transactionId: '0199a1b2-c3d4-7e5f-8a6b-000000000002',
  paymentId: order.paymentId,
  originalTransactionId: order.transactionId,
  reference: 'REF-1',
  amountMinor: 400n,
  currency: 'EUR',
  parameters: {},
  createdAt: new Date('2026-03-01T11:59:59Z'),
  first,
  captures: [],
}

const statusQuery: StatusQuery = {
  transactionId: order.transactionId,
  paymentId: order.paymentId,
  operation: 'sale',
  reference: 'REF-1',
  amountMinor: 1000n,
  currency: 'EUR',
  createdAt: order.createdAt,
  first,
}

export type SampleInput = Readonly<Record<string, unknown>>

export function orderWith(input: SampleInput): Order {
  const { card = {}, payeeCard, amountMinor, threeDs, wallet, brand, ...plain } = input
  const changes: SampleInput = {
    ...plain,
    card: card === null ? null : { ...order.card, ...withSecrets(card) },
    ...(payeeCard !== undefined && { payeeCard: secretOf(payeeCard) }),
    ...(amountMinor !== undefined && { amountMinor: typeof amountMinor === 'string' ? BigInt(amountMinor) : null }),
    ...(isFields(threeDs) && { threeDs: withSecrets(threeDs) }),
    ...(isFields(wallet) && { wallet: { ...noWallet, ...withSecrets(wallet), ...decryptedWith(wallet.decrypted) } }),
    ...(isFields(brand) && { brand: { ...noBrand, ...brand, expiresAt: new Date(String(brand.expiresAt)) } }),
  }
  return { ...order, ...changes }
}

const noWallet = { token: null, decrypted: null }
const noBrand = { identifier: null, cryptoNetwork: null, sandboxBehaviour: null }
const noDecrypted = { cryptogram: null, eci: null, emvData: null, pinData: null, merchantToken: null }

const decryptedWith = (decrypted: unknown): SampleInput =>
  isFields(decrypted) ? { decrypted: { ...noDecrypted, ...withSecrets(decrypted) } } : {}

const withSecrets = (fields: unknown): SampleInput =>
  Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => [name, secretFields.has(name) ? secretOf(value) : value]),
  )

export function followUpWith({ amountMinor, captures, ...plain }: SampleInput): FollowUp {
  const changes: SampleInput = {
    ...plain,
    ...(typeof amountMinor === 'string' && { amountMinor: BigInt(amountMinor) }),
    ...(Array.isArray(captures) && { captures: captures.map(captureWith) }),
  }
  return { ...followUp, ...changes }
}

const captureWith = (capture: SampleInput): SampleInput => ({
  ...capture,
  amountMinor: BigInt(String(capture.amountMinor)),
})

export function statusQueryWith({ amountMinor, ...plain }: SampleInput): StatusQuery {
  return { ...statusQuery, ...plain, ...(typeof amountMinor === 'string' && { amountMinor: BigInt(amountMinor) }) }
}

/** The payer is back from the page of the acquirer. */
export function payerReturnWith({ state, fields, ...plain }: SampleInput): PayerReturn {
  return { ...statusQueryWith(plain), state: textsIn(state), fields: textsIn(fields) }
}

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)])) : {}

const secretFields: ReadonlySet<string> = new Set([
  'number',
  'verificationCode',
  'authenticationValue',
  'token',
  'cryptogram',
  'emvData',
  'pinData',
  'merchantToken',
])

const secretOf = (value: unknown) => (typeof value === 'string' ? secret(value) : null)

const isFields = (value: unknown): value is SampleInput => typeof value === 'object' && value !== null
