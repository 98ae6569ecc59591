/**
 * After a restore: what an acquirer with an API of its own executed is booked from its lists. Chapter 80 §4,
 * decisions/recovery#asking-the-acquirers.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStripe } from '#sandbox/acquirers/stripe/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type { AcquirerAccount } from '#server/connectors/connector.ts'
import { stripe } from '#server/connectors/stripe/index.ts'
import { followUpWith, orderWith } from '#server/connectors/testing/contract-samples.ts'
import { createWires } from '#server/connectors/wire.ts'
import { systemClock } from '#server/process/clock.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { restoredRecord } from '#server/store/instance/restored-record.ts'
import { openAccount } from '../../account.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let merchant: string
/** The same account, reached past the gateway: what happened between the backup and the restore. */
let account: AcquirerAccount
const folder = await mkdtemp(join(tmpdir(), 'restored-'))
const closers: (() => Promise<void>)[] = []

before(async () => {
  shop = await openShop({}, [])
  const standIn = await openStripe(folder)
  const running = await startServices([standIn], 0, (fault) => assert.fail(String(fault)))
  const wires = createWires({ clock: systemClock(), budgetMs: 5_000 })
  closers.push(
    () => wires.close(),
    () => running.stop(),
  )
  const { live } = standIn.credentials(running.url)
  account = stripe.open(live, wires, 'live')
  merchant = await openAccount(shop, { mids: [], merchant: { mpiService: 'none' } })
  const merchantId = (await merchantStore(shop.base.pool).list()).find(({ name }) => name === merchant)?.id ?? ''
  const features = { mode: 'live', connector: 'stripe', descriptor: 'EXAMPLE SHOP' } as const
  // Both are the same account. The payments are of the second, and the first is asked first.
  await createMid(shop.base, { ...features, name: 'a-stripe' }, live)
  const mid = await createMid(shop.base, { ...features, name: 'b-stripe' }, live)
  await linkMerchant(shop.base, { priority: 1, merchantId, midId: mid.id })
  await shop.service.configuration.refresh()
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  for (const close of closers) await close()
  await rm(folder, { recursive: true, force: true })
})

const reconcile = () => shop.service.operations.reconcileRestored(restoredRecord(shop.base.pool), null)

async function transactionsOf(paymentId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ type: string; amount: string; state: string }>(
    'select type, amount_minor::text as amount, state from transactions where payment_id = $1 order by type',
    [paymentId],
  )
  return rows.map(({ type, amount, state }) => `${type} ${amount} ${state}`)
}

async function firstStepOf(paymentId: string) {
  const { rows } = await shop.base.pool.query<{ id: string; reference: string }>(
    'select id, reference from transactions where payment_id = $1 order by created_at limit 1',
    [paymentId],
  )
  const { id: transactionId, reference } = rows[0] ?? assert.fail('The payment has no transaction.')
  return { transactionId, reference, amountMinor: 1000n, createdAt: systemClock().now(), facts: { reference } }
}

test('captures, refunds and released holds that the record had lost are booked once', async () => {
  const pay = async () => {
    const { body } = await shop.sale({ order_amount: '10.00', auth: 'Y' }, { merchant })
    assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
    return String(body.trans_id)
  }
  const [captured, released] = [await pay(), await pay()]
  const lost = async (paymentId: string, amountMinor: string) => {
    const first = await firstStepOf(paymentId)
    return followUpWith({
      paymentId,
      transactionId: randomUUID(),
      amountMinor,
      currency: 'USD',
      reference: first.reference,
      first,
    })
  }
  assert.equal((await account.capture?.(await lost(captured, '700')))?.result, 'approved')
  assert.equal((await account.refund?.(await lost(captured, '300')))?.result, 'approved')
  assert.equal((await account.reverse?.(await lost(released, '1000')))?.result, 'approved')

  const { booked, unknown, notAsked } = await reconcile()
  assert.deepEqual([booked, unknown, notAsked], [3, [], []])
  assert.deepEqual(await transactionsOf(captured), ['AUTH 1000 success', 'CAPTURE 700 success', 'REFUND 300 success'])
  assert.deepEqual(await transactionsOf(released), ['AUTH 1000 success', 'REVERSAL 1000 success'])
  assert.equal((await reconcile()).booked, 0, 'a repetition books nothing')
})

test('a charge whose payment is not in the record is listed once and raised as an alert', async () => {
  const order = orderWith({
    transactionId: randomUUID(),
    paymentId: randomUUID(),
    card: { number: '4111111111111111' },
  })
  assert.equal((await account.sale(order)).result, 'approved')
  const { booked, unknown } = await reconcile()
  assert.equal(booked, 0)
  assert.deepEqual(
    unknown.map(({ effect: { kind, transactionId, orderId } }) => [kind, transactionId, orderId]),
    [['sale', order.transactionId, order.orderId]],
  )
  const texts = await listAlertTexts()
  assert.equal(texts.length, 1)
  await reconcile()
  assert.deepEqual(await listAlertTexts(), texts, 'a repetition raises no second alert')
  assert.match(texts[0] ?? '', new RegExp(`The merchant's order is ${order.orderId}\\.`))
})

test('a later step of a lost payment has the order of its charge', async () => {
  const order = orderWith({
    transactionId: randomUUID(),
    paymentId: randomUUID(),
    orderId: 'LOST-7',
    card: { number: '4111111111111111' },
  })
  const { paymentId, transactionId } = order
  const { facts } = await account.sale(order)
  const first = { ...order, amountMinor: 1000n, reference: facts.reference ?? '', facts }
  const refund = followUpWith({
    paymentId,
    transactionId: randomUUID(),
    amountMinor: '300',
    currency: 'USD',
    reference: first.reference,
    first,
  })
  assert.equal((await account.refund?.(refund))?.result, 'approved')
  const { unknown } = await reconcile()
  const ofPayment = unknown.filter(({ effect }) => effect.paymentId === paymentId)
  assert.deepEqual(
    ofPayment.map(({ effect: { kind, transactionId, orderId } }) => [kind, transactionId, orderId]),
    [
      ['sale', transactionId, 'LOST-7'],
      ['refund', refund.transactionId, 'LOST-7'],
    ],
  )
})

async function listAlertTexts(): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ text: string }>(
    "select text from alerts where kind = 'restored-effect-unknown'",
  )
  return rows.map(({ text }) => text)
}
