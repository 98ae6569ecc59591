import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['link', ...argv], {
    environment: {
      DATABASE_URL: shop.base.config.databaseUrl ?? '',
      DATA_DIR: shop.base.config.dataDir,
      BASE_URL: shop.url,
    },
  })
const create = (...more: readonly string[]) =>
  run('create', 'demo', '--currency', 'EUR', '--description', 'Invoice 7', ...more)

test('a link is created, opened by a payer, listed and cancelled', async () => {
  const created = await create('--amount', '49.90', '--order', 'INV-7')
  assert.equal(created.code, 0, created.err)
  const page = await fetch(created.out.trim())
  assert.equal(page.status, 200)
  assert.match(await page.text(), /49\.90 EUR/)

  const { json } = await run('list', '--merchant', 'demo', '--json')
  assert.deepEqual([json.length, json[0].state, json[0].orderNumber], [1, 'open', 'INV-7'])
  assert.match((await run('list')).out, / demo +open +49\.90 EUR +0 /)
  assert.equal((await run('cancel', 'demo', json[0].id)).code, 0)
  assert.match((await run('cancel', 'demo', json[0].id)).err, /already cancelled/)
  assert.equal((await fetch(created.out.trim())).status, 410)
})

test('metadata is stored as given, and a form that cannot be read is refused', async () => {
  const created = await create('--metadata', 'customer=42', '--metadata', 'note=a=b, c', '--json')
  assert.deepEqual(created.json.metadata, { customer: '42', note: 'a=b, c' })
  for (const wrong of ['customer', '=42', `${'n'.repeat(65)}=1`])
    assert.match((await create('--metadata', wrong)).err, /--metadata .*KEY=VALUE such as customer=42/)
  assert.match((await create('--metadata', 'a=1', '--metadata', 'a=2')).err, /each key once/)
})

test('an amount that is none, a missing currency and an unknown merchant are refused', async () => {
  assert.match((await create('--amount', '1.999')).err, /not an amount in EUR/)
  assert.match((await run('create', 'demo', '--description', 'Invoice')).err, /--currency is missing/)
  assert.match((await create('--many', '--order', 'A')).err, /single payment/)
  assert.match((await run('create', 'dem', '--currency', 'EUR', '--description', 'Invoice')).err, /Did you mean "demo"/)
})
