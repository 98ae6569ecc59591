/** Redirects to a provider's page: the way there, the return, and a missing return. Chapter 20 §6.3, §15. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { signReturn } from '#domain/signature/payer-return.ts'
import { Apm } from '../../apm.ts'
import { readEffects } from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
const apm = new Apm(shop)
afterEach(async () => {
  await shop.clearScenario()
  await apm.choose({})
})
after(() => shop[Symbol.asyncDispose]())

const second = 1000
const minute = 60 * second

const bank: RequestFields = { brand: 'bank-redirect', identifier: 'jane' }

interface Away {
  readonly transId: string
  readonly orderId: string
  readonly page: string
}

async function beginRedirect(over: RequestFields = {}): Promise<Away> {
  const { body } = await apm.sale({ ...bank, ...over })
  assert.deepEqual([body.result, body.status], ['REDIRECT', 'REDIRECT'])
  return { transId: body.trans_id, orderId: body.order_id, page: body.redirect_url }
}

/** The payer decides at the provider; returns the address to which the browser is sent then. */
async function decideAtProvider({ page }: Away, decision: 'approve' | 'decline'): Promise<string> {
  const reply = await fetch(page, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
  return reply.headers.get('location') ?? ''
}

async function returnPayer(address: string): Promise<URL> {
  const reply = await fetch(address, { redirect: 'manual' })
  assert.equal(reply.status, 303)
  return new URL(reply.headers.get('location') ?? '')
}

async function lookUp(transId: string): Promise<readonly string[]> {
  const { body } = await apm.status(transId)
  return [body.status, body.decline_reason].filter((value) => value !== undefined)
}

async function readCallbacks(transId: string): Promise<readonly string[]> {
  const callbacks = await apm.callbacks(transId)
  return callbacks.map(({ fields }) => `${fields['result']} ${fields['status']}`)
}

/** The payment's transactions, as `type state`. */
async function transactions(transId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ text: string }>(
    "select type || ' ' || state as text from transactions where payment_id = $1 order by created_at, id",
    [transId],
  )
  return rows.map(({ text }) => text)
}

test('the address contains everything, so that plain navigation works', async () => {
  const { body } = await apm.sale(bank)
  assert.deepEqual([body.redirect_method, body.redirect_params], ['GET', []])
  assert.equal((await fetch(body.redirect_url)).status, 200)
})

test('the payer approves and comes back to the merchant with a signed query', async () => {
  const away = await beginRedirect()
  const address = await returnPayer(await decideAtProvider(away, 'approve'))
  assert.equal(`${address.origin}${address.pathname}`, 'https://shop.example.com/return')
  const named = { trans_id: away.transId, order_id: away.orderId }
  const values = { ...named, order_amount: '10.00', order_currency: 'EUR', outcome: 'success' }
  const hash = signReturn(values, shop.merchant().password)
  assert.deepEqual(Object.fromEntries(address.searchParams), { ...named, hash })
  assert.deepEqual(await lookUp(away.transId), ['SETTLED'])
  assert.deepEqual(await readCallbacks(away.transId), ['REDIRECT REDIRECT', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, away.transId), ['sale 1000'])
})

test('data that the operator adds to the return follows the hash', async () => {
  await apm.choose({ addToRedirect: ['brand', 'checkout_payment_method'] })
  const address = await returnPayer(await decideAtProvider(await beginRedirect(), 'approve'))
  assert.deepEqual(
    [...address.searchParams].slice(2).map(([name, value]) => (name === 'hash' ? name : `${name}=${value}`)),
    ['hash', 'checkout_payment_method=bank-redirect', 'brand=payment_document_virtual'],
  )
})

test('the merchant’s own query in the address is kept', async () => {
  const away = await beginRedirect({ return_url: 'https://shop.example.com/return?cart=7&cart=8' })
  const address = await returnPayer(await decideAtProvider(away, 'approve'))
  assert.deepEqual([...address.searchParams.keys()], ['cart', 'cart', 'trans_id', 'order_id', 'hash'])
})

test('a payer who cancels returns to a declined payment', async () => {
  const away = await beginRedirect()
  await returnPayer(await decideAtProvider(away, 'decline'))
  assert.deepEqual(await lookUp(away.transId), ['DECLINED', 'Cancelled by payer'])
})

for (const [decision, status] of [
  ['approve', 'SETTLED'],
  ['decline', 'DECLINED'],
] as const) {
  test(`${decision}: the outcome does not depend on the payer’s return, and a late return changes nothing`, async () => {
    const away = await beginRedirect()
    const address = await decideAtProvider(away, decision)
    await shop.advance(20 * second)
    assert.equal((await lookUp(away.transId))[0], status)
    const ended = status === 'SETTLED' ? 'SALE success' : 'SALE fail'
    assert.deepEqual(await transactions(away.transId), [ended, 'REDIRECT success'])
    await returnPayer(address)
    // The expiry of the step finds nothing to do, either.
    await shop.advance(60 * minute)
    assert.equal((await lookUp(away.transId))[0], status)
    assert.equal((await readCallbacks(away.transId)).length, 2)
    const { rows } = await shop.base.pool.query('select from alerts where payment_id = $1', [away.transId])
    assert.equal(rows.length, 0)
  })
}

test('the payer has the hour of the brand, not the 30 minutes of a card', async () => {
  const { transId } = await beginRedirect()
  await shop.advance(59 * minute)
  assert.deepEqual(await lookUp(transId), ['REDIRECT'])
  await shop.advance(minute)
  assert.deepEqual(await lookUp(transId), ['DECLINED', 'Expired'])
  assert.deepEqual(await readCallbacks(transId), ['REDIRECT REDIRECT', 'DECLINED DECLINED'])
})

test('if the provider does not answer then, the payment stays PREPARE until it does', async () => {
  const { transId } = await beginRedirect()
  await shop.scenario({ down: true })
  await shop.advance(60 * minute)
  assert.deepEqual(await lookUp(transId), ['PREPARE'])
  await shop.clearScenario()
  await shop.advance(minute)
  assert.deepEqual(await lookUp(transId), ['DECLINED', 'Expired'])
})

test('a hold that was approved on the page can be captured', async () => {
  const { body } = await apm.sale({ identifier: 'redirect@example.com', auth: 'Y' })
  await returnPayer(
    await decideAtProvider({ transId: body.trans_id, orderId: body.order_id, page: body.redirect_url }, 'approve'),
  )
  assert.deepEqual(await lookUp(body.trans_id), ['PENDING'])
  assert.equal((await apm.followUp('CAPTURE', body.trans_id, { amount: '6.00' })).body.status, 'SETTLED')
  assert.deepEqual(await readEffects(shop, body.trans_id), ['authorize 1000', 'capture 600'])
})

test('memory storage: the answer is a plain address of ours, which leads to the page once', async () => {
  await apm.choose({ redirectMode: 'memory_storage' })
  const { body } = await apm.sale(bank)
  assert.deepEqual([body.redirect_method, body.redirect_params], ['GET', []])
  assert.ok(body.redirect_url.startsWith(shop.url))
  const first = await fetch(body.redirect_url, { redirect: 'manual' })
  assert.ok(first.status === 200 || first.status === 303, String(first.status))
  const again = await fetch(body.redirect_url, { redirect: 'manual' })
  assert.ok(again.status >= 400, String(again.status))
})

test('memory storage: an address that is not opened within ten minutes expires', async () => {
  await apm.choose({ redirectMode: 'memory_storage' })
  const visit = async (minutes: number): Promise<number> => {
    const { body } = await apm.sale(bank)
    await shop.advance(minutes * minute)
    return (await fetch(body.redirect_url, { redirect: 'manual' })).status
  }
  assert.ok((await visit(9)) < 400)
  assert.ok((await visit(11)) >= 400)
})
