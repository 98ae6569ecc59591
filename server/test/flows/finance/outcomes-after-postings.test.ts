/**
 * Chapter 70 §3: after two people posted a difference our ledger may still learn what the acquirer settled. Then nothing is owed either, and no amount
 * counts twice. In currencies with 0, 2 and 3 decimals.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '#domain/time.ts'
import { expiryFields } from '../../payments.ts'
import {
  chargeBack,
  importRows,
  listDifferences,
  openReceivable,
  pay,
  type ReceivableCurrency,
  type ReceivableScene,
  readReceivable,
  receivableCurrencies,
  resolve,
  win,
} from './receivable-scene.ts'

let scene: ReceivableScene
before(async () => {
  scene = await openReceivable()
})
after(() => scene.shop[Symbol.asyncDispose]())

const minor = 1234n

/** A dispute that is open here; the rows of its charge and of its chargeback agree. */
async function dispute(currency: ReceivableCurrency): Promise<string> {
  const paymentId = await pay(scene, currency, minor)
  const reference = await chargeBack(scene, paymentId, minor)
  const charge = { kind: 'charge', paymentId, currency, minor }
  const taken = { kind: 'chargeback', paymentId, currency, minor: -minor, reference }
  assert.deepEqual(await importRows(scene, [charge, taken]), [])
  return paymentId
}

/** A row of the money that the acquirer returned; the id of its difference. */
async function returnEarly(paymentId: string, currency: ReceivableCurrency, less = 0n): Promise<string> {
  const row = { kind: 'chargeback-reversal', paymentId, currency, minor: minor - less }
  const [found, ...others] = await importRows(scene, [row])
  assert.deepEqual([found?.kind, others.length], ['missing-here', 0])
  return found?.id ?? ''
}

const openOf = async (paymentId: string) =>
  (await listDifferences(scene, 'open=true')).filter((one) => one.paymentId === paymentId)

const requestPosting = (id: string) =>
  scene.finance.post(`/settlements/differences/${id}/resolve`, { note: 'Agreed', correct: true })

const decideAs = (paymentId: string, state: string) =>
  scene.shop.base.pool.query('update transactions set state = $2 where payment_id = $1', [paymentId, state])

for (const currency of receivableCurrencies) {
  test(`${currency}: a returned chargeback that was posted before its dispute was won is owed by neither side`, async () => {
    const paymentId = await dispute(currency)
    const id = await returnEarly(paymentId, currency)
    await resolve(scene, id)
    assert.equal(await readReceivable(scene, currency), 0n, 'after the posting')
    await win(scene, paymentId)
    assert.equal(await readReceivable(scene, currency), 0n, 'after the dispute was won')
    assert.deepEqual(await openOf(paymentId), [])
    const { note } = (await scene.finance.get(`/settlements/differences/${id}`)).body
    assert.match(note, /^Agreed with the acquirer\. The money was returned here later, which was posted, too\.$/)
  })

  test(`${currency}: of a posted return of another amount what differs stays posted, and a second row is one too many`, async () => {
    const paymentId = await dispute(currency)
    await resolve(scene, await returnEarly(paymentId, currency, 34n))
    await win(scene, paymentId)
    assert.equal(await readReceivable(scene, currency), 0n)
    const [found] = await importRows(scene, [{ kind: 'chargeback-reversal', paymentId, currency, minor }])
    assert.equal(found?.kind, 'doubled')
    await resolve(scene, found?.id ?? '')
    assert.equal(await readReceivable(scene, currency), 0n)
  })

  test(`${currency}: of two early returns, one posted, the other settles what is returned here`, async () => {
    const paymentId = await dispute(currency)
    await resolve(scene, await returnEarly(paymentId, currency))
    const second = await returnEarly(paymentId, currency)
    await win(scene, paymentId)
    assert.equal(await readReceivable(scene, currency), 0n)
    assert.deepEqual(await openOf(paymentId), [])
    assert.equal((await requestPosting(second)).http, 409, 'it has ended by itself')
  })

  test(`${currency}: of three early returns, one posted and one resolved by a note, the one with the note settles it, and the third is one too many`, async () => {
    const paymentId = await dispute(currency)
    await resolve(scene, await returnEarly(paymentId, currency))
    await resolve(scene, await returnEarly(paymentId, currency), {})
    await returnEarly(paymentId, currency)
    await win(scene, paymentId)
    const [open, ...others] = await openOf(paymentId)
    assert.deepEqual([open?.kind, others.length], ['doubled', 0])
    await resolve(scene, open?.id ?? '')
    assert.equal(await readReceivable(scene, currency), 0n)
  })

  test(`${currency}: the reversal of a charge that succeeded late was never booked here: its row is a difference, and posting both owes nothing`, async () => {
    const order = { JPY: '1000', EUR: '10.00', KWD: '1.000' }[currency]
    const { body } = await scene.shop.sale({
      ...expiryFields('12/2038'),
      order_id: crypto.randomUUID(),
      order_amount: order,
      order_currency: currency,
    })
    assert.equal(body.status, 'REDIRECT', JSON.stringify(body))
    await scene.shop.advance(31 * 60_000)
    const charge = { kind: 'charge', paymentId: body.trans_id, currency, minor: 1000n }
    const [settled] = await importRows(scene, [charge])
    assert.equal(settled?.kind, 'other-outcome')
    await resolve(scene, settled?.id ?? '')
    assert.equal(await readReceivable(scene, currency), 0n)

    await fetch(body.redirect_url, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
      redirect: 'manual',
    })
    await scene.shop.advance(60_000)
    const [reversed, ...others] = await importRows(scene, [{ ...charge, kind: 'refund', minor: -1000n }])
    assert.deepEqual([reversed?.kind, others.length], ['amount', 0])
    await resolve(scene, reversed?.id ?? '')
    assert.equal(await readReceivable(scene, currency), 0n)
  })
}

test('what the acquirer settled is not posted while the outcome is open here, and is posted once it is known', async () => {
  const paymentId = await pay(scene, 'EUR', minor)
  await decideAs(paymentId, 'undefined')
  const [found] = await importRows(scene, [{ kind: 'charge', paymentId, currency: 'EUR', minor: minor - 34n }])
  const id = found?.id ?? ''
  const refused = await requestPosting(id)
  assert.deepEqual([found?.kind, refused.http], ['other-outcome', 409], refused.text)
  assert.match(refused.text, /outcome of the transaction is open here\. Request the posting when it is decided/)

  // It was requested while it counted as failed.
  await decideAs(paymentId, 'fail')
  const { approvalId } = (await requestPosting(id)).body
  await decideAs(paymentId, 'undefined')
  const approved = await scene.colleague.post(`/approvals/${approvalId}/approve`)
  assert.equal(approved.body.state, 'failed', approved.text)
  assert.match(approved.text, /outcome of the transaction is open here/)
  await decideAs(paymentId, 'success')
  assert.equal(await readReceivable(scene, 'EUR'), 34n)
  await resolve(scene, id)
  assert.equal(await readReceivable(scene, 'EUR'), 0n)
})

test('a dispute that is won while the posting of its return is approved leaves nothing owed', async () => {
  for (let times = 1; times <= 4; times += 1) {
    const paymentId = await dispute('EUR')
    const { approvalId } = (await requestPosting(await returnEarly(paymentId, 'EUR', times % 2 === 0 ? 34n : 0n))).body
    await Promise.all([scene.colleague.post(`/approvals/${approvalId}/approve`), win(scene, paymentId)])
    for (const { id } of await openOf(paymentId)) await resolve(scene, id)
    assert.equal(await readReceivable(scene, 'EUR'), 0n)
  }
})

test('a chargeback that was posted as not settled is not linked to a row, so that it counts once', async () => {
  const paymentId = await pay(scene, 'EUR', minor)
  assert.deepEqual(await importRows(scene, [{ kind: 'charge', paymentId, currency: 'EUR', minor }]), [])
  const taken = { kind: 'chargeback', paymentId, currency: 'EUR', minor: -minor }
  const [row] = await importRows(scene, [taken])
  assert.deepEqual([row?.kind, row?.rowKind], ['missing-here', 'chargeback'])
  const record = { note: 'Seen', chargeback: { reasonCode: '4853' } }
  const at = `/settlements/differences/${row?.id}/resolve`
  const { approvalId } = (await scene.finance.post(at, record)).body
  await chargeBack(scene, paymentId, minor)
  // The request waits for seven days.
  await scene.shop.advance(6.5 * dayMs)
  await importRows(scene, [{ kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }])
  const missing = (await openOf(paymentId)).find(({ kind }) => kind === 'missing-there')
  await resolve(scene, missing?.id ?? '')

  const approved = await scene.colleague.post(`/approvals/${approvalId}/approve`)
  assert.equal(approved.body.state, 'failed', approved.text)
  const refused = await scene.finance.post(at, record)
  assert.equal(refused.http, 409, refused.text)
  assert.match(refused.text, /was posted as not settled/)
  await resolve(scene, row?.id ?? '')
  assert.equal(await readReceivable(scene, 'EUR'), 0n)
  const { rows } = await scene.shop.base.pool.query(
    `select coalesce(sum(case when from_account = 'acquirer' then amount_minor when to_account = 'acquirer' then -amount_minor end), 0)::int as sum
     from book_entries where merchant_id is null and currency = 'EUR'`,
  )
  assert.equal(rows[0].sum, 0, 'and nothing is unassigned')
})

test('a chargeback that was posted as not settled is not recorded a second time from a row of another amount', async () => {
  const paymentId = await pay(scene, 'EUR', minor)
  const charge = { kind: 'charge', paymentId, currency: 'EUR', minor }
  const taken = { kind: 'chargeback', paymentId, currency: 'EUR', minor: -300n, reference: `ROW-${paymentId}` }
  const row = (await importRows(scene, [charge, taken])).find(({ rowKind }) => rowKind === 'chargeback')
  await chargeBack(scene, paymentId, 400n)
  await scene.shop.advance(6.5 * dayMs)
  await importRows(scene, [{ kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }])
  const missing = (await openOf(paymentId)).find(({ kind }) => kind === 'missing-there')
  await resolve(scene, missing?.id ?? '')

  const record = { note: 'Seen', chargeback: { reasonCode: '4853' } }
  const refused = await scene.finance.post(`/settlements/differences/${row?.id}/resolve`, record)
  assert.equal(refused.http, 409, refused.text)
  assert.match(refused.text, /chargeback of another amount that was posted as not settled/)
  assert.deepEqual(
    (await openOf(paymentId)).map(({ id }) => id),
    [row?.id],
    'it stays to be decided',
  )

  // A person who knows that it is a second one records it at the payment.
  const wish = { reference: `SECOND-${paymentId}`, amountMinor: '300', bankDate: '2026-03-01', reasonCode: '4853' }
  const second = await scene.finance.post(`/merchants/${scene.merchantId}/payments/${paymentId}/chargeback`, wish)
  assert.equal(second.http, 200, second.text)
  await resolve(scene, row?.id ?? '', record)
  assert.deepEqual([await openOf(paymentId), await readReceivable(scene, 'EUR')], [[], 0n])
})
