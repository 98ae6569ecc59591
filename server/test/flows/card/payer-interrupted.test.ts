/** The process that handles a payer's return dies. Chapter 10 §6, "Payer return", §8.3. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { keyOf } from '#server/payments/exchange/return-url.ts'
import { loseLeases, withRefusedRows } from '../../crash.ts'
import { expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const minute = 60_000

const comeBack = (path: string): Promise<Response> =>
  fetch(`${shop.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ PaRes: 'approve' }),
    redirect: 'manual',
  })

async function waitingAtIssuer(): Promise<{ transId: string; path: string }> {
  const { body } = await shop.sale(expiryFields('05/2038'))
  return { transId: body.trans_id, path: new URL(body.redirect_params.TermUrl).pathname }
}

async function waitingAtAcquirer(): Promise<{ transId: string; page: string; path: string }> {
  const { body } = await shop.sale(expiryFields('12/2038'))
  const { rows } = await shop.base.pool.query('select merchant_id from payments where id = $1', [body.trans_id])
  const key = keyOf(shop.base, 'redirect', { merchantId: rows[0].merchant_id, id: body.trans_id })
  return { transId: body.trans_id, page: body.redirect_url, path: `/verify/redirect/${body.trans_id}/${key}` }
}

const agree = (page: string): Promise<Response> =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }), redirect: 'manual' })

test('if it dies before the charge begins, a return from 3-D Secure ends the payment without a charge', async () => {
  const { transId, path } = await waitingAtIssuer()
  assert.equal((await withRefusedRows(shop, 'transactions', () => comeBack(path))).status, 500)
  assert.equal((await comeBack(path)).status, 303, 'the key has been used')
  assert.equal(await statusOf(shop, transId), '3DS')
  await loseLeases(shop)
  await shop.service.awaitIdle()
  assert.deepEqual(await readCallbacks(shop, transId, 'SALE'), ['REDIRECT 3DS', 'DECLINED DECLINED'])
  assert.deepEqual(await readEffects(shop, transId), [])
})

test('if it dies before the outcome is written, a return from a redirect ends with what the acquirer executed', async () => {
  const { transId, page, path } = await waitingAtAcquirer()
  await agree(page)
  assert.equal((await withRefusedRows(shop, 'callbacks', () => comeBack(path))).status, 500)
  assert.equal(await statusOf(shop, transId), 'REDIRECT')
  await loseLeases(shop)
  await shop.service.awaitIdle()
  assert.deepEqual(await readCallbacks(shop, transId, 'SALE'), ['REDIRECT REDIRECT', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
})

test('if it dies before the outcome is written, an expiry is completed as well', async () => {
  const { transId } = await waitingAtIssuer()
  await withRefusedRows(shop, 'callbacks', () => shop.advance(30 * minute))
  assert.equal(await statusOf(shop, transId), '3DS')
  await loseLeases(shop)
  await shop.service.awaitIdle()
  assert.deepEqual(await readCallbacks(shop, transId, 'SALE'), ['REDIRECT 3DS', 'DECLINED DECLINED'])
})

test('a payer who returns without a decision is sent to the page again, and can still pay', async () => {
  const { transId, page, path } = await waitingAtAcquirer()
  assert.equal((await comeBack(path)).status, 200)
  assert.equal(await statusOf(shop, transId), 'REDIRECT')
  await agree(page)
  assert.equal((await comeBack(path)).status, 303)
  assert.equal(await statusOf(shop, transId), 'SETTLED')
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
})
