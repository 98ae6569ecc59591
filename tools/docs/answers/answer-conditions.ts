/** The conditions of fields in answers and callbacks: words for the reference, and a payment that lacks the condition. */
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { unknownPerson } from '#domain/payment/testing/example-facts.ts'

type Without = (facts: PaymentFacts) => PaymentFacts

export type Conditions = readonly (readonly [words: string, without: Without])[]

// biome-ignore format: a table is read in columns.
export const conditions: Conditions = [
  // the field is sent …                  what is removed
  ['when known',                          (facts) => ({ ...facts, payer: unknownPerson, ip: null, card: null })],
  ['with `recurring_init=Y`',             (facts) => ({ ...facts, recurring: facts.recurring?.init ? null : facts.recurring })],
  ['with `schedule_id`',                  (facts) => ({ ...facts, schedule: null })],
  ['with `schedule_start_date`',          withoutStartDate],
  ['with `payment_schedule_amount`',      (facts) => ({ ...facts, schedule: facts.schedule && { ...facts.schedule, amount: null } })],
  ['with `req_token=Y`',                  (facts) => ({ ...facts, reqToken: false })],
  ['with `card_token`',                   (facts) => ({ ...facts, paidWithToken: false })],
  ['with parameters',                     (facts) => ({ ...facts, redirect: facts.redirect && { ...facts.redirect, params: {} } })],
  ['for a wallet',                        (facts) => ({ ...facts, digitalWallet: null, panType: null })],
  ['for a wallet whose token was opened', (facts) => ({ ...facts, panType: null })],
  ['with `moto_type`',                    (facts) => ({ ...facts, motoType: null })],
  ['with `custom_data`',                  (facts) => ({ ...facts, customData: null })],
  ['when money was exchanged',            (facts) => ({ ...facts, exchange: null })],
  ['when exchanged twice',                (facts) => ({ ...facts, exchange: facts.exchange && { ...facts.exchange, rateBase: null } })],
]

/** Without a given start date the first date is known only after the payment has succeeded. */
function withoutStartDate(facts: PaymentFacts): PaymentFacts {
  const succeeded = facts.transaction ? facts.transaction.state === 'success' : facts.status === 'SETTLED'
  const firstDate = succeeded ? (facts.schedule?.firstDate ?? null) : null
  return { ...facts, schedule: facts.schedule && { ...facts.schedule, startDate: null, firstDate } }
}

/** The conditions above that both protocols have. */
const ofBoth = [
  'with parameters',
  'for a wallet',
  'for a wallet whose token was opened',
  'with `custom_data`',
  'when money was exchanged',
  'when exchanged twice',
]

/** On S2S APM. */
// biome-ignore format: a table is read in columns.
export const apmConditions: Conditions = [
  // the field is sent …                  what is removed
  ['when the amount is known',            withoutAmount],
  ['for a crypto brand',                  (facts) => ({ ...facts, crypto: null })],
  ['for a voucher brand',                 (facts) => ({ ...facts, voucher: null })],
  ...conditions.filter(([words]) => ofBoth.includes(words)),
]

/** Only a crypto payment that has not arrived has no amount. */
function withoutAmount(facts: PaymentFacts): PaymentFacts {
  const isOpen = facts.kind === 'sale' && facts.transaction?.type === 'SALE' && facts.transaction.state === 'waiting'
  return isOpen && facts.status === 'PENDING' ? { ...facts, order: { ...facts.order, amountMinor: null } } : facts
}
