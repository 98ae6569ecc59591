/** The methods and fields of the page, by method and operation. Chapter 30 §3.7, §4.9, §7.3 to §7.8, chapter 40 §17. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pagePayerFields } from '#domain/checkout/payer-fields.ts'
import { qrPath } from '#domain/qr/qr.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop({ TRUSTED_PROXIES: '127.0.0.1' })
after(() => shop[Symbol.asyncDispose]())

const checkout = new CheckoutClient(shop)
afterEach(() => checkout.choose({}))

interface Method {
  readonly code: string
  readonly kind: string
  readonly terms: boolean
  readonly fields: readonly { readonly name: string; readonly required: boolean }[]
}

const methodsOf = async (over: Body & { order?: Body }): Promise<readonly Method[]> =>
  (await (await Payer.at(shop, over)).session()).methods
const namesOf = ({ fields }: Method | undefined = { code: '', kind: '', terms: false, fields: [] }) =>
  fields.map(({ name, required }) => (required ? name : `${name}?`))

// biome-ignore format: a table is read in columns.
const fieldCases: readonly (readonly [string, Body & { order?: Body }, readonly string[]])[] = [
  ['a card',                        { methods: ['card'] },                                         ['card.number', 'card.expiry', 'card.cvv', 'customer.name']],
  ['a card whose holder is known',  { methods: ['card'], customer: { name: 'Jane Roe' } },         ['card.number', 'card.expiry', 'card.cvv']],
  ['a card by telephone',           { methods: ['card'], moto_type: 'phone_moto' },                ['card.number', 'card.expiry', 'card.cvv?', 'customer.name']],
  ['a payout',                      { operation: 'credit', payee: { name: 'Jane Roe' } },          ['card.number', 'card.expiry']],
  ['a payout to whom nobody named', { operation: 'credit' },                                       ['card.number', 'card.expiry', 'payee.name']],
  ['a transfer',                    { operation: 'transfer', customer: { name: 'Jane Roe' } },     ['amount', 'card.number', 'card.expiry', 'card.cvv', 'payee_card.number']],
  ['a bank',                        { methods: ['bank-redirect'] },                                ['customer.email']],
  ['a bank of a known payer',       { methods: ['bank-redirect'], customer: { email: 'j@example.com' } }, []],
  ['a voucher',                     { methods: ['voucher-cash'], order: { currency: 'BRL' } },     ['customer.email', 'fields.document_number']],
  ['a voucher elsewhere',           { methods: ['voucher-cash'], order: { currency: 'USD' } },     ['customer.email']],
  ['a voucher with its document',   { methods: ['voucher-cash'], order: { currency: 'BRL' }, parameters: { 'voucher-cash': { document_number: '12345678909' } } }, ['customer.email']],
]
for (const [title, over, names] of fieldCases) {
  test(`${title} asks for ${names.join(', ') || 'nothing'}`, async () => {
    await shop.configure('update mids set moto_enabled = true')
    const [method] = await methodsOf(over)
    assert.deepEqual(namesOf(method), names)
  })
}

/** Everything that a card payer can be asked for, in the order of the page. */
const cardFields = ['card.number', 'card.expiry', 'card.cvv', 'customer.name']
const payerFields = [
  'customer.email',
  'customer.birth_date',
  'billing_address.address',
  'billing_address.house_number',
  'billing_address.district',
  'billing_address.city',
  'billing_address.zip',
  'billing_address.country',
  'billing_address.state',
  'billing_address.phone_country_code',
  'billing_address.phone',
]

test('a card payer is asked for what the mapping wants, in the order in which people write an address', async () => {
  await checkout.choose({ requiredPayerFields: [...pagePayerFields].toReversed() })
  const [method] = await methodsOf({ methods: ['card'] })
  assert.deepEqual(namesOf(method), [...cardFields, ...payerFields])
})

test('a card payer is asked for what the MIDs of the payment want, and not for what the request has', async () => {
  await checkout.choose({ requiredPayerFields: ['payer_email'] })
  await shop.configure(`update mids set payer_fields = array['payer_country', 'payer_state', 'payer_phone']`)
  const fieldNames = async (over: Body) => namesOf((await methodsOf({ methods: ['card'], ...over }))[0]).slice(3)
  const phone = ['billing_address.phone_country_code', 'billing_address.phone']
  const nothingSent = await fieldNames({})
  const countrySent = await fieldNames({
    customer: { name: 'Jane Roe', email: 'j@example.com' },
    billing_address: { country: 'DE' },
  })
  const stateful = await fieldNames({
    customer: { name: 'Jane Roe' },
    billing_address: { country: 'CA', phone_country_code: '1' },
  })
  await shop.configure(`update mids set payer_fields = '{}'`)
  assert.deepEqual(nothingSent, [
    'customer.name',
    'customer.email',
    'billing_address.country',
    'billing_address.state',
    ...phone,
  ])
  assert.deepEqual(countrySent, phone)
  assert.deepEqual(stateful, ['customer.email', 'billing_address.state', 'billing_address.phone'])
})

test('a card payment without what is asked for is refused, and with it the acquirer and the merchant get it', async () => {
  await checkout.choose({
    requiredPayerFields: ['payer_email', 'payer_city', 'payer_country', 'payer_state'],
    addToCallback: ['payer_city', 'payer_country'],
  })
  const payer = await Payer.at(shop)
  assertRows(await payer.pay(), [
    'customer.email: This value should not be blank.',
    'billing_address.city: This value should not be blank.',
    'billing_address.country: This value should not be blank.',
    'billing_address.state: This value should not be blank.',
  ])
  const customer = { name: 'Jane Roe', email: 'jane@example.com' }
  const stateless = { city: 'Berlin', country: 'DE' }
  const { payment_id } = await payer.payAndExpectSuccess({ customer, billing_address: stateless })
  const { fields } = await checkout.lastCallback(payment_id)
  assert.deepEqual(
    ['customer_email', 'customer_city', 'customer_country'].map((name) => fields[name]),
    ['jane@example.com', 'Berlin', 'DE'],
  )
})

test('a saved card does not spare the payer the rest', async () => {
  const token = await saveCard()
  await checkout.choose({ requiredPayerFields: ['payer_email'] })
  const payer = await Payer.at(shop, { card_token: [token] })
  const paid = { card_token: token, cvv: '123', customer: {} }
  assertRows(await payer.pay(paid), ['customer.email: This value should not be blank.'])
  await payer.payAndExpectSuccess({ ...paid, customer: { email: 'jane@example.com' } })
})

test('methods come in the merchant’s order, without unknown ones', async () => {
  const methods = await methodsOf({ methods: ['bank-redirect', 'nonsense', 'card'] })
  assert.deepEqual(
    methods.map(({ code, kind }) => [code, kind]),
    [
      ['bank-redirect', 'brand'],
      ['card', 'card'],
    ],
  )
})

test('a brand with its own page is a redirect, which leads back to the page and to the merchant', async () => {
  const payer = await Payer.at(shop, { methods: ['bank-redirect'], customer: { email: 'redirect@example.com' } })
  const answer = await payer.payAndExpectSuccess({ method: 'bank-redirect', card: undefined })
  assert.equal(answer.result, 'redirect')
  assert.match(new URL(answer.redirect.url).pathname, /^\/redirect\//)
  assert.equal((await payer.session()).state, 'away')
})

test('a missing brand parameter is reported by the name of its field', async () => {
  const payer = await Payer.at(shop, { methods: ['voucher-cash'], order: { currency: 'BRL' } })
  const answer = await payer.pay({ method: 'voucher-cash', card: undefined, customer: { email: 'j@example.com' } })
  assertRows(answer, ['fields.document_number: This value should not be blank.'])
  const wrong = {
    method: 'voucher-cash',
    card: undefined,
    customer: { email: 'j@example.com' },
    fields: { document_number: 'x' },
  }
  assertRows(await payer.pay(wrong), ['fields.document_number: This value is not valid.'])
})

test('a voucher waits for its money, and the page shows what the payer needs', async () => {
  const payer = await Payer.at(shop, { methods: ['voucher-cash'], order: { currency: 'USD' } })
  const answer = await payer.payAndExpectSuccess({
    method: 'voucher-cash',
    card: undefined,
    customer: { email: 'pending@example.com' },
  })
  assert.equal(answer.result, 'waiting')
  const session = await payer.session()
  assert.equal(session.state, 'waiting')
  assert.equal(session.waiting_for.kind, 'voucher')
  assert.ok(session.waiting_for.reference)
})

test('a payer in crypto currency sees what to send, in which network, and where', async () => {
  const payer = await Payer.at(shop, { methods: ['crypto-pay'], order: { amount: '10.00', currency: 'EUR' } })
  const { result } = await payer.payAndExpectSuccess({
    method: 'crypto-pay',
    card: undefined,
    customer: { email: 'pending@example.com' },
    fields: { payment_currency: 'BTC' },
  })
  assert.equal(result, 'waiting')
  const { kind, amount, currency, network, address, qr } = (await payer.session()).waiting_for
  assert.deepEqual([kind, amount, currency, network], ['crypto', '0.00020000', 'BTC', 'BTC'])
  assert.deepEqual(qr, qrPath(address))
})

test('a method that the session does not offer is refused', async () => {
  const payer = await Payer.at(shop, { methods: ['card'] })
  assertSingleError(await payer.pay({ method: 'bank-redirect' }), 204004, 'Payment method not supported.')
})

test('terms apply to cards and redirects, and must be accepted', async () => {
  await checkout.choose({ terms: { enabled: true, url: 'https://shop.example/terms' } })
  const payer = await Payer.at(shop, {
    methods: ['card', 'bank-redirect', 'walletbpay', 'voucher-cash'],
    order: { currency: 'EUR' },
  })
  const session = await payer.session()
  const shown = session.methods.map(({ code, terms }: Method) => [code, terms])
  assert.deepEqual(
    shown.filter(([, terms]: [string, boolean]) => terms),
    [
      ['card', true],
      ['bank-redirect', true],
    ],
  )
  assert.deepEqual(session.terms, { url: 'https://shop.example/terms' })
  assertRows(await payer.pay(), ['terms: This value should not be blank.'])
  assert.equal((await payer.payAndExpectSuccess({ terms: true })).result, 'success')
})

test('without the merchant’s own terms, the platform’s apply', async () => {
  await checkout.choose({ terms: { enabled: true } })
  const payer = await Payer.at(shop)
  const { terms } = await payer.session()
  assert.match(terms.url, /\/terms$/)
  await checkout.choose({})
  assert.equal((await payer.session()).terms, null)
})

/** A saved card of the demo merchant. */
async function saveCard(): Promise<string> {
  const payer = await Payer.at(shop, { req_token: true })
  const { payment_id } = await payer.payAndExpectSuccess()
  return (await checkout.lastCallback(payment_id)).fields['card_token'] ?? ''
}

test('a saved card is offered by its last digits, and paid with the security code alone', async () => {
  const token = await saveCard()
  const payer = await Payer.at(shop, { card_token: [token] })
  const { card_tokens } = await payer.session()
  assert.deepEqual(card_tokens, [
    {
      token,
      last: '1111',
      month: '01',
      year: '2038',
      brand: 'visa',
      cardholder_name: 'Jane Roe',
      expired: false,
      asks: ['cvv'],
    },
  ])
  assertRows(await payer.pay({ card_token: token }), ['cvv: This value should not be blank.'])
  const answer = await payer.payAndExpectSuccess({ card_token: token, cvv: '123' })
  assert.equal(answer.result, 'success')
  assert.equal((await checkout.lastCallback(answer.payment_id)).fields['card'], '411111******1111')
})

test('tokens that are no cards of the merchant are left out, and the form remains', async () => {
  const token = await saveCard()
  const payer = await Payer.at(shop, { card_token: ['b'.repeat(64), token] })
  const { card_tokens, methods } = await payer.session()
  assert.deepEqual(
    card_tokens.map((card: { token: string }) => card.token),
    [token],
  )
  assert.ok(methods[0].fields.some(({ name }: { name: string }) => name === 'card.number'))
  assert.equal((await payer.payAndExpectSuccess()).result, 'success')
})

test('the page’s session has every member of the chapter', async () => {
  const session = await (await Payer.at(shop)).session()
  // biome-ignore format: a table is read in columns.
  const members = [
    'state', 'operation', 'test', 'order', 'vat_amount', 'expires_at', 'server_time', 'language', 'direction', 'branding', 'methods',
    'card_tokens', 'customer', 'billing_address', 'custom_data', 'declines', 'terms', 'consent', 'cancel_url',
  ]
  assert.deepEqual(
    members.filter((name) => !Object.hasOwn(session, name)),
    [],
  )
  for (const name of ['code', 'kind', 'fields', 'terms', 'networks']) assert.ok(Object.hasOwn(session.methods[0], name))
})

test('a token that the session does not offer is refused', async () => {
  const token = await saveCard()
  const payer = await Payer.at(shop)
  assertSingleError(await payer.pay({ card_token: token, cvv: '123' }), 205005, 'Card token is invalid or not found.')
})

test('a payout to a saved card asks for its expiry and never for the security code', async () => {
  const token = await saveCard()
  const payer = await Payer.at(shop, { operation: 'credit', card_token: [token], payee: { name: 'Jane Roe' } })
  const [{ asks, month, year }] = (await payer.session()).card_tokens
  assert.deepEqual([asks, month, year], [['expiry'], '', ''], 'the proof is not told')
  assertRows(await payer.pay({ card_token: token }), ['expiry: This value should not be blank.'])
  assertRows(await payer.pay({ card_token: token, expiry: '02/39' }), ['expiry: This value is not valid.'])
  const answer = await payer.payAndExpectSuccess({ card_token: token, expiry: '01/38' })
  assert.ok(['success', 'waiting'].includes(answer.result), answer.result)
})

test('a transfer asks for the payer’s card, the recipient’s number and an amount', async () => {
  const over = { operation: 'transfer', order: { amount: '-1' }, customer: { name: 'Jane Roe' } }
  const payer = await Payer.at(shop, over)
  assertRows(await payer.pay({ amount: '5.00' }), ['payee_card.number: This value should not be blank.'])
  const payee_card = { number: '4601541833776519' }
  assertRows(await payer.pay({ payee_card }), ['amount: This value should not be blank.'])
  assertRows(await payer.pay({ payee_card, amount: '0' }), ['amount: This value should be greater than 0.'])
  const answer = await payer.payAndExpectSuccess({ payee_card, amount: '5.00' })
  assert.equal(answer.result, 'success')
  assert.equal((await checkout.lastCallback(answer.payment_id)).fields['order_amount'], '5.00')
})

test('consent starts the chain if it is given; without it the payment has no chain', async () => {
  const schedule = await checkout.schedule()
  const plan = { recurring_init: true, schedule_id: schedule.id, recurring_consent_required: true }
  const payer = await Payer.at(shop, plan)
  const session = await payer.session()
  assert.equal(session.consent, true)
  assert.deepEqual([session.schedule.amount, session.schedule.interval, session.schedule.unit], ['10.00', 1, 'month'])
  const callback = await checkout.lastCallback((await payer.payAndExpectSuccess({ consent: true })).payment_id)
  assert.ok(callback.fields['recurring_token'])
  assert.equal(callback.fields['consent_state'], 'active')
  assert.ok(callback.fields['consent_id'])
  const other = await Payer.at(shop, plan)
  const withheld = await checkout.lastCallback((await other.payAndExpectSuccess({ consent: false })).payment_id)
  assert.equal(withheld.fields['recurring_token'], undefined)
  assert.equal(withheld.fields['consent_id'], undefined)
})

test('a free trial needs the consent', async () => {
  const schedule = await checkout.schedule()
  const payer = await Payer.at(shop, {
    order: { amount: '0.00' },
    recurring_init: true,
    schedule_id: schedule.id,
    payment_schedule_amount: '9.00',
    recurring_consent_required: true,
  })
  assertRows(await payer.pay(), ['consent: This value should not be blank.'])
  assert.equal((await payer.payAndExpectSuccess({ consent: true })).result, 'success')
})

test('VAT is shown beside the total, and the order keeps its net amount', async () => {
  await shop.configure(`update merchants set vat_percent = '20' where name = 'demo'`)
  const payer = await Payer.at(shop, { vat_calc: true })
  const session = await payer.session()
  await shop.configure(`update merchants set vat_percent = null where name = 'demo'`)
  assert.deepEqual([session.order.amount, session.vat_amount, session.total_amount], ['10.00', '2.00', '12.00'])
})

test('a session allows ten attempts', async () => {
  await checkout.choose({ maxDeclines: 20 })
  const payer = await Payer.at(shop)
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await payer.payAndExpectSuccess({ card: visaCard('02/38') })).result, 'decline')
  }
  assertSingleError(await payer.pay(), 100000, 'Too many requests.', 429)
  await checkout.choose({})
  await shop.advance(3_600_000)
})

test('an address is refused after as many declines an hour as the merchant allows, with other payments between', async () => {
  await checkout.choose({ declinesPerAddress: 2 })
  const declined = { card: visaCard('02/38') }
  const pay = async (over: object, as = {}): Promise<Answer> => (await Payer.at(shop, {}, as)).pay({ ...over })
  for (let count = 0; count < 4; count += 1) assert.equal((await pay({})).body.result, 'success')
  assert.equal((await pay({ card: visaCard('05/38') })).body.result, 'redirect')
  for (let count = 0; count < 2; count += 1) assert.equal((await pay(declined)).body.result, 'decline')
  const refused = await pay({})
  assertSingleError(refused, 100000, 'Too many requests.', 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^3[56]\d\d$/)
  assert.equal((await pay({}, { mode: 'test' })).body.result, 'success')
  assert.equal((await pay({}, { merchant: 'demo-no-moto' })).body.result, 'success')
  await shop.advance(3_600_000)
  assert.equal((await pay({})).body.result, 'success')
  await checkout.choose({})
})

test('a decline after the payer’s confirmation at the issuer counts once, and an attempt that the payer cancelled does not', async () => {
  await checkout.choose({ declinesPerAddress: 2 })
  for (let count = 0; count < 3; count += 1) {
    const payer = await Payer.at(shop)
    await payer.payAndExpectSuccess({ card: visaCard('05/38') })
    assert.equal((await payer.cancelStep()).body.state, 'ready')
  }
  const payAfterDecline = async (): Promise<Answer> => {
    const payer = await Payer.at(shop)
    const { payment_id } = await payer.payAndExpectSuccess({ card: visaCard('06/38') })
    for (const _ of ['return', 'reload']) await checkout.comeBack({ payment: { id: payment_id } })
    assert.equal((await payer.session()).state, 'declined')
    return payer.pay()
  }
  assert.equal((await payAfterDecline()).body.result, 'success')
  assertSingleError(await payAfterDecline(), 100000, 'Too many requests.', 429)
  await checkout.choose({})
  await shop.advance(3_600_000)
})

test('attempts that are declined together do not pass the limit together', async () => {
  await checkout.choose({ declinesPerAddress: 3 })
  const payers = await Promise.all(Array.from({ length: 8 }, () => Payer.at(shop)))
  const answers = await Promise.all(payers.map((payer) => payer.pay({ card: visaCard('02/38') })))
  assert.equal(answers.filter(({ http }) => http === 200).length, 3)
  await checkout.choose({})
  await shop.advance(3_600_000)
})

test('a test key is declined without a limit', async () => {
  await checkout.choose({ declinesPerAddress: 1 })
  for (let count = 0; count < 3; count += 1) {
    const payer = await Payer.at(shop, {}, { mode: 'test' })
    assert.equal((await payer.pay({ card: visaCard('02/38') })).body.result, 'decline')
  }
  await checkout.choose({})
})

const mint = async (payer: Payer, wallet: string, over: Body = {}): Promise<string> => {
  const reply = await fetch(`${shop.url}/simulator/api/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet, merchant_key: shop.merchant().key, amount: '10.00', currency: 'EUR', ...over }),
  })
  const minted = (await reply.json()) as { token: string }
  assert.ok(minted.token, JSON.stringify(minted))
  assert.ok(payer)
  return minted.token
}

for (const wallet of ['walletapay', 'walletbpay']) {
  test(`a token of ${wallet} pays the session that it was made for`, async () => {
    const payer = await Payer.at(shop, { methods: [wallet, 'card'] })
    const session = await payer.session()
    const shown = session.methods.find(({ code }: Method) => code === wallet)
    assert.ok(shown?.wallet.sandbox, JSON.stringify(session.methods))
    const binding =
      wallet === 'walletapay' ? Buffer.from(shown.wallet.application_data, 'base64').toString() : undefined
    const wallet_token = await mint(payer, wallet, { application_data: binding })
    const answer = await payer.payAndExpectSuccess({ method: wallet, card: undefined, wallet_token, customer: {} })
    assert.equal(answer.result, 'success')
    assert.equal((await checkout.lastCallback(answer.payment_id)).fields['digital_wallet'], wallet)
  })
}

test('a token of another session, or of another amount, is refused and does not count as an attempt', async () => {
  const payer = await Payer.at(shop, { methods: ['walletapay'] })
  const foreign = await mint(payer, 'walletapay', { application_data: 'another session' })
  const dearer = await mint(payer, 'walletapay', { amount: '11.00' })
  const pay = (wallet_token: string) => payer.pay({ method: 'walletapay', card: undefined, wallet_token, customer: {} })
  assertSingleError(await pay(foreign), 250003, 'The payment token signature has expired')
  assertSingleError(await pay(dearer), 250004, 'Payment token does not match the order.')
  const session = await payer.session()
  assert.deepEqual([session.state, session.declines.count], ['ready', 0])
})

test('a wallet is offered only for purchases', async () => {
  const methods = await methodsOf({ operation: 'debit', methods: ['walletapay', 'card'] })
  assert.deepEqual(
    methods.map(({ code }) => code),
    ['card'],
  )
})

test('the wallet provider’s session is requested for the page’s own host', async () => {
  const payer = await Payer.at(shop, { methods: ['walletapay'] })
  const answer = await payer.post('/page/v1/wallet-session', {
    wallet: 'walletapay',
    validation_url: 'https://x.example/',
  })
  assert.equal(answer.http, 200, answer.text)
  assert.ok(answer.body.merchantSessionIdentifier)
  assertRows(await payer.post('/page/v1/wallet-session', { wallet: 'walletbpay' }), [
    'wallet: The value you selected is not a valid choice.',
  ])
})

test('a merchant’s own page can load the wallet simulator and use it, and gets no signed requests', async () => {
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${shop.url}${path}`, { ...init, headers: { origin: 'http://localhost:1234', ...init.headers } })
  const permission = (reply: Response) => reply.headers.get('access-control-allow-origin')
  for (const path of ['/simulator/stand-in.js', '/simulator/api/cards', '/simulator/api/faults'])
    assert.equal(permission(await at(path)), '*', path)
  const preflight = await at('/simulator/api/tokens', { method: 'OPTIONS' })
  assert.deepEqual([preflight.status, permission(preflight)], [204, '*'])
  const body = JSON.stringify({ merchant_key: shop.merchant().key })
  const mint = (headers: Record<string, string>) =>
    at('/simulator/api/tokens', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const minted = await mint({})
  assert.equal(permission(minted), '*')
  assert.doesNotMatch(await minted.text(), /"requests":/)
  assert.match(await (await mint({ origin: shop.url })).text(), /"requests":/)
  const enable = await at(`/simulator/api/merchants/${shop.merchant().key}/enable`, { method: 'POST' })
  assert.deepEqual([enable.status, permission(enable)], [403, null])
})

test('a page on a domain that is not the merchant’s gets nothing but the reason, and no page of another origin pays by card', async () => {
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] })
  const foreign = await payer.get('/page/v1/session', { origin: 'https://thief.example' })
  assertSingleError(foreign, 100000, 'Session token is not valid.', 403)
  assert.equal(foreign.headers.get('access-control-allow-origin'), 'https://thief.example', 'the page can read why')
  const own = await payer.get('/page/v1/session', { origin: 'http://localhost:1234' })
  assert.equal(own.http, 200)
  assert.equal(own.headers.get('access-control-allow-origin'), 'http://localhost:1234')
  const body = JSON.stringify({
    attempt_id: crypto.randomUUID(),
    method: 'card',
    card: visaCard(),
    customer: { name: 'Jane Roe' },
  })
  const card = await checkout.request('/page/v1/payment', {
    body,
    headers: { token: payer.token, origin: 'http://localhost:1234' },
  })
  assertSingleError(card, 204004, 'Payment method not supported.')
  const preflight = await checkout.request('/page/v1/payment', {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:1234' },
  })
  assert.equal(preflight.http, 204)
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'token, content-type')
})
