/** A payer withdraws consent. Chapter 30 §5.5, §7.5. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { withdrawConsent } from '#server/setup/consent.ts'
import { type Body, CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { planEnd, planPayments } from '../../plans.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)

const month = 31 * 86_400_000

/** The callback of a first payment whose payer was asked for consent. */
async function payWithConsent(consent: boolean, over: Body = {}) {
  const schedule_id = (await checkout.schedule()).id
  const payer = await Payer.at(shop, { recurring_init: true, schedule_id, recurring_consent_required: true })
  const { payment_id: id } = await payer.payAndExpectSuccess({ consent, ...over })
  const { fields } = await checkout.lastCallback(id)
  return { id, token: fields['recurring_token'] ?? '', consentId: fields['consent_id'] ?? '' }
}

test('the plan ends as if it were descheduled, and nothing more is charged or called back', async () => {
  const { id, token, consentId } = await payWithConsent(true)
  const before = (await checkout.callbacks(id)).length
  const withdrawal = await withdrawConsent(shop.base, id)
  assert.ok(withdrawal.ok, JSON.stringify(withdrawal))
  assert.deepEqual([withdrawal.consentId, withdrawal.endedPlans], [consentId, 1])
  assert.equal(await planEnd(shop, token), 'descheduled')
  await shop.advance(month)
  assert.deepEqual(await planPayments(shop, token), [])
  assert.equal((await checkout.callbacks(id)).length, before)
})

test('later callbacks of a payment of the chain report the consent as cancelled', async () => {
  const { id, token, consentId } = await payWithConsent(true)
  await shop.advance(month)
  const [charged] = await planPayments(shop, token)
  assert.ok(charged)
  assert.equal((await checkout.lastCallback(charged.transId)).fields['consent_state'], 'active')
  // Any payment of the chain identifies it.
  assert.ok((await withdrawConsent(shop.base, charged.transId)).ok)
  for (const payment of [id, charged.transId]) {
    assert.equal((await checkout.refund(payment, '4.00')).http, 200)
    const { type, consent_state, consent_id } = (await checkout.lastCallback(payment)).fields
    assert.deepEqual([type, consent_state, consent_id], ['refund', 'cancelled', consentId])
  }
})

test('so does a chargeback after the withdrawal', async () => {
  const { id } = await payWithConsent(true, { card: visaCard('04/40') })
  assert.ok((await withdrawConsent(shop.base, id)).ok)
  await shop.advance(90_000)
  const { type, consent_state } = (await checkout.lastCallback(id)).fields
  assert.deepEqual([type, consent_state], ['chargeback', 'cancelled'])
})

test('a payment that was in progress during the withdrawal starts no plan', async () => {
  const schedule_id = (await checkout.schedule()).id
  const payer = await Payer.at(shop, { recurring_init: true, schedule_id, recurring_consent_required: true })
  const { payment_id: id } = await payer.payAndExpectSuccess({ consent: true, card: visaCard('05/38') })
  assert.ok((await withdrawConsent(shop.base, id)).ok)
  await checkout.comeBack({ payment: { id } })
  const { type, status, consent_state, recurring_token } = (await checkout.lastCallback(id)).fields
  assert.deepEqual([type, status, consent_state], ['sale', 'success', 'cancelled'])
  await shop.advance(month)
  assert.deepEqual(await planPayments(shop, recurring_token ?? ''), [])
})

test('neither a concurrent outcome nor the withdrawal is lost', async () => {
  const { id } = await payWithConsent(true)
  const [refunded, withdrawal] = await Promise.all([checkout.refund(id, '4.00'), withdrawConsent(shop.base, id)])
  assert.equal(refunded.http, 200)
  assert.ok(withdrawal.ok)
  assert.equal((await checkout.refund(id, '1.00')).http, 200)
  const callbacks = (await checkout.callbacks(id)).filter(({ fields }) => fields['type'] === 'refund')
  assert.equal(callbacks.length, 2)
  assert.equal(callbacks.at(-1)?.fields['consent_state'], 'cancelled')
})

test('withdrawing a consent that was never given, is already withdrawn or does not exist is refused', async () => {
  const payment = await payWithConsent(true)
  assert.ok((await withdrawConsent(shop.base, payment.id)).ok)
  const withheld = await payWithConsent(false)
  const { payment_id: plain } = await (await Payer.at(shop)).payAndExpectSuccess()
  // biome-ignore format: a table is read in columns.
  const refused: readonly (readonly [payment: string, fault: string])[] = [
    [ payment.id,      'The consent is already withdrawn.' ],
    [ withheld.id,   'The payer did not consent to later payments.' ],
    [ plain,         'The payer did not consent to later payments.' ],
    [ randomUUID(),  'Payment not found.' ],
  ]
  for (const [payment, fault] of refused)
    assert.deepEqual(await withdrawConsent(shop.base, payment), { ok: false, fault })
})
