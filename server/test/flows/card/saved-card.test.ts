/** Saved cards and Card-on-File. Chapter 10 §4.3, §7.1.2, §7.1.9. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { assertInvalid, assertRefused, callbackHash, expiryFields, readCallbacks, readEffects } from '../../payments.ts'
import { type As, type Fields, openShop, payer, type RequestFields } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.choose({}))
after(() => shop[Symbol.asyncDispose]())

const mastercard: Fields = { card_number: '5555555555554444' }
const signedByMastercard = { pan10: '5555554444' }
/** A merchant whose only MID has no Card-on-File. */
const plain: As = { merchant: 'demo-no-moto' }
await shop.configure("update mids set card_on_file_enabled = false where name like 'sandbox-no-moto-%'")

async function save(over: RequestFields = {}, as: As = {}): Promise<string> {
  const { body } = await shop.sale({ req_token: 'Y', ...over }, as)
  assert.match(body.card_token ?? body.decline_reason, /^[0-9a-f]{64}$/)
  return body.card_token
}

for (const over of [{}, { auth: 'Y' }]) {
  test(`a SALE ${'auth' in over ? 'with auth=Y ' : ''}and req_token=Y returns a card_token in answer and callback`, async () => {
    const { body } = await shop.sale({ req_token: 'Y', ...over })
    assert.equal(body.result, 'SUCCESS')
    assert.match(body.card_token, /^[0-9a-f]{64}$/)
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(callback?.fields['card_token'], body.card_token)
  })
}

// biome-ignore format: a table is read in columns.
const withoutToken = [
  // what                       SALE
  ['req_token is not sent',     {}],
  ['req_token is N',            { req_token: 'N' }],
  ['the payment is declined',   { req_token: 'Y', ...expiryFields('02/2038') }],
] as const

for (const [what, over] of withoutToken) {
  test(`no card_token is returned when ${what}`, async () => {
    const { body } = await shop.sale(over)
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(body.card_token, undefined)
    assert.equal(callback?.fields['card_token'], undefined)
  })
}

test('after a late success only the callback contains the card_token, and it works', async () => {
  const { body } = await shop.sale({ req_token: 'Y', ...expiryFields('04/2038') })
  assert.deepEqual([body.result, body.card_token], ['UNDEFINED', undefined])
  await shop.advance(31_000)
  const [unknown, done] = await shop.callbacks(body.trans_id)
  assert.equal(unknown?.fields['card_token'], undefined)
  assert.match(done?.fields['card_token'], /^[0-9a-f]{64}$/)
  const { body: paid } = await shop.sale({ card_token: done?.fields['card_token'] })
  assert.equal(paid.result, 'UNDEFINED')
})

test('a token that was never returned does not work, although its payment was tried', async () => {
  const { body } = await shop.sale({ req_token: 'Y', ...expiryFields('09/2038') })
  assert.equal(body.result, 'DECLINED')
  const { rows } = await shop.base.pool.query(
    'select from card_tokens join cards on cards.id = card_id where expiry_month = 9',
  )
  assert.equal(rows.length, 0)
})

test('the same card gets the same token; another number, expiry or merchant gets another', async () => {
  const token = await save()
  assert.equal(await save({ auth: 'Y', payer_email: 'other@example.com' }), token)
  const others = [await save(mastercard), await save(expiryFields('03/2039')), await save({}, plain)]
  assert.equal(new Set([token, ...others]).size, 4)
})

test('concurrent payments that save one card all get the same token', async () => {
  const card = { card_number: '378282246310005', card_cvv2: '0000' }
  const tokens = await Promise.all(Array.from({ length: 8 }, () => save(card)))
  assert.equal(new Set(tokens).size, 1)
})

test('a card_token pays instead of card data, and the callback shows the stored card', async () => {
  const card_token = await save()
  const { http, body } = await shop.sale({ card_token })
  assert.equal(http, 200)
  assert.deepEqual([body.result, body.status, body.card_token], ['SUCCESS', 'SETTLED', undefined])
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['card'], '411111******1111')
  assert.equal(callback?.fields['card_expiration_date'], '01/2038')
  assert.equal(callback?.fields['hash'], callbackHash(shop, body.trans_id))
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

test('beside a card_token, req_token and the expiry fields are ignored', async () => {
  const card_token = await save()
  const { body } = await shop.sale({ card_token, req_token: 'Y', card_exp_month: '13', card_exp_year: '1999' })
  assert.deepEqual([body.result, body.card_token], ['SUCCESS', undefined])
})

test('card data take precedence over a card_token', async () => {
  const card_token = await save()
  const { body } = await shop.sale({
    ...mastercard,
    card_exp_month: '01',
    card_exp_year: '2038',
    card_cvv2: '000',
    card_token,
  })
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['card'], '555555******4444')
})

test('a payment by token is signed over the token, not over the card', async () => {
  const card_token = await save()
  const { password } = shop.merchant()
  const email = payer['payer_email']
  const hash = shop.sign(cardFormulas.start, { email, pan10: '4111111111' }, password)
  assertInvalid(await shop.sale({ card_token, hash }), 'hash: Hash is not valid.')
})

test('follow-ups of a payment by token are signed over the stored card', async () => {
  const card_token = await save(mastercard)
  const { body } = await shop.sale({ card_token, auth: 'Y' })
  assertInvalid(await shop.followUp('CAPTURE', body.trans_id), 'hash: Hash is not valid.')
  const captured = await shop.followUp('CAPTURE', body.trans_id, {}, { signedBy: signedByMastercard })
  assert.equal(captured.body.status, 'SETTLED')
  for (const { fields } of await shop.callbacks(body.trans_id)) {
    assert.equal(fields['hash'], callbackHash(shop, body.trans_id, signedByMastercard))
  }
  const found = await shop.byOrder(body.order_id, { signedBy: signedByMastercard })
  assert.equal(found.body.status, 'SETTLED')
})

test('a token keeps the trigger of its card', async () => {
  const { body } = await shop.sale({ card_token: await save(expiryFields('04/2039')) })
  await shop.followUp('CREDITVOID', body.trans_id)
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'CREDITVOID'), ['DECLINED SETTLED'])
})

const unknownToken = [205005, 'Card token is invalid or not found.'] as const

test('an unknown token is 205005, reported after a wrong hash', async () => {
  const card_token = 'f'.repeat(64)
  assertRefused(await shop.sale({ card_token }), ...unknownToken)
  assertInvalid(await shop.sale({ card_token, hash: '0'.repeat(32) }), 'hash: Hash is not valid.')
})

test('a token of another merchant is 205007', async () => {
  assertRefused(await shop.sale({ card_token: await save({}, plain) }), 205007, 'Card token is not accessible.')
})

test('a token of one mode is unknown in the other', async () => {
  assertRefused(await shop.sale({ card_token: await save({}, { mode: 'test' }) }), ...unknownToken)
  assertRefused(await shop.sale({ card_token: await save() }, { mode: 'test' }), ...unknownToken)
})

test('saving a card registers it with the acquirer only on a Card-on-File MID', async () => {
  const registered = async (token: string): Promise<number> => {
    const { rows } = await shop.base.pool.query('select credentials from card_tokens where token = $1', [token])
    return Object.keys(rows[0].credentials).length
  }
  assert.equal(await registered(await save()), 1)
  assert.equal(await registered(await save({}, plain)), 0)
})

test('a card_token also works on a MID without Card-on-File', async () => {
  const { body } = await shop.sale({ card_token: await save({}, plain) }, plain)
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
})

const attributes = ['initiator', 'sequence', 'source']
const onFile: As = {}

// biome-ignore format: a table is read in columns.
const credentials: readonly (readonly [what: string, as: As, sale: (token: string) => RequestFields, expected: readonly (string | undefined)[]])[] = [
  // payment                                     MID     SALE                                                   initiator, sequence, source
  ['req_token=Y, Card-on-File MID',              onFile, () => ({ req_token: 'Y' }),                            ['cardholder', 'initial', 'card_token']],
  ['card_token, Card-on-File MID',               onFile, (card_token) => ({ card_token }),                      ['cardholder', 'subsequent', 'card_token']],
  ['card_token, payer_present=Y, Card-on-File',  onFile, (card_token) => ({ card_token, payer_present: 'Y' }),  ['cardholder', 'subsequent', 'card_token']],
  ['card_token, payer_present=N, Card-on-File',  onFile, (card_token) => ({ card_token, payer_present: 'N' }),  ['merchant', 'subsequent', 'card_token']],
  ['card data',                                  onFile, () => ({}),                                            [undefined, undefined, undefined]],
  ['card data, payer_present=N',                 onFile, () => ({ payer_present: 'N' }),                        [undefined, undefined, undefined]],
  ['req_token=Y, MID without it',                plain,  () => ({ req_token: 'Y' }),                            [undefined, undefined, undefined]],
  ['card_token, MID without it',                 plain,  (card_token) => ({ card_token, payer_present: 'N' }),  [undefined, undefined, undefined]],
]

for (const [what, as, over, expected] of credentials) {
  test(`${what}: initiator, sequence, source are ${expected.map((one) => one ?? 'absent').join(', ')}`, async () => {
    await shop.choose({ addToCallback: attributes, addToStatus: attributes }, as.merchant)
    const { body } = await shop.sale(over(await save({}, as)), as)
    const [callback] = await shop.callbacks(body.trans_id)
    assert.deepEqual(
      attributes.map((name) => callback?.fields[name]),
      expected,
    )
    const { body: status } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, as)
    assert.deepEqual(
      attributes.map((name) => status[name]),
      expected,
    )
  })
}

test('payer_present=N excludes a payer step with a token, and has no effect with card data', async () => {
  const needsPayer = expiryFields('05/2038')
  const card_token = await save({ ...needsPayer, moto_type: 'phone_moto' })
  const withToken = await shop.sale({ card_token, payer_present: 'N' })
  assert.deepEqual([withToken.body.result, withToken.body.status], ['SUCCESS', 'SETTLED'])
  for (const over of [{ card_token }, { card_token, payer_present: 'Y' }, { ...needsPayer, payer_present: 'N' }]) {
    const { body } = await shop.sale(over)
    assert.notEqual(body.result, 'SUCCESS')
    assert.deepEqual(await readEffects(shop, body.trans_id), [])
  }
})

test('a token whose card has expired is 205006', async () => {
  const card_token = await save()
  await shop.advance(Date.UTC(2038, 0, 31, 23) - shop.base.clock.now().getTime())
  assert.equal((await shop.sale({ card_token })).body.result, 'SUCCESS')
  await shop.advance(2 * 3_600_000)
  assertRefused(await shop.sale({ card_token }), 205006, 'Card token is expired.')
})
