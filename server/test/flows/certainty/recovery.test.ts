import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recoveryStore } from '#server/store/instance/recovery.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop

before(async () => {
  shop = await openShop()
})
after(() => shop[Symbol.asyncDispose]())

const recovery = () => recoveryStore(shop.base.pool)

/** Processes are notified of the change. */
async function untilHealth(status: number): Promise<void> {
  for (;;) {
    if ((await fetch(`${shop.url}/service/health`)).status === status) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('in recovery merchants and payers get 503 with Retry-After, and nothing is executed', {
  timeout: 60_000,
}, async () => {
  await recovery().begin('A test.', shop.base.clock.now())
  await untilHealth(503)
  const refused = await shop.sale()
  assert.equal(refused.http, 503)
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal(refused.body.error_code, 100000)
  const lookUp = await shop.byOrder('ORDER-1')
  assert.equal(lookUp.http, 503)
  const session = await fetch(`${shop.url}/api/v1/session`, { method: 'POST', body: '{}' })
  const { http_code, result } = (await session.json()) as { http_code?: number; result?: string }
  assert.deepEqual({ http_code, result }, { http_code: 503, result: undefined })
  const domainFile = await fetch(`${shop.url}/.well-known/anything`)
  assert.notEqual(domainFile.status, 503)
  const page = await fetch(`${shop.url}/page/anything`, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 503)
  assert.match(await page.text(), /Payments are paused/)
  const { rows } = await shop.base.pool.query('select id from payments')
  assert.equal(rows.length, 0)
})

test('in recovery a callback stays due, and is sent when the recovery has ended', { timeout: 60_000 }, async () => {
  await recovery().end(shop.base.clock.now())
  await untilHealth(200)
  shop.receiver.answer = () => ({ status: 500, body: '' })
  const paid = await shop.sale()
  assert.equal(paid.body.result, 'SUCCESS')
  assert.equal((await shop.callbacks(paid.body.trans_id)).length, 1)
  shop.receiver.answer = () => ({ status: 200, body: 'OK' })

  await recovery().begin('A test.', shop.base.clock.now())
  await untilHealth(503)
  await shop.base.pool.query("update callbacks set next_at = now() where state = 'due'")
  assert.equal((await shop.callbacks(paid.body.trans_id)).length, 1)

  await recovery().end(shop.base.clock.now())
  await untilHealth(200)
  assert.equal((await shop.callbacks(paid.body.trans_id)).length, 2)
})

test('the panel stays reachable in recovery, for the operator who ends it', { timeout: 60_000 }, async () => {
  await recovery().begin('A test.', shop.base.clock.now())
  await untilHealth(503)
  assert.equal((await fetch(`${shop.url}/admin`)).status, 200)
  await recovery().end(shop.base.clock.now())
})
