import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { systemIds } from '#server/process/ids.ts'
import type { CheckRecord } from '#server/wallets/tokens/opened-token.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { type RefusedToken, refusedTokenStore } from './refused-tokens.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const record: CheckRecord = {
  wallet: 'walletapay',
  version: 'EC_v1',
  flow: 'card',
  flowReason: 'processing key',
  trust: { rootFingerprint: '0011223344556677', source: 'wallet maker', environment: null },
  checks: [{ id: 'A1', name: 'shape', result: 'passed', detail: null }],
  panType: null,
  numberKind: null,
  network: null,
}
const at = (day: number): Date => new Date(`2026-03-0${day}T00:00:00Z`)
const token = (over: Partial<RefusedToken>): RefusedToken => ({
  requestId: randomUUID(),
  merchantId: randomUUID(),
  mode: 'live',
  orderId: 'o',
  protocol: 'S2S_CARD',
  at: at(1),
  record,
  ...over,
})

test('a refused token is found by request, merchant, order and time, newest first, with its record', async () => {
  const store = refusedTokenStore(database.pool, systemIds({ now: () => at(1) }))
  const merchantId = randomUUID()
  const first = token({ merchantId, orderId: 'one', at: at(1) })
  const second = token({ merchantId, orderId: 'two', at: at(3), mode: 'test', protocol: 'S2S_APM' })
  const other = token({ at: at(2) })
  for (const one of [first, second, other]) await store.add(one)
  assert.deepEqual(await store.find({ requestId: first.requestId }), [first])
  assert.deepEqual(await store.find({ merchantId }), [second, first])
  assert.deepEqual(await store.find({ merchantId, orderId: 'two' }), [second])
  assert.deepEqual(await store.find({ since: at(2), until: at(3) }), [other])
  assert.deepEqual(await store.find({ limit: 1 }), [second])
})

test('pages follow each other without a gap, even between tokens of the same moment', async () => {
  const store = refusedTokenStore(database.pool, systemIds({ now: () => at(1) }))
  const merchantId = randomUUID()
  const burst = Array.from({ length: 4 }, () => token({ merchantId, at: at(5) }))
  for (const one of burst) await store.add(one)
  const first = await store.find({ merchantId, limit: 3 })
  const rest = await store.find({ merchantId, limit: 3, before: first.at(-1)?.requestId ?? '' })
  assert.deepEqual(
    new Set([...first, ...rest].map(({ requestId }) => requestId)),
    new Set(burst.map((one) => one.requestId)),
  )
  assert.equal(first.length + rest.length, burst.length)
})

test('tokens older than the given time are deleted', async () => {
  const store = refusedTokenStore(database.pool, systemIds({ now: () => at(1) }))
  const [old, young] = [token({ at: at(4) }), token({ at: at(6) })]
  for (const one of [old, young]) await store.add(one)
  assert.ok((await store.purge(at(6))) >= 1)
  assert.deepEqual(await store.find({ requestId: old.requestId }), [])
  assert.deepEqual(await store.find({ requestId: young.requestId }), [young])
})
