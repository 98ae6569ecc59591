/**
 * The helper process of the family `prism` is killed at every step of a payment: nothing is lost or doubled, and the next payment works at once.
 * Chapter 60 §1.2. How soon it works is measured by the campaign `helper-points`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { installSamplePackage } from '#server/connectors/prism/testing/sample-package.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { openAccount } from '../account.ts'
import { chargeChain, pairOf } from '../chains.ts'
import { openShop, type Shop } from '../shop.ts'

/** Our references of what the acquirer executed. */
const executed: string[] = []
/** The stored card that each of these requests named. */
const vaultIds: (string | null)[] = []
/** Called before the acquirer answers. */
let onRequest: () => void = () => undefined

const acquirer = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request))
  executed.push(form.get('orderid') ?? '')
  vaultIds.push(form.get('customer_vault_id'))
  onRequest()
  const stored = form.get('customer_vault') === 'add_customer' ? '&customer_vault_id=V-77' : ''
  response.end(`response=1&responsetext=SUCCESS&transactionid=${executed.length}${stored}`)
})

let shop: Shop
let merchant: string
before(async () => {
  shop = await openShop()
  await installSamplePackage(shop.base.config.dataDir)
  await new Promise<void>((listening) => acquirer.listen(0, '127.0.0.1', listening))
  const address = acquirer.address()
  const base_url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  merchant = await openAccount(shop, { mids: [], merchant: { mpiService: 'none' } })
  const merchantId = (await merchantStore(shop.base.pool).list()).find(({ name }) => name === merchant)?.id ?? ''
  const mid = await createMid(
    shop.base,
    { mode: 'live', name: 'nmi-live', connector: 'prism-nmi', descriptor: 'EXAMPLE SHOP' },
    { api_key: 'k', public_key: 'p', base_url },
  )
  await linkMerchant(shop.base, { priority: 1, merchantId, midId: mid.id })
  await shop.service.configuration.refresh()
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  acquirer.close()
  acquirer.closeAllConnections()
})

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
  await shop.service.idle()
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
