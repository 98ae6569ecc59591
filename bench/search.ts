/**
 * `npm run bench -- search [--payments=1000000]`: the first page of every filter of the Transactions page with ten thousand payments in
 * the database and with a million. A support person should not notice the difference: at most three times as long.
 *
 * Every filter is tried with a common and with a rare value, for somebody who sees all merchants and for somebody who sees one with
 * one payment in five.
 */
import { type PaymentFilter, searchPayments } from '#server/store/payment-search.ts'
import type { Pool } from '#server/store/pool.ts'
import { testDatabase } from '../server/test/database.ts'
import type { Figure } from './figure-table.ts'
import { addPayments, merchants, mids, momentOf } from './search-payments.ts'

const few = 10_000
const pageSize = 50
const warmUps = 3
const rounds = 21
const goal = { at: 'most', ratio: 3 } as const

export async function searchBench(many: number): Promise<readonly Figure[]> {
  const database = await testDatabase()
  try {
    await addPayments(database.pool, 0, few)
    const small = await measured(database.pool, few)
    await addPayments(database.pool, few, many)
    const large = await measured(database.pool, many)
    return small.map(({ name, milliseconds }, index) => {
      const after = large[index]?.milliseconds ?? Number.NaN
      const value = `${after.toFixed(2)} ms`
      return { name, value, against: `${milliseconds.toFixed(2)} ms`, ratio: after / milliseconds, goal }
    })
  } finally {
    await database.drop()
  }
}

interface Measured {
  readonly name: string
  readonly milliseconds: number
}

// biome-ignore format: a table is read in columns.
export const scopes: readonly (readonly [whose: string, merchantIds: readonly string[] | null])[] = [
  ['all merchants',     null],
  ['one in 5',          [merchants.fifth]],
  ['one in 1000',       [merchants.thousandth]],
  ['three merchants',   [merchants.fifth, merchants.hundredth, merchants.thousandth]],
]

async function measured(pool: Pool, payments: number): Promise<readonly Measured[]> {
  const results: Measured[] = []
  for (const [name, filter] of filtersAt(payments)) {
    for (const [whose, scope] of scopes)
      results.push({ name: `${name}, ${whose}`, milliseconds: await timeOf(pool, filter, scope) })
  }
  return results
}

/** Values of a payment in the middle, and ranges there: what is newest is found at once anyway. */
export function filtersAt(payments: number): readonly (readonly [string, PaymentFilter])[] {
  const middle = payments / 2
  const [from, to] = [momentOf(middle), momentOf(middle + 1000)]
  // biome-ignore format: a table is read in columns.
  return [
    ['no filter',                    {}],
    ['a page in the middle',         { before: idNear(middle) }],
    ['merchant',                     { merchantId: merchants.most }],
    ['status, common',               { status: 'SETTLED' }],
    ['status, rare',                 { status: 'CHARGEBACK' }],
    ['status, of one merchant',      { status: 'VOID' }],
    ['order',                        { orderId: `ORDER-${middle}` }],
    ['order, unknown',               { orderId: 'NOBODY' }],
    ['MID, common',                  { midId: mids[0] }],
    ['MID, rare',                    { midId: mids[1] }],
    ['connector',                    { midIds: [...mids] }],
    ['currency, common',             { currency: 'EUR' }],
    ['currency, rare',               { currency: 'JPY' }],
    ['currency, of one merchant',    { currency: 'GBP' }],
    ['amount, exact',                { amountFrom: 1700n, amountTo: 1700n }],
    ['amount, range',                { amountFrom: 3000n, amountTo: 3600n }],
    ['amount, none so high',         { amountFrom: 100_000n }],
    ['test side',                    { test: true }],
    ['payer e-mail',                 { payerEmail: 'Payer1077@example.com' }],
    ['card',                         { card: '411111******0017' }],
    ['brand, common',                { brand: 'usual-brand' }],
    ['brand, rare',                  { brand: 'rare-brand' }],
    ['brand, of one merchant',       { brand: 'own-brand' }],
    ['wallet, common',               { wallet: 'walletapay' }],
    ['wallet, rare',                 { wallet: 'walletbpay' }],
    ['wallet, of one merchant',      { wallet: 'walletcpay' }],
    ['pan_type',                     { panType: 'FPAN' }],
    ['threeDSServerTransID',         { threeDSServerTransID: `server-${middle}` }],
    ['dsTransID',                    { dsTransID: `ds-${middle}` }],
    ['acsTransID',                   { acsTransID: `acs-${middle}` }],
    ['xid',                          { xid: `xid-${middle}` }],
    ['transStatus, common',          { transStatus: 'Y' }],
    ['transStatus, rare',            { transStatus: 'U' }],
    ['transFlow',                    { transFlow: 'challenge' }],
    ['initiator',                    { initiator: 'merchant' }],
    ['sequence',                     { sequence: 'subsequent' }],
    ['source',                       { source: 'schedule' }],
    ['date',                         { from, to }],
    ['date, half of all',            { from: momentOf(payments / 4), to: momentOf(payments * 0.75) }],
    ['date, before the first',       { from: momentOf(-200_000), to: momentOf(-100_000) }],
    ['date and rare status',         { from, to, status: 'CHARGEBACK' }],
    ['date and MID, half of all',    { from: momentOf(payments / 4), to: momentOf(payments * 0.75), midId: mids[0] }],
    ['since a date',                 { from }],
    ['until a date',                 { to: from }],
    ['status and currency, rare',    { status: 'CHARGEBACK', currency: 'USD' }],
    ['e-mail and status',            { payerEmail: 'payer1078@example.com', status: 'SETTLED' }],
  ]
}

/** The identifier that a payment of this number at most has. */
const idNear = (number: number): string => {
  const hex = momentOf(number).getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The lower quartile: whatever else the machine does only adds to what a statement takes. */
async function timeOf(pool: Pool, filter: PaymentFilter, scope: readonly string[] | null): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const begun = performance.now()
    await searchPayments(pool, filter, scope, pageSize)
    if (round >= warmUps) times.push(performance.now() - begun)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? Number.NaN
}
