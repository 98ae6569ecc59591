/** The step-up: an attempt that the issuer wants authenticated is repeated with 3-D Secure, and no payer is lost by it. Chapter 50 §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, describe, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { saveBrand } from '#server/setup/brands.ts'
import { type AccountMid, openAccount } from '../../account.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import {
  attemptPath,
  attemptsOf,
  resultsCalledBack,
  saleWhileAnswerIsHeld,
  setFaults,
  softDeclines,
} from '../../cascades.ts'
import { reachAcquirerAt } from '../../crash.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { expiryFields, readEffects } from '../../payments.ts'
import { publishRules } from '../../rules.ts'
import { type Answer, openShop } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop({ RETRY_BUDGETS: 'mastercard 1/24h' })
const support = await panelOf(shop, { role: 'support' })
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const challengeExpiry = expiryFields('05/2038')
const frictionless = expiryFields('01/2040')

/** Its rule skips 3-D Secure, so that the issuer requires it. */
async function account(mids: readonly AccountMid[], rule: object = {}): Promise<string> {
  const merchant = await openAccount(shop, { mids, merchant: { mpiService: 'sandbox' } })
  await publishRules(shop, merchant, { name: 'skip', action: { kind: 'skip-3ds' }, ...rule })
  return merchant
}

async function authenticatePayer({ body }: Answer): Promise<void> {
  const { pathname } = new URL(body.redirect_params.TermUrl)
  const form = new URLSearchParams({ PaRes: 'approve' })
  const reply = await fetch(`${shop.url}${pathname}`, { method: 'POST', body: form, redirect: 'manual' })
  assert.equal(reply.status, 303)
}

async function endOf(merchant: string, order_id: string) {
  const owner = await merchantId(shop, merchant)
  const last = (await attemptsOf(shop, order_id)).at(-1)
  return (await support.get(`/merchants/${owner}/payments/${last?.id}/routing`)).body
}

const noRoom = (merchant: string) => () =>
  shop.configure('update mids set day_limit_count = 0 where name = $1', [`${merchant}-1`])

describe('a MID whose limit was used up meanwhile', () => {
  test('is replaced by the next one, and the payer authenticates there', async () => {
    const order_id = randomUUID()
    const merchant = await account([{}, {}])
    const answer = await saleWhileAnswerIsHeld(shop, {
      merchant,
      sent: { order_id, ...challengeExpiry },
      meanwhile: noRoom(merchant),
    })
    assert.deepEqual([answer.body.result, answer.body.status], ['REDIRECT', '3DS'])
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 3DS'])
    await authenticatePayer(answer)
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
    assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 SUCCESS'])
    assert.deepEqual(await readEffects(shop, answer.body.trans_id), ['sale 1000'])
    const { sentences } = await endOf(merchant, order_id)
    const why = 'The issuer asked for 3-D Secure, but its MID could not take the repeated attempt.'
    assert.ok(
      sentences.includes(`${merchant}-1 was left out. Attempt 1 was declined there: authentication_required. ${why}`),
      sentences.join('\n'),
    )
  })

  test('passes the proof to the next one if the issuer approved without a challenge', async () => {
    const order_id = randomUUID()
    const merchant = await account([{}, {}])
    await using _ = await demandAuthentication(merchant, noRoom(merchant))
    const { body } = await shop.sale({ order_id, ...frictionless }, { merchant })
    assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
    assert.equal(await proofOf(body.trans_id), 'Y')
  })

  test('ends the cascade if there is no other, and says so', async () => {
    const order_id = randomUUID()
    const merchant = await account([{}])
    const { body } = await saleWhileAnswerIsHeld(shop, {
      merchant,
      sent: { order_id, ...challengeExpiry },
      meanwhile: noRoom(merchant),
    })
    assert.deepEqual([body.result, body.status], ['DECLINED', 'DECLINED'])
    assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 DECLINED'])
    const { ending } = await endOf(merchant, order_id)
    assert.deepEqual(ending.stored, { reason: 'no-mid-left', withoutStepUp: 'no-room' })
  })
})

test('a card without remaining tries is not stepped up, and the ending names the network', async () => {
  const order_id = randomUUID()
  const merchant = await account([{}, {}])
  await setFaults(shop, merchant, { 1: softDeclines })
  const card = { card_number: '5555555555554444', ...challengeExpiry }
  const { body } = await shop.sale({ order_id, ...card }, { merchant })
  assert.equal(body.result, 'DECLINED')
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 DECLINED'])
  const { ending } = await endOf(merchant, order_id)
  assert.deepEqual([ending.reason, ending.stored.network], ['budget-spent', 'mastercard'])
})

describe('is not cascading: it tries no further MID', () => {
  test('if a rule allows one MID, the attempt is repeated there, and at no other', async () => {
    const order_id = randomUUID()
    const merchant = await account([{}, {}], { maximumAttempts: 1 })
    const answer = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
    assert.deepEqual([answer.body.result, answer.body.status], ['REDIRECT', '3DS'])
    await setFaults(shop, merchant, { 1: softDeclines })
    await authenticatePayer(answer)
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 DECLINED'])
    assert.deepEqual((await endOf(merchant, order_id)).ending.stored, { reason: 'maximum-reached', maximum: 1 })
  })

  test('if two MIDs are allowed, the second is still tried after a step-up', async () => {
    const order_id = randomUUID()
    const merchant = await account([{}, {}, {}], { maximumAttempts: 2 })
    const answer = await shop.sale({ order_id, ...challengeExpiry }, { merchant })
    await setFaults(shop, merchant, { 1: softDeclines, 2: softDeclines })
    await authenticatePayer(answer)
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 DECLINED', '2 DECLINED'])
    assert.deepEqual((await endOf(merchant, order_id)).ending.stored, { reason: 'maximum-reached', maximum: 2 })
  })

  test('a brand that does not cascade is repeated at its MID, and tried at no other', async () => {
    const merchant = await openApmAccount(shop, {
      mids: [
        { cardFlow: true, acceptsDecrypted: true },
        { cardFlow: true, acceptsDecrypted: true },
      ],
      merchant: { mpiService: 'sandbox' },
    })
    await publishRules(shop, merchant, { name: 'skip', action: { kind: 'skip-3ds' } })
    await notCascading('walletapay')
    const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
    const token = await device.mint({ card: 'challenge', pan_type: 'FPAN' })
    const paid = { brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token }
    const order_id = randomUUID()
    const answer = await new Apm(shop).sale({ order_id, ...paid }, { merchant })
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 3DS'], answer.text)
    await setFaults(shop, merchant, { 1: softDeclines })
    await authenticatePayer(answer)
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 DECLINED'])
    assert.deepEqual((await endOf(merchant, order_id)).ending.stored, { reason: 'stays', because: 'brand' })
  })

  test('the repeated attempt is marked as a step-up', async () => {
    const order_id = randomUUID()
    const merchant = await account([{}])
    await shop.sale({ order_id, ...challengeExpiry }, { merchant })
    const { sentences, ending } = await endOf(merchant, order_id)
    assert.equal(ending, null)
    assert.equal(sentences.at(-1), 'Attempt 1 was declined at this MID and is repeated with 3-D Secure.')
  })
})

test('it is made once: a proof that the issuer did not accept cascades to the next MID', async () => {
  const order_id = randomUUID()
  const merchant = await account([{}, {}])
  await using _ = await demandAuthentication(merchant)
  const { body } = await shop.sale({ order_id, ...frictionless }, { merchant })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '1 DECLINED', '2 SETTLED'])
  assert.equal(await proofOf(body.trans_id), 'Y')
})

test('the step-up is also made after a redirect', async () => {
  const order_id = randomUUID()
  const merchant = await account([{}])
  const { body } = await shop.sale({ order_id, ...expiryFields('12/2038') }, { merchant })
  assert.equal(body.status, 'REDIRECT')
  const address = await returnOf(merchant, body.trans_id)
  await using _ = await demandAuthentication(merchant)
  await fetch(address, { redirect: 'manual' })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
  const { ending } = await endOf(merchant, order_id)
  // This card is not enrolled in 3-D Secure, which only the MPI service knows.
  assert.deepEqual(ending.stored, { reason: 'no-mid-left', withoutStepUp: 'not-taking-part' })
})

/** The acquirer's return address for the payer. */
async function returnOf(merchant: string, paymentId: string): Promise<string> {
  const { rows } = await shop.base.pool.query('select first_transaction as id from payments where id = $1', [paymentId])
  const reply = await fetch(`${shop.sandbox.url}/v1/transactions/${rows[0].id}?mid=${merchant}-1`)
  const { return_url } = (await reply.json()) as { return_url: string }
  return return_url
}

async function notCascading(code: string): Promise<void> {
  const brand = shop.service.configuration.brand(code)
  assert.ok(brand)
  const context = { pool: shop.base.pool, clock: shop.base.clock, by: 'test' }
  assert.equal((await saveBrand(context, { ...writtenBrand(brand), cascade: false })).kind, 'saved')
  await shop.service.configuration.refresh()
}

async function proofOf(transId: string): Promise<string> {
  const sql = "select facts -> 'threeDs' ->> 'transStatus' as status from payments where id = $1"
  return (await shop.base.pool.query(sql, [transId])).rows[0].status
}

/** The acquirer of the first MID requires authentication for every request. */
async function demandAuthentication(
  merchant: string,
  first: () => Promise<unknown> = async () => {},
): Promise<AsyncDisposable> {
  const answer = { state: 'declined', reason: 'Authenticate', decline_class: 'authentication_required', reference: 'x' }
  const server = createServer(async ({ headers, url = '' }, reply) => {
    await first()
    const transaction_id = headers['idempotency-key'] ?? decodeURIComponent(url.split(/[/?]/)[3] ?? '')
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ transaction_id, ...answer }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await reachAcquirerAt(shop, `http://127.0.0.1:${port}`, `${merchant}-1`)
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
