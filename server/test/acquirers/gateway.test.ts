/**
 * Payments of merchants over the stand-ins: the acquirer authenticates the payer itself, and a dispute becomes a chargeback by its signed
 * notification. Chapter 60 §1.1, §2.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenStandIn } from '#sandbox/acquirers/kit/stand-in.ts'
import { standIns } from '#sandbox/acquirers/registry.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { acquirerNotificationStore } from '#server/store/acquirers/notification-store.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { openAccount } from '../account.ts'
import { openShop, type RequestFields } from '../shop.ts'

const shop = await openShop({}, ['back office'])
const { pool } = shop.base
const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
  await shop[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** A merchant whose only MID is at the stand-in. */
async function openMerchant(connector: string): Promise<{ readonly merchant: string; readonly url: string }> {
  const open: OpenStandIn = (await standIns.get(connector)?.()) ?? assert.fail(connector)
  const standIn = await open(join(folder, connector))
  const running = await startServices([standIn], 0, (fault) => {
    throw fault
  })
  closers.push(() => running.stop())
  const merchant = await openAccount(shop, { mids: [], merchant: { mpiService: 'none' } })
  const merchantId = (await merchantStore(pool).list()).find(({ name }) => name === merchant)?.id ?? ''
  const features = { mode: 'live', name: `${connector}-live`, connector, descriptor: 'EXAMPLE SHOP' } as const
  const mid = await createMid(shop.base, features, standIn.credentials(running.url).live)
  await linkMerchant(shop.base, { priority: 1, merchantId, midId: mid.id })
  await shop.service.configuration.refresh()
  await fetch(`${running.url}/accounts/live/notifications`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${shop.url}/acquirers/${connector}-live/notifications` }),
  })
  return { merchant, url: running.url }
}

async function charge(merchant: string, over: RequestFields = {}): Promise<string> {
  const { body } = await shop.sale(over, { merchant })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  return body.trans_id
}

interface Chargeback {
  readonly status: string
  readonly reason: string
}

/** Comes by the notification, which the stand-in sends after its answer. */
async function chargebackOf(paymentId: string): Promise<Chargeback> {
  for (let tries = 0; tries < 500; tries += 1) {
    await shop.service.awaitIdle()
    const { rows } = await pool.query<Chargeback>(
      `select status, facts -> 'chargeback' ->> 'reasonCode' as reason from payments where id = $1`,
      [paymentId],
    )
    if (rows[0]?.status === 'CHARGEBACK') return rows[0]
    await pause(20)
  }
  return assert.fail('No chargeback came.')
}

const referenceOf = async (paymentId: string): Promise<string> =>
  (
    await pool.query('select reference from transactions where payment_id = $1 order by created_at limit 1', [
      paymentId,
    ])
  ).rows[0]?.reference

async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/disputes`, { method: 'POST', headers, body: JSON.stringify(body) })
  await reply.text()
  return reply.status
}

const balanceOf = (postings: readonly string[]): bigint =>
  postings.reduce((sum, posting) => {
    const [, from, to, amount = '0'] = /^(\w+) -> (\w+) (\d+)$/.exec(posting) ?? []
    if (to === 'settled') return sum + BigInt(amount)
    return from === 'settled' ? sum - BigInt(amount) : sum
  }, 0n)

/** What our ledger says that the merchant has of the payment, once its dispute has ended. */
async function moneyAfter(paymentId: string, stage: 'won' | 'lost'): Promise<bigint> {
  for (let tries = 0; tries < 500; tries += 1) {
    await shop.service.awaitIdle()
    const { rows } = await pool.query('select stage, returned_at from disputes where payment_id = $1', [paymentId])
    if (rows[0]?.stage === stage && (stage === 'lost') === (rows[0].returned_at === null))
      return balanceOf(await shop.postings(paymentId))
    await pause(20)
  }
  return assert.fail(`The dispute was not ${stage}.`)
}

/** The same by the acquirer's own record. */
async function moneyAt(url: string, paymentId: string): Promise<bigint> {
  const { rows } = await pool.query('select id from transactions where payment_id = $1', [paymentId])
  const ids = new Set(rows.map(({ id }) => id))
  const entries = (await (await fetch(`${url}/ledger`)).json()) as readonly LedgerEntry[]
  const signs = new Map([
    ['sale', 1n],
    ['chargeback', -1n],
    ['chargeback-returned', 1n],
  ])
  return entries
    .filter(({ transactionId, state }) => state === 'executed' && ids.has(transactionId))
    .reduce((sum, { kind, amount }) => sum + (signs.get(kind) ?? assert.fail(kind)) * BigInt(amount), 0n)
}

interface LedgerEntry {
  readonly transactionId: string
  readonly kind: string
  readonly amount: string
  readonly state: string
}

/** The acquirer's own 3-D Secure: the payer approves on its page and comes back to the gateway. */
async function payWithThreeDs(merchant: string, card: string): Promise<string> {
  const { body } = await shop.sale({ card_number: card }, { merchant })
  assert.deepEqual([body.result, body.status], ['REDIRECT', 'REDIRECT'], JSON.stringify(body))
  const form = new URLSearchParams({ decision: 'approve' })
  const page = await fetch(body.redirect_url, { method: 'POST', body: form, redirect: 'manual' })
  const back = await fetch(page.headers.get('location') ?? '', { redirect: 'manual' })
  assert.equal(back.status, 303, await back.text())
  return statusAfterReturn(body.trans_id)
}

/** The payer is led back at once; where the acquirer has not decided by then, its outcome follows by a status query or a notification. */
async function statusAfterReturn(paymentId: string): Promise<string> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { rows } = await pool.query<{ status: string }>('select status from payments where id = $1', [paymentId])
    const status = rows[0]?.status ?? assert.fail(paymentId)
    if (status !== 'REDIRECT') return status
    await shop.service.awaitIdle()
    await pause(20)
  }
  return assert.fail('The payment was not decided after the return.')
}

// biome-ignore format: a table is read in columns.
const companies = [
  // connector  card with 3-D Secure  the documented way of a test dispute                                   reason of the chargeback
  [ 'adyen',    '4917610000000000',   { payer_first_name: 'Chargeback:13.1' },                                '13.1 Other Fraud-Card Absent Environment' ],
  [ 'stripe',   '4000002760003184',   { card_number: '4000000000000259' },                                    '10.4 fraudulent' ],
  [ 'checkout', '4242424242424242',   { order_amount: '10.40', card_exp_month: '01', card_exp_year: '2099' }, '10.4 fraudulent' ],
  [ 'paypal',   '4868719166101368',   null,                                                                   '0000 Reversed by PayPal' ],
] as const

// All before the first test: a runner that ends with its last test would not wait for later ones.
const accounts = new Map<string, Awaited<ReturnType<typeof openMerchant>>>()
for (const [connector] of companies) accounts.set(connector, await openMerchant(connector))

for (const [connector, challengedCard, scenario, reason] of companies) {
  const { merchant, url } = accounts.get(connector) ?? assert.fail(connector)

  test(`${connector}: a payer who approves on the acquirer's page of 3-D Secure has paid`, async () => {
    assert.equal(await payWithThreeDs(merchant, challengedCard), 'SETTLED')
  })

  test(`${connector}: a dispute by its test values, and one that its page opens, become chargebacks`, async () => {
    if (scenario) assert.equal((await chargebackOf(await charge(merchant, scenario))).reason, reason)

    const paymentId = await charge(merchant)
    const payment = await referenceOf(paymentId)
    assert.match(await (await fetch(`${url}/disputes`)).text(), new RegExp(`${payment}[^\n]*Open a dispute`))
    const form = new URLSearchParams({ payment, step: 'open' })
    const reply = await fetch(`${url}/disputes`, { method: 'POST', body: form, redirect: 'manual' })
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/disputes'])
    assert.equal((await chargebackOf(paymentId)).status, 'CHARGEBACK')

    assert.equal(await post(url, { payment, step: 'open' }), 409)
    assert.equal(await post(url, { payment: 'unknown', step: 'open' }), 404)
    assert.equal(await post(url, { payment, step: 'perhaps' }), 400)
    assert.equal(await post(url, { payment, step: 'won' }), 201)
    assert.match(await (await fetch(`${url}/disputes`)).text(), new RegExp(`${payment}[^\n]*<td>won</td>`))
    assert.equal(await moneyAfter(paymentId, 'won'), 1000n, 'the money is the merchant’s again')
    assert.equal(await moneyAt(url, paymentId), 1000n, 'and so it is at the acquirer')
    assert.equal((await chargebackOf(paymentId)).status, 'CHARGEBACK')

    const lost = await charge(merchant)
    const lostReference = await referenceOf(lost)
    for (const step of ['open', 'lost']) {
      assert.equal(await post(url, { payment: lostReference, step }), 201)
      await chargebackOf(lost)
    }
    assert.equal(await moneyAfter(lost, 'lost'), 0n)
    assert.equal(await moneyAt(url, lost), 0n)
    const { rows } = await pool.query('select count(*)::int as refused from refused_notifications')
    assert.equal(rows[0].refused, 0)
  })

  if (connector === 'checkout') {
    test('a dispute that is cancelled before it took money changes nothing, and nobody is alerted', async () => {
      const paymentId = await charge(merchant)
      const midId = (await pool.query('select mid_id from payments where id = $1', [paymentId])).rows[0].mid_id
      const about = { chargeback: 'dsp_none', paymentId, at: shop.base.clock.now(), amountMinor: 1000n }
      const report = async (reference: string, mayBeUntaken: boolean) => {
        const event = { kind: 'chargeback-returned', reference, mayBeUntaken, ...about } as const
        await acquirerNotificationStore(pool).store({
          midId,
          id: reference,
          receivedAt: shop.base.clock.now(),
          events: [event],
        })
      }
      await report('cancelled', true)
      await report('reinstated', false)
      for (const _ of ['a day', 'and more']) await shop.advance(25 * 3_600_000)
      const { rows } = await pool.query(
        'select reference, state from acquirer_events where payment_id = $1 and kind = $2 order by reference',
        [paymentId, 'chargeback-returned'],
      )
      assert.deepEqual(rows, [
        { reference: 'cancelled', state: 'entered' },
        { reference: 'reinstated', state: 'failed' },
      ])
      const { rows: alerts } = await pool.query("select text from alerts where text like 'The chargeback-returned %'")
      assert.equal(alerts.length, 1)
      assert.deepEqual(await shop.postings(paymentId), ['payer -> settled 1000'])
    })
  }

  if (connector !== 'adyen') continue

  test('a second chargeback takes the money that the first one returned', async () => {
    const paymentId = await charge(merchant, { payer_first_name: 'Second Chargeback' })
    await chargebackOf(paymentId)
    // The three reports come together: what is read too early is tried again.
    for (let tries = 0; tries < 100 && (await shop.postings(paymentId)).length < 4; tries += 1)
      await shop.advance(5_000)
    assert.equal(await moneyAt(url, paymentId), 0n)
    assert.deepEqual((await shop.postings(paymentId)).toSorted(), [
      'charged_back -> settled 1000',
      'payer -> settled 1000',
      'settled -> charged_back 1000',
      'settled -> charged_back 1000',
    ])
  })

  test('a hold with the test values of a dispute is disputed once it is captured', async () => {
    const { body } = await shop.sale({ auth: 'Y', payer_first_name: 'Chargeback' }, { merchant })
    assert.equal(body.status, 'PENDING')
    await shop.followUp('CAPTURE', body.trans_id, {}, { merchant })
    assert.equal((await chargebackOf(body.trans_id)).reason, '10.4 Other Fraud-Card Absent Environment')
  })
}
