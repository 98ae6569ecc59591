/** Payers who are redirected and return, and pages that wait for them. Chapter 30 §6, §7.2, §7.10. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { payerStepStore } from '#server/store/payments/payer-steps.ts'
import { assertSingleError, CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
const checkout = new CheckoutClient(shop)
after(() => shop[Symbol.asyncDispose]())

/** Follows a browser's way from the page's redirect to the issuer's return address, and on. */
async function comeBack(paymentId: string, verdict: string, headers: Record<string, string> = {}): Promise<Response> {
  const step = await payerStepStore(shop.base.pool).findNewestById(paymentId)
  const termUrl = step?.params['TermUrl']
  assert.ok(termUrl, 'The payer was not sent away.')
  return fetch(`${shop.url}${new URL(termUrl).pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ PaRes: verdict }),
    redirect: 'manual',
    headers,
  })
}

test('3-D Secure is a redirect to an address of ours, which shows the form', async () => {
  const payer = await Payer.at(shop)
  const answer = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  assert.equal(answer.result, 'redirect')
  const { pathname } = new URL(answer.redirect.url)
  assert.match(pathname, /^\/redirect\/[0-9a-f-]{36}\/[0-9a-f]{32}$/)
  assert.equal((await payer.session()).redirect?.url, answer.redirect.url, 'whoever opens the page again can go on')
  const form = await fetch(`${shop.url}${pathname}`)
  assert.equal(form.status, 200)
  assert.match(await form.text(), /<form method="post"/)
  assert.equal((await payer.session()).state, 'away')
})

test('while the payer is away no other attempt is possible', async () => {
  const payer = await Payer.at(shop)
  await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  assertSingleError(await payer.pay(), 400, 'Duplicate request.', 409)
})

test('a payer who is authenticated goes to success_url with its parameters', async () => {
  const payer = await Payer.at(shop)
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  const reply = await comeBack(payment_id, 'approve')
  assert.equal(reply.status, 303)
  const back = new URL(reply.headers.get('location') ?? '')
  assert.equal(`${back.origin}${back.pathname}`, 'https://shop.example/ok')
  assert.equal(back.searchParams.get('payment_id'), payment_id)
  assert.equal(back.searchParams.get('trans_id'), payment_id)
  assert.equal((await payer.session()).state, 'complete')
})

test('a payer who is declined comes back to the page, which shows the reason and accepts another attempt', async () => {
  const payer = await Payer.at(shop)
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('06/38') })
  const reply = await comeBack(payment_id, 'approve')
  const back = new URL(reply.headers.get('location') ?? '')
  assert.match(back.pathname, /^\/auth\//)
  const again = new Payer(payer.checkout, back.pathname.slice('/auth/'.length))
  const session = await again.session()
  assert.equal(session.state, 'declined')
  assert.equal(session.payment_id, payment_id)
  assert.match(session.decline_message, /declined|confirm/)
  assert.equal((await again.payAndExpectSuccess()).result, 'success')
})

test('the last decline leads to cancel_url', async () => {
  const payer = await Payer.at(shop)
  await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('06/38') })
  const reply = await comeBack(payment_id, 'approve')
  assert.match(reply.headers.get('location') ?? '', /^https:\/\/shop\.example\/no\?payment_id=/)
})

test('in a frame that must be left, a button opens a window', async () => {
  const payer = await Payer.at(shop, { url_target: '_top' })
  const answer = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  assert.deepEqual([answer.redirect.target, answer.redirect.continue], ['_top', true])
  const reply = await comeBack(answer.payment_id, 'approve', { accept: 'text/html', 'sec-fetch-dest': 'iframe' })
  assert.equal(reply.status, 200)
  assert.match(await reply.text(), /target="_blank" rel="noopener"/)
})

test('Override Link Target of the MID takes precedence over the merchant’s value', async () => {
  await shop.configure(`update mids set override_link_target = '_top'`)
  const payer = await Payer.at(shop, { url_target: '_blank' })
  const answer = await payer.payAndExpectSuccess()
  await shop.configure(`update mids set override_link_target = null`)
  assert.equal(answer.redirect.target, '_top')
})

test('a waiting page gets the outcome at once', async () => {
  const payer = await Payer.at(shop)
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  const begun = performance.now()
  const waiting = payer.state('?wait=25')
  await comeBack(payment_id, 'approve')
  const state = await waiting
  assert.equal(state.state, 'complete')
  assert.equal(state.payment_id, payment_id)
  assert.match(state.redirect.url, /^https:\/\/shop\.example\/ok\?/)
  assert.ok(performance.now() - begun < 2000)
})

test('a request with the known state is held, and answered when the wait is over', async () => {
  const payer = await Payer.at(shop)
  const begun = performance.now()
  assert.equal((await payer.state('?wait=1&state=ready')).state, 'ready')
  assert.ok(performance.now() - begun >= 900)
  assert.equal((await payer.state('?wait=25')).state, 'ready')
})

// Chapter 40 §13: an open sheet must be notified of an update.
test('a request with the known version is held until the session is updated, and returns the new amount', async () => {
  const payer = await Payer.at(shop)
  const { version, total_amount, currency } = await payer.state()
  assert.deepEqual([version, total_amount, currency], [1, '10.00', 'EUR'])
  const begun = performance.now()
  const waiting = payer.state('?wait=25&state=ready&version=1')
  const session = await checkout.byToken(payer.token)
  const request = { ...session.request, order: { ...session.request.order, amount: '12.50' } }
  await setTimeout(300)
  assert.equal(await shop.service.operations.payerSessions.update(session, request), 'changed')
  const answer = await waiting
  assert.deepEqual([answer.state, answer.version, answer.total_amount], ['ready', 2, '12.50'])
  assert.ok(performance.now() - begun < 2000, 'at once, and not when the rows are looked at again')
  assert.equal((await payer.state('?wait=25&state=ready&version=1')).version, 2)
})

test('an unknown outcome is reported as such, forbids another attempt and leads to error_url', async () => {
  const payer = await Payer.at(shop, { error_url: 'https://shop.example/error' })
  await shop.scenario({ drop_reply: { count: 1, of: 1 } })
  const answer = await payer.payAndExpectSuccess()
  await shop.clearScenario()
  assert.equal(answer.result, 'undefined')
  assert.match(answer.redirect.url, /^https:\/\/shop\.example\/error\?payment_id=/)
  assertSingleError(await payer.pay(), 400, 'Duplicate request.', 409)
  await shop.advance(60_000)
  assert.equal((await payer.session()).state, 'complete')
})

test('a redirect ends fifteen minutes after the session at the latest', async () => {
  const payer = await Payer.at(shop, { session_expiry: 1 })
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  await shop.advance(61_000)
  assert.equal((await payer.session()).state, 'away')
  await shop.advance(15 * 60_000)
  assert.equal((await payer.session()).state, 'expired')
  assert.equal((await payer.checkout.lastCallback(payment_id)).fields['order_status'], 'decline')
})

test('an attempt from before the session’s end may finish after it, and its result counts', async () => {
  const payer = await Payer.at(shop, { session_expiry: 1 })
  const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('05/38') })
  await shop.advance(120_000)
  const reply = await comeBack(payment_id, 'approve')
  assert.match(reply.headers.get('location') ?? '', /^https:\/\/shop\.example\/ok\?/)
  assert.equal((await payer.session()).state, 'complete')
})
