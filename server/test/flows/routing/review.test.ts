/** Chapter 70 §7: a payment in review is authorised and not captured until a person decides. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sentencesOf } from '#domain/routing/explanation.ts'
import { openAccount } from '../../account.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { publishRules } from '../../rules.ts'
import { openShop, type RequestFields, type Shop } from '../../shop.ts'

let shop: Shop
let owner: PanelClient
let merchant: string
let id: string
before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  merchant = await openAccount(shop)
  id = await merchantId(shop, merchant)
  const conditions = [{ kind: 'payer-country', values: ['KP'] }]
  await publishRules(shop, merchant, { name: 'odd', conditions, action: { kind: 'review', reason: 'Unusual country' } })
})
after(() => shop[Symbol.asyncDispose]())

const odd = { payer_country: 'KP' }
const sell = async (over: RequestFields = odd) => {
  const { body } = await shop.sale(over, { merchant })
  return { status: body.status as string, paymentId: body.trans_id as string }
}
const decide = (paymentId: string, decision: string, by = owner) =>
  by.post(`/merchants/${id}/payments/${paymentId}/review`, { decision, reason: 'called the payer' })
const statusOf = async (paymentId: string): Promise<string> =>
  (await shop.service.operations.find(id, paymentId))?.status ?? 'none'
const waiting = async (): Promise<readonly string[]> =>
  (await owner.get('/reviews')).body.reviews.map((one: { id: string }) => one.id)

test('a sale is only authorised, listed with its reason, explained, and captured once it is accepted', async () => {
  assert.equal((await sell({})).status, 'SETTLED', 'a payment that no rule names is not held')
  const { status, paymentId } = await sell()
  assert.equal(status, 'PENDING')
  const { reviews } = (await owner.get('/reviews')).body
  const review = reviews.find((one: { id: string }) => one.id === paymentId)
  assert.deepEqual([review.reason, review.rule, review.authorisedMinor], ['Unusual country', 'odd', '1000'])
  const stored = await shop.service.operations.find(id, paymentId)
  assert.ok(stored?.routing)
  assert.match(sentencesOf(stored.routing).join('\n'), /holds the payment for review: Unusual country/)

  const answer = await decide(paymentId, 'accepted')
  assert.equal(answer.http, 200, answer.text)
  assert.equal(await statusOf(paymentId), 'SETTLED')
  assert.ok(!(await waiting()).includes(paymentId))
  assert.equal((await decide(paymentId, 'rejected')).http, 409, 'it is decided once')
})

test('nobody captures it before: neither the merchant, nor the panel, nor the MID’s automatic capture', async () => {
  await shop.base.pool.query(`update mids set auto_capture_hours = 1 where name like $1`, [`${merchant}%`])
  await shop.service.configuration.refresh()
  const { paymentId } = await sell()
  const refused = await owner.post(`/merchants/${id}/payments/${paymentId}/capture`, {})
  assert.match(refused.text, /208003|not in pending/i)
  await shop.advance(2 * 3_600_000)
  await shop.service.awaitIdle()
  assert.equal(await statusOf(paymentId), 'PENDING')
  assert.equal((await decide(paymentId, 'accepted')).http, 200)
  assert.equal(await statusOf(paymentId), 'SETTLED')
  await shop.base.pool.query(`update mids set auto_capture_hours = null where name like $1`, [`${merchant}%`])
  await shop.service.configuration.refresh()
})

test('a rejected payment is released, and can no longer be captured', async () => {
  const { paymentId } = await sell()
  assert.equal((await decide(paymentId, 'rejected')).http, 200)
  assert.equal(await statusOf(paymentId), 'REVERSAL')
  assert.ok(!(await waiting()).includes(paymentId))
})

test('a hold that the merchant asked for stays held after it was accepted, and may then be captured', async () => {
  const { paymentId } = await sell({ ...odd, auth: 'Y' })
  assert.equal((await decide(paymentId, 'accepted')).body.result, null)
  assert.equal(await statusOf(paymentId), 'PENDING')
  assert.ok(!(await waiting()).includes(paymentId))
  assert.equal((await owner.post(`/merchants/${id}/payments/${paymentId}/capture`, {})).http, 200)
  assert.equal(await statusOf(paymentId), 'SETTLED')
})

test('of two people who decide at once, one decision counts', async () => {
  const { paymentId } = await sell()
  const other = await panelOf(shop, { role: 'finance' })
  const answers = await Promise.all([decide(paymentId, 'accepted'), decide(paymentId, 'rejected', other)])
  assert.equal(answers.filter(({ http }) => http === 200).length, 1, answers.map(({ text }) => text).join())
  const { rows } = await shop.base.pool.query('select decision from payment_reviews where payment_id = $1', [paymentId])
  assert.equal(rows.length, 1)
  const expected = rows[0].decision === 'accepted' ? 'SETTLED' : 'REVERSAL'
  assert.equal(await statusOf(paymentId), expected)
})

test('support sees reviews and does not decide them; a payment without review cannot be decided', async () => {
  const { paymentId } = await sell({})
  assert.equal((await decide(paymentId, 'accepted')).http, 409)
  const support = await panelOf(shop, { role: 'support' })
  assert.equal((await support.get('/reviews')).http, 200)
  assert.equal((await decide((await sell()).paymentId, 'accepted', support)).http, 403)
})

test('a payment without a decision raises one alert while its hold still lasts', async () => {
  const { paymentId } = await sell()
  const { paymentId: rejected } = await sell()
  assert.equal((await decide(rejected, 'rejected')).http, 200)
  const day = 86_400_000
  const announced = async (): Promise<readonly string[]> => {
    await shop.service.awaitIdle()
    const { rows } = await shop.base.pool.query(`select payment_id from alerts where kind = 'review-due'`)
    return rows.map((row) => row.payment_id).filter((one) => [paymentId, rejected].includes(one))
  }
  await shop.advance(5 * day - 3_600_000)
  assert.deepEqual(await announced(), [])
  await shop.advance(2 * 3_600_000)
  assert.deepEqual(await announced(), [paymentId])
  await shop.base.pool.query(`update alerts set resolved_at = now() where kind = 'review-due'`)
  assert.deepEqual(await announced(), [paymentId], 'what a person has seen is not raised again')
})
