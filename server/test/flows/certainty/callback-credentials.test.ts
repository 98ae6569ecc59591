/** User name and password in callback addresses: sent to the receiver, encrypted in the database, never shown. Chapter 10 §11.1. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { callbackAddresses } from '#server/store/callbacks/callback-credentials.ts'
import { sealClearAddresses } from '#server/store/callbacks/clear-text-addresses.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

const canary = 'canary-passw0rd'
const basic = `Basic ${Buffer.from(`shop:${canary}`).toString('base64')}`

let shop: Shop
let owner: PanelClient
let demo: string
before(async () => {
  shop = await openShop()
  owner = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
})
beforeEach(() => settings({ notificationUrl: shop.receiver.url, testNotificationUrl: null }))
after(() => shop[Symbol.asyncDispose]())

const settings = (body: object) => owner.send('PATCH', `/merchants/${demo}/settings`, body)
const at = (path: string): string => new URL(path, shop.receiver.url).href
const withPassword = (path: string): string => at(path).replace('://', `://shop:${canary}@`)
const maskedAddress = (path: string): string => at(path).replace('://', '://•••@')
const authorizations = async (transId: string) =>
  (await shop.callbacks(transId)).map(({ headers }) => headers.authorization)

/** The tables that contain the password in plain text. */
async function placesInClear(): Promise<readonly string[]> {
  const { pool } = shop.base
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`)
    if (rows.some(({ text }) => text.includes(canary))) found.push(name)
  }
  return found
}

test('the notification address of a merchant is stored encrypted, shown masked, and called with Basic authorization', async () => {
  const saved = await settings({ notificationUrl: withPassword('/mine') })
  assert.equal(saved.body.notificationUrl, maskedAddress('/mine'))
  const { body } = await shop.sale()
  assert.deepEqual(await authorizations(body.trans_id), [basic])

  const shown = JSON.stringify([
    await owner.get(`/merchants/${demo}`),
    await owner.get(`/merchants/${demo}/payments/${body.trans_id}`),
    await owner.get(`/merchants/${demo}/callbacks`),
    await owner.get('/audit?limit=50'),
  ])
  assert.ok(shown.includes(maskedAddress('/mine')))
  assert.ok(!shown.includes(canary))
  assert.deepEqual(await placesInClear(), [])
})

test('the callback_url of a payment is stored encrypted and called with Basic authorization, also by later operations', async () => {
  const { body } = await shop.sale({ callback_url: withPassword('/own?order=1') })
  await shop.followUp('CREDITVOID', body.trans_id, { amount: '1.00' })
  assert.deepEqual(await authorizations(body.trans_id), [basic, basic])
  assert.deepEqual(await placesInClear(), [])
})

test('a masked address that is saved again keeps its credentials', async () => {
  await settings({ notificationUrl: withPassword('/mine') })
  await settings({ notificationUrl: maskedAddress('/mine'), contactEmail: 'shop@example.com' })
  assert.deepEqual(await authorizations((await shop.sale()).body.trans_id), [basic])
})

test('hidden credentials cannot be sent to another host', async () => {
  await settings({ notificationUrl: withPassword('/mine') })
  for (const elsewhere of [maskedAddress('/other'), 'https://•••@attacker.example/mine']) {
    const { http, body } = await settings({ notificationUrl: elsewhere })
    assert.deepEqual([http, body.error?.fields[0].field], [422, 'notificationUrl'])
  }
  assert.equal((await settings({ testNotificationUrl: maskedAddress('/mine') })).http, 422)
})

test('the audit log records that credentials were changed, but not the credentials', async () => {
  await settings({ notificationUrl: withPassword('/mine') })
  await settings({ notificationUrl: withPassword('/mine').replace(canary, 'another') })
  const [entry] = (await owner.get('/audit?action=merchant.change&limit=1')).body.entries
  assert.deepEqual(JSON.parse(entry.after), { notificationUrl: `${maskedAddress('/mine')} (credentials re-entered)` })
})

test('addresses that an earlier release stored in plain text work, and the operator’s command encrypts them', async () => {
  await shop.configure('update merchants set notification_url = $1', [withPassword('/old')])
  const { body } = await shop.sale({ callback_url: at('/plain') })
  const { pool, vault, clock } = shop.base
  await pool.query('update payments set callback_url = $1 where id = $2', [withPassword('/old'), body.trans_id])
  await pool.query('update callbacks set url = $1 where payment_id = $2', [withPassword('/old'), body.trans_id])
  await pool.query('insert into callback_urls (url) values ($1)', [withPassword('/old')])
  assert.deepEqual(await authorizations((await shop.sale()).body.trans_id), [basic])
  assert.ok(!JSON.stringify(await owner.get(`/merchants/${demo}/callbacks`)).includes(canary))

  const { rows } = await pool.query<{ id: string }>('select id from merchants')
  const ids = rows.map(({ id }) => id)
  const addresses = callbackAddresses({ pool, vault, clock })
  assert.ok((await sealClearAddresses(pool, addresses, ids)) > 0)
  assert.equal(await sealClearAddresses(pool, addresses, ids), 0)
  assert.deepEqual(await placesInClear(), [])
  await shop.followUp('CREDITVOID', body.trans_id, { amount: '1.00' })
  assert.equal((await authorizations(body.trans_id)).at(-1), basic)
})
