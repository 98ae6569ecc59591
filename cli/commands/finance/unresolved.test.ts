import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeUser } from '../../../server/test/panel/admin.ts'
import { expiryFields } from '../../../server/test/payments.ts'
import { openShop } from '../../../server/test/shop.ts'
import { gatehouse } from '../../test/gatehouse.ts'

const shop = await openShop({}, ['back office', 'chargebacks'])
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  gatehouse(['unresolved', ...argv], {
    environment: { DATABASE_URL: shop.base.config.databaseUrl ?? '', DATA_DIR: shop.base.config.dataDir },
  })

test('an unresolved transaction is listed, and its decision is requested in the name of a user', async () => {
  const { body } = await shop.sale(expiryFields('08/2039'))
  for (const seconds of [5, 30, 120, 600, 3_600, 21_600, 86_400]) await shop.advance(seconds * 1000)
  const { json } = await run('list', '--json')
  assert.deepEqual([json.length, json[0].paymentId, json[0].amountMinor], [1, body.trans_id, '1000'])
  assert.match((await run('list')).out, / SALE +10\.00 EUR +sandbox-live /)

  const { email } = await makeUser(shop, { role: 'finance' })
  const grounds = ['--reason', 'on the statement', '--evidence', 'line 7', '--by', email]
  const executed = ['--executed', '--reference', 'R-1', '--date', '2026-01-02', '--amount']
  const id = json[0].transactionId
  const wrong = await run('decide', id, ...executed, '9.99', ...grounds)
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /executed less than 10\.00 EUR/)

  const request = await run('decide', id, ...executed, '10.00', ...grounds)
  assert.equal(request.code, 0, request.err)
  assert.match(request.out, /^Request \S+ waits for a second person/)
  const { rows } = await shop.base.pool.query(
    `select a.kind, a.state, a.request->>'amountMinor' as amount, l.actor like 'command line%' as named
     from approvals a join audit_log l on l.subject = 'approval ' || a.id and l.action = 'approval.ask'`,
  )
  assert.deepEqual(rows, [{ kind: 'outcome', state: 'waiting', amount: '1000', named: true }])
})

test('a transaction that needs no decision, an unknown user and half a decision are refused', async () => {
  const other = '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007'
  const grounds = ['--reason', 'a', '--evidence', 'b', '--by', 'nobody@example.com']
  assert.match((await run('decide', other, '--not-executed', ...grounds)).err, /needs no decision/)
  assert.equal((await run('decide', other, ...grounds)).code, 2)
  assert.equal((await run('decide', other, '--executed', ...grounds)).code, 1)
})
