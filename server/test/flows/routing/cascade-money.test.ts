/** Cascades and money: whatever happens between two attempts, an order is paid once. Chapter 10 §1.4, §6.2, chapter 50 §4, §5. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount } from '../../account.ts'
import { attemptPath, attemptsOf, resultsCalledBack, setFaults, softDeclines } from '../../cascades.ts'
import { createSchedule, startChain } from '../../chains.ts'
import { reachAcquirerAt, withRefusedRows } from '../../crash.ts'
import { expiryFields, readEffects } from '../../payments.ts'
import { planPayments } from '../../plans.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
await shop.base.pool.query(
  `create function take_time() returns trigger language plpgsql as $$ begin return new; end $$;
   create trigger take_time before insert on payments for each row when (new.attempt > 1) execute function take_time()`,
)
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const two = [{}, {}]
const day = 24 * 3_600_000
const redirectExpiry = expiryFields('12/2038')

/** Runs `request` while the first attempt is declined and the next is being written, which is delayed. */
async function betweenAttempts<T>(order_id: string, merchant: string, request: () => Promise<T>): Promise<T> {
  const { pool } = shop.base
  // The function alone is replaced: a change of the table would wait for workers, and they for it.
  await pool.query(
    `create or replace function take_time() returns trigger language plpgsql as
     $$ begin if new.order_id = '${order_id}' then perform pg_sleep(1); end if; return new; end $$`,
  )
  const sale = shop.sale({ order_id }, { merchant })
  while ((await attemptsOf(shop, order_id))[0]?.cascading !== 'continues') await sleep(5)
  const answer = await request()
  await sale
  return answer
}

test('if duplicate orders are rejected, no other payment comes between two attempts', async () => {
  const order_id = randomUUID()
  const merchant = await openAccount(shop, { mids: two, options: { rejectDuplicateOrders: true } })
  await setFaults(shop, merchant, { 1: softDeclines })
  const { body } = await betweenAttempts(order_id, merchant, () => shop.sale({ order_id }, { merchant }))
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  assert.equal(body.error_message, 'Previous payment not completed.', JSON.stringify(body))
})

test('an attempt replaces the previous one among the order’s payments', async () => {
  const order_id = randomUUID()
  const merchant = await openAccount(shop, { mids: two, options: { rejectDuplicateOrders: true } })
  await setFaults(shop, merchant, { 1: softDeclines })
  await shop.sale({ order_id }, { merchant })
  const { rows } = await shop.base.pool.query(
    "select attempt from payments where order_id = $1 and alone_in_order and status <> 'DECLINED'",
    [order_id],
  )
  assert.deepEqual(rows, [{ attempt: 2 }])
})

test('between two attempts an order is not reported as declined', async () => {
  const order_id = randomUUID()
  const merchant = await openAccount(shop, { mids: two })
  await setFaults(shop, merchant, { 1: softDeclines })
  const { body } = await betweenAttempts(order_id, merchant, () => shop.byOrder(order_id, { merchant }))
  assert.deepEqual([body.status, body.decline_reason], ['PREPARE', undefined])
})

/** The acquirer of the first MID answers every request with a soft decline, whatever the sandbox decides. */
async function declineEverything(merchant: string): Promise<() => Promise<void>> {
  const answer = { state: 'declined', reason: 'Try again later', decline_class: 'soft', reference: 'none' }
  const server = createServer((request, reply) => {
    const isStatus = request.url?.startsWith('/v1/transactions/') ?? false
    reply.writeHead(isStatus ? 200 : 503, { 'content-type': 'application/json' })
    const transaction_id = decodeURIComponent(request.url?.split(/[/?]/)[3] ?? '')
    reply.end(JSON.stringify(isStatus ? { transaction_id, ...answer } : {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await reachAcquirerAt(shop, `http://127.0.0.1:${port}`, `${merchant}-1`)
  return async () => {
    await reachAcquirerAt(shop, shop.sandbox.url, `${merchant}-1`)
    server.closeAllConnections()
    server.close()
  }
}

const pageOf = (address: string): URL => new URL(new URL(address).pathname, shop.sandbox.url)

/** The payer approves on an acquirer's page; returns the address to which the browser is sent then. */
async function approveAtAcquirer(address: string): Promise<string> {
  const body = new URLSearchParams({ decision: 'approve' })
  const agreed = await fetch(pageOf(address), { method: 'POST', body, redirect: 'manual' })
  return agreed.headers.get('location') ?? ''
}

/** The acquirer's return address, which can be opened before anything is decided. */
async function returnOf(merchant: string, paymentId: string): Promise<string> {
  const { rows } = await shop.base.pool.query('select first_transaction as id from payments where id = $1', [paymentId])
  const reply = await fetch(`${shop.sandbox.url}/v1/transactions/${rows[0].id}?mid=${merchant}-1`)
  const { return_url } = (await reply.json()) as { return_url: string }
  return return_url
}

/** A redirect that its acquirer declined softly when the payer returned. */
async function beginDeclinedRedirect(facts: object = {}) {
  const order_id = randomUUID()
  const merchant = await openAccount(shop, { mids: two })
  const { body: first } = await shop.sale({ order_id, ...redirectExpiry }, { merchant })
  await shop.base.pool.query('update payments set facts = facts || $2 where id = $1', [first.trans_id, facts])
  assert.equal(first.status, 'REDIRECT')
  const address = await returnOf(merchant, first.trans_id)
  const restored = await declineEverything(merchant)
  const back = await fetch(address, { redirect: 'manual' })
  await restored()
  return { order_id, merchant, first, back }
}

test('a redirect that ends in a soft decline cascades, and the payer is led to the next acquirer’s page', async () => {
  const { order_id, merchant, back } = await beginDeclinedRedirect()
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 REDIRECT'])
  assert.equal(back.status, 200)
  const { body } = await shop.byOrder(order_id, { merchant })
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 REDIRECT'])
  const page = (await back.text()).match(/action="([^"]+)"/)?.[1] ?? ''
  await fetch(await approveAtAcquirer(page), { redirect: 'manual' })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 REDIRECT', '2 SUCCESS'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

test('a charge that an acquirer executes after the cascade has left it is reversed', async () => {
  const { order_id, first } = await beginDeclinedRedirect()
  await approveAtAcquirer(first.redirect_url)
  await shop.advance(60_000)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 REDIRECT'])
  assert.deepEqual(await readEffects(shop, first.trans_id), ['sale 1000', 'reverse 1000'])
})

test('when a payer returns from an acquirer that the cascade has left, the acquirer is asked for the outcome', async () => {
  const { first } = await beginDeclinedRedirect()
  await fetch(await approveAtAcquirer(first.redirect_url), { redirect: 'manual' })
  // The acquirer's reports have not been read yet; some acquirers make none.
  const { rows } = await shop.base.pool.query(
    "select count(*)::int from alerts where payment_id = $1 and kind = 'late-success'",
    [first.trans_id],
  )
  assert.deepEqual(rows, [{ count: 1 }])
  await shop.advance(60_000)
  assert.deepEqual(await readEffects(shop, first.trans_id), ['sale 1000', 'reverse 1000'])
})

test('a cascade does not continue without the proof of authentication of its payment', async () => {
  // The sandbox redirects no payer who was authenticated; other acquirers may.
  const { order_id } = await beginDeclinedRedirect({
    threeDs: { eci: '05', transStatus: 'Y', protocolVersion: '2.2.0' },
  })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 REDIRECT', '1 DECLINED'])
  const { rows } = await shop.base.pool.query(
    "select facts -> 'cascadeEnd' ->> 'reason' as reason from payments where order_id = $1",
    [order_id],
  )
  assert.deepEqual(rows, [{ reason: 'proof-gone' }])
})

test('a plan does not make its next payment while the cascade of the last one runs', async () => {
  const merchant = await openAccount(shop, { mids: two })
  const as = { merchant }
  const { body: schedule } = await createSchedule(shop, { interval_unit: 'day' }, as)
  const { recurring_token } = await startChain(shop, { schedule_id: schedule.schedule_id }, as)
  await setFaults(shop, merchant, { 1: softDeclines })
  await withRefusedRows(shop, 'payments', () => shop.advance(day), 'attempt > 1')
  // Its process is alive and has unlimited time.
  await shop.base.pool.query("update open_cascades set due_at = 'infinity'")
  await shop.advance(2 * day)
  const payments = await planPayments(shop, recurring_token)
  assert.deepEqual([payments.length, payments[0]?.status], [1, 'DECLINED'])
  await shop.base.pool.query('update open_cascades set sent_by = -1')
  await shop.advance(60_000)
  assert.equal((await planPayments(shop, recurring_token)).length, 3)
})
