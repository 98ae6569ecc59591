import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byId, effectsOf, type StandInEntry } from './stand-in-ledger.ts'

const payment_id = '01a1e4b5-30eb-7788-8723-93ffe802edfc'
const sale = { id: '01a1e4b5-34e8-776b-8741-2f42c83e93f2', payment_id, type: 'SALE' }
const refund = { id: '01a1e4b5-36aa-7c01-8d11-77a0b1c2d3e4', payment_id, type: 'REFUND' }
const release = { id: '01a1e4b5-37c1-726f-a9c3-aa926fa6e1fc', payment_id, type: 'VOID' }
const ours = byId([sale, refund, release])

const entry = (transactionId: string, over: Partial<StandInEntry> = {}): StandInEntry => ({
  transactionId,
  kind: 'sale',
  amount: 1000n,
  currency: 'EUR',
  state: 'executed',
  ...over,
})
const effects = (...entries: readonly StandInEntry[]): readonly string[] =>
  effectsOf(entries, ours).map(({ type, transaction_id }) => `${type} ${transaction_id}`)

test('an entry under our id belongs to our transaction', () =>
  assert.deepEqual(effects(entry(sale.id)), [`sale ${sale.id}`]))

test('an entry that no transaction of ours explains stays, and a declined one does not', () =>
  assert.deepEqual(effects(entry('another'), entry(sale.id, { state: 'declined' })), ['sale another']))

test('a charge that was undone under its own id has no effect, and a second charge under the id has', () => {
  const undo = entry(sale.id, { kind: 'reverse' })
  assert.deepEqual(effects(entry(sale.id), undo), [])
  assert.deepEqual(effects(entry(sale.id), entry(sale.id), undo), [`sale ${sale.id}`])
})

test('a refund that was undone under its own id has no effect, and a second refund under the id has', () => {
  for (const kind of ['reverse', 'void'] as const) {
    const executedRefund = entry(refund.id, { kind: 'refund', amount: 400n })
    const undo = entry(refund.id, { kind, amount: 400n })
    assert.deepEqual(effects(entry(sale.id), executedRefund, undo), [`sale ${sale.id}`])
    assert.deepEqual(effects(executedRefund, executedRefund, undo), [`refund ${refund.id}`])
  }
})

test('a release that was executed twice under its own id is two effects', () => {
  const once = entry(release.id, { kind: 'void' })
  assert.deepEqual(effects(once, once), [`void ${release.id}`, `void ${release.id}`])
})

test('a charge that was undone twice shows the second reversal', () => {
  const undo = entry(sale.id, { kind: 'reverse' })
  assert.deepEqual(effects(entry(sale.id), undo, undo), [`reverse ${sale.id}`])
})

test('a release under an id of its own is an effect of our kind, whatever the acquirer calls it', () =>
  assert.deepEqual(effects(entry(sale.id), entry(release.id, { kind: 'refund' })), [
    `sale ${sale.id}`,
    `void ${release.id}`,
  ]))
