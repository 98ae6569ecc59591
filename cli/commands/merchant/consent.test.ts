import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CheckoutClient } from '../../../server/test/pages/checkout.ts'
import { Payer } from '../../../server/test/pages/hosted-page.ts'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const withdraw = (payment: string) =>
  runGatehouse(['consent', 'withdraw', payment], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('a consent is withdrawn through any payment of its chain, once', async () => {
  const schedule = await new CheckoutClient(shop).schedule()
  const plan = { recurring_init: true, schedule_id: schedule.id, recurring_consent_required: true }
  const { payment_id } = await (await Payer.at(shop, plan)).payAndExpectSuccess({ consent: true })
  const { code, out, err } = await withdraw(payment_id)
  assert.equal(code, 0, err)
  assert.match(out, /^The consent [0-9a-f-]{36} is withdrawn\. Its plan has ended\.$/)
  const again = await withdraw(payment_id)
  assert.equal(again.code, 1)
  assert.match(again.err, /is already withdrawn/)
})

test('an unknown payment is reported as such', async () => {
  const { code, err } = await withdraw('0198f7a1-5a0e-7c3e-9d55-0242ac1f0007')
  assert.equal(code, 1)
  assert.match(err, /Payment not found\./)
})
