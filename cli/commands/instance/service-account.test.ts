import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['service-account', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })
const callWith = async (key: string, path = '/payments?limit=1'): Promise<number> =>
  (await fetch(`${shop.url}/admin/api${path}`, { headers: { authorization: `Bearer ${key}` } })).status

test('a key works within its role, is rotated and ended', async () => {
  const { json: first, err } = await run('create', 'erp', '--role', 'support', '--merchant', 'demo', '--json')
  assert.match(err, /not shown again/)
  assert.equal(await callWith(first.key), 200)
  assert.equal(await callWith(first.key, '/payout-runs'), 403, 'support may not')

  const { json: second } = await run('rotate', 'erp', '--hours', '0', '--json')
  assert.deepEqual([await callWith(first.key), await callWith(second.key)], [401, 200])
  const listed = await run('list')
  assert.match(listed.out, /erp +support +active +demo /)
  assert.ok(!listed.out.includes(second.key))

  assert.equal((await run('remove-key', 'erp', second.keyId)).code, 0)
  assert.equal(await callWith(second.key), 401)
})

test('all merchants are never meant by silence', async () => {
  for (const merchants of [[], ['--merchant', 'demo', '--all-merchants']]) {
    const { code, err } = await run('create', 'crm', '--role', 'support', ...merchants)
    assert.equal(code, 1)
    assert.match(err, /Give either --merchant or --all-merchants\./)
  }
  assert.equal((await run('create', 'reports', '--role', 'support', '--all-merchants')).code, 0)
  assert.match((await run('list')).out, /reports +support +active +all /)
})

test('an unknown role, a missing role and an unknown account are refused', async () => {
  assert.equal((await run('create', 'crm', '--role', 'king', '--all-merchants')).code, 1)
  assert.match((await run('create', 'crm')).err, /--role is missing/)
  assert.match((await run('rotate', 'crm')).err, /no service account "crm"/)
})
