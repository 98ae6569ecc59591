/** The panel's own connections, and what a person is told when a statement takes too long. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPanelPool } from '#server/assembly/panel-pool.ts'
import { panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
before(async () => {
  shop = await openShop({}, ['back office'])
})
after(() => shop[Symbol.asyncDispose]())

test('statements of the panel end after 15 seconds, those of payments after 30', async (t) => {
  const panelPool = openPanelPool(shop.base)
  t.after(() => panelPool.end())
  const shown = async (on: typeof panelPool) => (await on.query('show statement_timeout')).rows
  assert.deepEqual(await shown(panelPool), [{ statement_timeout: '15s' }])
  assert.deepEqual(await shown(shop.base.pool), [{ statement_timeout: '30s' }])
})

test('a search that the database ends is answered with what to do, and the next one works', async () => {
  const panel = await panelOf(shop)
  const locker = await shop.base.pool.connect()
  try {
    await locker.query('begin')
    await locker.query('lock table payments in access exclusive mode')
    const search = panel.get('/payments?test=false')
    await endWaitingStatement()
    const { http, body } = await search
    assert.equal(http, 503)
    assert.equal(body.error.code, 'too_slow')
    assert.match(
      body.error.message,
      /^The database took too long\. Try again with a shorter period or a single merchant\.$/,
    )
  } finally {
    await locker.query('rollback')
    locker.release()
  }
  assert.equal((await panel.get('/payments?test=false')).http, 200)
})

/** What the time limit does, without waiting for it. */
async function endWaitingStatement(): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { rowCount } = await shop.base.pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where application_name = 'gatehouse panel' and wait_event_type = 'Lock' and datname = current_database()`,
    )
    if (rowCount === 1) return
    await sleep(50)
  }
  assert.fail('The search does not wait.')
}
