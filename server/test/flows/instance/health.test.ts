/** `/service/health` of the real service on a real database that refuses writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { panelOf } from '../../panel/admin.ts'
import { openShop } from '../../shop.ts'

type Shop = Awaited<ReturnType<typeof openShop>>

const health = async (shop: Shop) => {
  const answer = await shop.service.app.inject('/service/health')
  return { code: answer.statusCode, ...answer.json() }
}

/** An answer may be a second old. */
async function healthUntil(shop: Shop, code: number) {
  for (let tries = 0; ; tries += 1) {
    const state = await health(shop)
    if (state.code === code || tries === 100) return state
    await sleep(50)
  }
}

const sentOf = async (shop: Shop): Promise<readonly unknown[]> => {
  const { entries } = (await (await fetch(`${shop.sandbox.url}/ledger`)).json()) as { entries: readonly unknown[] }
  return entries
}

/** A database setting applies to new connections, so the old ones are closed. */
async function reconnectWith(shop: Shop, setting: string): Promise<void> {
  const client = await shop.base.pool.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database ${rows[0]?.name} ${setting}`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  } finally {
    client.release(true)
  }
}

test('while the database is read-only, as without etcd, health is 503 and payments are refused; nothing is sent or lost', async () => {
  await using shop = await openShop({}, ['back office'])
  assert.deepEqual(await healthUntil(shop, 200), {
    code: 200,
    status: 'healthy',
    parts: {
      database: 'ok',
      writes: 'ok',
      recovery: 'ok',
      worker: 'ok',
      clock: 'ok',
      replication: 'ok',
      nodes: 'ok',
      memory: 'ok',
      descriptors: 'ok',
      sandbox: 'ok',
    },
    problems: [],
  })
  await reconnectWith(shop, 'set default_transaction_read_only = on')
  const ill = await healthUntil(shop, 503)
  assert.equal(ill.code, 503)
  assert.equal(ill.parts.database, 'ok')
  assert.deepEqual(ill.problems, [
    { part: 'writes', code: 'read_only', text: 'The database cannot write: it is read-only, perhaps a standby.' },
  ])
  const order = { order_id: 'ORDER-READ-ONLY' }
  const refused = await shop.sale(order)
  assert.deepEqual([refused.http, refused.body.result], [500, 'ERROR'], 'an error, and no decline')
  assert.deepEqual(await sentOf(shop), [], 'nothing was sent to the acquirer')
  await reconnectWith(shop, 'reset default_transaction_read_only')
  assert.equal((await healthUntil(shop, 200)).code, 200)
  assert.equal((await shop.sale(order)).body.result, 'SUCCESS', 'the merchant repeats it')
  assert.equal((await sentOf(shop)).length, 1)
})

test('health is 503 when the database cannot extend a table because the disk is full', async () => {
  await using shop = await openShop({}, ['back office'])
  await healthUntil(shop, 200)
  await shop.base.pool.query(
    `create function no_space() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
     create trigger full_disk before insert or update on process_beats for each row execute function no_space()`,
  )
  const { code, problems } = await healthUntil(shop, 503)
  assert.equal(code, 503)
  assert.deepEqual(
    problems.map((one: { readonly code: string }) => one.code),
    ['disk_full'],
  )
})

// biome-ignore format: a table is read in columns.
const refusals = [
  // a payment meets     code      health says
  ['a full disk',        '53100', 'disk_full'],
  ['a broken disk',      '58030', 'writes_refused'],
  ['a read-only server', '25006', 'read_only'],
] as const

for (const [what, errcode, told] of refusals)
  test(`health is 503 at once when a payment meets ${what}, even if small writes still succeed`, async () => {
    await using shop = await openShop({}, ['back office'])
    await healthUntil(shop, 200)
    // As on a full disk: writes into existing pages succeed, writes that need a new page fail.
    await shop.base.pool.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'could not write' using errcode = '${errcode}'; end $$;
       create trigger payment before insert on payments for each row execute function refuse();
       create trigger page before insert or update on process_beats for each row
         when (length(new.filler) > 4000) execute function refuse()`,
    )
    assert.ok((await shop.sale()).http >= 500)
    const { code, problems } = await health(shop)
    assert.deepEqual([code, problems[0]?.code], [503, told])
  })

test('health reports that no worker is running, and stays 200, because payments can be accepted', async () => {
  await using shop = await openShop({}, ['back office'])
  await healthUntil(shop, 200)
  // The worker of the shop runs and says so again with a later question: the answer that found it standing is the one that counts.
  const ask = async () => {
    await shop.base.pool.query("update process_beats set worked_at = now() - interval '2 minutes'")
    return health(shop)
  }
  let answer = await ask()
  for (let tries = 0; tries < 100 && answer.status !== 'degraded'; tries += 1) {
    await sleep(20)
    answer = await ask()
  }
  const { code, status, problems } = answer
  assert.deepEqual([code, status, problems[0]?.code], [200, 'degraded', 'worker_standing_still'])
})

test('payments are taken while more panel searches wait for the database than it has connections', async () => {
  await using shop = await openShop({}, ['back office'])
  const owner = await panelOf(shop)
  const { max } = shop.base.pool.options
  const locker = await shop.base.pool.connect()
  const searches: Promise<unknown>[] = []
  try {
    await locker.query('begin')
    await locker.query('lock table audit_log in access exclusive mode')
    for (let count = 0; count < 2 * max; count += 1) searches.push(owner.get('/audit'))
    await waitingForLock(shop)
    assert.equal((await shop.sale()).body.result, 'SUCCESS')
    assert.equal((await health(shop)).code, 200)
  } finally {
    await locker.query('rollback')
    locker.release()
    await Promise.all(searches)
  }
})

async function waitingForLock(shop: Shop): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await shop.base.pool.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    if ((rows[0]?.waiting ?? 0) >= shop.base.config.panelPool) return
    await sleep(50)
  }
  assert.fail('The searches do not wait.')
}
