/** Payers who left the bank's page without confirming: they continue there, pay in another way, or go back. Chapter 30 §6.3, §7.2, §7.8. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cancelStep } from '#server/payments/commands/cancel-step.ts'
import { handleVisit } from '#server/payments/commands/payer-step.ts'
import { payerStepStore } from '#server/store/payments/payer-steps.ts'
import { loseLeases, withRefusedRows } from '../../crash.ts'
import { operationDeps } from '../../operation-deps.ts'
import { assertSingleError, type Body } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { readEffects } from '../../payments.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const minute = 60_000
const browser = { accept: 'text/html' }

/** A payer at the issuer's page (3DS) or at the acquirer's own one. */
async function awayAt(where: 'issuer' | 'acquirer', over: Body = {}): Promise<{ payer: Payer; paymentId: string }> {
  const payer = await Payer.at(shop, over)
  const { result, payment_id: paymentId } = await payer.payAndExpectSuccess({
    card: visaCard(where === 'issuer' ? '05/38' : '12/38'),
  })
  assert.equal(result, 'redirect')
  return { payer, paymentId }
}

async function statusIn(paymentId: string): Promise<string | undefined> {
  const { rows } = await shop.base.pool.query<{ status: string }>('select status from payments where id = $1', [
    paymentId,
  ])
  return rows[0]?.status
}

const openForm = (url: string): Promise<Response> => fetch(url, { headers: browser, redirect: 'manual' })

async function stepUrl(paymentId: string, name = 'TermUrl'): Promise<string> {
  const step = await payerStepStore(shop.base.pool).findNewestById(paymentId)
  assert.ok(step)
  return step.params[name] ?? step.url
}

/** The issuer sends the payer's browser back with its approval. */
const comeBack = async (paymentId: string): Promise<Response> =>
  fetch(`${shop.url}${new URL(await stepUrl(paymentId)).pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ PaRes: 'approve' }),
    redirect: 'manual',
  })

/** The payer confirms at the acquirer's own page, which charges at once. */
const agreeAtAcquirer = (page: string): Promise<Response> =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }), redirect: 'manual' })

test('each opening of the page offers an unused address of the same challenge, as long as the challenge lives', async () => {
  const { payer } = await awayAt('issuer', { session_expiry: 60 })
  const seen = new Set<string>()
  for (const _ of ['first', 'reload', 'reopened link']) {
    const { state, redirect, confirms_at } = await payer.session()
    assert.deepEqual([state, confirms_at, seen.has(redirect.url)], ['away', 'bank', false])
    seen.add(redirect.url)
    const form = await openForm(redirect.url)
    assert.equal(form.status, 200)
    assert.match(await form.text(), /<form method="post" action="[^"]*\/sandbox\/acs"/)
  }
  await shop.advance(20 * minute)
  assert.equal((await openForm((await payer.session()).redirect.url)).status, 200, 'after the first address expired')
  await shop.advance(10 * minute)
  assert.equal((await payer.session()).state, 'declined')
  for (const url of seen) assert.notEqual((await openForm(url)).status, 200)
})

test('an address that nobody used within ten minutes is replaced by a new one', async () => {
  const { payer } = await awayAt('issuer')
  const first = (await payer.session()).redirect.url
  await shop.advance(11 * minute)
  const second = (await payer.session()).redirect.url
  assert.notEqual(second, first)
  assert.equal((await openForm(second)).status, 200)
})

test('a second press on the same link leads to the hosted page, and not to a dead end', async () => {
  const { payer, paymentId } = await awayAt('issuer', { url_target: '_top' })
  const { url } = (await payer.session()).redirect
  assert.equal((await openForm(url)).status, 200)
  const again = await openForm(url)
  assert.equal(again.status, 303)
  const back = new URL(again.headers.get('location') ?? '')
  assert.match(back.pathname, /^\/auth\//)
  const reopened = new Payer(payer.checkout, back.pathname.slice('/auth/'.length))
  assert.equal((await openForm((await reopened.session()).redirect.url)).status, 200)
  const foreign = url.replace(/[0-9a-f]{32}/, '0'.repeat(32))
  assert.equal((await openForm(foreign)).status, 400)
  assert.equal((await openForm(`${url}?again=1`)).status, 400, 'a key is valid for its own number only')
  assert.equal(await statusIn(paymentId), '3DS')
})

test('another card ends the open authentication, and a late return of the bank charges nothing', async () => {
  const { payer, paymentId } = await awayAt('issuer')
  const cancelled = await payer.cancelStep()
  assert.deepEqual([cancelled.body.state, cancelled.body.decline_message], ['ready', null])
  assert.equal(await statusIn(paymentId), 'DECLINED')
  const reply = await comeBack(paymentId)
  assert.match(new URL(reply.headers.get('location') ?? '').pathname, /^\/auth\//)
  assert.deepEqual(await readEffects(shop, paymentId), [])
  assert.equal((await payer.payAndExpectSuccess()).result, 'success')
  assert.equal((await comeBack(paymentId)).status, 303)
  await shop.service.awaitIdle()
  assert.deepEqual(await readEffects(shop, paymentId), [])
  const { fields } = await payer.checkout.lastCallback(paymentId)
  assert.deepEqual([fields['order_status'], fields['reason']], ['decline', 'Cancelled by payer'])
})

test('an attempt that the payer cancelled does not count as a decline', async () => {
  const payer = await Payer.at(shop)
  for (const _ of '123') {
    await payer.payAndExpectSuccess({ card: visaCard('05/38') })
    assert.equal((await payer.cancelStep()).body.declines_left, 3)
  }
  await payer.payAndExpectSuccess({ card: visaCard('02/38') })
  assert.deepEqual((await payer.session()).declines, { count: 1, max: 3 })
})

test('of the bank’s return and another card only one wins, and the order is paid at most once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { payer, paymentId } = await awayAt('issuer')
    const url = await stepUrl(paymentId)
    const returning = fetch(`${shop.url}${new URL(url).pathname}`, {
      method: 'POST',
      body: new URLSearchParams({ PaRes: 'approve' }),
      redirect: 'manual',
    })
    const [, cancelled] = await Promise.all(round % 2 ? [returning, payer.cancelStep()] : [returning, delayed(payer)])
    assert.equal(cancelled.http, 200)
    const next = await payer.pay()
    await shop.service.awaitIdle()
    const isCharged = (await readEffects(shop, paymentId)).length > 0
    assert.equal(await statusIn(paymentId), isCharged ? 'SETTLED' : 'DECLINED')
    assert.equal(next.http === 200 && next.body.result === 'success', !isCharged)
    assert.equal((await payer.session()).state, 'complete')
  }
})

async function delayed(payer: Payer) {
  await new Promise((resolve) => setImmediate(resolve))
  return payer.cancelStep()
}

test('if the process dies while it cancels, the attempt still ends without a charge', async () => {
  const { payer, paymentId } = await awayAt('issuer')
  assert.equal((await withRefusedRows(shop, 'callbacks', () => payer.cancelStep())).http, 500)
  assert.equal((await payer.session()).state, 'busy')
  await loseLeases(shop)
  await shop.service.awaitIdle()
  assert.equal(await statusIn(paymentId), 'DECLINED')
  await comeBack(paymentId)
  assert.deepEqual(await readEffects(shop, paymentId), [])
})

test('if both have read the open step, the bank’s return and another card still end it only once', async () => {
  const deps = operationDeps(shop)
  for (const first of ['return', 'cancellation']) {
    const { paymentId } = await awayAt('issuer')
    const step = await deps.steps.findNewestById(paymentId)
    const payment = step && (await deps.payments.find(step.merchantId, paymentId))
    assert.ok(payment)
    const asRead = {
      ...deps,
      steps: { ...deps.steps, findNewest: async () => step },
      payments: { ...deps.payments, find: async () => payment },
    }
    const key = new URL(step.params['TermUrl'] ?? '').pathname.split('/').at(-1) ?? ''
    const arrival = { paymentId, key, purpose: '3ds', fields: { PaRes: 'approve' }, browser: null } as const
    if (first === 'return') {
      // The issuer is still being asked for its result.
      assert.ok(await deps.steps.end(step, 'returned', deps.clock.now(), 60))
      await cancelStep(asRead, payment)
      assert.equal(await statusIn(paymentId), '3DS')
    } else {
      await cancelStep(deps, payment)
      await handleVisit(asRead, arrival)
      assert.equal(await statusIn(paymentId), 'DECLINED')
    }
    assert.deepEqual(await readEffects(shop, paymentId), [])
  }
})

test('another card after the bank’s return changes nothing: the order is paid', async () => {
  const { payer, paymentId } = await awayAt('issuer')
  await comeBack(paymentId)
  assert.equal((await payer.cancelStep()).body.state, 'complete')
  assert.deepEqual(await readEffects(shop, paymentId), ['sale 1000'])
})

test('a payer who confirmed at the acquirer before choosing another card has paid', async () => {
  const { payer, paymentId } = await awayAt('acquirer')
  await agreeAtAcquirer(await stepUrl(paymentId, 'none'))
  assert.equal((await payer.cancelStep()).body.state, 'complete')
  assert.deepEqual(await readEffects(shop, paymentId), ['sale 1000'])
})

test('a payer who confirms at the acquirer after choosing another card gets that charge back', async () => {
  const { payer, paymentId } = await awayAt('acquirer')
  const page = await stepUrl(paymentId, 'none')
  assert.equal((await payer.cancelStep()).body.state, 'ready')
  assert.equal((await payer.payAndExpectSuccess()).result, 'success')
  await agreeAtAcquirer(page)
  await shop.advance(minute)
  assert.deepEqual(await readEffects(shop, paymentId), ['sale 1000', 'reverse 1000'])
  assert.equal((await payer.session()).state, 'complete')
})

test('while the acquirer cannot say whether it charged, the attempt cannot be cancelled', async () => {
  const { payer, paymentId } = await awayAt('acquirer')
  await shop.scenario({ down: true })
  assert.equal((await payer.cancelStep()).body.state, 'away')
  assertSingleError(await payer.close(), 400, 'Duplicate request.', 409)
  await shop.clearScenario()
  assert.equal(await statusIn(paymentId), 'REDIRECT')
  assert.equal((await payer.cancelStep()).body.state, 'ready')
})

test('Cancel ends an open authentication and leads to cancel_url, and the payer may come back and pay', async () => {
  const { payer, paymentId } = await awayAt('issuer')
  const closed = await payer.close()
  assert.equal(closed.http, 200)
  assert.match(closed.body.redirect.url, new RegExp(`^https://shop\\.example/no\\?payment_id=${paymentId}`))
  assert.equal(await statusIn(paymentId), 'DECLINED')
  assert.equal((await payer.session()).state, 'ready')
  assert.equal((await payer.payAndExpectSuccess()).result, 'success')
})

test('a payer who has a step to confirm can go back to the shop without ending it', async () => {
  const { payer, paymentId } = await awayAt('issuer', { error_url: 'https://shop.example/error' })
  const { leave } = await payer.session()
  assert.match(leave.url, new RegExp(`^https://shop\\.example/error\\?payment_id=${paymentId}`))
})

const amex = { number: '378282246310005', expiry: '05/38', cvv: '1234' }

test('the page says whether the issuer may be shown in a frame, and the frame’s policy names that issuer only', async () => {
  const { payer } = await awayAt('issuer')
  const { redirect } = await payer.session()
  assert.equal(redirect.frame, true)
  const { origin } = new URL(shop.url)
  const page = await fetch(`${origin}/auth/${payer.token}`)
  assert.match(page.headers.get('content-security-policy') ?? '', new RegExp(`; frame-src ${origin}; `))
  const framed = await openForm(`${redirect.url}?frame=1`)
  assert.match(framed.headers.get('content-security-policy') ?? '', new RegExp(`; frame-src 'self' ${origin}; `))
  assert.match(await framed.text(), /<form method="post" action="[^"]*\/sandbox\/acs" target="challenge">/)
  const unframed = await Payer.at(shop)
  assert.equal((await unframed.payAndExpectSuccess({ card: amex })).redirect.frame, false)
})

test('a payer who returns inside a frame stays there, so that the page around it can go on', async () => {
  const { payer, paymentId } = await awayAt('issuer')
  const returned = await fetch(`${shop.url}${new URL(await stepUrl(paymentId)).pathname}`, {
    method: 'POST',
    headers: { accept: 'text/html', 'sec-fetch-dest': 'iframe' },
    body: new URLSearchParams({ PaRes: 'approve' }),
    redirect: 'manual',
  })
  assert.equal(returned.status, 200)
  assert.match(await returned.text(), /<a class="button" href="https:\/\/shop\.example\/ok\?/)
  assert.equal((await payer.session()).state, 'complete')
})
