/** A merchant whose only MID is at a host of ISO 8583. What the gateway knows and what the host's ledger says agree, also after faults. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openIso8583 } from '#sandbox/acquirers/iso8583/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { openApmAccount } from '../apm.ts'
import { crashDuring, expireExecutionTime } from '../crash.ts'
import { openShop } from '../shop.ts'

const shop = await openShop({}, ['back office'])
const folder = await mkdtemp(join(tmpdir(), 'iso8583-'))
const standIn = await openIso8583(folder)
const running = await startServices([standIn], 0, (fault) => {
  throw fault
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await running.stop()
  await rm(folder, { recursive: true, force: true })
})

const merchant = await openApmAccount(shop, { mids: [] })
const merchantId = (await merchantStore(shop.base.pool).list()).find(({ name }) => name === merchant)?.id ?? ''
const features = { mode: 'live', name: 'host-live', connector: 'iso8583', descriptor: 'EXAMPLE SHOP' } as const
const mid = await createMid(shop.base, features, standIn.credentials(running.url).live)
await linkMerchant(shop.base, { priority: 1, merchantId, midId: mid.id })
await shop.service.configuration.refresh()
const as = { merchant }

interface Effect {
  readonly kind: string
  readonly amount: string
  readonly state: string
}

async function effects(): Promise<readonly string[]> {
  const entries: readonly Effect[] = JSON.parse(await (await fetch(`${running.url}/ledger`)).text())
  return entries.filter(({ state }) => state === 'executed').map(({ kind, amount }) => `${kind} ${amount}`)
}

const put = (path: string, body: object): Promise<Response> =>
  fetch(running.url + path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const statusOf = async (transId: string): Promise<string> =>
  (await shop.followUp('GET_TRANS_STATUS', transId, {}, as)).body.status

test('a hold is captured and refunded, and the ledger of the host has each step once', async () => {
  const before = (await effects()).length
  const { body } = await shop.sale({ auth: 'Y' }, as)
  assert.equal(body.status, 'PENDING')
  assert.equal((await shop.followUp('CAPTURE', body.trans_id, { amount: '6.00' }, as)).body.status, 'SETTLED')
  await shop.followUp('CREDITVOID', body.trans_id, { amount: '6.00' }, as)
  assert.equal(await statusOf(body.trans_id), 'REFUND')
  assert.deepEqual((await effects()).slice(before), ['authorize 1000', 'capture 600', 'refund 600'])
})

/** The host can no longer execute what was sent, so that the reconciler acts. */
async function reconcile(): Promise<void> {
  await shop.base.pool.query(
    `update transactions set in_flight_until = clock_timestamp() where state in ('sent', 'undefined')`,
  )
  await shop.advance(60_000)
}

test('the answer to a capture is lost: the reconciler repeats the advice, and it is captured once', async () => {
  const before = (await effects()).length
  const { body } = await shop.sale({ auth: 'Y', order_amount: '1000.00' }, as)
  const capture = await shop.followUp('CAPTURE', body.trans_id, { amount: '666.01' }, as)
  assert.equal(capture.body.result, 'UNDEFINED')
  await reconcile()
  assert.equal(await statusOf(body.trans_id), 'SETTLED')
  assert.deepEqual((await effects()).slice(before), ['authorize 100000', 'capture 66601'])
})

test('a process dies after the host has executed a sale: another one reverses it by the record alone', async () => {
  const before = (await effects()).length
  const order = { order_id: 'ORDER-CRASH' }
  await crashDuring(shop, () => shop.sale(order, as))
  await expireExecutionTime(shop)
  await shop.advance(60_000)
  const { body } = await shop.byOrder(order.order_id, as)
  assert.equal(body.status, 'DECLINED')
  assert.deepEqual((await effects()).slice(before), ['sale 1000', 'reverse 1000'])
})

test('the answer to a sale and then the reversal are lost: the reversal is repeated, and the payer is not charged', async (t) => {
  const before = (await effects()).length
  const { body } = await shop.sale({ order_amount: '666.01' }, as)
  assert.equal(body.result, 'UNDEFINED')
  await put('/faults', { fault: 'request-lost', every: 1 })
  t.after(() => fetch(`${running.url}/faults`, { method: 'DELETE' }))
  await reconcile()
  assert.equal(await statusOf(body.trans_id), 'DECLINED')
  assert.deepEqual((await effects()).slice(before), ['sale 66601', 'reverse 66601'])
  assert.deepEqual(await shop.postings(body.trans_id), [])
})

test('a host that is gone charges no payer, and serves the MID again when it is back', async () => {
  const { body: first } = await shop.sale({}, as)
  assert.equal(first.status, 'SETTLED')
  const { rows } = await shop.base.pool.query<{ key: string }>('select key from trace_numbers')
  assert.ok(rows.length > 0, 'numbers are reserved for all processes')
  assert.equal((await fetch(`${running.url}/lines/drop`, { method: 'POST' })).status, 200)
  let status = ''
  for (let time = 0; time < 20 && status !== 'SETTLED'; time += 1) {
    await shop.advance(60_000)
    status = (await shop.sale({}, as)).body.status
  }
  assert.equal(status, 'SETTLED')
})
