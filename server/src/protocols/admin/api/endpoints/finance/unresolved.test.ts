/** Chapter 70 §1: outcomes that the acquirer does not report are decided by two people. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { expiryFields, readCallbacks, readEffects, statusOf } from '../../../../../../test/payments.ts'
import { openShop, type RequestFields, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let demo: string
let owner: PanelClient
let finance: PanelClient
before(async () => {
  shop = await openShop({}, ['back office', 'chargebacks'])
  demo = await merchantId(shop, 'demo')
  owner = await panelOf(shop)
  finance = await panelOf(shop, { role: 'finance' })
})
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const plan = [5, 30, 120, 600, 3_600, 21_600, 86_400]
const at = (paymentId: string): string => `/merchants/${demo}/payments/${paymentId}`
const grounds = { reason: 'The acquirer answered by mail', evidence: 'Mail of 2 March, ticket 4711' }
const execution = { decision: 'executed', reference: 'ACQ-77', amountMinor: '1000', date: '2026-01-02' }

/** A payment about which the acquirer is asked no more. */
async function unresolved(over: RequestFields = expiryFields('08/2039'), silent = false) {
  if (silent) await shop.scenario({ drop_reply: { count: 1, of: 1 } })
  const { body } = await shop.sale({ order_id: crypto.randomUUID(), ...over })
  if (silent) await shop.scenario({ down: true })
  for (const seconds of plan) await shop.advance(seconds * 1000)
  if (silent) await shop.clearScenario()
  const row = await rowOf(body.trans_id)
  assert.ok(row, 'it is listed')
  return { id: body.trans_id as string, transactionId: row.transactionId as string }
}

async function rowOf(paymentId: string) {
  const { outcomes } = (await finance.get('/unresolved?limit=200')).body
  return outcomes.find((one: { paymentId: string }) => one.paymentId === paymentId)
}

async function decide({ id, transactionId }: { id: string; transactionId: string }, decision: object) {
  const request = await finance.post(`${at(id)}/outcome`, { transactionId, ...grounds, ...decision })
  assert.equal(request.http, 200, request.text)
  return owner.post(`/approvals/${request.body.approvalId}/approve`)
}

const alerts = async (paymentId: string, open: boolean): Promise<readonly string[]> =>
  (await owner.get(`/alerts?open=${open}&limit=200`)).body.alerts
    .filter((one: { paymentId: string }) => one.paymentId === paymentId)
    .map(({ kind }: { kind: string }) => kind)

test('a transaction is listed with age, amount and acquirer once the acquirer is asked no more, and only then', async () => {
  const { body } = await shop.sale({ order_id: 'ASKED', ...expiryFields('08/2039') })
  assert.equal(await rowOf(body.trans_id), undefined)
  const early = (await owner.get(at(body.trans_id))).body.timeline[0].id
  const refused = await finance.post(`${at(body.trans_id)}/outcome`, {
    transactionId: early,
    decision: 'not-executed',
    ...grounds,
  })
  assert.deepEqual([refused.http, refused.body.error.code], [409, 'refused'])

  const timeline = async () => (await owner.get(at(body.trans_id))).body.timeline[0]
  assert.equal((await timeline()).isUnresolved, false, 'the acquirer is being queried')
  for (const seconds of plan) await shop.advance(seconds * 1000)
  assert.equal((await timeline()).isUnresolved, true)
  const row = await rowOf(body.trans_id)
  assert.deepEqual(
    [row.orderId, row.type, row.amountMinor, row.currency, row.midName, row.approvalId],
    ['ASKED', 'SALE', '1000', 'EUR', 'sandbox-live', null],
  )
  assert.ok(Date.parse(row.createdAt) < Date.parse((await finance.get('/unresolved')).body.now) - 86_400_000)
})

test('the numbers on the dashboard and the page Health are that of the list they open, of all kinds of open transactions', async () => {
  // biome-ignore format: a table is read in columns.
  const kinds = [
    // state        asked until        of a payment                    listed
    ['undefined',   'the plan ended',  expiryFields('08/2039'),        true],
    ['waiting',     'the plan ended',  expiryFields('08/2039'),        true],
    ['undefined',   'later',           expiryFields('08/2039'),        false],
    ['waiting',     'later',           expiryFields('08/2039'),        false],
    ['sent',        'later',           expiryFields('08/2039'),        false],
    ['waiting',     'the plan ended',  expiryFields('12/2038'),        false],
    ['success',     'the plan ended',  {},                             false],
  ] as const
  const listed: string[] = []
  const before = (await finance.get('/unresolved')).body.count
  const { outcomesBeingAsked } = (await owner.get('/system/health')).body
  for (const [state, until, fields, isListed] of kinds) {
    const { body } = await shop.sale({ order_id: crypto.randomUUID(), ...fields })
    const params = [body.trans_id, state, until === 'later' ? '1 hour' : null]
    const text = `update transactions set state = $2, ask_at = now() + $3::interval, created_at = now() - interval '1 day' where payment_id = $1`
    await shop.base.pool.query(`${text} and type not in ('3DS', 'REDIRECT')`, params)
    if (isListed) listed.push(body.trans_id)
  }
  for (const path of ['', `?merchantId=${demo}`]) {
    const { count, outcomes } = (await finance.get(`/unresolved${path}`)).body
    const { unknownOutcomes } = (await finance.get(`/dashboard/risks${path}`)).body
    assert.deepEqual([count, unknownOutcomes.count], [before + listed.length, count])
    const ids = (rows: readonly { paymentId: string }[]) => rows.map(({ paymentId }) => paymentId)
    assert.deepEqual(ids(unknownOutcomes.oldest), ids(outcomes))
    assert.deepEqual(ids(outcomes).slice(-listed.length), listed)
  }
  const health = (await owner.get('/system/health')).body
  assert.equal(health.unknownOutcomes, before + listed.length)
  const questions = kinds.filter(([state, until]) => state !== 'success' && until === 'later')
  assert.equal(health.outcomesBeingAsked, outcomesBeingAsked + questions.length)
})

test('what two people decide as executed is an outcome like any other: callback, posting, audit entry', async () => {
  const one = await unresolved()
  const request = await finance.post(`${at(one.id)}/outcome`, { ...one, id: undefined, ...execution, ...grounds })
  assert.equal(request.http, 200, request.text)
  const { approvalId } = request.body
  assert.equal((await rowOf(one.id)).approvalId, approvalId)
  assert.equal((await finance.post(`/approvals/${approvalId}/approve`)).http, 403, 'not by the person who asked')
  assert.equal(await statusOf(shop, one.id), 'PREPARE')

  const approved = await owner.post(`/approvals/${approvalId}/approve`)
  assert.deepEqual([approved.body.state, approved.body.result.status], ['done', 'SETTLED'])
  assert.equal(await statusOf(shop, one.id), 'SETTLED')
  assert.deepEqual(await shop.postings(one.id), ['payer -> settled 1000'])
  assert.deepEqual(await readCallbacks(shop, one.id, 'SALE'), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  const { payment, timeline } = (await owner.get(at(one.id))).body
  assert.equal(payment.financialDay, '2026-01-02')
  assert.equal(timeline[0].reference, 'ACQ-77')
  const { reason, evidence } = grounds
  assert.deepEqual(timeline[0].facts.byHand, { decision: 'executed', approvalId, reason, evidence, date: '2026-01-02' })
  const [entry] = (await owner.get('/audit?action=payment.decide&limit=1')).body.entries
  assert.deepEqual([entry.subject, entry.merchantId], [`payment ${one.id}`, demo])
  assert.equal(await rowOf(one.id), undefined)
  assert.deepEqual(await alerts(one.id, true), [], 'the alert is resolved with the decision')
})

test('what was not executed is declined, reported once, and cannot be decided again', async () => {
  const one = await unresolved()
  const approved = await decide(one, { decision: 'not-executed' })
  assert.deepEqual([approved.body.state, approved.body.result.status], ['done', 'DECLINED'])
  assert.deepEqual(await readCallbacks(shop, one.id, 'SALE'), ['UNDEFINED PREPARE', 'DECLINED DECLINED'])
  assert.deepEqual(await shop.postings(one.id), [])
  const again = await finance.post(`${at(one.id)}/outcome`, {
    transactionId: one.transactionId,
    decision: 'not-executed',
    ...grounds,
  })
  assert.equal(again.http, 409)
})

test('an amount other than the transaction’s, a date to come and missing evidence are refused', async () => {
  const { id, transactionId } = await unresolved()
  const tomorrow = new Date(shop.base.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
  // biome-ignore format: a table is read in columns.
  const wrong = [
    // field          value
    ['amountMinor',   '999'],
    ['amountMinor',   '1001'],
    ['amountMinor',   '0'],
    ['date',          tomorrow],
    ['evidence',      ' '],
    ['reference',     ''],
  ] as const
  for (const [field, value] of wrong) {
    const body = { transactionId, ...execution, ...grounds, [field]: value }
    const { http, body: answer } = await finance.post(`${at(id)}/outcome`, body)
    assert.deepEqual([http, answer.error.fields[0]?.field], [422, field], `${field} ${value}`)
  }
  assert.equal((await rowOf(id)).approvalId, null)
})

test('the acquirer reports first: the decision fails and changes nothing', async () => {
  const one = await unresolved({}, true)
  const { approvalId } = (
    await finance.post(`${at(one.id)}/outcome`, {
      transactionId: one.transactionId,
      decision: 'not-executed',
      ...grounds,
    })
  ).body
  await shop.base.pool.query('update transactions set ask_at = now() where id = $1', [one.transactionId])
  await shop.advance(1000)
  assert.equal(await statusOf(shop, one.id), 'SETTLED')
  const approved = await owner.post(`/approvals/${approvalId}/approve`)
  assert.equal(approved.body.state, 'failed')
  assert.match(approved.body.result.refused, /reported the outcome in the meantime/)
  assert.equal(await statusOf(shop, one.id), 'SETTLED')
})

test('a charge decided as not executed that the acquirer executed after all is reversed, with an alert', async () => {
  const one = await unresolved({}, true)
  await decide(one, { decision: 'not-executed' })
  await shop.advance(60_000)
  assert.deepEqual(await readEffects(shop, one.id), ['sale 1000', 'reverse 1000'])
  assert.equal(await statusOf(shop, one.id), 'DECLINED')
  assert.ok((await alerts(one.id, true)).includes('late-success'))
})

test('a charge decided as executed that the acquirer declined raises an alert and stays as decided', async () => {
  const one = await unresolved(expiryFields('02/2038'), true)
  await decide(one, execution)
  await shop.advance(60_000)
  assert.equal(await statusOf(shop, one.id), 'SETTLED')
  assert.deepEqual(await alerts(one.id, true), ['decision-contradicted'])
})

test('money that has to be given back stays on the list until two people have recorded its return', async () => {
  const { body } = await shop.sale(expiryFields('02/2038'))
  const id = body.trans_id
  await shop.base.pool.query(
    `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at)
     values (gen_random_uuid(), 'give-back', $1, $2, 'Refund it manually at the acquirer.', now())`,
    [demo, id],
  )
  const owed = async () =>
    (await finance.get('/unresolved')).body.returns.find((one: { paymentId: string }) => one.paymentId === id)
  const { alertId, amountMinor } = await owed()
  assert.equal(amountMinor, '1000')
  assert.equal((await owner.post(`/alerts/${alertId}/resolve`)).http, 409, 'an alert of money is not just closed')

  const record = { alertId, reference: 'R-1', amountMinor: '1000', date: '2026-01-03', ...grounds }
  for (const wrong of ['1001', '0', '-1']) {
    const { http, body } = await finance.post(`${at(id)}/give-back`, { ...record, amountMinor: wrong })
    assert.deepEqual([http, body.error.fields[0]?.field], [422, 'amountMinor'], wrong)
    if (wrong === '1001') assert.match(body.error.fields[0].text, /^At most 10\.00 EUR was charged\./)
  }
  const { approvalId } = (await finance.post(`${at(id)}/give-back`, record)).body
  assert.equal((await owed()).approvalId, approvalId)
  const approved = await owner.post(`/approvals/${approvalId}/approve`)
  assert.equal(approved.body.state, 'done', approved.text)
  assert.equal(await owed(), undefined)
  const { payment, timeline } = (await owner.get(at(id))).body
  assert.equal(payment.status, 'DECLINED')
  const last = timeline.at(-1)
  assert.deepEqual([last.type, last.state, last.reference], ['REVERSAL', 'success', 'R-1'])
  assert.deepEqual(await shop.postings(id), [], 'the charge was never posted, so its return is not either')
  const { checks } = (await owner.get('/dashboard/money')).body
  const offending = checks.flatMap((check: { offending: readonly { paymentId: string }[] }) => check.offending)
  assert.ok(!offending.some(({ paymentId }: { paymentId: string }) => paymentId === id), 'and no light is red for it')
})
