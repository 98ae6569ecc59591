/**
 * What a merchant sees of an overloaded instance: 503 with Retry-After, in the format of its protocol, and no effect. See
 * decisions/overload#admission-control.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Apm } from '../../apm.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openShop } from '../../shop.ts'

/** One request at a time, without a queue. */
const shop = await openShop({ MAX_CONCURRENT_REQUESTS: '1', MAX_QUEUE_MS: '0' }, ['back office'])
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)
const checkout = new CheckoutClient(shop)

const rows = async (): Promise<object> => {
  const { rows: found } = await shop.base.pool.query(
    `select (select count(*)::int from payments) as payments, (select count(*)::int from idempotency_keys) as keys,
       (select count(*)::int from sessions) as sessions`,
  )
  return found[0]
}

/** Occupies the only slot until it is released: the payment's first statement waits for the lock. */
async function whileBusy<T>(during: () => Promise<T>): Promise<T> {
  const client = await shop.base.pool.connect()
  await client.query('begin')
  await client.query('lock table payments in access exclusive mode')
  const [first] = [shop.sale()]
  try {
    while (!(await isOccupied())) await sleep(1)
    return await during()
  } finally {
    await client.query('rollback').finally(() => client.release())
    assert.equal((await first)?.body.result, 'SUCCESS')
  }
}

/** The gate itself says so: a job of this shop, or a test on the same server, may wait for such a lock as well. */
async function isOccupied(): Promise<boolean> {
  const metrics = await (await fetch(`${shop.url}/metrics`)).text()
  return metrics.includes('gatehouse_gate_requests{state="inside"} 1')
}

test('a request without a free slot is answered 503 with Retry-After, in the format of its protocol', async () => {
  await whileBusy(async () => {
    const text = 'Service is overloaded. Nothing was done. Repeat the request after the seconds in Retry-After.'
    const s2s = `{"result":"ERROR","error_code":100000,"error_message":"${text}","errors":[]}`
    const answers = [
      [await shop.sale(), s2s],
      [await apm.sale(), s2s],
      [await checkout.session(), null],
    ] as const
    for (const [answer, body] of answers) {
      assert.equal(answer.http, 503, answer.text)
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-3]$/)
      assert.equal(answer.body.error_message, text)
      if (body !== null) assert.equal(answer.text, body)
    }
    assert.equal((await checkout.session()).body.error_code, 100000)
  })
})

test('a refused request has no effect, and its idempotency key is free for the repeat', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const fields = shop.saleFields()
  const before = await rows()
  await whileBusy(async () => {
    assert.equal((await shop.raw(fields, { headers })).http, 503)
  })
  // The request that held the slot has become a payment; the refused one has left nothing.
  const { payments } = before as { payments: number }
  assert.deepEqual(await rows(), { ...before, payments: payments + 1 })
  const repeated = await shop.raw(fields, { headers })
  assert.equal(repeated.body.result, 'SUCCESS', repeated.text)
})

test('invalid requests are reported as such even then', async () => {
  await whileBusy(async () => {
    const unknown = await shop.sale({ client_key: randomUUID() })
    assert.equal(unknown.http, 400, unknown.text)
    assert.equal((await shop.sale({ order_amount: 'x' })).http, 400)
  })
})

test('metrics answer while payments are refused, and count the refusals', async () => {
  await whileBusy(async () => {
    assert.equal((await shop.sale()).http, 503)
    assert.equal((await fetch(`${shop.url}/service/alive`)).status, 200)
    const text = await (await fetch(`${shop.url}/metrics`)).text()
    const refused = Number(/gatehouse_gate_refused_total\{reason="queue-full"\} (\d+)/.exec(text)?.[1] ?? 0)
    const late = Number(/gatehouse_gate_refused_total\{reason="waited-too-long"\} (\d+)/.exec(text)?.[1] ?? 0)
    assert.ok(refused + late >= 1, text)
    assert.match(text, /gatehouse_gate_requests\{state="inside"\} 1/)
  })
})
