/** DATABASE_READ_URL: the panel's reports read from a real streaming standby. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReports } from '#server/assembly/panel-pool.ts'
import { openPool } from '#server/store/database/pool.ts'
import { readSource } from '#server/store/instance/read-source.ts'
import { type ReplicatedServer, startReplicated } from '../hosts/standby.ts'
import { merchantId, type PanelClient, panelOf } from '../panel/admin.ts'
import { openShop, type Shop } from '../shop.ts'
import { urlOfDatabase } from '../template.ts'
import { testDatabaseName } from '../test-postgres.ts'

let server: ReplicatedServer
let shop: Shop
let panel: PanelClient
const usual = { database: process.env.GATEHOUSE_TEST_DATABASE, run: process.env['GATEHOUSE_TEST_RUN'] }

before(async () => {
  server = await startReplicated()
  process.env.GATEHOUSE_TEST_DATABASE = server.primaryUrl
  delete process.env['GATEHOUSE_TEST_RUN']
  // The first database of this process, which the shop creates.
  shop = await openShop({ DATABASE_READ_URL: urlOfDatabase(server.standbyUrl, testDatabaseName(1)) }, ['back office'])
  panel = await panelOf(shop)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await server.close()
  process.env.GATEHOUSE_TEST_DATABASE = usual.database
  process.env['GATEHOUSE_TEST_RUN'] = usual.run
})

async function pay(): Promise<string> {
  const { body } = await shop.sale()
  assert.equal(body.result, 'SUCCESS')
  return body.trans_id
}

const isFound = async (id: string): Promise<boolean> => {
  const { http, body } = await panel.get('/payments?test=false&limit=50')
  assert.equal(http, 200)
  return body.payments.some((payment: { readonly id: string }) => payment.id === id)
}

/** The file of an export of all payments. */
async function exported(): Promise<string> {
  const { http, body } = await panel.post('/exports', { filter: { test: 'false' } })
  assert.equal(http, 200)
  return (await panel.get(`/exports/${body.id}/content`)).text
}

async function countedByAnalytics(): Promise<number> {
  const { http, body } = await panel.get('/analytics?by=network')
  assert.equal(http, 200)
  return body.totals.payments
}

const source = async () => (await panel.get('/reports/source')).body

async function until(holds: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 60_000
  while (performance.now() < limit) {
    if (await holds()) return
    await sleep(100)
  }
  assert.fail('It did not happen within a minute.')
}

describe('a standby that streams', () => {
  test('answers searches, figures and exports, and the panel says that they are current', async () => {
    const id = await pay()
    await until(() => isFound(id))
    await until(async () => (await source()).source === 'replica')
    const { secondsBehind, sentence } = await source()
    assert.ok(secondsBehind < 10)
    assert.match(sentence, /read replica/)
    assert.equal((await panel.get('/dashboard?test=false&zone=UTC')).http, 200)
    assert.ok((await exported()).includes(id))
    assert.ok((await countedByAnalytics()) > 0)
    const { rows } = await shop.base.pool.query('select pg_is_in_recovery() as standby')
    assert.deepEqual(rows, [{ standby: false }])
  })

  test('that stands still is used with its age, while a payment is read from the primary', async () => {
    await server.onStandby('select pg_wal_replay_pause()')
    const counted = await countedByAnalytics()
    const id = await pay()
    assert.equal(await isFound(id), false, 'The standby cannot know it.')
    assert.ok(!(await exported()).includes(id), 'nor can an export')
    assert.equal(await countedByAnalytics(), counted, 'nor can analytics')
    const merchant = await merchantId(shop, 'demo')
    assert.equal((await panel.get(`/merchants/${merchant}/payments/${id}`)).http, 200)
    await until(async () => Number((await source()).secondsBehind) > 0)
    assert.match((await source()).sentence, /^These data come from the read replica and are up to \d+ seconds? old\.$/)
    await server.onStandby('select pg_wal_replay_resume()')
    await until(() => isFound(id))
    assert.ok((await exported()).includes(id))
    assert.equal(await countedByAnalytics(), counted + 1)
  })

  test('ends statements of the panel after 15 seconds, too', async (t) => {
    const { reports, end } = openReports(shop.base, shop.base.pool)
    t.after(end)
    const shown = await reports.read(async (on) => (await on.query(`show statement_timeout`)).rows)
    assert.deepEqual(shown, [{ statement_timeout: '15s' }])
    assert.deepEqual((await shop.base.pool.query('show statement_timeout')).rows, [{ statement_timeout: '30s' }])
  })

  test('that is gone is replaced by the primary, with a sentence, and used again when it is back', async () => {
    await server.stopStandby()
    const id = await pay()
    assert.equal(await isFound(id), true)
    assert.deepEqual(await source(), {
      source: 'primary',
      secondsBehind: null,
      sentence: 'The read replica does not answer. These data come from the primary database and are current.',
    })
    await server.startStandby()
    await until(async () => (await source()).source === 'replica')
    await until(() => isFound(id))
  })
})

describe('a replica is not used', () => {
  const stateWith = async (url: string, behindSeconds: number): Promise<unknown> => {
    const primary = openPool(server.primaryUrl, { max: 1, applicationName: 'test' })
    const replica = openPool(url, { max: 1, applicationName: 'test', readOnly: true })
    const changes: unknown[] = []
    try {
      return await readSource({
        primary,
        replica,
        reportChange: (state) => changes.push(state),
        behindSeconds,
      }).readState()
    } finally {
      await Promise.all([primary.end(), replica.end()])
      assert.equal(changes.length, 1)
    }
  }

  test('if it is the primary itself', async () =>
    assert.deepEqual(await stateWith(server.primaryUrl, 60), { source: 'primary', fault: 'no standby' }))

  test('if it is another server', { skip: usual.database === undefined && 'There is no other server.' }, async () =>
    assert.deepEqual(await stateWith(usual.database ?? '', 60), { source: 'primary', fault: 'other database' }),
  )

  test('if it is too far behind', async () => {
    await server.onStandby('select pg_wal_replay_pause()')
    await pay()
    assert.deepEqual(await stateWith(server.standbyUrl, 0), { source: 'primary', fault: 'behind' })
    await server.onStandby('select pg_wal_replay_resume()')
  })
})
