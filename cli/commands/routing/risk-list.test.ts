import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['list', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('an entry is added, shown and removed', async () => {
  const { code, err } = await run('add', 'block', 'ip', '203.0.113.0/24', '--reason', 'card testing')
  assert.equal(code, 0, err)
  const { json } = await run('show', 'block', '--json')
  assert.deepEqual([json.length, json[0].value, json[0].merchantId], [1, '203.0.113.0/24', null])
  assert.equal((await run('remove', json[0].id)).code, 0)
  assert.match((await run('remove', json[0].id)).err, /Not found/)
})

test('a card is taken from a payment and never typed', async () => {
  const { body } = await shop.sale({})
  const typed = await run('add', 'block', 'card', '4111111111111111', '--reason', 'stolen')
  assert.equal(typed.code, 1)
  assert.match(typed.err, /card fingerprint/)
  const taken = await run(
    'add',
    'block',
    'card',
    '--merchant',
    'demo',
    '--payment',
    body.trans_id,
    '--reason',
    'stolen',
  )
  assert.equal(taken.code, 0, taken.err)
  assert.ok(!taken.out.includes('4111'))
})

test('a file with a fault is refused by line, and what is exported can be imported', async () => {
  const path = join(shop.base.config.dataDir, 'entries.csv')
  const heading = 'merchant,list,kind,value,reason,expires'
  await writeFile(path, `${heading}\ndemo,blocked,bin,411111,test,\n`)
  assert.match((await run('import', path)).err, /Line 2: The list must be block, allow, review\./)
  await writeFile(path, `${heading}\ndemo,allow,email,ann@example.com,partner,\n`)
  assert.match((await run('import', path)).out, /Imported: 1 new, 0 changed\./)
  await writeFile(path, (await run('export')).out)
  assert.match((await run('import', path)).out, /Imported: 0 new, \d+ changed\./)
})
