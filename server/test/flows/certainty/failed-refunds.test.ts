/** Chapter 60 §2: a refund that fails at the acquirer after it was approved is reported to people once, and moves no money by itself. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { operationDeps } from '../../operation-deps.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())

test('of a refund that failed after it was approved people are told once, what it left and what to do; no posting changes', async () => {
  const finance = await panelOf(shop, { role: 'finance' })
  const demo = await merchantId(shop, 'demo')
  const { trans_id: paymentId } = (await shop.sale({})).body
  const wish = { amountMinor: '400', reason: 'returned' }
  const refunded = await finance.post(`/merchants/${demo}/payments/${paymentId}/refund`, wish)
  assert.equal(refunded.http, 200, refunded.text)
  await shop.service.awaitIdle()
  const { rows } = await shop.base.pool.query<{ id: string; midId: string }>(
    `select id, mid_id as "midId" from transactions where payment_id = $1 and type in ('REFUND', 'REVERSAL')`,
    [paymentId],
  )
  const [{ id: transactionId, midId } = { id: '', midId: '' }] = rows
  const before = [await statusOf(shop, paymentId), await shop.postings(paymentId)]
  for (const reference of ['evt_1', 'evt_2']) {
    const at = shop.base.clock.now()
    const event = { kind: 'refund-failed', reference, paymentId, transactionId, reason: 'Account closed', at } as const
    await enterEvent(operationDeps(shop), midId, event)
  }
  const alerts = await shop.base.pool.query('select kind, text from alerts where payment_id = $1', [paymentId])
  assert.deepEqual(
    alerts.rows.map(({ kind }) => kind),
    ['refund-failed'],
  )
  assert.match(
    alerts.rows[0].text,
    /of 4\.00 EUR was approved and failed later \(Account closed\)\. .* or credit the merchant by a correction\.$/,
  )
  assert.deepEqual([await statusOf(shop, paymentId), await shop.postings(paymentId)], before)
})
