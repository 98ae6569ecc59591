/** A database that vanishes without a word does to payments what one does whose connections are cut. Chapter 80 §2. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { countSecond } from '#server/store/database/connection/watched-client.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { until } from '../../callbacks/callback-scene.ts'
import { expireExecutionTime } from '../../crash.ts'
import { DatabaseLine } from '../../hosts/database-line.ts'
import { readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { openShop } from '../../shop.ts'

let line: DatabaseLine
/** Reaches the database beside the line. */
let beside: Pool
const shop = await openShop({}, [], {
  barrier: async (url) => {
    line = await DatabaseLine.open(url)
    beside = openPool(url, { max: 2, applicationName: 'gatehouse test' })
    return line.url
  },
})
after(async () => {
  await beside.end()
  await shop[Symbol.asyncDispose]()
  await line.close()
})

const faults = {
  'cut off': () => line.cut(0),
  gone: async () => {
    line.fallSilent()
    for (let second = 0; second < 36; second += 1) {
      countSecond()
      await sleep(1)
    }
  },
}

/** Does it while a statement that writes to the table waits at the database, which then executes it without a client. */
async function whileWriting<T>(table: string, write: () => Promise<T>, what: () => Promise<void>): Promise<T> {
  const holder = await beside.connect()
  await holder.query(`begin; lock table ${table} in exclusive mode`)
  const written = write()
  await until(async () => {
    const { rows } = await beside.query(
      'select 1 from pg_locks where relation = $1::regclass and not granted and database = (select oid from pg_database where datname = current_database())',
      [table],
    )
    return rows.length > 0
  })
  await what()
  await holder.query('rollback')
  holder.release()
  return written
}

const readHealth = async () => (await fetch(`${shop.url}/service/health`)).status

for (const [fault, breakDatabase] of Object.entries(faults)) {
  for (const [what, table] of [
    ['intent', 'payments'],
    ['outcome', 'callbacks'],
  ] as const)
    test(`a payment whose ${what} is being written when the database is ${fault} has no answer, and is charged once; the next one succeeds`, async () => {
      const order_id = `${what} ${fault}`
      const { http, body } = await whileWriting(table, () => shop.sale({ order_id }), breakDatabase)
      assert.deepEqual([http, body.result], [500, 'ERROR'], 'an error, and no decline')

      assert.equal((await shop.sale({ order_id: `next ${order_id}` })).body.result, 'SUCCESS')
      assert.equal(await readHealth(), 200)
      await until(async () => (await shop.byOrder(order_id)).http === 200)
      const { trans_id } = (await shop.byOrder(order_id)).body
      if (what === 'intent') {
        assert.deepEqual(await readEffects(shop, trans_id), [], 'nothing was sent')
        await expireExecutionTime(shop)
        await shop.advance(6_000)
      }
      assert.equal(await statusOf(shop, trans_id), 'SETTLED')
      assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000'])
      assert.deepEqual(await readCallbacks(shop, trans_id, 'SALE'), ['SUCCESS SETTLED'])
    })
}
