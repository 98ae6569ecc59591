/** Chapter 70 §3: what two people posted is not owed any more, so that a row that settles it later is found, in currencies with 0, 2 and 3 decimals. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '#domain/time.ts'
import {
  importRows,
  kinds,
  listDifferences,
  move,
  openReceivable,
  type ReceivableScene,
  type RowWish,
  readReceivable,
  receivableCurrencies,
  resolve,
  signs,
  win,
} from './receivable-scene.ts'

let scene: ReceivableScene
before(async () => {
  scene = await openReceivable()
})
after(() => scene.shop[Symbol.asyncDispose]())

/** Rows that the acquirer should have sent, after the days that it usually takes; ours of them are differences. */
async function leaveMissing(): Promise<readonly RowWish[]> {
  const rows: RowWish[] = []
  for (const currency of receivableCurrencies) {
    for (const kind of kinds) {
      const { paymentId, minor, charge } = await move(scene, kind, currency)
      if (charge.length > 0) assert.deepEqual(await importRows(scene, charge), [])
      rows.push({ kind, paymentId, currency, minor: signs[kind] * minor })
    }
    const { paymentId, minor, charge } = await move(scene, 'chargeback', currency)
    const taken = { kind: 'chargeback', paymentId, currency, minor: -minor }
    assert.deepEqual(await importRows(scene, [...charge, taken]), [])
    await win(scene, paymentId)
    rows.push({ kind: 'chargeback-reversal', paymentId, currency, minor })
  }
  await scene.shop.advance(7 * dayMs)
  await importRows(scene, [{ kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }])
  return rows
}

/** The open differences without a row, each of which is one of the rows. */
async function findMissing(rows: readonly RowWish[]) {
  const missing = (await listDifferences(scene, 'open=true')).filter(({ kind }) => kind.includes('missing'))
  const paymentIds = (of: readonly { readonly paymentId: string | null }[]) => new Set(of.map((one) => one.paymentId))
  assert.deepEqual(paymentIds(missing), paymentIds(rows))
  return missing
}

async function assertNothingOwed(why: string): Promise<void> {
  for (const currency of receivableCurrencies)
    assert.equal(await readReceivable(scene, currency), 0n, `${currency} ${why}`)
}

test('a row of what was posted as not settled is settled twice, it is posted, and nothing is owed', async () => {
  const rows = await leaveMissing()
  for (const { id } of await findMissing(rows)) await resolve(scene, id)
  await assertNothingOwed('after the posting')
  for (const row of rows) {
    const { kind, currency, minor } = row
    const why = `${currency} ${kind}`
    const [found, ...others] = await importRows(scene, [row])
    assert.deepEqual([found?.kind, others.length], ['doubled', 0], why)
    assert.equal(await readReceivable(scene, currency), -minor, why)
    await resolve(scene, found?.id ?? '')
    assert.equal(await readReceivable(scene, currency), 0n, why)
  }
})

test('a row of what was resolved by a note alone settles it', async () => {
  const rows = await leaveMissing()
  for (const { id } of await findMissing(rows)) await resolve(scene, id, {})
  const found = await importRows(scene, rows)
  assert.deepEqual(new Set(found.map(({ kind }) => kind)), new Set(['late']))
  await assertNothingOwed('after the rows')
})

test('what is missing is not posted while a file of its MID is imported, whose row may settle it', async () => {
  const { paymentId } = await move(scene, 'charge', 'EUR')
  await scene.shop.advance(7 * dayMs)
  await importRows(scene, [{ kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }])
  const missing = (await listDifferences(scene, 'open=true')).find((one) => one.paymentId === paymentId)
  const wish = { note: 'Never came', correct: true }
  const request = await scene.finance.post(`/settlements/differences/${missing?.id}/resolve`, wish)
  const importing = await scene.shop.base.pool.connect()
  try {
    await importing.query('begin')
    const key = `settlement ${scene.midId}`
    await importing.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
    const approved = await scene.colleague.post(`/approvals/${request.body.approvalId}/approve`)
    assert.equal(approved.body.state, 'failed', approved.text)
    assert.match(approved.text, /is being imported/)
  } finally {
    await importing.query('rollback')
    importing.release()
  }
  await resolve(scene, missing?.id ?? '')
  await assertNothingOwed('after the second request')
})
