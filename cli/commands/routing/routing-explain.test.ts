// Written from chapter 50 §3, rule 5: why a payment was routed as it was, and why no further attempt followed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openAccount } from '../../../server/test/account.ts'
import { attemptsOf, outage, setFaults, softDeclines } from '../../../server/test/cascades.ts'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const explain = (...argv: readonly string[]) =>
  runGatehouse(['routing', 'explain', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('the attempts of a cascade are explained from the first MID to the reason why it ended', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}] })
  await setFaults(shop, merchant, { 1: softDeclines, 2: outage })
  const order_id = randomUUID()
  await shop.sale({ order_id }, { merchant })
  const [first, last] = await attemptsOf(shop, order_id)
  assert.match((await explain(first?.id ?? '')).out, /Declined\. Attempt 2 followed\.$/)
  const { out, code } = await explain(last?.id ?? '')
  assert.equal(code, 0)
  assert.match(out, new RegExp(`${merchant}-1 was left out\\. Attempt 1 was declined there: soft\\.`))
  assert.match(out, /No other MID was tried: none was left in the order\.$/)
  const { json } = await explain(last?.id ?? '', '--json')
  assert.deepEqual([json.ending.reason, json.ending.stored], ['no-mid-left', { reason: 'no-mid-left' }])
})
