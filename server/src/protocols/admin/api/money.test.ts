import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chargeChain, startChain } from '../../../../test/chains.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { expiryFields } from '../../../../test/payments.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'

let shop: Shop
let demo: string
let owner: PanelClient
let finance: PanelClient
before(async () => {
  shop = await openShop({ REFUND_APPROVAL: 'EUR:50,*:1000' }, ['back office'])
  demo = await merchantId(shop, 'demo')
  owner = await panelOf(shop)
  finance = await panelOf(shop, { role: 'finance' })
})
after(() => shop[Symbol.asyncDispose]())

const paid = async (over: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await shop.sale(over)).body.trans_id
const at = (paymentId: string): string => `/merchants/${demo}/payments/${paymentId}`

/** The newest entry of the audit log, with what it holds. */
async function lastEntry(action: string) {
  const { entries } = (await owner.get(`/audit?action=${action}&limit=1`)).body
  const [entry] = entries
  return { ...entry, before: JSON.parse(entry.before), after: JSON.parse(entry.after) }
}

describe('commands on a payment', () => {
  test('a hold is captured in part, and the audit log says by whom', async () => {
    const id = await paid({ auth: 'Y' })
    const answer = await finance.post(`${at(id)}/capture`, { amountMinor: '750' })
    assert.equal(answer.http, 200)
    assert.equal(answer.body.result.status, 'SETTLED')
    const entry = await lastEntry('payment.capture')
    assert.equal(entry.subject, `payment ${id}`)
    assert.equal(entry.merchantId, demo)
    assert.equal(entry.after.amountMinor, '750')
  })

  test('what the payment does not allow is refused in the words of the catalogue', async () => {
    const answer = await finance.post(`${at(await paid())}/capture`)
    assert.equal(answer.http, 409)
    assert.equal(answer.body.error.code, 'refused')
    assert.ok(answer.body.error.message.length > 0)
  })

  test('a payment is voided on its day', async () => {
    const answer = await finance.post(`${at(await paid())}/void`)
    assert.equal(answer.body.result.status, 'VOID')
  })

  test('a recurring payment that was declined softly is charged once more, and no other', async () => {
    const { body } = await chargeChain(shop, await startChain(shop, expiryFields('01/2039')))
    assert.equal(body.status, 'DECLINED')
    const answer = await finance.post(`${at(body.trans_id)}/retry`)
    assert.equal(answer.http, 200, answer.text)
    assert.deepEqual([answer.body.result.type, answer.body.result.status], ['RETRY', 'SETTLED'])
    assert.equal((await lastEntry('payment.retry')).before.status, 'DECLINED')
    assert.equal((await finance.post(`${at(body.trans_id)}/retry`)).http, 409)
    assert.equal((await finance.post(`${at(await paid())}/retry`)).http, 409)
  })

  test('a chargeback is entered once, however often its reference is', async () => {
    const id = await paid()
    const dispute = { reference: 'CB-1', amountMinor: '400', bankDate: '2026-03-01', reasonCode: '1212 Fraud' }
    const first = await finance.post(`${at(id)}/chargeback`, dispute)
    assert.equal(first.http, 200)
    assert.equal(first.body.result.status, 'CHARGEBACK')
    const again = await finance.post(`${at(id)}/chargeback`, dispute)
    assert.equal(again.body.result.chargedBackMinor, '400')
    const tooMuch = await finance.post(`${at(id)}/chargeback`, { ...dispute, reference: 'CB-2', amountMinor: '601' })
    assert.equal(tooMuch.http, 409)
  })

  test('a card number is shown to who may see it, and that is noted first', async () => {
    const id = await paid()
    assert.equal((await finance.post(`${at(id)}/card`, { reason: 'dispute' })).http, 403)
    const { number } = (await owner.post(`${at(id)}/card`, { reason: 'dispute' })).body
    assert.equal(number, '4111111111111111')
    const entry = await lastEntry('payment.reveal-card')
    assert.deepEqual(entry.after, { reason: 'dispute' })
    const { rows } = await shop.base.pool.query(
      `select count(*)::int as n from audit_log where after like '%4111111111111111%'`,
    )
    assert.equal(rows[0].n, 0)
  })

  test('ten holds are captured at once, and one that cannot be does not stop the others', async () => {
    const ids: string[] = []
    for (let index = 0; index < 10; index += 1) ids.push(await paid({ auth: 'Y' }))
    const queue = (await finance.get('/captures?limit=200')).body.holds.map(({ id }: { id: string }) => id)
    assert.ok(ids.every((id) => queue.includes(id)))
    const settled = await paid()
    const payments = [settled, ...ids].map((paymentId) => ({ merchantId: demo, paymentId }))
    const { results } = (await finance.post('/captures', { payments })).body
    assert.equal(typeof results[0].result.refused, 'string')
    assert.deepEqual(
      results.slice(1).map(({ result }: { result: { status: string } }) => result.status),
      ids.map(() => 'SETTLED'),
    )
    const left = (await finance.get('/captures?limit=200')).body.holds.map(({ id }: { id: string }) => id)
    assert.ok(!ids.some((id) => left.includes(id)))
  })
})

describe('refunds', () => {
  test('below the limit a refund is made at once', async () => {
    const id = await paid()
    const answer = await finance.post(`${at(id)}/refund`, { amountMinor: '400' })
    assert.equal(answer.http, 200)
    assert.equal(answer.body.result.type, 'REFUND')
  })

  test('above the limit it waits for a second person, who makes it', async () => {
    const id = await paid({ order_amount: '80.00' })
    assert.equal((await finance.post(`${at(id)}/refund`, { amountMinor: '6000' })).http, 422, 'a reason is needed')
    const { approvalId } = (await finance.post(`${at(id)}/refund`, { amountMinor: '6000', reason: 'damaged' })).body
    assert.ok(approvalId)
    assert.equal((await shop.readExecuted(id)).length, 1, 'nothing was refunded yet')

    const second = await panelOf(shop, { role: 'finance' })
    const waiting = async (browser: PanelClient) => (await browser.get('/approvals/waiting')).body.count
    const [seen] = (await second.get('/approvals?state=waiting')).body.approvals
    const { rows } = await shop.base.pool.query('select name from users where id = $1', [seen.askedBy])
    assert.equal(seen.askedByName, rows[0].name, 'also for people who may not see users')
    assert.deepEqual([await waiting(second), await waiting(finance)], [1, 0], 'nobody waits for their own decision')

    const own = await finance.post(`/approvals/${approvalId}/approve`)
    assert.equal(own.http, 403, 'not by who asked')
    const approved = await owner.post(`/approvals/${approvalId}/approve`, { note: 'seen' })
    assert.equal(approved.body.state, 'done')
    assert.equal(await waiting(second), 0)
    assert.equal(approved.body.result.amountMinor, '6000')
    assert.equal((await owner.post(`/approvals/${approvalId}/approve`)).http, 409, 'once')
    assert.equal((await shop.readExecuted(id)).length, 2)
    for (const action of ['approval.ask', 'approval.approved', 'approval.done'])
      assert.equal((await lastEntry(action)).subject, `approval ${approvalId}`)
  })

  test('small refunds one after the other are no way around the limit', async () => {
    const id = await paid({ order_amount: '80.00' })
    assert.ok((await finance.post(`${at(id)}/refund`, { amountMinor: '3000', reason: 'a' })).body.result)
    assert.ok((await finance.post(`${at(id)}/refund`, { amountMinor: '3000', reason: 'b' })).body.approvalId)
  })

  test('nor are refunds at the same moment: what was allowed for a payment as it was is not made of another', async () => {
    const id = await paid({ order_amount: '80.00' })
    const { operations } = shop.service
    const asSeen = await operations.find(demo, id)
    assert.ok(asSeen)
    assert.ok((await finance.post(`${at(id)}/refund`, { amountMinor: '4000' })).body.result)
    const second = { payment: asSeen, amountMinor: 4000n, parameters: undefined, useId: null }
    await assert.rejects(operations.creditvoid({ ...second, asRead: true }), RefusedError)
    assert.equal((await owner.get(at(id))).body.payment.refundedMinor, '4000')
  })

  test('nor is a void, which gives everything back at once', async () => {
    const id = await paid({ order_amount: '80.00' })
    const { http, body } = await finance.post(`${at(id)}/void`)
    assert.deepEqual([http, body.error.code], [409, 'refused'])
    assert.match(body.error.message, /needs approval/)
    assert.equal((await owner.get(at(id))).body.offers.void, false)
    assert.equal((await shop.readExecuted(id)).length, 1)
  })

  test('of two who approve at once one makes the refund', async () => {
    const other = await panelOf(shop)
    const id = await paid({ order_amount: '80.00' })
    const { approvalId } = (await finance.post(`${at(id)}/refund`, { reason: 'all of it' })).body
    const answers = await Promise.all([owner, other].map((one) => one.post(`/approvals/${approvalId}/approve`)))
    assert.ok(answers.some(({ http }) => http === 200))
    assert.equal((await shop.readExecuted(id)).filter(({ type }) => /refund/i.test(type)).length, 1)
  })

  test('what was refused or withdrawn is never made', async () => {
    const id = await paid({ order_amount: '80.00' })
    const ask = async () => (await finance.post(`${at(id)}/refund`, { reason: 'why' })).body.approvalId
    const first = await ask()
    assert.equal((await finance.post(`${at(id)}/refund`, { reason: 'again' })).http, 409, 'one at a time')
    assert.equal((await owner.post(`/approvals/${first}/refuse`, { note: 'no' })).body.state, 'refused')
    assert.equal((await owner.post(`/approvals/${first}/approve`)).http, 409)
    const second = await ask()
    assert.equal((await owner.post(`/approvals/${second}/withdraw`)).http, 403, 'only by who asked')
    assert.equal((await finance.post(`/approvals/${second}/withdraw`)).body.state, 'withdrawn')
    assert.equal((await owner.post(`/approvals/${second}/approve`)).http, 409)
    assert.equal((await shop.readExecuted(id)).length, 1)
  })

  test('a refund that the payment no longer allows is approved in vain, and says so', async () => {
    const id = await paid({ order_amount: '80.00' })
    const { approvalId } = (await finance.post(`${at(id)}/refund`, { reason: 'all' })).body
    await shop.followUp('VOID', id)
    const answer = await owner.post(`/approvals/${approvalId}/approve`)
    assert.equal(answer.body.state, 'failed')
    assert.equal(typeof answer.body.result.refused, 'string')
  })
})

describe('a merchant’s password', () => {
  test('it is shown once, to who asked, after a second person allowed it', async () => {
    const asker = await panelOf(shop)
    const { approvalId } = (await asker.post(`/merchants/${demo}/password/reveal`, { reason: 'lost' })).body
    assert.equal((await asker.post(`/approvals/${approvalId}/password`)).http, 409, 'not yet')
    assert.equal((await owner.post(`/approvals/${approvalId}/approve`)).body.state, 'approved')
    assert.equal((await owner.post(`/approvals/${approvalId}/password`)).http, 404, 'not to who allowed it')
    const shown = await asker.post(`/approvals/${approvalId}/password`)
    assert.equal(shown.body.password, shop.merchant().password)
    assert.equal((await asker.post(`/approvals/${approvalId}/password`)).http, 409, 'once')
  })

  test('a rotation shows the new one once, and requests signed with either are taken', async () => {
    const other = await merchantId(shop, 'demo-no-moto')
    const { password } = (await owner.post(`/merchants/${other}/password`, { overlapHours: 1 })).body
    assert.match(password, /^[0-9a-f]{32}$/)
    assert.equal((await shop.sale({}, { merchant: 'demo-no-moto' })).body.result, 'SUCCESS', 'the old one')
    const entry = (await owner.get('/audit?action=merchant.rotate-password&limit=1')).body.entries[0]
    assert.ok(!JSON.stringify(entry).includes(password))
  })
})
