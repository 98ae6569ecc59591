import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeUser } from '../../../server/test/panel/admin.ts'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['settlement', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('a file is imported once, listed and shown with its differences; one with a fault is refused by line', async () => {
  const { body } = await shop.sale({})
  const heading = 'row,type,payment_id,currency,gross,fee,net,date'
  const row = `R-1,charge,${body.trans_id},EUR,9.00,0.10,8.90,2026-01-02`
  const path = join(shop.base.config.dataDir, 'march.csv')
  await writeFile(path, `${heading}\n${row}\n`)
  const cut = await run('import', path, '--mid', 'sandbox-live')
  assert.equal(cut.code, 1)
  assert.match(cut.err, /"end,1" is missing: the file was cut/)

  await writeFile(path, `${heading}\n${row}\nend,1\n`)
  const first = await run('import', path, '--mid', 'sandbox-live')
  assert.equal(first.code, 0, first.err)
  assert.match(first.out, /^Imported\./)
  assert.match((await run('import', path, '--mid', 'sandbox-live')).out, /^Imported before; nothing was changed\./)

  const { json } = await run('list', '--mid', 'sandbox-live', '--json')
  assert.deepEqual([json.length, json[0].rowCount, json[0].matched, json[0].openDifferences], [1, 1, 1, 1])
  assert.match((await run('show', json[0].id)).out, /amount +10\.00 EUR +9\.00 EUR/)
  const { rows } = await shop.base.pool.query(
    `select count(*)::int as count from audit_log where action = 'settlement.import' and actor like 'command line%'`,
  )
  assert.deepEqual(rows, [{ count: 1 }])
})

test('differences are printed as a table, as JSON and as CSV in which no cell is a formula', async () => {
  const { body } = await shop.sale({})
  const path = join(shop.base.config.dataDir, 'april.csv')
  const row = `=1+1,charge,${body.trans_id},EUR,7.00,0.10,6.90,2026-01-03`
  await writeFile(path, `row,type,payment_id,currency,gross,fee,net,date\n${row}\nend,1\n`)
  assert.equal((await run('import', path, '--mid', 'sandbox-live')).code, 0)
  const { json } = await run('differences', '--day', '2026-01-03', '--json')
  assert.deepEqual([json.length, json[0].kind, json[0].oursMinor, json[0].theirsMinor], [1, 'amount', '1000', '700'])
  assert.match((await run('differences', '--file', json[0].fileId)).out, /amount +10\.00 EUR +7\.00 EUR/)
  const csv = await run('differences', '--mid', 'sandbox-live', '--day', '2026-01-03', '--csv')
  const [head = '', line = '', ...rest] = csv.out.split('\r\n')
  const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]))
  assert.deepEqual(
    [cells['id'], cells['state'], cells['expected'], cells['reported'], cells['mid'], cells['merchant'], cells['row']],
    [json[0].id, 'open', '10.00', '7.00', 'sandbox-live', 'demo', "'=1+1"],
  )
  assert.deepEqual(rest, [])
  assert.match((await run('differences', '--csv', '--json')).err, /cannot be given together/)
})

test('a missing file and an unknown MID are reported as such', async () => {
  assert.match((await run('import', '/nowhere.csv', '--mid', 'sandbox-live')).err, /cannot be read/)
  assert.match((await run('import', import.meta.filename, '--mid', 'sandbox-liv')).err, /Did you mean "sandbox-live"/)
})

test('a chargeback that only the file has is requested for a second person; anything else is refused in words', async () => {
  const { body } = await shop.sale({})
  const path = join(shop.base.config.dataDir, 'may.csv')
  const row = (ref: string, type: string) => `${ref},${type},${body.trans_id},CB-CLI,EUR,-10.00,0,-10.00,2026-01-04`
  const rows = [row('M-1', 'chargeback'), row('M-2', 'refund')]
  await writeFile(path, `row,type,payment_id,reference,currency,gross,fee,net,date\n${rows.join('\n')}\nend,2\n`)
  assert.equal((await run('import', path, '--mid', 'sandbox-live')).code, 0)
  const { json } = await run('differences', '--day', '2026-01-04', '--json')
  const idOf = (ref: string) => json.find((one: { ref: string }) => one.ref === ref).id
  assert.match((await run('differences', '--day', '2026-01-04')).out, new RegExp(idOf('M-1')))
  const { email } = await makeUser(shop, { role: 'finance' })
  const words = ['--note', 'in the statement', '--by', email]
  const resolve = (id: string, ...more: readonly string[]) => run('resolve', id, ...more)
  assert.match((await resolve(idOf('M-1'), '--chargeback')).err, /--note and --by are needed/)
  assert.match((await resolve(idOf('M-1'), '--chargeback', '--post', ...words)).err, /cannot be given together/)
  assert.match((await resolve(idOf('M-1'), '--reason-code', '1212', ...words)).err, /needs --chargeback/)
  assert.match(
    (await resolve(idOf('M-1'), '--note', 'a', '--by', 'no@example.com')).err,
    /There is no user no@example\.com/,
  )
  assert.match((await resolve(idOf('M-2'), '--chargeback', ...words)).err, /not a chargeback that is missing here/)
  const answer = await resolve(idOf('M-1'), '--chargeback', '--reason-code', '1212 Fraud', ...words)
  assert.match(answer.out, /waits for a second person/)
  const { rows: waiting } = await shop.base.pool.query("select request from approvals where kind = 'difference'")
  assert.deepEqual(waiting[0].request.chargeback, { reasonCode: '1212 Fraud' })
})
