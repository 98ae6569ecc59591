/**
 * Chapter 60 §5, decisions/disputes#chargebacks-of-files: a chargeback that only a settlement file reports is recorded by two people, and
 * counts once however it becomes known.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { operationDeps } from '../../../../../../test/operation-deps.ts'
import { merchantId, type PanelClient, panelOf, withoutApprovalEnds } from '../../../../../../test/panel/admin.ts'
import { readCallbacks, statusOf } from '../../../../../../test/payments.ts'
import { openShop, type RequestFields, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let demo: string
let midId: string
let owner: PanelClient
let finance: PanelClient
before(async () => {
  shop = await openShop({}, ['back office', 'chargebacks'])
  demo = await merchantId(shop, 'demo')
  owner = await panelOf(shop)
  finance = await panelOf(shop, { role: 'finance' })
  midId = (await shop.base.pool.query("select id from mids where name = 'sandbox-live'")).rows[0].id
})
after(() => shop[Symbol.asyncDispose]())

async function pay(over: RequestFields = {}): Promise<string> {
  const { body } = await shop.sale({ order_id: crypto.randomUUID(), ...over })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  return body.trans_id
}

let files = 0
/** A file with one row; its difference, if it has one. */
async function importRow(paymentId: string, over: Readonly<Record<string, string>> = {}) {
  files += 1
  const ref = over['row'] ?? `C-${files}`
  const cells = {
    row: ref,
    type: 'chargeback',
    payment_id: paymentId,
    reference: '',
    currency: 'EUR',
    gross: '-10.00',
    fee: '0',
  }
  const row = {
    ...cells,
    net: over['gross'] ?? '-10.00',
    date: shop.base.clock.now().toISOString().slice(0, 10),
    ...over,
  }
  const content = [Object.keys(row).join(','), Object.values(row).join(','), 'end,1', ''].join('\n')
  const name = `chargeback-${files}.csv`
  const body = { midId, name, content: Buffer.from(content).toString('base64') }
  const { body: imported, text } = await finance.post('/settlements', body)
  assert.equal(imported.result, 'imported', text)
  const { differences } = (await finance.get(`/settlements/differences?fileId=${imported.file.id}&open=false`)).body
  const found = differences.find((one: { ref: string }) => one.ref === ref)
  return { ref, id: found?.id, kind: found?.kind, rowKind: found?.rowKind, fileId: imported.file.id, body }
}

const ask = (id: string, over: object = {}) =>
  finance.post(`/settlements/differences/${id}/resolve`, {
    note: 'Seen in the statement',
    chargeback: { reasonCode: '4853 Not received' },
    ...over,
  })

async function record(id: string) {
  const answer = await ask(id)
  assert.equal(answer.http, 200, answer.text)
  return (await owner.post(`/approvals/${answer.body.approvalId}/approve`)).body
}

const notify = (paymentId: string, reference: string, amountMinor = 1000n, deps = operationDeps(shop)) =>
  enterEvent(deps, midId, {
    kind: 'chargeback',
    reference,
    paymentId,
    amountMinor,
    at: shop.base.clock.now(),
    bankDate: '2026-03-01',
    reasonCode: '1212 Fraud',
  })

async function takenOf(paymentId: string) {
  const { rows } = await shop.base.pool.query(
    `select (select count(*)::int from transactions where payment_id = $1 and type = 'CHARGEBACK') as chargebacks,
       (select coalesce(sum(amount_minor), 0)::int from ledger_entries where payment_id = $1 and to_account = 'charged_back') as taken,
       (select string_agg(reference || ' ' || stage || ' ' || reason_code, ', ') from disputes where payment_id = $1) as disputes`,
    [paymentId],
  )
  return rows[0]
}

const linkOf = async (ref: string): Promise<boolean> =>
  (await shop.base.pool.query('select transaction_id from settlement_rows where ref = $1', [ref])).rows[0]
    .transaction_id !== null

async function difference(id: string) {
  return (await finance.get(`/settlements/differences/${id}`)).body
}

test('two people record the chargeback of a row: money, dispute and callback as by a notification, once', async () => {
  const paymentId = await pay()
  const found = await importRow(paymentId, { reference: 'CB-FIRST' })
  assert.deepEqual([found.kind, found.rowKind], ['missing-here', 'chargeback'])
  assert.deepEqual(
    await takenOf(paymentId),
    { chargebacks: 0, taken: 0, disputes: null },
    'nothing by the import alone',
  )
  const { approvalId } = (await ask(found.id)).body
  assert.equal((await finance.post(`/approvals/${approvalId}/approve`)).http, 403)
  const approve = () => owner.post(`/approvals/${approvalId}/approve`)
  assert.equal((await withoutApprovalEnds(shop, approve)).http, 500, 'as if the process died there')
  assert.equal((await difference(found.id)).resolvedAt, null)
  const approved = await approve()
  assert.equal(approved.body.state, 'done', approved.text)
  const once = { chargebacks: 1, taken: 1000, disputes: 'CB-FIRST chargeback 4853 Not received' }
  assert.deepEqual(await takenOf(paymentId), once)
  assert.equal(await statusOf(shop, paymentId), 'CHARGEBACK')
  await shop.service.awaitIdle()
  assert.equal((await readCallbacks(shop, paymentId, 'CHARGEBACK')).length, 1)
  const after = await difference(found.id)
  assert.deepEqual([after.resolvedAt !== null, after.merchantId, after.paymentId], [true, demo, paymentId])
  assert.equal(await linkOf(found.ref), true)
  const file = (await finance.get(`/settlements/${found.fileId}`)).body
  assert.deepEqual([file.matched, file.openDifferences], [1, 0])

  assert.equal((await ask(found.id)).http, 409)
  assert.equal((await approve()).http, 409)
  assert.equal((await finance.post('/settlements', found.body)).body.result, 'known')
  assert.deepEqual(await takenOf(paymentId), once)
  const { rows } = await shop.base.pool.query(
    "select after from audit_log where action = 'settlement.resolve' and merchant_id = $1",
    [demo],
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0].after, new RegExp(paymentId))
})

test('a notification that comes later counts as the recorded one, under its own reference, too', async () => {
  const [same, other] = [await pay(), await pay()]
  for (const paymentId of [same, other]) {
    const { id } = await importRow(paymentId, { reference: `OWN-${paymentId}` })
    assert.equal((await record(id)).state, 'done')
  }
  await notify(same, `OWN-${same}`)
  assert.deepEqual(await takenOf(same), {
    chargebacks: 1,
    taken: 1000,
    disputes: `OWN-${same} chargeback 4853 Not received`,
  })
  for (let times = 1; times <= 2; times += 1) await notify(other, `CASE-${other}`)
  assert.deepEqual(await takenOf(other), {
    chargebacks: 1,
    taken: 1000,
    disputes: `CASE-${other} chargeback 1212 Fraud`,
  })
  const { rows } = await shop.base.pool.query('select text from alerts where payment_id = $1', [other])
  assert.equal(rows.length, 1)
  assert.match(rows[0].text, /counts as the one that was recorded from row C-\d+/)
})

test('of a part, a second notification is a second chargeback', async () => {
  const paymentId = await pay()
  const { id } = await importRow(paymentId, { reference: 'PART-1', gross: '-4.00' })
  assert.equal((await record(id)).state, 'done')
  await notify(paymentId, 'PART-CASE-1', 400n)
  assert.deepEqual([(await takenOf(paymentId)).taken, (await takenOf(paymentId)).chargebacks], [400, 1])
  await notify(paymentId, 'PART-CASE-2', 400n)
  assert.deepEqual([(await takenOf(paymentId)).taken, (await takenOf(paymentId)).chargebacks], [800, 2])
  await notify(paymentId, 'PART-CASE-1', 400n)
  assert.equal((await takenOf(paymentId)).taken, 800)
})

test('a notification of another amount is not a second chargeback until a person records it', async () => {
  const paymentId = await pay()
  const { id, ref } = await importRow(paymentId, { reference: `FILE-${paymentId}`, gross: '-4.00' })
  assert.equal((await record(id)).state, 'done')
  const reference = `CASE-${paymentId}`
  for (let times = 1; times <= 2; times += 1) await notify(paymentId, reference, 390n)
  assert.equal((await takenOf(paymentId)).taken, 400)
  const { rows } = await shop.base.pool.query('select text from alerts where payment_id = $1', [paymentId])
  assert.equal(rows.length, 1)
  assert.match(rows[0].text, new RegExp(`${reference} of 3\\.90 EUR .* 4\\.00 EUR, .* row ${ref} `))
  const wish = { reference, amountMinor: '390', bankDate: '2026-03-01', reasonCode: '1212' }
  assert.equal((await finance.post(`/merchants/${demo}/payments/${paymentId}/chargeback`, wish)).http, 200)
  await notify(paymentId, reference, 390n)
  await notify(paymentId, `FIRST-${paymentId}`, 400n)
  assert.deepEqual([(await takenOf(paymentId)).chargebacks, (await takenOf(paymentId)).taken], [2, 790])
})

test('a notification between import, request and approval is not recorded again: the row gets its transaction', async () => {
  for (const reference of ['CASE-EARLY', '']) {
    const paymentId = await pay()
    const found = await importRow(paymentId, { reference })
    const { approvalId } = (await ask(found.id)).body
    await notify(paymentId, `CASE-EARLY-${reference === '' ? paymentId : ''}`)
    const { body } = await owner.post(`/approvals/${approvalId}/approve`)
    assert.equal(body.state, 'done')
    assert.deepEqual([(await takenOf(paymentId)).chargebacks, (await takenOf(paymentId)).taken], [1, 1000])
    assert.equal(await linkOf(found.ref), true)
  }
  const known = await pay()
  await notify(known, 'CASE-KNOWN')
  assert.equal((await importRow(known)).kind, undefined, 'before the import there is no difference at all')
})

test('a notification at the same moment as the approval counts once, with one dispute', async () => {
  for (const isSame of [true, false, true, false]) {
    const paymentId = await pay()
    const found = await importRow(paymentId, { reference: `MOMENT-${paymentId}` })
    const { approvalId } = (await ask(found.id)).body
    const [{ body }] = await Promise.all([
      owner.post(`/approvals/${approvalId}/approve`),
      notify(paymentId, isSame ? `MOMENT-${paymentId}` : `CASE-${paymentId}`),
    ])
    assert.equal(body.state, 'done')
    const { chargebacks, taken, disputes } = await takenOf(paymentId)
    assert.deepEqual([chargebacks, taken], [1, 1000])
    assert.equal(disputes.split(', ').length, 1, disputes)
    assert.equal(await linkOf(found.ref), true)
  }
})

test('if a process dies between a notified chargeback and its dispute, the notification is read again and opens it', async () => {
  const paymentId = await pay()
  const deps = operationDeps(shop)
  const open = () => Promise.reject(new Error('the process died'))
  await assert.rejects(notify(paymentId, 'DIED', 1000n, { ...deps, disputes: { ...deps.disputes, open } }), /died/)
  assert.deepEqual(await takenOf(paymentId), { chargebacks: 1, taken: 1000, disputes: null })
  await notify(paymentId, 'DIED')
  assert.deepEqual(await takenOf(paymentId), { chargebacks: 1, taken: 1000, disputes: 'DIED chargeback 1212 Fraud' })
})

test('a row of an overlapping file that repeats a chargeback records none', async () => {
  const paymentId = await pay()
  const first = await importRow(paymentId, { reference: 'TWICE', gross: '-4.00' })
  const again = await importRow(paymentId, { reference: 'TWICE', gross: '-4.00' })
  const bare = await importRow(paymentId, { gross: '-4.00' })
  const other = await importRow(paymentId, { reference: 'ANOTHER', gross: '-3.00' })
  assert.equal((await record(first.id)).state, 'done')
  const repeated = await ask(again.id)
  assert.deepEqual([repeated.http, repeated.body.error.code], [409, 'refused'], repeated.text)
  assert.match(repeated.body.error.message, /Another row of a settlement file has settled this chargeback/)
  assert.match((await ask(bare.id)).body.error.message, /no reference of its own/)
  assert.equal((await importRow(paymentId, { reference: 'TWICE', gross: '-4.00' })).kind, 'doubled')
  assert.equal((await record(other.id)).state, 'done', 'a second chargeback of its own')
  assert.deepEqual([(await takenOf(paymentId)).chargebacks, (await takenOf(paymentId)).taken], [2, 700])
})

test('what cannot be a chargeback is refused with its reason, when it is requested and when it is approved', async () => {
  const held = (await shop.sale({ order_id: crypto.randomUUID(), auth: 'Y' })).body.trans_id
  // biome-ignore format: a table is read in columns.
  const refusals: readonly (readonly [paymentId: string, row: Readonly<Record<string, string>>, text: RegExp])[] = [
    [await pay(),         { gross: '-10.01' },                     /bigger than payment/],
    [await pay(),         { currency: 'USD' },                     /The row is in USD, and the payment in EUR/],
    [await pay(),         { gross: '0.00' },                       /returns money/],
    [held,                {},                                      /in status PENDING/],
    [crypto.randomUUID(), {},                                      /not known at this MID/],
    ['',                  { reference: 'of nobody' },              /does not name the payment/],
    [await pay(),         { type: 'refund', reference: 'none' },   /not a chargeback that is missing here/],
  ]
  for (const [paymentId, row, text] of refusals) {
    const { id, kind } = await importRow(paymentId, row)
    assert.equal(kind, 'missing-here', String(text))
    const refused = await ask(id)
    assert.equal(refused.http, 409, refused.text)
    assert.match(refused.body.error.message, text)
    assert.equal((await difference(id)).resolvedAt, null)
  }
  const paymentId = await pay()
  const { id, ref } = await importRow(paymentId)
  assert.equal((await ask(id, { correct: true })).http, 422)
  const { approvalId } = (await ask(id)).body
  await finance.post(`/merchants/${demo}/payments/${paymentId}/refund`, { amountMinor: '1000', reason: 'a' })
  await notify(paymentId, 'SMALLER', 1n)
  const { body } = await owner.post(`/approvals/${approvalId}/approve`)
  assert.equal(body.state, 'failed')
  assert.match(body.result.refused, /chargeback of another amount that no row has settled/)
  assert.deepEqual([(await difference(id)).resolvedAt, await linkOf(ref)], [null, false])
})

test('while a file of the MID is imported nothing is recorded, and it can be requested again', async () => {
  const paymentId = await pay()
  const { id } = await importRow(paymentId)
  const client = await shop.base.pool.connect()
  try {
    await client.query('begin')
    await client.query("select pg_advisory_xact_lock(hashtextextended('settlement ' || $1, 0))", [midId])
    const failed = await record(id)
    assert.deepEqual([failed.state, (await takenOf(paymentId)).chargebacks], ['failed', 0])
    assert.match(failed.result.refused, /is being imported/)
    await client.query('rollback')
  } finally {
    client.release()
  }
  assert.equal((await record(id)).state, 'done')
})
