import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openShop, type Shop } from '../../../server/test/shop.ts'
import { gatehouse } from '../../test/gatehouse.ts'

let shop: Shop
before(async () => {
  shop = await openShop({}, ['back office'])
  await shop.sale({})
  await shop.sale({ card_exp_month: '02' })
  await shop.sale({}, { merchant: 'demo-dms' })
  await shop.service.idle()
})
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  gatehouse(['report', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('approval rates are printed by an attribute, of all merchants or one', async () => {
  const all = await run('approvals', '--by', 'network')
  assert.equal(all.code, 0, all.err)
  assert.match(all.out, /visa +3 +2 +1 +66\.7 %/)
  const { json } = await run('approvals', '--merchant', 'demo', '--json')
  assert.deepEqual([json.totals.payments, json.totals.approved, json.rows[0].name], [2, 1, 'sandbox-live'])
})

test('the days of a MID are printed with what we and the acquirer have', async () => {
  const { out, code, err } = await run('days', 'sandbox-live')
  assert.equal(code, 0, err)
  assert.match(out, /EUR +1 +10\.00 +0 +0\.00/)
})

test('days that are none or in the wrong order, and an unknown attribute, are reported', async () => {
  assert.equal((await run('approvals', '--from', '2026-02-30')).code, 2)
  assert.match((await run('approvals', '--from', '2026-02-02', '--to', '2026-02-01')).err, /--to is before --from/)
  assert.match((await run('approvals', '--from', '2020-01-01', '--to', '2026-02-01')).err, /more than 366 days/)
  assert.equal((await run('approvals', '--by', 'weather')).code, 2)
})
