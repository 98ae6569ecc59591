/**
 * What the contract tests put into every connector: one order, one follow-up and one question, the same for all.
 *
 * A fixture's `given` changes single fields of them. It is JSON, so amounts and secrets stand there as plain text.
 */
import { secret } from '#domain/secret.ts'
import type { FollowUp, Order, StatusQuery } from './connector.ts'

/** Values that must never be seen in a log. The numbers are test cards. */
export const canaries = {
  number: '4111111111111111',
  verificationCode: '917',
  payeeNumber: '5555555555554444',
  authenticationValue: 'AAABBJg0VhI0VniQEjRWAAAAAAA=',
} as const

export const order: Order = {
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
  test: true,
}

export const followUp: FollowUp = {
  transactionId: '0199a1b2-c3d4-7e5f-8a6b-000000000002',
  paymentId: order.paymentId,
  originalTransactionId: order.transactionId,
  reference: 'REF-1',
  amountMinor: 400n,
  currency: 'EUR',
  parameters: {},
}

export const statusQuery: StatusQuery = {
  transactionId: order.transactionId,
  paymentId: order.paymentId,
  reference: 'REF-1',
}

export type Given = Readonly<Record<string, unknown>>

export function orderWith(given: Given): Order {
  const { card = {}, payeeCard, amountMinor, threeDs, ...plain } = given
  const cardChanges: Given = Object.fromEntries(
    Object.entries(card ?? {}).map(([name, value]) => [name, secretFields.has(name) ? secretOf(value) : value]),
  )
  const changes: Given = {
    ...plain,
    card: { ...order.card, ...cardChanges },
    ...(payeeCard !== undefined && { payeeCard: secretOf(payeeCard) }),
    ...(typeof amountMinor === 'string' && { amountMinor: BigInt(amountMinor) }),
    ...(isFields(threeDs) && { threeDs: { ...threeDs, authenticationValue: secretOf(threeDs.authenticationValue) } }),
  }
  return { ...order, ...changes }
}

export function followUpWith({ amountMinor, ...plain }: Given): FollowUp {
  return { ...followUp, ...plain, ...(typeof amountMinor === 'string' && { amountMinor: BigInt(amountMinor) }) }
}

export function statusQueryWith(given: Given): StatusQuery {
  return { ...statusQuery, ...given }
}

const secretFields: ReadonlySet<string> = new Set(['number', 'verificationCode'])

const secretOf = (value: unknown) => (typeof value === 'string' ? secret(value) : null)

const isFields = (value: unknown): value is Given => typeof value === 'object' && value !== null
