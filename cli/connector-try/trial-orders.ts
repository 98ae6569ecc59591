/** The requests of a trial, as the gateway would write them for a payment. */
import { secret } from '#domain/secret.ts'
import type { FollowUp, MoneyOperation, Order, SentTransaction } from '#server/connectors/connector.ts'
import type { AcquirerFacts } from '#server/connectors/outcome.ts'
import type { TestCard } from '#server/contracts/test-cards.ts'
import type { TrialTerms } from './trial-terms.ts'

/** A first step that the acquirer has approved. */
export interface Charge {
  readonly order: Order
  readonly operation: 'sale' | 'authorize'
  readonly amountMinor: bigint
  readonly facts: AcquirerFacts
  readonly captures: FollowUp['captures']
}

type OrderTerms = Pick<TrialTerms, 'clock' | 'ids' | 'currency' | 'descriptor' | 'mode'>

export function newTrialOrder(
  terms: OrderTerms,
  card: TestCard,
  amountMinor: bigint,
  changes: Partial<Omit<Order, 'card' | 'amountMinor'>> = {},
): Order {
  const { clock, ids, currency, descriptor, mode } = terms
  const paymentId = ids.next()
  return {
    transactionId: ids.next(),
    paymentId,
    orderId: `TRY-${paymentId.slice(-12)}`,
    description: 'Trial of the connector',
    amountMinor,
    currency,
    card: {
      number: secret(card.number),
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      verificationCode: changes.payerPresent === false ? null : secret(card.verificationCode),
      holder: card.holder ?? 'John Doe',
    },
    wallet: null,
    brand: null,
    payeeCard: null,
    payer: { first_name: 'John', last_name: 'Doe', email: 'doe@example.com', country: 'DE' },
    payee: {},
    payerIp: '203.0.113.7',
    browser: null,
    moto: false,
    payerPresent: true,
    storedCredential: null,
    threeDs: null,
    recurringInit: false,
    networkTransactionId: null,
    registerCard: false,
    descriptor,
    parameters: {},
    returnUrl: null,
    mode,
    createdAt: clock.now(),
    ...changes,
  }
}

export const trialBrowser: NonNullable<Order['browser']> = {
  colorDepth: '24',
  screenHeight: '1080',
  screenWidth: '1920',
  javaEnabled: 'false',
  javascriptEnabled: 'true',
  language: 'en',
  timezoneOffset: '0',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  acceptHeaders: 'text/html',
  platform: 'Linux',
}

export function newFollowUp({ clock, ids, currency }: OrderTerms, charge: Charge, amountMinor: bigint): FollowUp {
  const { order, facts, captures } = charge
  return {
    transactionId: ids.next(),
    paymentId: order.paymentId,
    originalTransactionId: order.transactionId,
    reference: facts.reference ?? null,
    amountMinor,
    currency,
    parameters: {},
    createdAt: clock.now(),
    first: firstOf(order, charge.amountMinor, facts),
    captures,
  }
}

export function sentOrder(
  order: Order,
  operation: MoneyOperation,
  amountMinor: bigint,
  facts: AcquirerFacts,
): SentTransaction {
  const { transactionId, paymentId, currency, createdAt } = order
  const first = firstOf(order, amountMinor, facts)
  const reference = facts.reference ?? null
  return { transactionId, paymentId, operation, reference, amountMinor, currency, createdAt, first }
}

export function sentFollowUp(followUp: FollowUp, operation: MoneyOperation, facts: AcquirerFacts): SentTransaction {
  const { transactionId, paymentId, amountMinor, currency, createdAt, first } = followUp
  const reference = facts.reference ?? null
  return { transactionId, paymentId, operation, reference, amountMinor, currency, createdAt, first }
}

const firstOf = (
  { transactionId, createdAt }: Order,
  amountMinor: bigint,
  facts: AcquirerFacts,
): FollowUp['first'] => ({
  transactionId,
  reference: facts.reference ?? null,
  amountMinor,
  createdAt,
  facts,
})
