import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeUser } from '../../../server/test/panel/admin.ts'
import { expiryFields } from '../../../server/test/payments.ts'
import { openShop } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop({}, ['back office', 'chargebacks'])
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]) =>
  runGatehouse(['unresolved', ...argv], {
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

  const request = await run('decide', id, ...executed, '10.00', ...grounds, '--json')
  assert.equal(request.code, 0, request.err)
  assert.equal(request.json.state, 'waiting')
  const { rows } = await shop.base.pool.query(
    `select a.kind, a.state, a.request->>'amountMinor' as amount, l.actor like 'command line%' as named
     from approvals a join audit_log l on l.subject = 'approval ' || a.id and l.action = 'approval.ask' where a.id = $1`,
    [request.json.approvalId],
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

test('money that has to be given back is listed, and the record of its return is requested in the name of a user', async () => {
  const { body } = await shop.sale(expiryFields('02/2038'))
  const alertId = crypto.randomUUID()
  await shop.base.pool.query(
    `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at)
     select $1, 'give-back', merchant_id, id, 'Refund it manually at the acquirer.', now() from payments where id = $2`,
    [alertId, body.trans_id],
  )
  const { json } = await run('returns', '--json')
  assert.deepEqual([json.length, json[0].alertId, json[0].amount], [1, alertId, '10.00 EUR'])
  assert.match((await run('returns')).out, / 10\.00 EUR .*Refund it manually/)

  const { email } = await makeUser(shop, { role: 'finance' })
  const record = [
    '--reference',
    'R-1',
    '--date',
    '2026-01-02',
    '--reason',
    'late',
    '--evidence',
    'line 7',
    '--by',
    email,
  ]
  const tooMuch = await run('give-back', alertId, '--amount', '10.01', ...record)
  assert.equal(tooMuch.code, 1)
  assert.match(tooMuch.err, /At most 10\.00 EUR was charged/)
  assert.equal((await run('give-back', alertId, ...record)).code, 2, 'an amount is needed')
  assert.match((await run('give-back', crypto.randomUUID(), '--amount', '1', ...record)).err, /asks for no return/)

  const request = await run('give-back', alertId, '--amount', '10.00', ...record, '--json')
  assert.equal(request.code, 0, request.err)
  const { rows } = await shop.base.pool.query(
    `select a.kind, a.state, a.request->>'amountMinor' as amount, l.actor like 'command line%' as named
     from approvals a join audit_log l on l.subject = 'approval ' || a.id and l.action = 'approval.ask' where a.id = $1`,
    [request.json.approvalId],
  )
  assert.deepEqual(rows, [{ kind: 'give-back', state: 'waiting', amount: '1000', named: true }])
  assert.equal((await run('give-back', alertId, '--amount', '10.00', ...record)).code, 1, 'once')
})
