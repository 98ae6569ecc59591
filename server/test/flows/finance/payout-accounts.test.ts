/** Chapter 70 §3: nobody alone decides where a merchant's money goes, and the approver of a run sees where it goes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId, type PanelClient, panelOf, withoutApprovalEnds } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

const day = 86_400_000
const [oldIban, newIban] = ['DE89370400440532013000', 'FR1420041010050500013M02606']

let shop: Shop
let finance: PanelClient
let colleague: PanelClient
let demo: string
before(async () => {
  shop = await openShop({}, ['back office'])
  finance = await panelOf(shop, { role: 'finance' })
  colleague = await panelOf(shop, { role: 'finance' })
  demo = await merchantId(shop, 'demo')
})
after(() => shop[Symbol.asyncDispose]())

const today = (): string => shop.base.clock.now().toISOString().slice(0, 10)
const ask = (number: string, holder = 'Demo Ltd', by = finance) =>
  by.send('PUT', `/merchants/${demo}/payout-accounts/EUR`, { holder, number, reason: 'by signed letter' })
const approve = (approvalId: string, by = colleague) => by.post(`/approvals/${approvalId}/approve`, {})
const numbers = async (): Promise<readonly string[]> =>
  (await finance.get(`/merchants/${demo}/payout-accounts`)).body.accounts.map((one: { number: string }) => one.number)

test('a bank account is changed by two people, and the request shows both accounts', async () => {
  const first = await ask(oldIban)
  assert.deepEqual(await numbers(), [], 'not by one person')
  assert.equal((await approve(first.body.approvalId, finance)).http, 403, 'not by the person who asked')
  assert.equal((await approve(first.body.approvalId)).body.state, 'done')
  assert.deepEqual(await numbers(), [oldIban])
  assert.equal((await ask(oldIban)).http, 409, 'nothing would change')
  const second = await ask(newIban)
  const { approvals } = (await colleague.get('/approvals?state=waiting')).body
  const { request } = approvals.find(({ id }: { id: string }) => id === second.body.approvalId)
  assert.deepEqual([request.before.number, request.account.number], [oldIban, newIban])
  assert.equal((await colleague.post(`/approvals/${second.body.approvalId}/refuse`, { note: 'not known' })).http, 200)
  assert.deepEqual(await numbers(), [oldIban])
})

test('a wrong account is refused at once, and a newer request replaces the waiting one', async () => {
  assert.equal((await ask('DE89370400440532013001')).http, 422)
  assert.equal((await ask(oldIban, '')).http, 422)
  const unwritable = await ask(oldIban, '株式会社')
  assert.equal(unwritable.http, 422)
  assert.match(unwritable.text, /Latin, Greek or Cyrillic letters/)
  const [older, newer] = [await ask(newIban), await ask(newIban, 'Another Ltd')]
  assert.equal((await approve(older.body.approvalId)).http, 409, 'withdrawn')
  assert.equal((await approve(newer.body.approvalId)).body.state, 'done')
  const back = await ask(oldIban)
  assert.equal((await approve(back.body.approvalId)).body.state, 'done')
})

test('a bank account is changed together with the end of its approval, and two who then approve at once find one end', async () => {
  const { approvalId } = (await ask(newIban)).body
  assert.equal((await withoutApprovalEnds(shop, () => approve(approvalId))).http, 500)
  assert.deepEqual(await numbers(), [oldIban], 'nothing is changed without its end')
  const third = await panelOf(shop, { role: 'finance' })
  const answers = await Promise.all([approve(approvalId), approve(approvalId, third)])
  for (const { http, body } of answers) assert.equal(http === 200 ? body.state : http, http === 200 ? 'done' : 409)
  assert.ok(answers.some(({ http }) => http === 200))
  assert.deepEqual(await numbers(), [newIban])
  const { rows } = await shop.base.pool.query(
    `select count(*)::int as count from audit_log where action = 'payout-account.put' and after::jsonb->>'number' = $1`,
    [newIban],
  )
  assert.deepEqual(rows, [{ count: 2 }], 'once in the test above, once here')
  assert.equal((await approve((await ask(oldIban)).body.approvalId)).body.state, 'done')
})

test('a request is not carried out if the account was changed meanwhile', async () => {
  const request = await ask(newIban)
  await shop.base.pool.query(`update payout_accounts set holder = 'Changed' where merchant_id = $1`, [demo])
  const answer = await approve(request.body.approvalId)
  assert.deepEqual([answer.body.state, /changed since/.test(answer.text)], ['failed', true], answer.text)
  await shop.base.pool.query(`update payout_accounts set holder = 'Demo Ltd' where merchant_id = $1`, [demo])
})

test('the approver sees account, holder and amount, and a changed account makes the run stale', async () => {
  const sale = await shop.sale({ order_amount: '80.00' })
  assert.equal(sale.body.result, 'SUCCESS', sale.text)
  const lastDay = today()
  await shop.advance(day + 3_600_000)
  await finance.post('/statements', { lastDay })
  const from = { holder: 'Operator', number: oldIban, bic: null }
  const prepare = async () =>
    (await finance.post('/payout-runs', { currency: 'EUR', from, executeOn: today(), reason: 'payout' })).body
  const itemOf = async (id: string) => (await colleague.get(`/payout-runs/${id}`)).body.list[0]

  const run = await prepare()
  const { holder, number, amountMinor, accountChanged } = await itemOf(run.id)
  assert.deepEqual([holder, number, amountMinor, accountChanged], ['Demo Ltd', oldIban, '8000', false])

  assert.equal((await approve((await ask(newIban)).body.approvalId)).body.state, 'done')
  assert.equal((await itemOf(run.id)).accountChanged, true)
  const stale = await approve(run.approvalId)
  assert.deepEqual([stale.body.state, /bank account/.test(stale.text)], ['failed', true], stale.text)
  assert.equal((await finance.get(`/payout-runs/${run.id}/file`)).http, 409, 'nothing is paid to the old account')

  const again = await prepare()
  assert.equal((await approve(again.approvalId)).body.state, 'done')
  const { content } = (await finance.get(`/payout-runs/${again.id}/file`)).body
  assert.deepEqual(
    [content.includes(newIban), content.split(oldIban).length - 1],
    [true, 1],
    'the old one is the operator’s',
  )
})

test('a name that was entered before banks’ letters were asked for is not paid until it is changed', async () => {
  const { pool } = shop.base
  await shop.sale({ order_amount: '80.00' })
  const lastDay = today()
  await shop.advance(day + 3_600_000)
  await finance.post('/statements', { lastDay })
  const from = { holder: 'Operator', number: oldIban, bic: null }
  const prepare = (holder = 'Operator') =>
    finance.post('/payout-runs', { currency: 'EUR', from: { ...from, holder }, executeOn: today(), reason: 'payout' })
  const run = (await prepare()).body
  const rename = (holder: string) =>
    pool.query('update payout_accounts set holder = $2 where merchant_id = $1', [demo, holder])
  await rename('株式会社')
  await pool.query(`update payout_items set holder = '株式会社' where run_id = $1`, [run.id])
  const prepared = await approve(run.approvalId)
  assert.deepEqual(
    [prepared.body.state, /letters that banks do not accept/.test(prepared.text)],
    ['failed', true],
    prepared.text,
  )

  assert.equal((await prepare()).http, 409)
  const { others } = (await finance.get('/payout-runs/payable?currency=EUR')).body
  assert.deepEqual(
    others.map((one: { obstacle: string }) => one.obstacle),
    ['unwritable-holder'],
  )
  await rename('Ψαρράς ΑΕ')
  assert.equal((await prepare('株式会社')).http, 422)
  const last = (await prepare()).body
  assert.equal((await approve(last.approvalId)).body.state, 'done')
  const { content } = (await finance.get(`/payout-runs/${last.id}/file`)).body
  assert.match(content, /<Nm>Psarras AE<\/Nm>/)
})

test('a run that is approved after its execution date is not sent, and says what to do', async () => {
  await shop.sale({ order_amount: '80.00' })
  await shop.advance(day + 3_600_000)
  const yesterday = new Date(shop.base.clock.now().getTime() - day).toISOString().slice(0, 10)
  await finance.post('/statements', { lastDay: yesterday })
  const from = { holder: 'Operator', number: oldIban, bic: null }
  const prepare = async () =>
    (await finance.post('/payout-runs', { currency: 'EUR', from, executeOn: today(), reason: 'payout' })).body
  const late = await prepare()
  await shop.advance(day)
  const answer = await approve(late.approvalId)
  assert.deepEqual([answer.body.state, /execution date is over/.test(answer.text)], ['failed', true], answer.text)
  assert.equal((await finance.get(`/payout-runs/${late.id}/file`)).http, 409)

  const run = await prepare()
  await shop.base.pool.query(`update payout_runs set holder = '株式会社' where id = $1`, [run.id])
  const unwritable = await approve(run.approvalId)
  assert.deepEqual(
    [unwritable.body.state, /holder of your account/.test(unwritable.text)],
    ['failed', true],
    unwritable.text,
  )
  assert.equal((await approve((await prepare()).approvalId)).body.state, 'done', 'a failed run frees its statements')
})
