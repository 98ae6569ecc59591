/** Chapter 20 §5.1 ("waiting", "expires_after"), §6.3, §6.6, §10: how an acquirer's outcome is interpreted for a brand's payment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../connectors/connector.ts'
import type { BrandFacts, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { interpretOutcome } from './interpret-outcome.ts'

const now = new Date('2026-02-03T10:00:00Z')
const hour = 3_600_000
const later = (hours: number): string => new Date(now.getTime() + hours * hour).toISOString()

// Only the fields that the rule reads.
const brand = (waiting: BrandFacts['waiting'], expiresAt = later(1)) => ({ waiting, expiresAt }) as BrandFacts
const paymentWith = (facts: PaymentRecord['facts'], kind: PaymentRecord['kind'] = 'sale') =>
  ({ kind, amountMinor: 1000n, currency: 'BTC', facts }) as PaymentRecord
const sale = { type: 'SALE', state: 'sent', amountMinor: 1000n } as TransactionRecord

const waiting: Outcome = { result: 'waiting', facts: { reference: 'R1' } }
const away: Outcome = { result: 'payer-step', step: 'REDIRECT', url: 'https://p', method: 'GET', params: {}, facts: {} }

// biome-ignore format: a table is read in columns.
const cases = [
  // title                                                    payment                                                        transaction                    outcome                                              becomes
  ['a brand whose payments wait in PENDING: stays waiting',   paymentWith({ brand: brand('pending') }),                      sale,                          waiting,                                             'waiting'],
  ['a brand whose payments wait in PREPARE: outcome unknown', paymentWith({ brand: brand('prepare') }),                      sale,                          waiting,                                             'unknown'],
  ['a card payment never waits: outcome unknown',             paymentWith({}),                                               sale,                          waiting,                                             'unknown'],
  ['a refund may wait with every brand',                      paymentWith({ brand: brand('prepare') }),                      { ...sale, type: 'REFUND' },   waiting,                                             'waiting'],
  ['an unfinished capture is an unknown outcome',             paymentWith({}),                                               { ...sale, type: 'CAPTURE' },  waiting,                                             'unknown'],
  ['an unfinished void is an unknown outcome',                paymentWith({ brand: brand('pending') }),                      { ...sale, type: 'VOID' },     waiting,                                             'unknown'],
  ['a reversal may wait',                                     paymentWith({}),                                               { ...sale, type: 'REVERSAL' }, waiting,                                             'waiting'],
  ['waiting in PENDING expires with the payer’s time',        paymentWith({ brand: brand('pending', later(0)) }),            sale,                          waiting,                                             'declined Expired'],
  ['waiting in PREPARE expires with the payer’s time',        paymentWith({ brand: brand('prepare', later(-1)) }),           sale,                          waiting,                                             'declined Expired'],
  ['a redirect after the payer’s time has ended expires',     paymentWith({ brand: brand('redirect', later(-1)) }),          sale,                          away,                                                'declined Expired'],
  ['a redirect within the payer’s time is carried out',       paymentWith({ brand: brand('redirect') }),                     sale,                          away,                                                'payer-step'],
  ['a payout never expires: it has no payer',                 paymentWith({ brand: brand('pending', later(-1)) }, 'credit'), { ...sale, type: 'CREDIT' },   waiting,                                             'waiting'],
  ['an unknown outcome never expires',                        paymentWith({ brand: brand('pending', later(-1)) }),           sale,                          { result: 'unknown', reason: 'Silence', facts: {} }, 'unknown'],
] as const

for (const [title, payment, transaction, outcome, expected] of cases) {
  test(title, () => {
    const { outcome: interpreted } = interpretOutcome(payment, transaction as TransactionRecord, outcome, now)
    assert.equal(interpreted.result === 'declined' ? `declined ${interpreted.reason}` : interpreted.result, expected)
    assert.deepEqual(interpreted.facts, outcome.facts)
  })
}

const approvedWith = (received?: string): Outcome => ({
  result: 'approved',
  facts: received === undefined ? {} : { received },
})

// biome-ignore format: a table is read in columns.
const money = [
  // asked                received  becomes                      the payment and its transaction then have
  ['exactly what was asked for',                              paymentWith({}),                                               '1000',                        'approved',                                          1000n],
  ['no received amount reported',                             paymentWith({}),                                               undefined,                     'approved',                                          1000n],
  ['more than was asked for',                                 paymentWith({}),                                               '1001',                        'approved',                                          1001n],
  ['less than was asked for',                                 paymentWith({}),                                               '999',                         'declined Amount mismatch',                          1000n],
  ['an open amount',                                          paymentWith({ openAmount: true }),                             '5',                           'approved',                                          5n],
  ['an open amount not reported',                             paymentWith({ openAmount: true }),                             undefined,                     'unknown',                                           1000n],
  ['nothing at all',                                          paymentWith({ openAmount: true }),                             '0',                           'declined Amount mismatch',                          1000n],
] as const

for (const [title, payment, received, expected, amountMinor] of money) {
  test(`${title}: ${expected}`, () => {
    const interpreted = interpretOutcome(payment, sale, approvedWith(received), now)
    assert.equal(
      interpreted.outcome.result === 'declined' ? `declined ${interpreted.outcome.reason}` : interpreted.outcome.result,
      expected,
    )
    assert.deepEqual([interpreted.payment.amountMinor, interpreted.transaction.amountMinor], [amountMinor, amountMinor])
    const isKnown = interpreted.outcome.result === 'approved'
    assert.equal(interpreted.payment.facts.openAmount, isKnown ? undefined : payment.facts.openAmount)
    // Money that was received for a declined payment has to be returned manually.
    assert.equal(interpreted.alert !== null, expected.startsWith('declined'))
  })
}
