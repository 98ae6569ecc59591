import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byNames, effectsOf, type StandInEntry } from './stand-in-ledger.ts'

const payment_id = '01a1e4b5-30eb-7788-8723-93ffe802edfc'
const sale = { id: '01a1e4b5-34e8-776b-8741-2f42c83e93f2', payment_id, type: 'SALE' }
const release = { id: '01a1e4b5-37c1-726f-a9c3-aa926fa6e1fc', payment_id, type: 'VOID' }
const ours = byNames([sale, release])

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

for (const [what, name] of [
  ['our id', sale.id],
  ['its last twelve digits', '2f42c83e93f2'],
  ['its number in base 36', BigInt(`0x${sale.id.replaceAll('-', '')}`).toString(36)],
  ['the merchant reference', `${payment_id}.2f42c83e93f2`],
] as const) {
  test(`an entry under ${what} belongs to our transaction`, () =>
    assert.deepEqual(effects(entry(name)), [`sale ${sale.id}`]))
}

test('an entry that no transaction of ours explains stays, and a declined one does not', () =>
  assert.deepEqual(effects(entry('another'), entry(sale.id, { state: 'declined' })), ['sale another']))

test('a charge that was undone under its own id has no effect, and a second charge under the id has', () => {
  const undo = entry(sale.id, { kind: 'reverse' })
  assert.deepEqual(effects(entry(sale.id), undo), [])
  assert.deepEqual(effects(entry(sale.id), entry(sale.id), undo), [`sale ${sale.id}`])
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
