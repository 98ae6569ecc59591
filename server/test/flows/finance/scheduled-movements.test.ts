/**
 * Chapter 70 §5: a scheduled file of transactions has every movement of money of its period, whichever day the payment is of. See
 * decisions/exports#movements.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { firstPeriodDueAfter } from '#domain/export/export-period.ts'
import { inTransaction } from '#server/store/database/transaction.ts'
import { listMovementsAfter } from '#server/store/exports/movements.ts'
import { decideDispute, merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { type Receiver, startReceiver } from '../../receiver.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let receiver: Receiver
let owner: PanelClient
let colleague: PanelClient
let demo: string
before(async () => {
  receiver = await startReceiver()
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  colleague = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await receiver.stop()
})
beforeEach(async () => {
  await shop.base.pool.query('delete from export_schedules')
  // At the beginning of a period: in the night, the next one to become due would be yesterday's.
  await passPeriod()
  receiver.received.length = 0
})

const times = { period: 'day', timeZone: 'Europe/Berlin', minuteOfDay: 360 } as const
const shownColumns = ['order_id', 'type', 'amount', 'held_change', 'settled_change']

async function schedule(filter: Readonly<Record<string, string>> = {}, columns = shownColumns): Promise<void> {
  const target = { kind: 'https', url: `${receiver.url}/in` }
  const wishes = { ...times, name: 'Movements', kind: 'transactions', filter, columns, target }
  const answer = await owner.post('/export-schedules', wishes)
  assert.equal(answer.http, 200, answer.text)
}

async function passPeriod() {
  const now = shop.base.clock.now()
  const period = firstPeriodDueAfter(times, now)
  await shop.advance(period.dueAt.getTime() - now.getTime() + 1000)
  await shop.service.awaitIdle()
  return period
}

/** The rows of each file, in the order in which files were sent. */
const files = (): readonly (readonly string[])[] =>
  receiver.received
    .filter(({ headers }) => headers['idempotency-key'] !== undefined)
    .map(({ raw }) => raw.trimEnd().split('\r\n').slice(1))

test('a capture, a refund and a void are in the file of their own day, and in no other', async () => {
  await schedule()
  const sold = (await shop.sale({ order_id: 'MOVED-SALE' })).body
  const held = (await shop.sale({ order_id: 'MOVED-HOLD', auth: 'Y' })).body
  await passPeriod()
  await shop.followUp('CREDITVOID', sold.trans_id, { amount: '4.00' })
  await shop.followUp('CAPTURE', held.trans_id, { amount: '7.00' })
  const voided = (await shop.sale({ order_id: 'MOVED-VOID' })).body
  await shop.followUp('VOID', voided.trans_id)
  await passPeriod()
  await passPeriod()
  assert.deepEqual(files(), [
    ['MOVED-SALE,SALE,10.00,0.00,10.00', 'MOVED-HOLD,AUTH,10.00,10.00,0.00'],
    [
      'MOVED-SALE,REFUND,4.00,0.00,-4.00',
      'MOVED-HOLD,CAPTURE,7.00,-10.00,7.00',
      'MOVED-VOID,SALE,10.00,0.00,10.00',
      'MOVED-VOID,VOID,10.00,0.00,-10.00',
    ],
    [],
  ])
})

test('a chargeback of an earlier payment, and its money when it comes back, are rows of their own days', async () => {
  await schedule()
  const { trans_id } = (await shop.sale({ order_id: 'MOVED-BACK' })).body
  await passPeriod()
  const chargeback = { reference: 'MOVED-CB', amountMinor: '400', bankDate: '2026-03-01', reasonCode: '4837 Fraud' }
  assert.equal((await owner.post(`/merchants/${demo}/payments/${trans_id}/chargeback`, chargeback)).http, 200)
  await passPeriod()
  const { disputes } = (await owner.get('/disputes?limit=200')).body
  const { id } = disputes.find((one: { reference: string }) => one.reference === 'MOVED-CB')
  await decideDispute(`/merchants/${demo}/disputes/${id}`, 'won', [owner, colleague])
  await passPeriod()
  assert.deepEqual(files().slice(1), [
    ['MOVED-BACK,CHARGEBACK,4.00,0.00,-4.00'],
    ['MOVED-BACK,CHARGEBACK_RETURN,4.00,0.00,4.00'],
  ])
})

test('a movement at the midnight of the zone is in the file of the day that begins, and one just before it in the other', async () => {
  await schedule()
  const { from, to } = firstPeriodDueAfter(times, shop.base.clock.now())
  for (const [order, at, earlierBy] of [
    ['EDGE-FIRST', from, '0'],
    ['EDGE-LAST', to, '1 microsecond'],
    ['EDGE-NEXT', to, '0'],
  ] as const) {
    const { trans_id } = (await shop.sale({ order_id: order })).body
    await moveEntries(trans_id, at, earlierBy)
  }
  await passPeriod()
  await passPeriod()
  await passPeriod()
  assert.deepEqual(
    files().map((rows) => rows.map((row) => row.split(',')[0])),
    [['EDGE-FIRST', 'EDGE-LAST'], ['EDGE-NEXT'], []],
  )
})

test('what moved no money is not in it, nor are payments that the filter or the rights exclude', async () => {
  await schedule({ merchantId: demo, orderId: 'WANTED' })
  await shop.sale({ order_id: 'WANTED-1' })
  await shop.sale({ order_id: 'OTHER-1' })
  await shop.sale({ order_id: 'WANTED-FOREIGN' }, { merchant: 'demo-dms' })
  await shop.sale({ order_id: 'WANTED-DECLINED', card_number: '4111111111111111', card_exp_month: '02' })
  await passPeriod()
  assert.deepEqual(
    files().map((rows) => rows.map((row) => row.split(',')[0])),
    [['WANTED-1']],
  )
})

test('the columns add up to the ledger: without a choice they are all of a transaction, and what it moved', async () => {
  const { columns } = (await owner.get('/export-schedules')).body
  assert.deepEqual(columns.transactions.slice(-5), ['moved_at', 'held_change', 'settled_change', 'fee', 'reserve'])
  await schedule({}, columns.transactions)
  await shop.sale({ order_id: 'ALL-COLUMNS' })
  await passPeriod()
  const [head = '', row = ''] = receiver.received[0]?.raw.split('\r\n') ?? []
  const cells = new Map(head.split(',').map((name, index) => [name, row.split(',')[index]]))
  assert.deepEqual([cells.get('order_id'), cells.get('state'), cells.get('fee')], ['ALL-COLUMNS', 'success', '0.00'])
  assert.match(cells.get('moved_at') ?? '', /^\d{4}-\d\d-\d\dT/)
})

test('pages continue exactly where the one before ended, also among movements of one time', async () => {
  const at = shop.base.clock.now()
  for (const order of ['PAGE-1', 'PAGE-2', 'PAGE-3', 'PAGE-4'])
    await moveEntries((await shop.sale({ order_id: order })).body.trans_id, at, '1 microsecond')
  const { pool } = shop.base
  const period = { from: new Date(at.getTime() - 1), to: at }
  const whole = await listMovementsAfter(pool, demo, period, { after: undefined, limit: 100 })
  assert.equal(whole.length, 4)
  const one = await listMovementsAfter(pool, demo, period, { after: undefined, limit: 1 })
  const rest = await listMovementsAfter(pool, demo, period, { after: one[0], limit: 2 })
  const last = await listMovementsAfter(pool, demo, period, { after: rest[1], limit: 2 })
  assert.deepEqual([...one, ...rest, ...last], whole)
})

/** As if the payment had been made at another time. The ledger itself refuses every change. */
const moveEntries = (paymentId: string, at: Date, earlierBy: string): Promise<void> =>
  inTransaction(shop.base.pool, async (client) => {
    await client.query('alter table ledger_entries disable trigger ledger_entries_append_only')
    await client.query('update ledger_entries set at = $2::timestamptz - $3::interval where payment_id = $1', [
      paymentId,
      at,
      earlierBy,
    ])
    await client.query('alter table ledger_entries enable trigger ledger_entries_append_only')
  })
