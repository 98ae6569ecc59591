/**
 * `npm run bench -- search [--payments=1000000] [--strict]`: the first page of every filter of the Transactions page with ten thousand
 * payments in the database and, alternating, with a million. The goal is at most three times the time.
 *
 * Every filter is tried with common and rare values and with one that only another merchant has, for users who see all merchants, one with
 * a fifth of the payments, a small one, and three. Beside the time each row has the number of touched database pages, which does not depend
 * on other load.
 */
import { DatabaseError } from 'pg'
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import type { PaymentFilter } from '#server/store/payments/search/payment-conditions.ts'
import { searchPayments } from '#server/store/payments/search/payment-search.ts'
import { testDatabase } from '../../server/test/database.ts'
import type { Figure } from '../figure-table.ts'
import { addMerchants, addPayments, amountOf, lastFourOf, merchants, mids, momentOf } from './search-payments.ts'

const few = 10_000
const pageSize = 50
const warmUps = 3
const rounds = 31
const goal = { at: 'most', ratio: 3 } as const
/** A search that takes seconds needs no further round. */
const longestMs = 10_000

export async function searchBench(many: number): Promise<readonly Figure[]> {
  const [small, large] = [await testDatabase(), await testDatabase()]
  try {
    await fill(small.pool, few)
    await fill(large.pool, many)
    return await searchFigures(
      { pool: small.pool, numbered: numberPayments(few) },
      { pool: large.pool, numbered: numberPayments(many) },
    )
  } finally {
    await large.drop()
    await small.drop()
  }
}

interface Searched {
  readonly pool: Pool
  readonly numbered: Numbered
}

/** Every filter in every scope, by turns. */
export async function searchFigures(small: Searched, large: Searched): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const searchCase of casesAt(small.numbered, large.numbered))
    figures.push(await figureWithinLimit(small.pool, large.pool, searchCase))
  return figures
}

const canceled = '57014'

/** A search that the server ended is a figure too: the other filters still have to be measured. */
async function figureWithinLimit(small: Pool, large: Pool, searchCase: SearchCase): Promise<Figure> {
  try {
    return await figureOf(small, large, searchCase)
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== canceled) throw error
    return { name: searchCase.name, value: 'ended by the time limit', ratio: Number.POSITIVE_INFINITY, goal }
  }
}

async function fill(pool: Pool, payments: number): Promise<void> {
  await addMerchants(pool)
  await addPayments(pool, payments)
}

interface SearchCase {
  readonly name: string
  readonly scope: readonly string[] | null
  readonly few: PaymentFilter
  readonly many: PaymentFilter
}

function casesAt(fewer: Numbered, more: Numbered): readonly SearchCase[] {
  const there = new Map(filtersAt(more))
  return filtersAt(fewer).flatMap(([name, filter]) =>
    scopes.map(([whose, scope]) => ({
      name: `${name}, ${whose}`,
      scope,
      few: filter,
      many: there.get(name) ?? filter,
    })),
  )
}

async function figureOf(small: Pool, large: Pool, searchCase: SearchCase): Promise<Figure> {
  const times: { readonly before: number; readonly after: number }[] = []
  const begun = performance.now()
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (times.length > 0 && performance.now() - begun > longestMs) break
    const before = await timeOf(small, searchCase.few, searchCase.scope)
    const after = await timeOf(large, searchCase.many, searchCase.scope)
    if (round >= warmUps) times.push({ before, after })
  }
  const [before, after] = [quartile(times.map((time) => time.before)), quartile(times.map((time) => time.after))]
  const [pagesBefore, pagesAfter] = [
    await pagesOf(small, searchCase.few, searchCase.scope),
    await pagesOf(large, searchCase.many, searchCase.scope),
  ]
  return {
    name: searchCase.name,
    value: `${after.toFixed(2)} ms, ${pagesAfter} pages`,
    against: `${before.toFixed(2)} ms, ${pagesBefore} pages`,
    ratio: after / before,
    goal,
  }
}

// biome-ignore format: a table is read in columns.
const scopes: readonly (readonly [whose: string, merchantIds: readonly string[] | null])[] = [
  ['all merchants',     null],
  ['one in 5',          [merchants.fifth]],
  ['a small one',       [merchants.small]],
  ['three merchants',   [merchants.fifth, merchants.hundredth, merchants.small]],
]

/** Payments of which a filter finds some, by their numbers. */
export interface Numbered {
  readonly oldest: number
  /** The number after the newest. */
  readonly payments: number
  readonly momentOf: (number: number) => Date
  /** The merchant with two of three payments. */
  readonly most: string
  /** A common and a rare one. */
  readonly mids: readonly [string, string]
  readonly rareStatus: string
}

export const numberPayments = (payments: number): Numbered => ({
  oldest: 0,
  payments,
  momentOf,
  most: merchants.most,
  mids,
  rareStatus: 'CHARGEBACK',
})

/** Values of a payment in the middle, and ranges there: the newest are found at once anyway. */
export function filtersAt(numbered: Numbered): readonly (readonly [string, PaymentFilter])[] {
  const { oldest, payments, most, rareStatus } = numbered
  const numberAt = (share: number): number => Math.round(oldest + (payments - oldest) * share)
  const momentAt = (share: number): Date => numbered.momentOf(numberAt(share))
  const middle = numberAt(0.5)
  const [from, to] = [numbered.momentOf(middle), numbered.momentOf(middle + 1000)]
  const before = (count: number): Date => numbered.momentOf(oldest - count)
  // biome-ignore format: a table is read in columns.
  return [
    ['no filter',                    {}],
    ['a page in the middle',         { before: idNear(from) }],
    ['merchant',                     { merchantId: most }],
    ['status, common',               { status: 'SETTLED' }],
    ['status, rare',                 { status: rareStatus }],
    ['status, of one merchant',      { status: 'VOID' }],
    ['order',                        { orderId: `ORDER-${middle}` }],
    ['order, unknown',               { orderId: 'NOBODY' }],
    ['order, all begin so',          { orderId: 'order-' }],
    ['reference, unknown',           { reference: 'NONE' }],
    ['subscription, unknown',        { subscriptionId: merchants.small }],
    ['tag',                          { tag: 'called' }],
    ['tag, unknown',                 { tag: 'never-used' }],
    ['last name, rare',              { lastName: `name${middle}` }],
    ['last name, common',            { lastName: 'name' }],
    ['first name and last name',     { firstName: 'ann', lastName: `name${middle}` }],
    ['IP address',                   { payerIp: '203.0.113.7' }],
    ['IP address, unknown',          { payerIp: '198.51.100.99' }],
    ['country',                      { country: 'DE' }],
    ['country, unknown',             { country: 'IS' }],
    ['country of the issuer',        { issuerCountry: 'DE' }],
    ['country of the issuer, unknown', { issuerCountry: 'IS' }],
    ['BIN',                          { bin: '411111' }],
    ['BIN, unknown',                 { bin: '999999' }],
    ['outcome, approved',            { outcome: 'approved' }],
    ['outcome, declined',            { outcome: 'declined' }],
    ['decline reason',               { declineReason: 'Do not honor' }],
    ['decline reason, unknown',      { declineReason: 'No such reason' }],
    ['protocol',                     { protocol: 'S2S_CARD' }],
    ['kind',                         { kind: 'sale' }],
    ['network',                      { network: 'mastercard' }],
    ['network, unknown',             { network: 'jcb' }],
    ['last four',                    { lastFour: lastFourOf(middle) }],
    ['last four and amount',         { lastFour: lastFourOf(middle), amountBy: amountIn(amountOf(middle)) }],
    ['last four and amount, never together', { lastFour: lastFourOf(middle), amountBy: amountIn(amountOf(middle + 1)) }],
    ['amount in any currency',       { amountBy: JSON.stringify({ EUR: 1700, USD: 1700, JPY: 17 }) }],
    ['amount at least, any currency',{ amountMinBy: JSON.stringify({ EUR: 3000, USD: 3000, JPY: 30 }) }],
    ['amount at most, any currency', { amountMaxBy: JSON.stringify({ EUR: 200, USD: 200, JPY: 2 }) }],
    ['MID, common',                  { midId: numbered.mids[0] }],
    ['MID, rare',                    { midId: numbered.mids[1] }],
    ['connector',                    { midIds: [...numbered.mids] }],
    ['currency, common',             { currency: 'EUR' }],
    ['currency, rare',               { currency: 'JPY' }],
    ['currency, of one merchant',    { currency: 'GBP' }],
    ['amount, exact',                { amountFrom: 1700n, amountTo: 1700n }],
    ['amount, range',                { amountFrom: 3000n, amountTo: 3600n }],
    ['amount, narrow range',         { amountFrom: 1650n, amountTo: 1750n }],
    ['amount, no match',         { amountFrom: 100_000n }],
    ['test mode',                    { test: true }],
    ['payer e-mail',                 { payerEmail: `Payer${Math.floor(middle / 3)}@example.com` }],
    ['card',                         { card: `411111******${lastFourOf(middle)}` }],
    // As the page of a payer asks: the digits find the few payments of which the card's own are kept.
    ['card, of one payer',           { card: `411111******${lastFourOf(middle)}`, cardId: '0190a000-0000-7000-8000-00000000000c' }],
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
    ['last attempts',                { attempts: 'last' }],
    ['date',                         { from, to }],
    ['date, half of all',            { from: momentAt(0.25), to: momentAt(0.75) }],
    ['date, before the first',       { from: before(200_000), to: before(100_000) }],
    ['date and rare status',         { from, to, status: rareStatus }],
    ['date and MID, half of all',    { from: momentAt(0.25), to: momentAt(0.75), midId: numbered.mids[0] }],
    ['since a date',                 { from }],
    ['until a date',                 { to: from }],
    ['status and currency, rare',    { status: rareStatus, currency: 'USD' }],
    ['e-mail and status',            { payerEmail: `payer${Math.floor(middle / 3) + 1}@example.com`, status: 'SETTLED' }],
  ]
}

/** The same number of minor units in each currency. */
const amountIn = (minor: number): string => JSON.stringify({ EUR: minor, USD: minor, GBP: minor, JPY: minor })

/** An identifier at most as large as that of a payment of this moment. */
const idNear = (moment: Date): string => {
  const hex = moment.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The lower quartile, because other load only adds time. */
const quartile = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? Number.NaN

async function timeOf(pool: Pool, filter: PaymentFilter, scope: readonly string[] | null): Promise<number> {
  const begun = performance.now()
  await searchPayments(pool, filter, scope, pageSize)
  return performance.now() - begun
}

/** The pages that all statements of one search touch, as counted by the database for its session. */
export async function pagesOf(pool: Pool, filter: PaymentFilter, scope: readonly string[] | null): Promise<number> {
  const client = await pool.connect()
  try {
    const before = await countTouchedPages(client)
    await client.query('begin')
    await searchPayments(client, filter, scope, pageSize)
    await client.query('commit')
    return (await countTouchedPages(client)) - before
  } finally {
    client.release()
  }
}

async function countTouchedPages(client: PoolClient): Promise<number> {
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query<{ touched: number }>(
    `select coalesce(sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)), 0)::float8 as touched
     from pg_statio_user_tables where relname = 'merchants' or relname like 'payments%'`,
  )
  return rows[0]?.touched ?? Number.NaN
}
