/** Chapter 70 §6: when the page was first opened is counted, and never in the payer's way. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../callbacks/callback-scene.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
})
after(() => shop[Symbol.asyncDispose]())

const openings = async (): Promise<readonly (Date | null)[]> =>
  (await shop.base.pool.query<{ opened_at: Date | null }>('select opened_at from sessions order by id')).rows.map(
    (row) => row.opened_at,
  )

test('the first opening of a page is recorded, and none after it', async () => {
  const payer = await Payer.at(shop)
  assert.deepEqual(await openings(), [null])
  await payer.session()
  await until(async () => (await openings())[0] !== null)
  const first = await openings()
  await shop.advance(60_000)
  await payer.session()
  await payer.pay()
  assert.deepEqual(await openings(), first)
})

test('a page is served and paid although its opening cannot be recorded', async () => {
  const { pool } = shop.base
  await pool.query(
    `create function refuse_opening() returns trigger language plpgsql as $$ begin raise exception 'no opening'; end $$`,
  )
  await pool.query(
    'create trigger refused before update of opened_at on sessions for each row execute function refuse_opening()',
  )
  const payer = await Payer.at(shop)
  assert.equal((await payer.session()).state, 'ready')
  assert.equal((await payer.pay()).body.state, 'complete')
  assert.equal((await openings())[1], null)
})

test('a page is served while something else holds its session', async () => {
  const payer = await Payer.at(shop)
  const client = await shop.base.pool.connect()
  try {
    await client.query('begin; select from sessions for update')
    assert.equal((await payer.session()).state, 'ready')
  } finally {
    await client.query('rollback')
    client.release()
  }
})
