/** RETRY: repeats a recurring payment that was declined softly. Chapter 10 §6, §7.2, §7.7, §12, chapter 50 §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openAccount } from '../../account.ts'
import { chargeChain, type Pair, startChain } from '../../chains.ts'
import { crashDuring } from '../../crash.ts'
import {
  callbackHash,
  expiryFields,
  foreignTransIds,
  paymentIn,
  readCallbacks,
  readEffects,
  statusOf,
  waysInto,
} from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, type As, type Fields, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
afterEach(async () => {
  await shop.clearScenario()
  await shop.choose({})
})
after(() => shop[Symbol.asyncDispose]())

const day = 24 * 3_600_000

/** A declined charge on a chain with this card expiry; returns its trans_id. */
async function declinedCharge(expiry: string, over: RequestFields = {}, as: As = {}): Promise<string> {
  const isDebit = over['action'] === 'RECURRING_DEBIT'
  const pair = await startChain(shop, { ...expiryFields(expiry), ...(isDebit ? { action: 'DEBIT' } : {}) }, as)
  return charge(pair, over, as)
}

async function charge(pair: Pair, over: RequestFields = {}, as: As = {}): Promise<string> {
  const { body } = await chargeChain(shop, pair, over, as)
  assert.equal(body.status, 'DECLINED')
  return body.trans_id
}

const retry = (transId: string, over: RequestFields = {}, as: As = {}): Promise<Answer> =>
  shop.followUp('RETRY', transId, over, as)

const notAllowed = (answer: Answer) => assertRefused(answer, 100000, 'Retry is not allowed.')

test('01/2039: the answer is ACCEPTED, and the same payment succeeds', async () => {
  const transId = await declinedCharge('01/2039', { order_id: 'RETRIED' })
  const { http, text } = await retry(transId)
  assert.equal(http, 200)
  assert.equal(text, JSON.stringify({ action: 'RETRY', result: 'ACCEPTED', order_id: 'RETRIED', trans_id: transId }))
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), ['DECLINED DECLINED', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, transId), ['sale 800'])
  assert.deepEqual(await shop.postings(transId), ['payer -> settled 800'])
})

test('its callback is that of the recurring payment', async () => {
  const transId = await declinedCharge('01/2039', { 'custom_data[cycle]': '2' })
  await retry(transId)
  const callback = (await shop.callbacks(transId)).at(-1)
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    'action result status order_id trans_id hash trans_date descriptor amount currency card card_expiration_date ' +
      'recurring_init_trans_id recurring_token custom_data[cycle]',
  )
  assert.equal(callback?.fields['hash'], callbackHash(shop, transId))
})

test('a look-up lists the retry beside the failed charge', async () => {
  const transId = await declinedCharge('01/2039')
  await retry(transId)
  const { body } = await shop.followUp('GET_TRANS_DETAILS', transId)
  const listed = body.transactions.map(({ type, status }: Fields) => `${type} ${status}`)
  assert.deepEqual(listed, ['SALE fail', 'RETRY success'])
  assert.equal(body.decline_reason, undefined)
})

test('a payment that RETRY settled can be refunded', async () => {
  const transId = await declinedCharge('01/2039')
  await retry(transId)
  await shop.followUp('CREDITVOID', transId, { amount: '3.00' })
  await shop.followUp('CREDITVOID', transId)
  assert.equal(await statusOf(shop, transId), 'REFUND')
  assert.deepEqual(await readEffects(shop, transId), ['sale 800', 'refund 300', 'refund 500'])
})

test('a charge with auth=Y becomes a hold by RETRY, and can be captured', async () => {
  const transId = await declinedCharge('01/2039', { auth: 'Y' })
  await retry(transId)
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), ['DECLINED DECLINED', 'SUCCESS PENDING'])
  await shop.followUp('CAPTURE', transId)
  assert.deepEqual(await readEffects(shop, transId), ['authorize 800', 'capture 800'])
})

test('RECURRING_DEBIT is retried as such, and can be reversed', async () => {
  const transId = await declinedCharge('01/2039', { action: 'RECURRING_DEBIT' })
  await retry(transId)
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_DEBIT'), ['DECLINED DECLINED', 'SUCCESS SETTLED'])
  await shop.followUp('CREDITVOID', transId)
  assert.equal(await statusOf(shop, transId), 'REVERSAL')
})

test('a charge whose card is no longer stored is not retried, and nothing begins', async () => {
  const transId = await declinedCharge('01/2039')
  await shop.base.pool.query('update payments set card_id = null where id = $1', [transId])
  notAllowed(await retry(transId))
  const { rows } = await shop.base.pool.query('select type from transactions where payment_id = $1', [transId])
  assert.deepEqual(rows, [{ type: 'SALE' }])
})

test('02/2039: a hard decline is not retried', async () => {
  const transId = await declinedCharge('02/2039')
  notAllowed(await retry(transId))
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), ['DECLINED DECLINED'])
})

test('03/2039: a retry may be declined, and then repeated', async () => {
  const transId = await declinedCharge('03/2039')
  for (const _ of [1, 2]) assert.equal((await retry(transId)).body.result, 'ACCEPTED')
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), Array(3).fill('DECLINED DECLINED'))
  const { body } = await shop.followUp('GET_TRANS_STATUS', transId)
  assert.deepEqual([body.status, body.decline_reason], ['DECLINED', 'Try again later'])
})

test('a retry without an outcome is PREPARE, and no other may follow', async () => {
  const transId = await declinedCharge('01/2039')
  await shop.scenario({ never_decide: true })
  assert.equal((await retry(transId)).body.result, 'ACCEPTED')
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), ['DECLINED DECLINED', 'UNDEFINED PREPARE'])
  notAllowed(await retry(transId))
})

test('while one retry is in progress another is refused', async () => {
  const transId = await declinedCharge('01/2039')
  await shop.scenario({ delay_ms: 400 })
  const answers = await Promise.all([retry(transId), retry(transId)])
  const accepted = answers.filter(({ http }) => http === 200)
  assert.equal(accepted.length, 1)
  for (const answer of answers) {
    if (answer.http !== 200) assertRefused(answer, 100000, 'Previous transaction not completed.')
  }
  assert.deepEqual(await readEffects(shop, transId), ['sale 800'])
})

for (const status of Object.keys(waysInto)) {
  test(`a plain payment that is ${status} is not retried`, async () => {
    notAllowed(await retry(await paymentIn(shop, status)))
  })
}

test('a recurring payment that succeeded is not retried, and neither is its first payment', async () => {
  const pair = await startChain(shop)
  const { body } = await chargeChain(shop, pair)
  notAllowed(await retry(body.trans_id))
  notAllowed(await retry(pair.recurring_init_trans_id))
})

test('a soft decline of a payment that is not recurring is not retried', async () => {
  const { body } = await shop.sale(expiryFields('08/2038'))
  notAllowed(await retry(body.trans_id))
})

test('an unknown payment is not found', async () => {
  for (const [what, transId] of await foreignTransIds(shop)) {
    const answer = await retry(transId)
    assert.equal(answer.http, 400, what)
    assertRefused(answer, 100000, 'Payment not found.')
  }
})

test('a request with nothing but action and key reports trans_id and hash', async () => {
  const answer = await retry(randomUUID(), { trans_id: undefined, hash: undefined })
  assertViolations(answer, [`trans_id: ${says.blank}`, `hash: ${says.blank}`])
})

test('Formula 1 and Formula 2 sign it, and no other', async () => {
  const { password } = shop.merchant()
  const values = { email: 'doe@example.com', pan10: '4111111111' }
  const wrong = shop.sign(cardFormulas.credit, values, password)
  const transId = await declinedCharge('03/2039')
  assertViolations(await retry(transId, { hash: wrong }), [`hash: ${says.wrongHash}`])
  assertViolations(await retry(transId, { hash: shop.sign(cardFormulas.start, values, password) }), [])
  assertViolations(await retry(transId), [])
})

// biome-ignore format: a table is read in columns.
const budgets = [
  // network       card                pan10         tries  within
  ['visa',        '4111111111111111', '4111111111', 20,    30 * day],
  ['mastercard',  '5555555555554444', '5555554444', 10,    day],
] as const

for (const [network, card_number, pan10, tries, within] of budgets) {
  test(`${network}: one card is retried at most ${tries} times within ${within / day} days, across all chains`, async () => {
    const merchant = await openAccount(shop)
    const as = { merchant, signedBy: { pan10 } }
    const first = { card_number, ...expiryFields('03/2039') }
    const one = await charge(await startChain(shop, first, as), {}, as)
    const other = await charge(await startChain(shop, first, as), {}, as)
    for (let index = 0; index < tries; index += 1) {
      assert.equal((await retry(index % 2 === 0 ? one : other, {}, as)).body.result, 'ACCEPTED')
    }
    notAllowed(await retry(one, {}, as))
    notAllowed(await retry(other, {}, as))
    await shop.advance(within)
    assert.equal((await retry(one, {}, as)).body.result, 'ACCEPTED')
  })
}

for (const isOff of [false, true]) {
  test(`it goes to ${isOff ? 'another MID when that of the first payment is switched off' : 'the MID of the first payment'}`, async () => {
    const merchant = await openAccount(shop, { mids: [{}, {}], options: { addToCallback: ['mid_name'] } })
    const as = { merchant }
    // Declined by both: the cascade ends at the second.
    const transId = await declinedCharge('01/2039', {}, as)
    if (isOff) await shop.configure('update mids set enabled = false where name = $1', [`${merchant}-1`])
    await retry(transId, {}, as)
    const mids = (await shop.callbacks(transId)).map(({ fields }) => fields['mid_name'])
    assert.deepEqual(mids, [`${merchant}-2`, `${merchant}-${isOff ? 2 : 1}`])
  })
}

test('its source is the chain', async () => {
  await shop.choose({ addToCallback: ['initiator', 'sequence', 'source'] })
  const transId = await declinedCharge('01/2039')
  await retry(transId)
  const fields = (await shop.callbacks(transId)).at(-1)?.fields ?? {}
  assert.deepEqual([fields['initiator'], fields['sequence'], fields['source']], ['merchant', 'subsequent', 'recurring'])
})

test('"Reject duplicate orders" does not apply to it', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  const pair = await startChain(shop, { order_id: 'RETRY-0', ...expiryFields('01/2039') })
  const transId = await charge(pair, { order_id: 'RETRY-1' })
  const other = await startChain(shop, { order_id: 'RETRY-1' })
  assert.equal((await retry(transId)).body.result, 'ACCEPTED')
  assert.equal(await statusOf(shop, transId), 'SETTLED')
  assert.equal(await statusOf(shop, other.recurring_init_trans_id), 'SETTLED')
})

test('the same Idempotency-Key retries once', async () => {
  const transId = await declinedCharge('03/2039')
  const headers = { 'idempotency-key': randomUUID() }
  const one = await retry(transId, {}, { headers })
  const two = await retry(transId, {}, { headers })
  assert.equal(two.text, one.text)
  assert.equal((await readCallbacks(shop, transId, 'RECURRING_SALE')).length, 2)
})

test('a retry whose process died is found at once and executed once', async () => {
  const transId = await declinedCharge('01/2039')
  await crashDuring(shop, () => retry(transId))
  await shop.service.awaitIdle()
  assert.deepEqual(await readCallbacks(shop, transId, 'RECURRING_SALE'), ['DECLINED DECLINED', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, transId), ['sale 800'])
})
