import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bookPeriodicCharges } from '#server/store/finance/periodic-charges.ts'
import { merchantId, panelOf } from '../../../server/test/panel/admin.ts'
import { openShop, type Shop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

let shop: Shop
before(async () => {
  shop = await openShop({}, ['back office'])
  await shop.sale({})
  await shop.sale({ card_exp_month: '02' })
  await shop.sale({}, { merchant: 'demo-dms' })
  await shop.service.awaitIdle()
})
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['report', ...argv], {
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

test('the margin is printed per merchant, MID and currency, with what the acquirer charged for no transaction', async () => {
  const finance = await panelOf(shop, { role: 'finance' })
  const day = shop.base.clock.now().toISOString().slice(0, 10)
  const list = { validFrom: day, country: 'DE', rules: [{ kinds: ['sale'], share: 30_000 }] }
  const more = { monthly: [{ currency: 'EUR', amountMinor: '990' }] }
  const added = await finance.post(`/merchants/${await merchantId(shop, 'demo')}/price-lists`, { ...list, ...more })
  assert.equal(added.http, 200, added.text)
  await shop.service.configuration.refresh()
  const { trans_id } = (await shop.sale({ order_currency: 'KWD', order_amount: '10.005' })).body
  await bookPeriodicCharges(shop.base.pool, shop.base.clock.now())
  const { rows } = await shop.base.pool.query("select id from mids where name = 'sandbox-live'")
  const lines = [
    'row,type,payment_id,currency,gross,fee,net,date',
    `R1,charge,${trans_id},KWD,10.005,0.123,9.882,${day}`,
    `R2,fee,,KWD,0,0.500,-0.500,${day}`,
  ]
  const content = Buffer.from([...lines, 'end,2', ''].join('\n')).toString('base64')
  const { body, text } = await finance.post('/settlements', { midId: rows[0].id, name: 'day.csv', content })
  assert.equal(body.result, 'imported', text)

  const all = await run('margin')
  assert.equal(all.code, 0, all.err)
  assert.match(all.out, /^demo +sandbox-live +KWD +10\.005 +0\.300 +0\.123 +0\.177$/m)
  assert.match(all.out, /^demo +- +EUR +0\.00 +9\.90 +0\.00 +9\.90$/m, 'the monthly fee')
  assert.match(all.out, /^- +sandbox-live +KWD +0\.000 +0\.000 +0\.500 +-0\.500$/m, 'the acquirer’s fee of the month')
  assert.ok(!all.out.includes('demo-dms'), 'a hold is no sale')
  const { json } = await run('margin', '--merchant', 'demo', '--from', day, '--to', day, '--json')
  assert.ok(json.every(({ merchant }: { merchant: string }) => merchant === 'demo'))
  const dinars = json.find(({ currency }: { currency: string }) => currency === 'KWD')
  assert.deepEqual([dinars.mid, dinars.decimals, dinars.marginMinor], ['sandbox-live', 3, '177'])
  const none = await run('margin', '--from', '2020-01-01', '--to', '2020-01-31')
  assert.deepEqual([none.code, /Nothing was booked from 2020-01-01/.test(none.err)], [0, true])
  assert.match((await run('margin', '--merchant', 'nobody')).err, /nobody/)
})

test('days that are none or in the wrong order, and an unknown attribute, are reported', async () => {
  assert.equal((await run('approvals', '--from', '2026-02-30')).code, 2)
  assert.match((await run('approvals', '--from', '2026-02-02', '--to', '2026-02-01')).err, /--to is before --from/)
  assert.match((await run('approvals', '--from', '2020-01-01', '--to', '2026-02-01')).err, /more than 366 days/)
  assert.equal((await run('approvals', '--by', 'weather')).code, 2)
})
