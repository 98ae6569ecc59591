/**
 * Statements that are composed while they run, in a database whose tables are split by merchant: none has what Citus refuses over several
 * shards, and those of one merchant read its shard alone. See decisions/shards#rows-first.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { type CallbackSearch, searchCallbacks } from '../callbacks/callback-search.ts'
import { findPaymentsAmong } from '../exports/movements.ts'
import { readDueCounts } from '../instance/due-counts.ts'
import { type HoldFilter, listWaitingHolds, readHoldTotals } from '../payments/holds.ts'
import { findMoneyFaults } from '../payments/money-checks.ts'
import { findBeginningOfNewest } from '../payments/newest-payments.ts'
import { readPaymentFigures } from '../payments/payment-figures.ts'
import type { PaymentFilter } from '../payments/search/payment-conditions.ts'
import { countPayments, listAttemptsOfCascade, searchPayments } from '../payments/search/payment-search.ts'
import { listComingPlans } from '../plans/coming-plans.ts'
import { openPool, type Pool } from './pool.ts'
import { brokenRules } from './testing/citus-rules.ts'
import { findTouchedShards, neighbours, splitByMerchant } from './testing/shards.ts'

let database: TestDatabase
let distributed: Pool
before(async () => {
  database = await testDatabase()
  await splitByMerchant(database.pool)
  distributed = openPool(database.url, { max: 2, applicationName: 'composed' })
})
after(async () => {
  await distributed.end()
  await database.drop()
})

const [merchant] = neighbours
const id = '0190a000-0000-7000-8000-000000000009'
const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')]

const filters: Required<PaymentFilter> = {
  paymentId: id,
  merchantId: merchant,
  status: 'SETTLED',
  orderId: 'ORDER',
  reference: 'R-1',
  subscriptionId: id,
  tag: 'called',
  lastName: 'Doe',
  firstName: 'Ann',
  payerIp: '203.0.113.7',
  declineReason: 'Declined',
  protocol: 'CHECKOUT',
  kind: 'income',
  country: 'DE',
  issuerCountry: 'DE',
  bin: '411111',
  cardId: id,
  outcome: 'approved',
  network: 'VISA',
  midId: id,
  midIds: [id],
  currency: 'EUR',
  amountFrom: 1n,
  amountTo: 2n,
  amount: 1n,
  amountBy: '{"EUR": "1"}',
  amountMinBy: '{"EUR": "1"}',
  amountMaxBy: '{"EUR": "1"}',
  test: false,
  payerEmail: 'doe@example.com',
  lastFour: '1111',
  card: '411111******1111',
  brand: 'brand-a',
  wallet: 'walletapay',
  panType: 'DPAN',
  threeDSServerTransID: id,
  transStatus: 'Y',
  dsTransID: id,
  acsTransID: id,
  xid: 'xid',
  transFlow: '01',
  initiator: 'payer',
  sequence: 'first',
  source: 'cof',
  attempts: 'last',
  before: id,
  from,
  to,
}
const callbackFilters: readonly Partial<CallbackSearch>[] = [
  {},
  { test: false },
  { paymentId: id },
  { state: 'due' },
  { from, to, before: id },
]
const holdFilters: readonly Partial<HoldFilter>[] = [
  {},
  { midId: id, currency: 'EUR' },
  { from, to, test: false },
  { planned: true },
  { planned: false },
]

type Scope = readonly string[] | null
type Read = (on: Pool, merchantIds: Scope) => Promise<unknown>

const reads: readonly (readonly [name: string, read: Read])[] = [
  ...Object.entries(filters).flatMap(([name, value]): readonly (readonly [string, Read])[] => [
    [`payments by ${name}`, (on, scope) => searchPayments(on, { [name]: value }, scope, 3)],
    [`the number of payments by ${name}`, (on, scope) => countPayments(on, { [name]: value }, scope)],
    [`payments by ${name} and time`, (on, scope) => searchPayments(on, { from, to, [name]: value }, scope, 3)],
  ]),
  ...callbackFilters.map((filter): readonly [string, Read] => [
    `callbacks by ${Object.keys(filter)}`,
    (on, merchantIds) => searchCallbacks(on, { ...filter, merchantIds, limit: 3 }),
  ]),
  ...holdFilters.flatMap((filter): readonly (readonly [string, Read])[] => [
    [`holds by ${Object.keys(filter)}`, (on, merchantIds) => listWaitingHolds(on, { ...filter, merchantIds }, id, 3)],
    [`totals of holds by ${Object.keys(filter)}`, (on, merchantIds) => readHoldTotals(on, { ...filter, merchantIds })],
  ]),
  ['coming plans', (on, scope) => listComingPlans(on, scope, '2026-03-01', 3)],
  ['the newest payments', (on, merchantIds) => findBeginningOfNewest(on, { from, to, merchantIds, mode: null }, 3)],
  ['money checks', (on, merchantIds) => findMoneyFaults(on, { from, to, merchantIds, mode: 'live' })],
  [
    'figures',
    (on, merchantIds) =>
      readPaymentFigures(on, { from, to, merchantIds, mode: null, bucket: 'day', zone: 'Europe/Berlin' }),
  ],
]

/** The texts on tables that are distributed; what asks the catalogue is left out. */
async function textsOf(read: (on: Pool) => Promise<unknown>): Promise<readonly string[]> {
  const texts: string[] = []
  const on = new Proxy(distributed, {
    get: (pool, name) =>
      name === 'query'
        ? (text: string, values: unknown[]) => {
            texts.push(text)
            return pool.query(text, values)
          }
        : Reflect.get(pool, name, pool),
  })
  await read(on)
  return texts.filter((text) => !text.includes('pg_dist_partition'))
}

const faultsOf = async (scope: Scope): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const [name, read] of reads) {
    const texts = await textsOf((on) => read(on, scope))
    assert.ok(texts.length > 0 || scope?.length === 0, name)
    for (const text of texts) {
      faults.push(...brokenRules(text).map((rule) => `${name}: ${rule}`))
      if (scope?.length !== 1) continue
      const { shards } = await findTouchedShards(database.pool, text)
      if (shards > 1) faults.push(`${name}: several shards`)
    }
  }
  return [...new Set(faults)]
}

test('a composed statement over all merchants has nothing that Citus cannot run', async () => {
  assert.deepEqual(await faultsOf(null), [])
})

test('a composed statement over three merchants has nothing that Citus cannot run', async () => {
  assert.deepEqual(await faultsOf([...neighbours, id]), [])
})

test('a composed statement of one merchant reads its shard alone', async () => {
  assert.deepEqual(await faultsOf([merchant]), [])
})

test('composed statements that name their merchant, and those of the whole instance', async () => {
  const of = [
    await textsOf((on) => listAttemptsOfCascade(on, merchant, id)),
    await textsOf((on) => findPaymentsAmong(on, merchant, [id], { status: 'SETTLED', reference: 'R-1' })),
  ].flat()
  for (const text of of) assert.deepEqual(brokenRules(text), [], text)
  for (const text of await textsOf((on) => readDueCounts(on, to))) assert.deepEqual(brokenRules(text), [], text)
  assert.equal(of.length, 2)
})
