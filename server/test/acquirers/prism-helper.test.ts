/**
 * The helper process of the family `prism` is killed at every step of a payment: nothing is lost or doubled, and the next payment works at once.
 * Chapter 60 §1.2. How soon it works is measured by the campaign `helper-points`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { installSamplePackage } from '#server/connectors/prism/testing/sample-package.ts'
import { machineTime } from '#server/process/clock.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { openAccount } from '../account.ts'
import { chargeChain, pairOf } from '../chains.ts'
import { merchantId, panelOf } from '../panel/admin.ts'
import { statusOf } from '../payments.ts'
import { openShop, type Shop } from '../shop.ts'

/** Our references of what the acquirer executed. */
const executed: string[] = []
let questions = 0
/** The stored card that each of these requests named. */
const vaultIds: (string | null)[] = []
/** Called before the acquirer answers. */
let onRequest: () => void = () => undefined

const acquirer = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request))
  const reference = form.get('orderid')
  // A question executes nothing.
  if (reference === null) questions += 1
  else executed.push(reference)
  vaultIds.push(form.get('customer_vault_id'))
  onRequest()
  const stored = form.get('customer_vault') === 'add_customer' ? '&customer_vault_id=V-77' : ''
  response.end(`response=1&responsetext=SUCCESS&transactionid=${executed.length}${stored}`)
})

let shop: Shop
let merchant: string
let byHand: string
let notified: string
before(async () => {
  shop = await openShop({}, ['back office', 'chargebacks'])
  await installSamplePackage(shop.base.config.dataDir)
  await new Promise<void>((listening) => acquirer.listen(0, '127.0.0.1', listening))
  const address = acquirer.address()
  const base_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  merchant = await openMerchant('prism-nmi', { api_key: 'k', public_key: 'p', base_url })
  byHand = await openMerchant('prism-shift4', { api_key: 'k', base_url })
  notified = await openMerchant('prism-stripe', { api_key: 'k', webhook_secret: 'whsec_1', base_url })
  await shop.service.configuration.refresh()
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  acquirer.close()
  acquirer.closeAllConnections()
})

/** Whose payments go over that acquirer alone. */
async function openMerchant(connector: string, credentials: Readonly<Record<string, string>>): Promise<string> {
  const opened = await openAccount(shop, { mids: [], merchant: { mpiService: 'none' } })
  const mid = await createMid(
    shop.base,
    { mode: 'live', name: `${connector}-live`, connector, descriptor: 'EXAMPLE SHOP' },
    credentials,
  )
  await linkMerchant(shop.base, { priority: 1, merchantId: await merchantId(shop, opened), midId: mid.id })
  return opened
}

/** Children of this process that run the helper's program with the package of this shop. */
function helperIds(): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .filter((line) => line.includes('transformer/program.ts') && line.includes(shop.base.config.dataDir))
    .map((line) => Number.parseInt(line, 10))
}

const killHelper = (): void => {
  for (const id of helperIds()) process.kill(id, 'SIGKILL')
}

async function pay(description = 'Shoes') {
  const { body } = await shop.sale({ order_description: description }, { merchant })
  const { rows } = await shop.base.pool.query<{ id: string; state: string; status: string }>(
    `select t.id, t.state, p.status from transactions t join payments p on p.id = t.payment_id where p.id = $1`,
    [body.trans_id],
  )
  const [row] = rows
  const effects = executed.filter((one) => one === row?.id.replaceAll('-', '')).length
  return {
    result: body.result,
    status: row?.status,
    state: row?.state,
    effects,
  }
}

async function assertNextWorks(): Promise<void> {
  const next = await pay()
  assert.deepEqual([next.result, next.status, next.effects], ['SUCCESS', 'SETTLED', 1])
}

test('a payment runs through the helper', async () => {
  const { result, effects } = await pay()
  assert.deepEqual([result, effects], ['SUCCESS', 1])
  assert.equal(helperIds().length > 0, true)
})

test('killed between two payments: the next one works', async () => {
  killHelper()
  await assertNextWorks()
})

test('killed whenever it builds the request: nothing was sent, and the payment is declined', async () => {
  const { result, state, effects } = await pay('die while building')
  assert.deepEqual([result, effects], ['DECLINED', 0], state)
  await assertNextWorks()
})

test('killed while the request is at the acquirer: the reply is read by a new helper', async () => {
  onRequest = killHelper
  const { result, status, effects } = await pay()
  onRequest = () => undefined
  assert.deepEqual([result, status, effects], ['SUCCESS', 'SETTLED', 1])
  await assertNextWorks()
})

test('killed whenever it reads the reply: the outcome is unknown, never a decline, and nothing is sent again', async () => {
  const sentBefore = executed.length
  const { result, state, effects } = await pay('die while reading')
  assert.equal(effects, 1)
  assert.equal(state, 'undefined')
  assert.notEqual(result, 'DECLINED')
  assert.notEqual(result, 'SUCCESS')
  await shop.service.awaitIdle()
  assert.equal(executed.length, sentBefore + 1)
  await assertNextWorks()
})

test('a chain is charged by what the acquirer stored with its first payment', async () => {
  const { body } = await shop.sale({ recurring_init: 'Y' }, { merchant })
  assert.equal(body.result, 'SUCCESS')
  const charge = await chargeChain(shop, pairOf(body), {}, { merchant })
  assert.deepEqual([charge.body.result, charge.body.status], ['SUCCESS', 'SETTLED'])
  assert.deepEqual(vaultIds.slice(-2), [null, 'V-77'])
})

test('an unknown outcome that the acquirer cannot be asked about raises an alert and is decided by two people', async () => {
  const { body } = await shop.sale({ order_description: 'die while reading' }, { merchant: byHand })
  assert.equal(body.result, 'UNDEFINED')
  for (const seconds of [5, 30, 120, 600, 3_600, 21_600, 86_400]) await shop.advance(seconds * 1000)
  assert.equal(executed.length, new Set(executed).size, 'nothing is sent again')
  const [owner, finance] = [await panelOf(shop), await panelOf(shop, { role: 'finance' })]
  const { alerts } = (await owner.get('/alerts?open=true&limit=200')).body
  assert.ok(alerts.some(({ paymentId }: { paymentId: string }) => paymentId === body.trans_id))
  const { outcomes } = (await finance.get('/unresolved?limit=200')).body
  const row = outcomes.find(({ paymentId }: { paymentId: string }) => paymentId === body.trans_id)
  assert.equal(row?.midName, 'prism-shift4-live')

  const request = await finance.post(`/merchants/${await merchantId(shop, byHand)}/payments/${body.trans_id}/outcome`, {
    transactionId: row.transactionId,
    decision: 'executed',
    reference: 'char_1',
    amountMinor: row.amountMinor,
    date: '2026-01-02',
    reason: 'It is in the dashboard of the acquirer',
    evidence: 'Ticket 4711',
  })
  assert.equal(request.http, 200, request.text)
  const approved = await owner.post(`/approvals/${request.body.approvalId}/approve`)
  assert.equal(approved.http, 200, approved.text)
  assert.equal(await statusOf(shop, body.trans_id, { merchant: byHand }), 'SETTLED')
})

async function notify(body: string, secret: string): Promise<number> {
  const time = Math.floor(machineTime(shop.base.clock).now().getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const { http } = await shop.send({
    path: '/acquirers/prism-stripe-live/notifications',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
    body,
  })
  await shop.service.awaitIdle()
  return http
}

test('a signed notification is the reason to ask about a lost answer, and a forged one changes nothing', async () => {
  const { body } = await shop.sale({ order_description: 'die while reading' }, { merchant: notified })
  assert.equal(body.result, 'UNDEFINED')
  const status = () => statusOf(shop, body.trans_id, { merchant: notified })
  const report = JSON.stringify({ id: String(executed.length), order: executed.at(-1) })
  // The helper that died is replaced.
  await assertNextWorks()
  assert.equal(await notify(report, 'whsec_2'), 401)
  assert.equal(await status(), 'PREPARE')

  const asksBefore = questions
  assert.equal(await notify(report, 'whsec_1'), 200)
  assert.equal(await status(), 'SETTLED')
  assert.equal(questions, asksBefore + 1, 'the acquirer was asked')
  assert.equal(await notify(report, 'whsec_1'), 200)
  assert.equal(questions, asksBefore + 1, 'a repeated notification counts once')
  const panel = await panelOf(shop)
  const { notifications } = (
    await panel.get(`/merchants/${await merchantId(shop, notified)}/payments/${body.trans_id}`)
  ).body
  assert.deepEqual(
    notifications.map(({ kind, state }: { kind: string; state: string }) => [kind, state]),
    [['reported', 'entered']],
  )
})
