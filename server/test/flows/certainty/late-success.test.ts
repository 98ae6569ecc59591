/**
 * A charge that succeeds after its payment was DECLINED: the status stays, the charge is reversed once, and an alert is raised.
 * Chapter 10 §6.2, "Late success of a DECLINED payment".
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { settle } from '#server/payments/outcome/perform.ts'
import { withRefusedRows } from '../../crash.ts'
import { operationDeps } from '../../operation-deps.ts'
import { expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const minute = 60_000

/** A payment whose payer did not return in time. */
async function beginExpired(over: RequestFields = {}): Promise<{ transId: string; page: string }> {
  const { body } = await shop.sale({ ...expiryFields('12/2038'), ...over })
  assert.equal(body.status, 'REDIRECT')
  await shop.advance(30 * minute)
  assert.equal(await statusOf(shop, body.trans_id), 'DECLINED')
  return { transId: body.trans_id, page: body.redirect_url }
}

/** The payer decides at the acquirer; returns the address to which the browser is sent then. */
async function decideAtAcquirer(page: string, decision: 'approve' | 'decline' = 'approve'): Promise<string> {
  const body = new URLSearchParams({ decision })
  const reply = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  return reply.headers.get('location') ?? ''
}

async function returnPayer(address: string): Promise<Response> {
  const reply = await fetch(address, { redirect: 'manual' })
  await shop.service.awaitIdle()
  return reply
}

async function alerts(transId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ kind: string; text: string }>(
    'select kind, text from alerts where payment_id = $1 order by raised_at, id',
    [transId],
  )
  return rows.map(({ kind, text }) => `${kind}: ${text.split('. ').at(-1)}`)
}

// biome-ignore format: a table is read in columns.
const charges = [
  // what         sent with        the acquirer executed
  ['a sale',     {},              ['sale 1000', 'reverse 1000']],
  ['a hold',     { auth: 'Y' },   ['authorize 1000', 'reverse 1000']],
] as const

for (const [what, over, executed] of charges) {
  test(`${what} that the payer approves too late is reversed, and the payment stays DECLINED`, async () => {
    const { transId, page } = await beginExpired(over)
    const address = await decideAtAcquirer(page)
    for (const _ of ['comes back', 'reloads']) {
      const reply = await returnPayer(address)
      assert.match(reply.headers.get('location') ?? '', /^https:\/\/shop\.example\.com\/return\?trans_id=/)
    }
    assert.deepEqual(await readEffects(shop, transId), executed)
    const { body } = await shop.followUp('GET_TRANS_STATUS', transId)
    assert.deepEqual([body.status, body.decline_reason], ['DECLINED', 'Expired'])
    assert.deepEqual(await readCallbacks(shop, transId, 'SALE'), ['REDIRECT REDIRECT', 'DECLINED DECLINED'])
    assert.deepEqual(await readCallbacks(shop, transId, 'CREDITVOID'), [])
    assert.deepEqual(await shop.postings(transId), [])
    assert.deepEqual(await alerts(transId), ['late-success: It is being reversed.'])
  })
}

test('if the payer never returns, the acquirer’s report triggers the reversal', async () => {
  const { transId, page } = await beginExpired()
  await decideAtAcquirer(page)
  await shop.advance(minute)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'reverse 1000'])
  assert.deepEqual(await alerts(transId), ['late-success: It is being reversed.'])
})

test('a report that could not be handled at once is read again', async () => {
  const { transId, page } = await beginExpired()
  await decideAtAcquirer(page)
  await withRefusedRows(shop, 'alerts', () => shop.advance(minute))
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
  // As if the lease of a reader on the report had expired.
  await shop.base.pool.query('update acquirer_cursors set lease_until = null')
  await shop.advance(minute)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'reverse 1000'])
})

test('a payer who returns too late without paying changes nothing', async () => {
  const { transId, page } = await beginExpired()
  await returnPayer(await decideAtAcquirer(page, 'decline'))
  assert.deepEqual(await readEffects(shop, transId), [])
  assert.deepEqual(await alerts(transId), [])
  assert.deepEqual(await readCallbacks(shop, transId, 'SALE'), ['REDIRECT REDIRECT', 'DECLINED DECLINED'])
})

test('if the acquirer cannot be reached, the reversal is repeated until it succeeds, and executed once', async () => {
  const { transId, page } = await beginExpired()
  const address = await decideAtAcquirer(page)
  await shop.scenario({ drop_reply: { count: 1, of: 1 } })
  await returnPayer(address)
  await shop.clearScenario()
  await shop.advance(minute)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'reverse 1000'])
  assert.equal(await statusOf(shop, transId), 'DECLINED')
})

test('after a crash before the intent was written, the charge is found by the next status query', async () => {
  const { transId, page } = await beginExpired()
  const address = await decideAtAcquirer(page)
  await withRefusedRows(shop, 'transactions', () => returnPayer(address))
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
  await returnPayer(address)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'reverse 1000'])
})

test('the success of a charge that another process wrote off meanwhile is not lost; a failed reversal raises an alert', async () => {
  const { body } = await shop.sale(expiryFields('02/2038'))
  const { pool } = shop.base
  const deps = operationDeps(shop)
  const { payments } = deps
  const { rows } = await pool.query<{ merchant_id: string }>('select merchant_id from payments where id = $1', [
    body.trans_id,
  ])
  const merchantId = rows[0]?.merchant_id ?? ''
  const payment = await payments.find(merchantId, body.trans_id)
  const [charge] = await payments.listTransactions(merchantId, body.trans_id)
  assert.ok(payment && charge)
  // As its own process read it before the other one wrote.
  const before = { ...payment, version: 1, status: 'PREPARE', openTransaction: charge.id, inFlight: true } as const
  await settle(deps, { payment: before, transaction: { ...charge, state: 'sent' } }, { result: 'approved', facts: {} })
  await shop.service.awaitIdle()
  // The sandbox had really declined the charge, so it declines the reversal.
  assert.deepEqual(await alerts(body.trans_id), [
    'late-success: It is being reversed.',
    'give-back: Refund it manually at the acquirer.',
  ])
  assert.equal(await statusOf(shop, body.trans_id), 'DECLINED')
})
