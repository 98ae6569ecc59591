/** Cascades with a payer: 3-D Secure, redirects and the step-up. Chapter 10 §6.2, §8, chapter 50 §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { attemptPath, attemptsOf, outage, resultsCalledBack, setFaults, softDeclines } from '../../cascades.ts'
import { withRefusedRows } from '../../crash.ts'
import { expiryFields, readEffects } from '../../payments.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const challengeExpiry = expiryFields('05/2038')
const redirectExpiry = expiryFields('12/2038')

async function account(faults: Readonly<Record<number, object>>, mids = [{}, {}]): Promise<string> {
  const merchant = await openAccount(shop, { mids, merchant: { mpiService: 'sandbox' } })
  await setFaults(shop, merchant, faults)
  return merchant
}

/** The payer approves at the issuer; returns the browser's next address. */
async function authenticatePayer({ body }: Answer): Promise<URL> {
  const { pathname } = new URL(body.redirect_params.TermUrl)
  const form = new URLSearchParams({ PaRes: 'approve' })
  const reply = await fetch(`${shop.url}${pathname}`, { method: 'POST', body: form, redirect: 'manual' })
  assert.equal(reply.status, 303)
  return new URL(reply.headers.get('location') ?? '')
}

/** The payer approves on the acquirer's page and returns. */
async function approveAtAcquirer({ body }: Answer): Promise<void> {
  const page = new URL(new URL(body.redirect_url).pathname, shop.sandbox.url)
  const agreed = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve' }),
    redirect: 'manual',
  })
  await fetch(agreed.headers.get('location') ?? '', { redirect: 'manual' })
}

test('a decline after the payer’s return cascades; the first attempt’s redirect and the final result are called back', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines })
  const answer = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
  assert.equal(answer.body.result, 'REDIRECT')
  const back = await authenticatePayer(answer)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  const [first, last] = await attemptsOf(shop, order_id)
  assert.equal(answer.body.trans_id, first?.id)
  assert.equal(back.searchParams.get('trans_id'), last?.id)
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 REDIRECT', '2 SUCCESS'])
})

test('a payer who returns a second time is led to the end of the cascade', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines })
  const answer = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
  const ways = [await authenticatePayer(answer), await authenticatePayer(answer)]
  assert.equal(ways[1]?.href, ways[0]?.href)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
})

test('a failed authentication ends the payment: no other MID may be tried against the issuer', async () => {
  const order_id = randomUUID()
  const merchant = await account({})
  const { body } = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
  const { pathname } = new URL(body.redirect_params.TermUrl)
  await fetch(`${shop.url}${pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ PaRes: 'no' }),
    redirect: 'manual',
  })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 REDIRECT', '1 DECLINED'])
})

test('an expired step is not a decline to cascade from', async () => {
  const order_id = randomUUID()
  const merchant = await account({})
  await shop.sale({ order_id, ...redirectExpiry }, { merchant })
  await shop.advance(31 * 60_000)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
})

test('a later attempt may redirect the payer: the answer contains the redirect, and only the final result is called back', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: outage })
  const answer = await shop.sale({ order_id, ...redirectExpiry }, { merchant })
  assert.deepEqual([answer.body.result, answer.body.status], ['REDIRECT', 'REDIRECT'])
  assert.equal(answer.body.trans_id, (await attemptsOf(shop, order_id))[1]?.id)
  assert.deepEqual(await resultsCalledBack(shop, order_id), [])
  await approveAtAcquirer(answer)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 SUCCESS'])
})

test('authentication_required is repeated once at the same MID, with 3-D Secure', async () => {
  const order_id = randomUUID()
  const merchant = await account({}, [{}])
  await publishSkip3ds(merchant)
  const answer = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
  assert.deepEqual([answer.body.result, answer.body.status], ['REDIRECT', '3DS'])
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 3DS'])
  await authenticatePayer(answer)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 SETTLED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 SUCCESS'])
  assert.deepEqual(await readEffects(shop, answer.body.trans_id), ['sale 1000'])
})

test('after a step-up the same decline cascades to the next MID and not to 3-D Secure again', async () => {
  const order_id = randomUUID()
  const merchant = await account({}, [{}, {}])
  await publishSkip3ds(merchant)
  const answer = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
  await setFaults(shop, merchant, { 1: softDeclines })
  await authenticatePayer(answer)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 DECLINED', '2 SETTLED'])
})

test('without an MPI service authentication_required cascades to the next MID', async () => {
  const order_id = randomUUID()
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  const { body } = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
  assert.equal(body.result, 'DECLINED')
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 DECLINED'])
})

test('a process that dies between two attempts leaves only the last decline, called back once', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines })
  // The next attempt cannot be written, so the rows look as if its process had died.
  const answer = await withRefusedRows(shop, 'payments', () => shop.sale({ order_id }, { merchant }), 'attempt > 1')
  assert.equal(answer.http, 500)
  assert.deepEqual(await resultsCalledBack(shop, order_id), [])
  await shop.base.pool.query('update open_cascades set sent_by = -1')
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 DECLINED'])
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
  await shop.advance(5 * 60_000)
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 DECLINED'])
  const { rows } = await shop.base.pool.query('select * from open_cascades')
  assert.deepEqual(rows, [])
})

/** The merchant's own rule, as if it had been drafted and published. */
async function publishSkip3ds(merchant: string): Promise<void> {
  const rule = { name: 'skip', enabled: true, conditions: [], action: { kind: 'skip-3ds' }, maximumAttempts: null }
  await shop.configure(
    `insert into routing_sets (id, merchant_id, version, rules, note, drafted_by, published_by, published_at)
     select gen_random_uuid(), id, 1, $2, '', 'a', 'b', now() from merchants where name = $1`,
    [merchant, JSON.stringify([{ ...rule, final: false }])],
  )
}
