import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const erase = (...argv: readonly string[]) =>
  runGatehouse(['payer', 'erase', 'demo', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

const emailOf = async (transId: string) =>
  (await shop.base.pool.query('select payer_email as email from payments where id = $1', [transId])).rows[0]?.email

test('a dry run reports the counts and changes nothing; then the payer is erased, with an audit entry', async () => {
  const { body } = await shop.sale({ payer_email: 'ann@example.com' })
  await shop.service.awaitIdle()
  const rehearsal = await erase('--email', 'ann@example.com', '--dry-run')
  assert.equal(rehearsal.code, 0, rehearsal.err)
  assert.match(rehearsal.out, /^Would be erased:\npayments +1\n/)
  assert.equal(await emailOf(body.trans_id), 'ann@example.com')

  const { code, err, json } = await erase('--email', 'ann@example.com', '--json')
  assert.equal(code, 0, err)
  assert.deepEqual([json.payments, json.cards, json.kept], [1, 1, []])
  assert.equal(await emailOf(body.trans_id), null)
  const { rows } = await shop.base.pool.query(
    `select count(*)::int as count from audit_log where action = 'payer.erase' and actor like 'command line%'`,
  )
  assert.deepEqual(rows, [{ count: 1 }])
})

test('a payer without stored data is reported as such, even right after the erasure', async () => {
  for (const email of ['nobody@example.com', 'ann@example.com']) {
    const { code, err } = await erase('--email', email, '--dry-run')
    assert.equal(code, 1)
    assert.match(err, /has no stored data of this payer/)
  }
})

test('data that must be kept is reported with the reason', async () => {
  const { body } = await shop.sale({ payer_email: 'bob@example.com', auth: 'Y' })
  await shop.service.awaitIdle()
  const { out } = await erase('--email', 'bob@example.com')
  assert.match(out, new RegExp(`payment +${body.trans_id} +The hold is neither captured nor released\\.`))
})

test('a payer is named either by e-mail or by saved card, not both', async () => {
  for (const argv of [[], ['--email', 'ann@example.com', '--card-token', 'f'.repeat(64)]]) {
    const { code, err } = await erase(...argv)
    assert.equal(code, 2)
    assert.match(err, /--email or --card-token is missing/)
  }
})

test('an unknown saved card is reported as such, and nothing is changed', async () => {
  const { code, err } = await erase('--card-token', 'f'.repeat(64))
  assert.equal(code, 1)
  assert.match(err, /Saved card not found/)
})
