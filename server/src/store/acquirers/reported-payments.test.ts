/** Which payment is found by what an acquirer names. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { newOpening } from '../../../test/opening-rows.ts'
import { paymentStore } from '../payments/payments.ts'
import { acquirerNotificationStore } from './notification-store.ts'

const database = await testDatabase()
after(() => database.drop())
const payments = paymentStore(database.pool)
const { findReported, place, store } = acquirerNotificationStore(database.pool)

/** A payment whose transaction is in the state, with the acquirer's reference of it. */
async function openPayment(midId: string, state: 'undefined' | 'success', reference: string | null) {
  const opening = newOpening({}, { midId })
  await payments.open({ ...opening, transaction: { ...opening.transaction, midId } })
  await database.pool.query('update transactions set state = $2, reference = $3 where id = $1', [
    opening.transaction.id,
    state,
    reference,
  ])
  return { paymentId: opening.payment.id, transactionId: opening.transaction.id }
}

test('an open transaction is found by our id, also without the acquirer’s reference, and at its own MID only', async () => {
  const midId = randomUUID()
  const { paymentId, transactionId } = await openPayment(midId, 'undefined', null)
  assert.equal(await findReported(midId, { transactionId, acquirerReference: 'R-1' }), paymentId)
  assert.equal(await findReported(randomUUID(), { transactionId, acquirerReference: 'R-1' }), null)
})

test('one that has ended is found by the acquirer’s reference', async () => {
  const midId = randomUUID()
  const { paymentId, transactionId } = await openPayment(midId, 'success', 'R-2')
  assert.equal(await findReported(midId, { transactionId, acquirerReference: null }), null)
  assert.equal(await findReported(midId, { transactionId: null, acquirerReference: 'R-2' }), paymentId)
  assert.equal(await findReported(randomUUID(), { transactionId: null, acquirerReference: 'R-2' }), null)
})

test('a reference that two payments of the MID have names neither', async () => {
  const midId = randomUUID()
  await openPayment(midId, 'success', 'R-3')
  await openPayment(midId, 'success', 'R-3')
  assert.equal(await findReported(midId, { transactionId: null, acquirerReference: 'R-3' }), null)
})

test('an event without a payment is stored, and filed under the payment once that is found', async () => {
  const midId = randomUUID()
  const at = new Date('2026-03-01T12:00:00Z')
  const names = { transactionId: null, acquirerReference: 'R-4' }
  const event = { kind: 'reported', reference: 'E-1', paymentId: null, at, task: null, ...names } as const
  assert.equal(await store({ midId, id: 'N-1', receivedAt: at, events: [event] }), 'stored')
  const paymentId = randomUUID()
  await place(midId, event, paymentId)
  const { rows } = await database.pool.query('select payment_id from acquirer_events where mid_id = $1', [midId])
  assert.deepEqual(rows, [{ payment_id: paymentId }])
})
