import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readZip } from '#server/setup/forms/zip.ts'
import { merchantId, panelOf } from '../../../server/test/panel/admin.ts'
import { copyPayments } from '../../../server/test/panel/copied-payments.ts'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['dispute', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('a dispute is listed, gets evidence, is contested and lost, and does not change any more', async () => {
  const { body } = await shop.sale({})
  const owner = await panelOf(shop)
  const chargeback = { reference: 'CB-1', amountMinor: '1000', bankDate: '2026-01-02', reasonCode: '4837' }
  const place = `/merchants/${await merchantId(shop, 'demo')}/payments/${body.trans_id}`
  assert.equal((await owner.post(`${place}/chargeback`, chargeback)).http, 200)

  const { json } = await run('list', '--open', '--json')
  assert.deepEqual([json.length, json[0].paymentId, json[0].stage], [1, body.trans_id, 'chargeback'])
  assert.match((await run('list', '--merchant', 'demo')).out, / chargeback .*10\.00 EUR +4837 /)
  const { id } = json[0]

  assert.match((await run('change', 'demo', id, '--answer', 'contested')).err, /Add evidence before/)
  const path = join(shop.base.config.dataDir, 'proof.pdf')
  await writeFile(path, 'not a PDF')
  assert.match((await run('add-evidence', 'demo', id, path)).err, /must be a PDF, PNG or JPEG/)
  await writeFile(path, '%PDF-1.7\n')
  assert.equal((await run('add-evidence', 'demo', id, path)).code, 0)
  assert.equal((await run('change', 'demo', id, '--answer', 'contested', '--due', '2026-12-24')).code, 0)
  const shown = await run('show', 'demo', id)
  assert.match(shown.out, /contested/)
  assert.match(shown.out, /2026-12-24/)
  assert.match(shown.out, /proof\.pdf +application\/pdf +9 /)

  for (const stage of ['won', 'lost'])
    assert.match((await run('change', 'demo', id, '--stage', stage)).err, /Two people decide/)
  assert.equal((await run('list', '--open', '--json')).json[0].stage, 'chargeback', 'a refusal changes nothing')
  const decision = ['decide', 'demo', id, 'lost', '--reason', 'decided', '--evidence', 'letter', '--by']
  assert.match((await run(...decision, 'stranger@example.com')).err, /There is no user/)
  const reply = await run(...decision, owner.person.email)
  const [request = ''] = /[\da-f-]{36}/.exec(reply.out) ?? []
  const colleague = await panelOf(shop)
  assert.equal((await colleague.post(`/approvals/${request}/approve`, {})).body.state, 'done', reply.err)
  assert.match((await run('change', 'demo', id, '--due', '2026-12-31')).err, /does not change any more/)
  assert.equal((await run('list', '--open', '--json')).json.length, 0)
})

test('the rates of a month are printed against the threshold, watched or not', async () => {
  const { body } = await shop.sale({})
  const owner = await panelOf(shop)
  const chargeback = { reference: 'CB-RATE', amountMinor: '1000', bankDate: '2026-01-02', reasonCode: '4837' }
  const place = `/merchants/${await merchantId(shop, 'demo')}/payments/${body.trans_id}`
  assert.equal((await owner.post(`${place}/chargeback`, chargeback)).http, 200)
  const { watchedShare, rates } = (await run('rates', '--json')).json
  assert.deepEqual([watchedShare, rates.length, rates[0].network, rates[0].isWatched], [0.009, 1, 'visa', true])
  const { disputes, payments } = rates[0]
  await copyPayments(shop.base.pool, body.trans_id, disputes * 200 - payments)
  const { out } = await run('rates')
  assert.match(out, new RegExp(`sandbox-live +visa +${disputes} +${disputes * 200} +0\\.50 % +0\\.90 % +no`))
  assert.deepEqual((await run('rates', '--day', '2019-05-01', '--json')).json.rates, [])
})

test('a dispute is answered by hand, with a bundle of its evidence', async () => {
  const { body } = await shop.sale({})
  const owner = await panelOf(shop)
  const chargeback = { reference: 'CB-2', amountMinor: '1000', bankDate: '2026-01-02', reasonCode: '4837' }
  const place = `/merchants/${await merchantId(shop, 'demo')}/payments/${body.trans_id}`
  assert.equal((await owner.post(`${place}/chargeback`, chargeback)).http, 200)
  const { id } = (await run('list', '--open', '--json')).json[0]
  assert.match((await run('answer', 'demo', id, 'contested')).err, /Add evidence before/)
  const [proof, bundle] = [join(shop.base.config.dataDir, 'note.pdf'), join(shop.base.config.dataDir, 'bundle.zip')]
  await writeFile(proof, '%PDF-1.7\n')
  for (const _ of ['first', 'second'])
    assert.equal((await run('add-evidence', 'demo', id, proof, '--kind', 'delivery')).code, 0)
  const { files } = (await run('show', 'demo', id, '--json')).json
  assert.equal(files[0].kind, 'delivery')
  assert.equal((await run('remove-evidence', 'demo', id, files[1].id)).code, 0)
  assert.equal((await run('bundle', 'demo', id, bundle)).code, 0)
  const read = readZip(await readFile(bundle), 1_000_000)
  assert.deepEqual(read.ok && read.entries.map(({ path }) => path), ['cover.pdf', '1-note.pdf'])
  assert.match((await run('bundle', 'demo', id, bundle)).err, /cannot be written/, 'no file is replaced')
  assert.equal((await run('answer', 'demo', id, 'contested')).code, 0)
  assert.match((await run('show', 'demo', id)).out, /contested +command line .* hand +taken/)
  assert.match((await run('answer', 'demo', id, 'accepted')).err, /has an answer already/)
  assert.match((await run('settle-answer', 'demo', id, 'lost')).err, /Nothing is unknown/)
})

test('an unknown dispute, a wrong day and a change of nothing are refused', async () => {
  const other = '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007'
  assert.equal((await run('show', 'demo', other)).code, 1)
  assert.match((await run('change', 'demo', other)).err, /Nothing is to be changed/)
  assert.match((await run('change', 'demo', other, '--due', 'tomorrow')).err, /not a day/)
  assert.match((await run('add-evidence', 'demo', other, '/nowhere.pdf')).err, /cannot be read/)
})
