/** Hosted fields: data from frames, processing and session update. Chapter 30 §8.3 to §8.5, §12.8. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import { signReturn } from '#domain/signature/payer-return.ts'
import { signRequest } from '#domain/signature/request-signature.ts'
import { machineTime } from '#server/process/clock.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const checkout = new CheckoutClient(shop)

/** A session of hosted fields, as the merchant's page and server have it. */
class Fields {
  readonly token: string
  /** The one for the page. */
  readonly clientToken: string

  constructor(token: string, clientToken = '') {
    this.token = token
    this.clientToken = clientToken
  }

  static async open(over: Body & { order?: Body } = {}): Promise<Fields> {
    const body = {
      ...checkout.purchase(over),
      return_url: 'https://shop.example/back',
      success_url: undefined,
      ...over,
    }
    const { order } = checkout.purchase(over)
    const answer = await checkout.post('/api/v1/session/token', 'session', { ...body, order })
    assert.equal(answer.http, 200, answer.text)
    return new Fields(answer.body.token, answer.body.client_token)
  }

  send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return checkout.request(path, { method, body: JSON.stringify(body), headers: { token: this.token, ...headers } })
  }

  field(field: string, value: string, more: Body = {}): Promise<Answer> {
    return this.send('POST', '/page/v1/fields', { field, value, ...more })
  }

  /** All frames at the same moment, as in a browser. */
  async enter(expiry = '01/38', number = '4111111111111111'): Promise<void> {
    const sent = [this.field('card', number), this.field('expiry', expiry), this.field('cvv', '123')]
    for (const answer of await Promise.all(sent)) assert.equal(answer.http, 200, answer.text)
  }

  begin(collection?: string): Promise<Answer> {
    return this.send('POST', '/page/v1/collection', collection === undefined ? {} : { collection })
  }

  /** One collection as the script makes it; the status of each answer. */
  async collect(number: string, collection: string = randomUUID(), code = '123'): Promise<readonly number[]> {
    const answers = [await this.begin(collection)]
    answers.push(await this.field('card', number, { collection }))
    answers.push(await this.field('expiry', '01/38', { collection }))
    answers.push(await this.field('cvv', code, { collection, last: true }))
    return answers.map(({ http }) => http)
  }

  process(over: Body = {}, operation = 'purchase', headers: Record<string, string> = {}): Promise<Answer> {
    const body = { name: 'Jane Roe', with_hosted_fields: true, ...over }
    return this.send('POST', `/api/v1/processing/${operation}/card`, body, headers)
  }

  update(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PUT', '/api/v1/session/update', body, headers)
  }
}

test('the data from the frames is charged by the merchant’s server', async () => {
  const fields = await Fields.open()
  await fields.enter()
  const { http, body } = await fields.process()
  assert.equal(http, 200)
  assert.equal(body.result, 'success')
  assert.equal(body.redirect_url, 'https://shop.example/back')
  assert.deepEqual(Object.keys(body.return_url_query_params), ['payment_id', 'trans_id', 'order_id', 'hash'])
  assert.equal(body.return_url_query_params.payment_id, body.public_id)
  assert.equal('redirect_params' in body, false)
})

test('success leads to success_url if there is one, without parameters', async () => {
  const fields = await Fields.open({ success_url: 'https://shop.example/ok' })
  await fields.enter()
  assert.equal((await fields.process()).body.redirect_url, 'https://shop.example/ok')
})

test('3-D Secure is a redirect to an address of ours, and leads to return_url whatever the result', async () => {
  const fields = await Fields.open()
  await fields.enter('06/38')
  const { body } = await fields.process()
  assert.equal(body.result, 'redirect')
  assert.match(new URL(body.redirect_url).pathname, /^\/redirect\//)
  const { rows } = await shop.base.pool.query<{ params: { TermUrl: string } }>(
    'select params from payer_steps where payment_id = $1',
    [body.public_id],
  )
  const reply = await fetch(`${shop.url}${new URL(rows[0]?.params.TermUrl ?? '').pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ PaRes: 'approve' }),
    redirect: 'manual',
  })
  const { hash: before, ...named } = body.return_url_query_params
  const query = new URLSearchParams(named).toString()
  const [address = '', hash] = (reply.headers.get('location') ?? '').split('&hash=')
  assert.equal(address, `https://shop.example/back?${query}`)
  const order = { trans_id: named.trans_id, order_id: named.order_id, order_amount: '10.00', order_currency: 'EUR' }
  const { password } = shop.merchant()
  assert.equal(before, signReturn({ ...order, outcome: 'open' }, password), 'the payer has yet to confirm')
  assert.equal(hash, signReturn({ ...order, outcome: 'failure' }, password), 'this card is declined')
})

test('a decline has its reason in the selected language, and the next attempt needs new data', async () => {
  const fields = await Fields.open()
  await fields.enter('02/38')
  const { body } = await fields.process({ selected_language: 'fr' })
  assert.equal(body.result, 'decline')
  assert.match(body.decline_message, /^Le paiement a été refusé\./)
  assert.equal('redirect_url' in body, false)
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
  await fields.enter()
  assert.equal((await fields.process()).body.result, 'success')
})

test('values in the call take precedence over the session’s', async () => {
  const fields = await Fields.open({ customer: { name: 'Max Power', email: 'max@example.com', ip: '203.0.113.7' } })
  await fields.enter()
  const { body } = await fields.process({ email: 'jane@example.com', billing_address: { country: 'de' } })
  const callback = await checkout.lastCallback(body.public_id)
  assert.equal(callback.fields['customer_name'], 'Jane Roe')
  assert.equal(callback.fields['customer_email'], 'jane@example.com')
  assert.equal(callback.fields['customer_country'], 'DE')
  assert.equal(callback.fields['customer_ip'], '203.0.113.7')
})

test('the cardholder name is absent if neither the call nor the session has it', async () => {
  const fields = await Fields.open()
  await fields.enter()
  assertRows(await fields.process({ name: undefined }), ['name: This value should not be blank.'])
})

test('the path must match the session’s operation', async () => {
  const fields = await Fields.open()
  await fields.enter()
  assertSingleError(await fields.process({}, 'debit'), 100000, 'Operation does not match the session.')
})

test('a debit is processed on its own path', async () => {
  const fields = await Fields.open({ operation: 'debit' })
  await fields.enter()
  assert.equal((await fields.process({}, 'debit')).body.result, 'success')
})

for (const token of ['', 'nonsense', 'eyJhbGciOiJub25lIn0']) {
  test(`the token "${token}" is refused: 401 at processing, 403 at the update`, async () => {
    const fields = new Fields(token)
    assertSingleError(await fields.process(), 100000, 'Session token is not valid.', 401)
    assertSingleError(await fields.update({ order_amount: '1.00' }), 100000, 'Session token is not valid.', 403)
  })
}

test('an expired session is refused in the same way', async () => {
  const fields = await Fields.open({ session_expiry: 1 })
  await fields.enter()
  await shop.advance(61_000)
  assertSingleError(await fields.process(), 100000, 'Session token is not valid.', 401)
  assertSingleError(await fields.update({ order_amount: '1.00' }), 100000, 'Session token is not valid.', 403)
})

test('a browser that requests a page gets an error page instead of the 403 body', async () => {
  const answer = await new Fields('nonsense').update({ order_amount: '1.00' }, { accept: 'text/html' })
  assert.equal(answer.http, 403)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  const both = await new Fields('nonsense').update({ order_amount: '1.00' }, { accept: 'text/html, application/json' })
  assert.match(both.headers.get('content-type') ?? '', /^application\/json/)
})

test('nothing is processed before the card is complete', async () => {
  const fields = await Fields.open()
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
  await fields.field('card', '4111111111111111')
  await fields.field('cvv', '123')
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
})

const visaNumber = '4111111111111111'
const mastercardNumber = '5555555555554444'

test('a collection starts from nothing: what an earlier one left is not charged', async () => {
  const fields = await Fields.open()
  assert.deepEqual(await fields.collect(visaNumber), [200, 200, 200, 200])
  const collection = randomUUID()
  await fields.begin(collection)
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
  await fields.field('expiry', '01/38', { collection })
  await fields.field('cvv', '123', { collection, last: true })
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
})

test('a collection is charged only after its last value has arrived', async () => {
  await shop.configure(`update mids set moto_enabled = true`)
  const fields = await Fields.open({ moto_type: 'phone_moto' })
  const collection = randomUUID()
  assert.equal((await fields.begin(collection)).body.code_optional, true)
  await fields.field('card', visaNumber, { collection })
  await fields.field('expiry', '01/38', { collection })
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
  assert.equal((await fields.field('cvv', '', { collection, last: true })).http, 200)
  assert.equal((await fields.process()).body.result, 'success')
})

test('once a later collection has begun, the earlier one stores nothing', async () => {
  const fields = await Fields.open()
  const [earlier, later] = [randomUUID(), randomUUID()]
  await fields.begin(earlier)
  await fields.field('card', visaNumber, { collection: earlier })
  await fields.begin(later)
  for (const [field, value] of [
    ['card', visaNumber],
    ['expiry', '02/38'],
    ['cvv', '999'],
  ] as const) {
    assertSingleError(await fields.field(field, value, { collection: earlier }), 400, 'Duplicate request.', 409)
    assertSingleError(await fields.field(field, value), 400, 'Duplicate request.', 409)
  }
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
  assert.deepEqual(await fields.collect(mastercardNumber, later), [200, 200, 200, 200])
  const { body } = await fields.process()
  assert.equal((await checkout.lastCallback(body.public_id)).fields['card'], '555555******4444')
})

test('of two concurrent collections the one that began last is charged, never a mixture', async () => {
  for (let round = 0; round < 5; round += 1) {
    const fields = await Fields.open()
    const [visa, mastercard] = [randomUUID(), randomUUID()]
    await Promise.all([fields.collect(visaNumber, visa), fields.collect(mastercardNumber, mastercard)])
    const { collection } = await checkout.byToken(fields.token)
    const { body } = await fields.process()
    const masked = collection === visa ? '411111******1111' : '555555******4444'
    assert.equal((await checkout.lastCallback(body.public_id)).fields['card'], masked)
  }
})

test('values that arrive after the attempt has begun belong to no collection', async () => {
  const fields = await Fields.open()
  const collection = randomUUID()
  await fields.begin(collection)
  await fields.field('card', visaNumber, { collection })
  await fields.field('expiry', '02/38', { collection })
  await fields.field('cvv', '123', { collection, last: true })
  assert.equal((await fields.process()).body.result, 'decline')
  assertSingleError(await fields.field('cvv', '123', { collection, last: true }), 400, 'Duplicate request.', 409)
})

test('a collection is named by a UUID', async () => {
  const fields = await Fields.open()
  assertRows(await fields.begin('first'), ['collection: This value is not valid.'])
})

test('the security code is used once', async () => {
  const fields = await Fields.open()
  await fields.enter('02/38')
  await fields.process()
  await Promise.all([fields.field('card', '4111111111111111'), fields.field('expiry', '01/38')])
  assertSingleError(await fields.process(), 100000, 'Card data is not collected.')
})

test('with a MOTO value the security code may stay empty', async () => {
  await shop.configure(`update mids set moto_enabled = true`)
  const fields = await Fields.open({ moto_type: 'phone_moto' })
  await fields.field('card', '4111111111111111')
  await fields.field('expiry', '01/38')
  assert.equal((await fields.field('cvv', '')).http, 200)
  assert.equal((await fields.process()).body.result, 'success')
})

test('a paid session is complete, and so is one that reached its limit of declines', async () => {
  const fields = await Fields.open()
  await fields.enter()
  await fields.process()
  assertSingleError(await fields.process(), 100000, 'Session is complete.')
  const unlucky = await Fields.open()
  for (let count = 0; count < 3; count += 1) {
    await unlucky.enter('02/38')
    await unlucky.process()
  }
  assertSingleError(await unlucky.process(), 100000, 'Session is complete.')
})

test('while the payer is away the call is a duplicate', async () => {
  const fields = await Fields.open()
  await fields.enter('05/38')
  await fields.process()
  assertSingleError(await fields.process(), 400, 'Duplicate request.', 409)
})

test('an idempotency key gets the first answer again', async () => {
  const fields = await Fields.open()
  await fields.enter()
  const key = { 'idempotency-key': randomUUID() }
  const first = await fields.process({}, 'purchase', key)
  const second = await fields.process({}, 'purchase', key)
  assert.equal(first.http, 200)
  assert.equal(second.text, first.text)
})

const faults: readonly (readonly [string, string, number, string])[] = [
  ['card', '4111111111111112', 400, 'card: This value is not valid.'],
  ['card', '', 400, 'card: This value should not be blank.'],
  ['expiry', '01/20', 400, 'expiry: This value is not valid.'],
  ['cvv', '12', 400, 'cvv: This value is not valid.'],
  ['cvv', '', 400, 'cvv: This value should not be blank.'],
]
for (const [field, value, , row] of faults) {
  test(`the frame of ${field} is told that "${value}" is wrong`, async () => {
    const fields = await Fields.open()
    assertRows(await fields.field(field, value), [row])
  })
}

test('frames accept only tokens of hosted fields, and processing accepts no token of a page', async () => {
  const page = await checkout.session()
  const payer = new Fields(page.body.redirect_url.split('/auth/')[1])
  assertSingleError(await payer.field('card', '4111111111111111'), 100000, 'Session token is not valid.', 401)
  assertSingleError(await payer.process(), 100000, 'Session token is not valid.', 401)
  assertSingleError(await payer.update({ order_amount: '1.00' }), 100000, 'Session can not be updated')
})

test('if the merchant names the pages that may embed the frames, others cannot collect anything', async () => {
  await checkout.choose({ embeddingOrigins: ['https://shop.example'] })
  const fields = await Fields.open()
  const good = await fields.field('card', '4111111111111111', { origin: 'https://shop.example' })
  const bad = await fields.field('card', '4111111111111111', { origin: 'https://thief.example' })
  const session = await checkout.byToken(fields.token)
  const frame = await fetch(`${shop.url}/hosted-fields/card?session=${session.id}`)
  await checkout.choose({})
  assert.equal(good.http, 200)
  assert.equal(bad.http, 403)
  assert.match(frame.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/shop\.example;/)
})

for (const [frame, autocomplete] of [
  ['card', 'cc-number'],
  ['expiry', 'cc-exp'],
  ['cvv', 'cc-csc'],
] as const) {
  test(`the frame of ${frame} has exactly one input and its label, and may be embedded by any page`, async () => {
    const reply = await fetch(`${shop.url}/hosted-fields/${frame}?language=de`)
    const text = await reply.text()
    assert.equal(reply.status, 200)
    assert.equal(text.match(/<input/g)?.length, 1)
    assert.match(text, /<html lang="de" dir="ltr">/)
    assert.match(
      text,
      new RegExp(`<label for="field">.+</label>\\s*<input id="field"[^>]*autocomplete="${autocomplete}"`),
    )
    assert.match(reply.headers.get('content-security-policy') ?? '', /frame-ancestors \*;/)
    assert.equal(reply.headers.get('set-cookie'), null)
  })
}

test('an update changes only what was sent; later callbacks, returns and hashes use it', async () => {
  const fields = await Fields.open({ custom_data: { a: '1' } })
  await fields.enter()
  const answer = await fields.update({ order_amount: '15.00' })
  assert.equal(answer.text, '{"result":"success"}')
  const { body } = await fields.process()
  const callback = await checkout.lastCallback(body.public_id)
  assert.equal(callback.fields['order_amount'], '15.00')
  assert.equal(callback.fields['order_currency'], 'EUR')
  assert.equal(callback.fields['custom_data[a]'], '1')
  const { payment_id: trans_id, order_id, hash } = body.return_url_query_params
  const values = { trans_id, order_id, order_amount: '15.00', order_currency: 'EUR', outcome: 'success' }
  assert.equal(hash, signReturn(values, shop.merchant().password))
})

const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['a member that is none', { order_number: '7' }, ['order_number: This field was not expected.']],
  [
    'key and hash',
    { merchant_key: 'k', hash: 'h' },
    ['merchant_key: This field was not expected.', 'hash: This field was not expected.'],
  ],
  ['no member', {}, ['body: This value should not be blank.']],
  ['a malformed amount', { order_amount: '1,50' }, ['order_amount: This value is not valid.']],
  ['too many decimals', { order_amount: '1.555' }, ['order_amount: This value is not valid.']],
  [
    'a zero amount',
    { order_amount: '0' },
    ['order_amount: This value should be greater than 0.', 'amount: This value should be greater than 0.'],
  ],
  ['an unknown currency', { order_currency: 'XXQ' }, ['order_currency: This value is not valid.']],
  [
    'a currency with fewer decimals',
    { order_currency: 'JPY', order_amount: '1.50' },
    ['order_amount: This value is not valid.'],
  ],
  ['a schedule without a chain', { schedule_id: randomUUID() }, ['schedule_id: This value is not valid.']],
  ['a flag that is none', { recurring_init: 'maybe' }, ['recurring_init: This value should be of type boolean.']],
]
for (const [title, body, expected] of rows) {
  test(`an update with ${title} is refused`, async () => {
    const fields = await Fields.open()
    assertRows(await fields.update(body), expected)
  })
}

test('an unknown schedule is not found', async () => {
  const fields = await Fields.open({ recurring_init: true })
  assertSingleError(await fields.update({ schedule_id: randomUUID() }), 100000, 'Schedule not found')
})

test('a schedule is set, removed by null, and removed with the chain', async () => {
  const schedule = await checkout.schedule()
  const fields = await Fields.open({ recurring_init: true })
  await fields.update({ schedule_id: schedule.id })
  assert.equal((await checkout.byToken(fields.token)).request.schedule?.id, schedule.id)
  assert.equal((await fields.update({ schedule_id: null })).http, 200)
  assert.equal((await checkout.byToken(fields.token)).request.schedule, null)
  await fields.update({ schedule_id: schedule.id })
  await fields.update({ recurring_init: false })
  const { request } = await checkout.byToken(fields.token)
  assert.deepEqual([request.recurringInit, request.schedule], [false, null])
})

test('a currency that no MID supports is refused, and nothing is changed', async () => {
  await shop.configure(`update mids set currencies = array['EUR', 'USD']`)
  const fields = await Fields.open()
  const answer = await fields.update({ order_currency: 'GBP' })
  await shop.configure(`update mids set currencies = '{}'`)
  assertSingleError(answer, 100000, 'Not found acceptable methods')
  assert.equal((await checkout.byToken(fields.token)).request.order.currency, 'EUR')
})

test('the session of a hosted page cannot be updated', async () => {
  const token = (await checkout.session()).body.redirect_url.split('/auth/')[1]
  assertSingleError(await new Fields(token).update({ order_amount: '1.00' }), 100000, 'Session can not be updated')
})

/** `payer_extra_details` of the requests to the acquirer. */
const sentHeaders: unknown[] = []
subscribe('undici:request:create', (message) => {
  // Only the body of the message is read; undici publishes it on a diagnostics channel.
  const { request } = message as { request: { body: unknown } }
  const text = typeof request.body === 'string' || Buffer.isBuffer(request.body) ? String(request.body) : ''
  if (text.includes('payer_extra_details')) sentHeaders.push(JSON.parse(text).payer_extra_details)
})

test('browser data from the merchant’s server is used, and its accept header goes to the acquirer', async () => {
  await checkout.choose({ addToCallback: ['browser_accept_headers', 'browser_screen_width', 'browser_java_enabled'] })
  for (const name of ['accept_headers', 'accept_header']) {
    const fields = await Fields.open()
    await fields.enter()
    const browser_info = { [name]: 'text/html;q=0.9', screen_width: 1280, java_enabled: false }
    const { body } = await fields.process({ browser_info })
    const callbackFields = (await checkout.lastCallback(body.public_id)).fields
    assert.deepEqual(
      ['browser_accept_headers', 'browser_screen_width', 'browser_java_enabled'].map((key) => callbackFields[key]),
      ['text/html;q=0.9', '1280', 'false'],
    )
    assert.deepEqual(sentHeaders.at(-1), { accept_headers: 'text/html;q=0.9' })
  }
  await checkout.choose({})
})

test('once a payment exists, even a declined one, the session cannot be updated', async () => {
  const fields = await Fields.open()
  await fields.enter('02/38')
  await fields.process()
  assertSingleError(await fields.update({ order_amount: '1.00' }), 100000, 'Session can not be updated')
})

test('an update and a concurrent payment never disagree about the amount', async () => {
  const fields = await Fields.open()
  await fields.enter()
  const [updated, processed] = await Promise.all([fields.update({ order_amount: '99.00' }), fields.process()])
  const { order } = (await checkout.byToken(fields.token)).request
  if (processed.http === 409) return
  const callback = await checkout.lastCallback(processed.body.public_id)
  assert.equal(callback.fields['order_amount'], order.amount)
  assert.equal(order.amount, updated.http === 200 ? '99.00' : '10.00')
})

test('the token of the page collects the card, and neither pays nor changes the session', async () => {
  const fields = await Fields.open()
  const page = new Fields(fields.clientToken)
  await page.enter()
  assertSingleError(await page.process(), 100000, 'Session token is not valid.', 401)
  assertSingleError(await page.update({ order_amount: '0.01' }), 100000, 'Session token is not valid.', 403)
  assert.equal((await fetch(`${shop.url}/auth/${page.token}`)).status, 404)
  const { body } = await fields.process()
  assert.deepEqual([body.result, body.order_amount, body.order_currency], ['success', '10.00', 'EUR'])
})

const unproved = "Session update must be signed, or sent from an address on the merchant's list."
const fromShop = { allowedIps: '{127.0.0.1}' }
const fromElsewhere = { allowedIps: '{203.0.113.9}' }

/** Signed as `client/` does; `password` is another one for a wrong signature. */
const signUpdate = (
  { token }: Fields,
  body: string,
  password = shop.merchant().password,
): Readonly<Record<string, string>> =>
  signRequest(
    password,
    { method: 'PUT', target: '/api/v1/session/update', token, idempotencyKey: '', body },
    { id: `update-${randomUUID()}`, at: machineTime(shop.base.clock).now() },
  )

// biome-ignore format: a table is read in columns.
const updaters: readonly (readonly [title: string, rules: { allowedIps?: string; options?: object }, signed: 'well' | 'wrongly' | 'not', answer: number, message?: string])[] = [
  ['nothing',                                  {},                                                     'not',     403, unproved],
  ['a signature',                              {},                                                     'well',    200],
  ['a signature with another password',        {},                                                     'wrongly', 400],
  ['a listed address',                         fromShop,                                               'not',     200],
  ['an address that is not listed',            fromElsewhere,                                          'not',     403, 'IP address is not allowed.'],
  ['a signature from an unlisted address',     fromElsewhere,                                          'well',    403, 'IP address is not allowed.'],
  ['the token, where it is enough',            { options: { sessionUpdate: 'token' } },                'not',     200],
  ['the token from an unlisted address',       { ...fromElsewhere, options: { sessionUpdate: 'token' } }, 'not',  403, 'IP address is not allowed.'],
  ['no signature, where every request has one', { ...fromShop, options: { requestSignature: 'required' } }, 'not', 400],
]
for (const [title, { allowedIps = '{}', options = {} }, signed, http, message] of updaters) {
  test(`an update that is proved by ${title} is answered ${http}`, async () => {
    const fields = await Fields.open()
    await checkout.choose({ sessionUpdate: 'listed-or-signed', ...options })
    await shop.configure(`update merchants set allowed_ips = $1 where name = 'demo'`, [allowedIps])
    const body = { order_amount: '12.00' }
    const headers =
      signed === 'not' ? {} : signUpdate(fields, JSON.stringify(body), signed === 'well' ? undefined : 'x')
    const answer = await fields.update(body, headers)
    await shop.configure(`update merchants set allowed_ips = '{}'`)
    await checkout.choose({})
    assert.equal(answer.http, http, answer.text)
    if (message !== undefined) assertSingleError(answer, 100000, message, http)
    assert.equal((await checkout.byToken(fields.token)).request.order.amount, http === 200 ? '12.00' : '10.00')
  })
}

test('an update of a signed request counts once', async () => {
  const fields = await Fields.open()
  await checkout.choose({ sessionUpdate: 'listed-or-signed' })
  const body = { order_amount: '12.00' }
  const headers = signUpdate(fields, JSON.stringify(body))
  const answers = [await fields.update(body, headers), await fields.update(body, headers)]
  await checkout.choose({})
  assert.deepEqual([answers[0]?.http, answers[1]?.http === 200], [200, false])
})

test('processing is refused from an address that the merchant does not list', async () => {
  const fields = await Fields.open()
  await fields.enter()
  await shop.configure(`update merchants set allowed_ips = '{203.0.113.9}' where name = 'demo'`)
  const refused = await fields.process()
  await shop.configure(`update merchants set allowed_ips = '{}'`)
  assertSingleError(refused, 100000, 'IP address is not allowed.', 403)
  assert.equal((await fields.process()).body.result, 'success')
})

test('processing that names another amount or currency than the session has charges nothing', async () => {
  const fields = await Fields.open()
  await fields.update({ order_amount: '0.01' })
  await fields.enter()
  const message = 'Amount or currency is not that of the session.'
  for (const [named, rows] of [
    [{ order_amount: '500.00', order_currency: 'EUR' }, ['order_amount: The session has 0.01.']],
    [{ order_currency: 'USD' }, ['order_currency: The session has EUR.']],
    [{ order_amount: '0.011' }, ['order_amount: The session has 0.01.']],
  ] as const) {
    const { http, body } = await fields.process(named)
    assert.deepEqual([http, body.error_message], [409, message])
    assert.deepEqual(
      body.errors.map((row: Body) => row['error_message']),
      rows,
    )
  }
  const paid = await fields.process({ order_amount: '0.010', order_currency: 'EUR' })
  assert.equal(paid.http, 409, 'more decimals than the currency has are another amount')
  const { body } = await fields.process({ order_amount: '0.01', order_currency: 'EUR' })
  assert.deepEqual([body.result, body.order_amount, body.order_currency], ['success', '0.01', 'EUR'])
  assert.deepEqual(
    (await shop.readExecuted(body.public_id)).map(({ amount }) => amount),
    ['1'],
  )
})
