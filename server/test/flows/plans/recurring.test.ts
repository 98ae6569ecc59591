/** Recurring chains: the first payment, and charges with its token. Chapter 10 §7.1.3, §7.1.5, §7.6, §9.1, §11.2, §13.6. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { type AccountMid, openAccount } from '../../account.ts'
import { chargeChain, type Pair, pairOf, startChain } from '../../chains.ts'
import { callbackHash, expiryFields, readEffects, statusOf } from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
afterEach(() => shop.choose({}))
after(() => shop[Symbol.asyncDispose]())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const answerFields = 'action result status order_id trans_id trans_date descriptor amount currency'
const callbackFields = 'action result status order_id trans_id hash trans_date descriptor amount currency'

test('chapter 10 §13.6: the first payment returns its recurring_token, and its callback the pair', async () => {
  const { body } = await shop.sale({ recurring_init: 'Y', order_amount: '5.00' })
  assert.equal(Object.keys(body).join(' '), `${answerFields} recurring_token`)
  assert.match(body.recurring_token, uuid)
  assert.notEqual(body.recurring_token, body.trans_id)
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    `${callbackFields} card card_expiration_date recurring_init_trans_id recurring_token`,
  )
  assert.equal(callback?.fields['recurring_init_trans_id'], body.trans_id)
  assert.equal(callback?.fields['recurring_token'], body.recurring_token)
})

test('chapter 10 §13.6: RECURRING_SALE charges the chain and returns the pair and its own custom_data', async () => {
  const pair = await startChain(shop, { 'custom_data[cycle]': '1' })
  const { http, body } = await chargeChain(shop, pair, { order_id: 'ORDER-1007', 'custom_data[cycle]': '2' })
  assert.equal(http, 200)
  assert.equal(Object.keys(body).join(' '), answerFields)
  const { trans_id, trans_date: _, ...rest } = body
  assert.deepEqual(rest, {
    action: 'RECURRING_SALE',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id: 'ORDER-1007',
    descriptor: 'TEST',
    amount: '8.00',
    currency: 'EUR',
  })
  const [callback, ...more] = await shop.callbacks(trans_id)
  assert.equal(more.length, 0)
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    `${callbackFields} card card_expiration_date recurring_init_trans_id recurring_token custom_data[cycle]`,
  )
  const { recurring_init_trans_id, recurring_token, hash, action } = callback?.fields ?? {}
  assert.deepEqual({ recurring_init_trans_id, recurring_token }, pair)
  assert.equal(callback?.fields['custom_data[cycle]'], '2')
  assert.equal(action, 'RECURRING_SALE')
  assert.equal(hash, callbackHash(shop, trans_id))
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 800'])
})

test('a declined charge has its reason and still returns the pair', async () => {
  const pair = await startChain(shop, expiryFields('02/2039'))
  const { body } = await chargeChain(shop, pair)
  assert.equal(Object.keys(body).join(' '), `${answerFields} decline_reason`)
  assert.deepEqual([body.result, body.status], ['DECLINED', 'DECLINED'])
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    `${callbackFields} decline_reason recurring_init_trans_id recurring_token`,
  )
})

// biome-ignore format: a table is read in columns.
const firsts = [
  // the first payment                  over                                  status     token at once
  ['that is declined',                  expiryFields('02/2038'),                  'DECLINED', false],
  ['that is not decided yet',           expiryFields('04/2038'),                  'PREPARE',  false],
  ['with auth=Y',                       { auth: 'Y' },                        'PENDING',  true],
  ['that is a DEBIT',                   { action: 'DEBIT' },                  'SETTLED',  true],
  ['of nothing',                        { order_amount: '0.00' },             'SETTLED',  true],
  ['of nothing that is a DEBIT',        { action: 'DEBIT', order_amount: '0' }, 'SETTLED', true],
  ['made by the test key',              {},                                   'SETTLED',  true],
] as const

for (const [what, over, status, hasToken] of firsts) {
  test(`a first payment ${what} is ${status} and ${hasToken ? 'answers a token' : 'answers no token'}`, async () => {
    const as = what.includes('test key') ? ({ mode: 'test' } as const) : {}
    const { body } = await shop.sale({ recurring_init: 'Y', ...over }, as)
    assert.equal(body.status, status)
    assert.equal(body.recurring_token !== undefined, hasToken)
    const { body: looked } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, as)
    assert.equal(looked.recurring_token, body.recurring_token)
  })
}

test('the callback of a late success contains the token that the answer could not', async () => {
  const { body } = await shop.sale({ recurring_init: 'Y', ...expiryFields('04/2038') })
  await shop.advance(31_000)
  const [undecided, decided] = await shop.callbacks(body.trans_id)
  assert.equal(undecided?.fields['recurring_token'], undefined)
  assert.match(decided?.fields['recurring_token'], uuid)
  const pair = { recurring_init_trans_id: body.trans_id, recurring_token: decided?.fields['recurring_token'] }
  assert.equal((await chargeChain(shop, pair)).http, 200)
  const { body: looked } = await shop.followUp('GET_TRANS_STATUS', body.trans_id)
  assert.equal(looked.recurring_token, pair.recurring_token)
})

test('a look-up returns the token of the chain, in its position', async () => {
  const pair = await startChain(shop, { moto_type: 'ecommerce' })
  const { body } = await shop.followUp('GET_TRANS_STATUS', pair.recurring_init_trans_id)
  assert.equal(Object.keys(body).join(' '), 'action result status order_id trans_id recurring_token moto_type')
  const charged = await chargeChain(shop, pair)
  const { body: later } = await shop.followUp('GET_TRANS_STATUS', charged.body.trans_id)
  assert.equal(Object.keys(later).join(' '), 'action result status order_id trans_id')
})

const plain = await shop.sale()
const declinedSale = await shop.sale({ recurring_init: 'Y', ...expiryFields('02/2038') })
const good = await startChain(shop)
const debit = await startChain(shop, { action: 'DEBIT' })
const foreign = await startChain(shop, {}, { merchant: 'demo-no-moto' })
const onTest = await startChain(shop, {}, { mode: 'test' })

const pairWith = (over: Partial<Pair>): Pair => ({ ...good, ...over })

// biome-ignore format: a table is read in columns.
const incorrect: readonly (readonly [what: string, pair: Pair, over: RequestFields])[] = [
  ['a first payment that nothing is',      pairWith({ recurring_init_trans_id: randomUUID() }),          {}],
  ['a first payment that is no identifier', pairWith({ recurring_init_trans_id: 'ORDER-1' }),            {}],
  ['a token that nothing is',              pairWith({ recurring_token: randomUUID() }),                  {}],
  ['a token that is no identifier',        pairWith({ recurring_token: 'token' }),                       {}],
  ['the token of another chain',           pairWith({ recurring_token: debit.recurring_token }),         {}],
  ['a payment without recurring_init',     pairWith({ recurring_init_trans_id: plain.body.trans_id }),   {}],
  ['a first payment that was declined',    pairWith({ recurring_init_trans_id: declinedSale.body.trans_id }), {}],
  ['a chain of another merchant',          foreign,                                                   {}],
  ['a chain of the test side',             onTest,                                                    {}],
  ['RECURRING_SALE on a debit chain',      debit,                                                     {}],
  ['RECURRING_DEBIT on a sale chain',      good,                                                      { action: 'RECURRING_DEBIT' }],
]

for (const [what, pair, over] of incorrect) {
  test(`${what} is an incorrect transaction`, async () => {
    assertRefused(await chargeChain(shop, pair, over), 100000, 'Incorrect transaction')
  })
}

test('once the first payment was charged back, its chain is an incorrect transaction', async () => {
  const pair = await startChain(shop, expiryFields('04/2040'))
  assert.equal((await chargeChain(shop, pair)).body.result, 'SUCCESS')
  await shop.advance(61_000)
  assert.equal(await statusOf(shop, pair.recurring_init_trans_id), 'CHARGEBACK')
  assertRefused(await chargeChain(shop, pair), 100000, 'Incorrect transaction')
})

for (const action of ['CREDITVOID', 'VOID']) {
  test(`${action} of the first payment leaves the chain usable`, async () => {
    const pair = await startChain(shop)
    await shop.followUp(action, pair.recurring_init_trans_id)
    assert.equal((await chargeChain(shop, pair)).body.result, 'SUCCESS')
  })
}

test('identifiers are case-insensitive', async () => {
  const pair = pairWith({
    recurring_init_trans_id: good.recurring_init_trans_id.toUpperCase(),
    recurring_token: good.recurring_token.toUpperCase(),
  })
  assert.equal((await chargeChain(shop, pair)).body.result, 'SUCCESS')
})

test('recurring_first_trans_id is accepted instead of recurring_init_trans_id', async () => {
  const { recurring_init_trans_id: recurring_first_trans_id } = good
  const { body } = await chargeChain(shop, good, { recurring_init_trans_id: undefined, recurring_first_trans_id })
  assert.equal(body.result, 'SUCCESS')
})

const emptyFields: RequestFields = {
  order_id: undefined,
  order_amount: undefined,
  order_description: undefined,
  recurring_init_trans_id: undefined,
  recurring_token: undefined,
  hash: undefined,
}

test('a request with nothing but action and key reports every parameter in the order of the table', async () => {
  assertViolations(await chargeChain(shop, good, emptyFields), [
    `order_id: ${says.blank}`,
    `order_amount: ${says.blank}`,
    `order_amount: ${says.notPositive}`,
    `amount: ${says.notPositive}`,
    `order_description: ${says.blank}`,
    `recurring_init_trans_id: ${says.blank}`,
    `recurring_first_trans_id: ${says.blank}`,
    `recurring_token: ${says.blank}`,
    `hash: ${says.blank}`,
  ])
})

const zeroRows = [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]

// biome-ignore format: a table is read in columns.
const violations: readonly (readonly [over: RequestFields, rows: readonly string[]])[] = [
  [{ order_id: 'x'.repeat(256) },                     [`order_id: ${says.tooLong(255)}`]],
  [{ order_amount: '0.00' },                          zeroRows],
  [{ order_amount: '-1' },                            zeroRows],
  [{ order_amount: 'abc' },                           [`order_amount: ${says.notValid}`]],
  [{ order_amount: '8.001' },                         [`order_amount: ${says.notValid}`]],
  [{ order_description: 'x'.repeat(1025) },           [`order_description: ${says.tooLong(1024)}`]],
  [{ recurring_init_trans_id: 'x'.repeat(256) },      [`recurring_init_trans_id: ${says.notCorrect}`]],
  [{ recurring_token: 'x'.repeat(256) },              [`recurring_token: ${says.notCorrect}`]],
  [{ callback_url: 'ftp://shop.example.com' },        [`callback_url: ${says.notUrl}`]],
  [{ auth: 'yes' },                                   [`auth: ${says.notChoice}`]],
  [{ schedule_start_date: '2037-01-01' },             [`schedule_id: ${says.blank}`]],
  [{ payment_schedule_amount: '9.99' },               [`schedule_id: ${says.blank}`]],
  [{ parameters: 'text' },                            [`parameters: ${says.notValid}`]],
  [{ hash: '0'.repeat(32) },                          [`hash: ${says.wrongHash}`]],
]

for (const [over, rows] of violations) {
  const [name = '', value = ''] = Object.entries(over)[0] ?? []
  test(`${name}=${value.slice(0, 24)} is refused`, async () => {
    assertViolations(await chargeChain(shop, good, over), rows)
  })
}

test('RECURRING_DEBIT ignores auth, and is never a hold', async () => {
  const { body } = await chargeChain(shop, debit, { action: 'RECURRING_DEBIT', auth: 'Y' })
  assert.deepEqual([body.action, body.result, body.status], ['RECURRING_DEBIT', 'SUCCESS', 'SETTLED'])
  assertViolations(await chargeChain(shop, debit, { action: 'RECURRING_DEBIT', auth: 'perhaps' }), [])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 800'])
})

test('RECURRING_SALE with auth=Y is PENDING, and can be captured', async () => {
  const { body } = await chargeChain(shop, good, { auth: 'Y' })
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'PENDING'])
  const { body: captured } = await shop.followUp('CAPTURE', body.trans_id)
  assert.equal(captured.status, 'SETTLED')
})

test('on a MID in DMS mode a charge is a hold', async () => {
  const as = { merchant: 'demo-dms' }
  const pair = await startChain(shop, {}, as)
  assert.equal((await chargeChain(shop, pair, {}, as)).body.status, 'PENDING')
})

test('currency, card and payer are those of the first payment', async () => {
  await shop.choose({ addToCallback: ['payer_first_name', 'payer_city', 'customer_ip', 'card'] })
  const first = { card_number: '5555555555554444', payer_email: 'zoë@exämple.com', payer_city: 'Bern' }
  const { body } = await shop.sale({ recurring_init: 'Y', order_currency: 'JPY', order_amount: '500.00', ...first })
  const signedBy = { email: first.payer_email, pan10: '5555554444' }
  const charged = await chargeChain(shop, pairOf(body), { order_amount: '700' }, { signedBy })
  assert.deepEqual([charged.body.amount, charged.body.currency], ['700', 'JPY'])
  const [callback] = await shop.callbacks(charged.body.trans_id)
  assert.equal(callback?.fields['card'], '555555******4444')
  assert.equal(callback?.fields['payer_first_name'], 'John')
  assert.equal(callback?.fields['payer_city'], 'Bern')
  assert.equal(callback?.fields['customer_ip'], '203.0.113.7')
})

test('Formula 1 covers the card of a first payment by token', async () => {
  const { body: saved } = await shop.sale({ req_token: 'Y' })
  const pair = await startChain(shop, { card_token: saved.card_token })
  assert.equal((await chargeChain(shop, pair)).body.result, 'SUCCESS')
  const { password } = shop.merchant()
  const values = { email: 'doe@example.com', card_token: saved.card_token }
  const hash = shop.sign(cardFormulas.startWithToken, values, password)
  assertViolations(await chargeChain(shop, pair, { hash }), [`hash: ${says.wrongHash}`])
})

test('Formula 2 does not sign a charge', async () => {
  const hash = callbackHash(shop, good.recurring_init_trans_id)
  assertViolations(await chargeChain(shop, good, { hash }), [`hash: ${says.wrongHash}`])
})

test('a debit chain without an e-mail is signed without the e-mail term', async () => {
  const pair = await startChain(shop, { action: 'DEBIT', payer_email: undefined })
  const charged = await chargeChain(shop, pair, { action: 'RECURRING_DEBIT' }, { signedBy: { email: undefined } })
  assert.equal(charged.body.result, 'SUCCESS')
})

// biome-ignore format: a table is read in columns.
const credentials = [
  // payment                              initiator     sequence      source
  ['the first payment',                  'cardholder', 'initial',    'recurring'],
  ['the first payment that saves a card', 'cardholder', 'initial',    'recurring'],
  ['a charge on the chain',              'merchant',   'subsequent', 'recurring'],
] as const

for (const [payment, initiator, sequence, source] of credentials) {
  test(`${payment} is reported as ${initiator}, ${sequence}, ${source}`, async () => {
    await shop.choose({ addToCallback: ['initiator', 'sequence', 'source'] })
    const pair = await startChain(shop, payment.includes('saves') ? { req_token: 'Y' } : {})
    const isFirst = payment.startsWith('the first')
    const transId = isFirst ? pair.recurring_init_trans_id : (await chargeChain(shop, pair)).body.trans_id
    const [callback] = await shop.callbacks(transId)
    const { initiator: who, sequence: when, source: from } = callback?.fields ?? {}
    assert.deepEqual([who, when, from], [initiator, sequence, source])
  })
}

test('a charge goes to the MID of the first payment while it is enabled, and to another if it is not', async () => {
  const merchant = await openAccount(shop, { mids: [{}, {}], options: { addToCallback: ['mid_name'] } })
  const as = { merchant }
  const [first, second] = [`${merchant}-1`, `${merchant}-2`]
  await shop.configure('update mids set enabled = false where name = $1', [first])
  const pair = await startChain(shop, {}, as)
  const midOf = async () => {
    const { body } = await chargeChain(shop, pair, {}, as)
    const [callback] = await shop.callbacks(body.trans_id)
    return callback?.fields['mid_name']
  }
  await shop.configure('update mids set enabled = true where name = $1', [first])
  assert.equal(await midOf(), second, 'though another has the higher priority')
  await shop.configure('update mids set enabled = false where name = $1', [second])
  assert.equal(await midOf(), first)
})

// biome-ignore format: a table is read in columns.
const unable: readonly (readonly [what: string, mid: AccountMid, over: RequestFields])[] = [
  ['takes no recurring payments',  { actions: ['sale', 'auth'] },  { recurring_init: 'Y' }],
  ['takes no zero amount',         { zeroAmount: false },          { recurring_init: 'Y', order_amount: '0' }],
]

for (const [what, mid, over] of unable) {
  test(`a chain cannot start if the only MID is one that ${what}`, async () => {
    const merchant = await openAccount(shop, { mids: [mid] })
    assertRefused(await shop.sale(over, { merchant }), 204005, 'Payment action not supported.')
  })
}

test('"Reject duplicate orders" applies to charges on a chain', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  const pair = await startChain(shop, { order_id: 'ALONE-1' })
  assertViolations(await chargeChain(shop, pair, { order_id: 'ALONE-1' }), ['order_id: Duplicate payment.'])
  assertViolations(await chargeChain(shop, pair, { order_id: 'ALONE-2' }), [])
})

test('callback_url receives the callbacks of its own charge only', async () => {
  const { body } = await chargeChain(shop, good, { callback_url: `${shop.receiver.url}/own` })
  const other = await chargeChain(shop, good)
  const paths = async (id: string) => (await shop.callbacks(id)).map(({ path }) => path)
  assert.deepEqual(await paths(body.trans_id), ['/notify/own'])
  assert.deepEqual(await paths(other.body.trans_id), ['/notify'])
})

test('the same Idempotency-Key charges the chain once', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const order_id = 'KEYED-CHARGE'
  const one = await chargeChain(shop, good, { order_id }, { headers })
  const two = await chargeChain(shop, good, { order_id }, { headers })
  assert.equal(two.text, one.text)
  assert.deepEqual(await readEffects(shop, one.body.trans_id), ['sale 800'])
})
