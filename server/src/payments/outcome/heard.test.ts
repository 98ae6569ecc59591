/** Chapter 20 §5.1 ("waiting", "expires_after"), §6.3, §6.6, §10: what an acquirer's word means for a brand's payment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../connectors/connector.ts'
import type { BrandFacts, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { interpretOutcome } from './interpret-outcome.ts'

const now = new Date('2026-02-03T10:00:00Z')
const hour = 3_600_000
const later = (hours: number): string => new Date(now.getTime() + hours * hour).toISOString()

// Only what the rule looks at.
const brand = (waiting: BrandFacts['waiting'], expiresAt = later(1)) => ({ waiting, expiresAt }) as BrandFacts
const paid = (facts: PaymentRecord['facts'], kind: PaymentRecord['kind'] = 'sale') =>
  ({ kind, amountMinor: 1000n, currency: 'BTC', facts }) as PaymentRecord
const sale = { type: 'SALE', state: 'sent', amountMinor: 1000n } as TransactionRecord

const waiting: Outcome = { result: 'waiting', facts: { reference: 'R1' } }
const away: Outcome = { result: 'payer-step', step: 'REDIRECT', url: 'https://p', method: 'GET', params: {}, facts: {} }

// biome-ignore format: a table is read in columns.
const cases = [
  // payment                                                                    outcome   becomes
  ['a brand that waits in PENDING waits',                                       paid({ brand: brand('pending') }),            sale,                            waiting, 'waiting'],
  ['a brand that waits in PREPARE is not known yet',                            paid({ brand: brand('prepare') }),            sale,                            waiting, 'unknown'],
  ['a card never waits in PENDING',                                             paid({}),                                     sale,                            waiting, 'unknown'],
  ['a refund waits whatever the brand',                                         paid({ brand: brand('prepare') }),            { ...sale, type: 'REFUND' },     waiting, 'waiting'],
  ['a capture that the acquirer has not finished is not known yet',             paid({}),                                     { ...sale, type: 'CAPTURE' },    waiting, 'unknown'],
  ['nor is a void',                                                             paid({ brand: brand('pending') }),            { ...sale, type: 'VOID' },       waiting, 'unknown'],
  ['a reversal waits',                                                          paid({}),                                     { ...sale, type: 'REVERSAL' },   waiting, 'waiting'],
  ['at the end of the payer’s time waiting is over',                            paid({ brand: brand('pending', later(0)) }),  sale,                            waiting, 'declined Expired'],
  ['so it is in PREPARE',                                                       paid({ brand: brand('prepare', later(-1)) }), sale,                            waiting, 'declined Expired'],
  ['a payer who would still have to be sent away is too late',                  paid({ brand: brand('redirect', later(-1)) }), sale,                           away,    'declined Expired'],
  ['a payer in time is sent away',                                              paid({ brand: brand('redirect') }),           sale,                            away,    'payer-step'],
  ['a payout has no payer whose time could be over',                            paid({ brand: brand('pending', later(-1)) }, 'credit'), { ...sale, type: 'CREDIT' }, waiting, 'waiting'],
  ['no answer is no end, however late',                                         paid({ brand: brand('pending', later(-1)) }), sale, { result: 'unknown', reason: 'Silence', facts: {} }, 'unknown'],
] as const

for (const [title, payment, transaction, outcome, expected] of cases) {
  test(title, () => {
    const { outcome: told } = interpretOutcome(payment, transaction as TransactionRecord, outcome, now)
    assert.equal(told.result === 'declined' ? `declined ${told.reason}` : told.result, expected)
    assert.deepEqual(told.facts, outcome.facts)
  })
}

const came = (received?: string): Outcome => ({ result: 'approved', facts: received === undefined ? {} : { received } })

// biome-ignore format: a table is read in columns.
const money = [
  // asked                received  becomes                      the payment and its transaction then have
  ['exactly what was asked for',        paid({}),                    '1000',    'approved',                  1000n],
  ['nothing said about the amount',     paid({}),                    undefined, 'approved',                  1000n],
  ['more than was asked for',           paid({}),                    '1001',    'approved',                  1001n],
  ['less than was asked for',           paid({}),                    '999',     'declined Amount mismatch',  1000n],
  ['an open amount',                    paid({ openAmount: true }),  '5',       'approved',                  5n],
  ['an open amount that is not told',   paid({ openAmount: true }),  undefined, 'unknown',                   1000n],
  ['nothing at all',                    paid({ openAmount: true }),  '0',       'declined Amount mismatch',  1000n],
] as const

for (const [title, payment, received, expected, amountMinor] of money) {
  test(`${title}: ${expected}`, () => {
    const told = interpretOutcome(payment, sale, came(received), now)
    assert.equal(told.outcome.result === 'declined' ? `declined ${told.outcome.reason}` : told.outcome.result, expected)
    assert.deepEqual([told.payment.amountMinor, told.transaction.amountMinor], [amountMinor, amountMinor])
    const isKnown = told.outcome.result === 'approved'
    assert.equal(told.payment.facts.openAmount, isKnown ? undefined : payment.facts.openAmount)
    // Money that came and was not taken has to be given back by somebody.
    assert.equal(told.alert !== null, expected.startsWith('declined'))
  })
}
