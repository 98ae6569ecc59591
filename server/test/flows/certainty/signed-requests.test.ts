/** Requests that are signed by headers besides their hash. Chapter 10 §4.6. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { signRequest } from '#domain/signature/request-signature.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { readDemoCredentials } from '#server/demo/demo-data.ts'
import { machineTime } from '#server/process/clock.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { assertInvalid } from '../../payments.ts'
import { type Answer, type Fields, formOf, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const checkout = new CheckoutClient(shop)
afterEach(async () => {
  await shop.choose({})
  await checkout.choose({})
})
after(() => shop[Symbol.asyncDispose]())

/** Not moved with the sandbox's clock. */
const now = () => machineTime(shop.base.clock).now()
const newId = () => `request-${crypto.randomUUID()}`

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly body: string
  readonly headers?: Fields
}

/** Headers for a request; what is sent may differ from what was signed. */
function sign(
  { method = 'POST', path = '/post', body, headers = {} }: Sent,
  { id = newId(), at = now() } = {},
): Fields {
  const { token = '', 'idempotency-key': idempotencyKey = '' } = headers
  const signed = signRequest(
    shop.merchant().password,
    { method, target: path, token, idempotencyKey, body },
    { id, at },
  )
  return { ...headers, ...signed }
}

const form = (fields: RequestFields): string => String(formOf(fields))
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const jsonType = { 'content-type': 'application/json' }
const send = (sent: Sent, headers: Fields): Promise<Answer> =>
  shop.send({
    method: sent.method ?? 'POST',
    path: sent.path ?? '/post',
    headers: { ...formType, ...headers },
    ...(sent.body === '' ? {} : { body: sent.body }),
  })

const refused = (text: string) => (answer: Answer) => assertInvalid(answer, text)
const unsigned = refused('webhook-signature: This request must be signed.')
const wrong = refused('webhook-signature: Signature is not valid.')
const replayed = (answer: Answer) =>
  assert.deepEqual(
    [answer.http, answer.body.error_code, answer.body.error_message],
    [409, 400, 'Signed request was used before.'],
  )

test('a mapping that requires signatures refuses a request with a good hash alone, and its amount cannot be changed', async () => {
  await shop.choose({ requestSignature: 'required' })
  unsigned(await shop.sale())
  const sale = { body: form(shop.saleFields()) }
  const headers = sign(sale)
  wrong(await send({ body: sale.body.replace('order_amount=10.00', 'order_amount=99.00') }, headers))
  const { body } = await send(sale, headers)
  assert.equal(body.status, 'SETTLED')
})

test('a signed request is accepted once, by whichever connection, and a repetition with its idempotency key is signed anew', async () => {
  await shop.choose({ requestSignature: 'required' })
  const sale = { body: form(shop.saleFields()), headers: { 'idempotency-key': 'signed-1' } }
  const headers = sign(sale)
  const answers = await Promise.all([send(sale, headers), send(sale, headers), send(sale, headers)])
  const accepted = answers.filter(({ http }) => http === 200)
  assert.equal(accepted.length, 1)
  for (const answer of answers) if (answer.http !== 200) replayed(answer)
  await shop.base.pool.query(
    `update idempotency_keys set lease_until = now() - interval '1 hour' where http_status is null`,
  )
  replayed(await send(sale, headers))
  const again = await send(sale, sign(sale))
  assert.equal(again.text, accepted[0]?.text)
  wrong(await send({ ...sale, headers: {} }, { ...sign(sale), 'idempotency-key': 'signed-2' }))
})

test('a timestamp has to be within five minutes of the machine, even if the sandbox’s clock was moved', async () => {
  await shop.choose({ requestSignature: 'required' })
  await shop.advance(3_600_000)
  const sale = { body: form(shop.saleFields()) }
  const at = (seconds: number) => send(sale, sign(sale, { at: new Date(now().getTime() + seconds * 1000) }))
  refused('webhook-timestamp: This time is more than 300 seconds ago.')(await at(-330))
  refused('webhook-timestamp: This time is more than 300 seconds ahead.')(await at(330))
  assert.equal((await at(-200)).http, 200)
})

test('both: a signature is checked if it is sent; hash: it is ignored', async () => {
  const broken = () => ({ ...sign({ body: 'another' }) })
  const sale = () => ({ body: form(shop.saleFields()) })
  await shop.choose({ requestSignature: 'both' })
  assert.equal((await shop.sale()).http, 200)
  wrong(await send(sale(), broken()))
  await shop.choose({})
  const [one, two] = [sale(), sale()]
  const headers = broken()
  assert.deepEqual([(await send(one, headers)).http, (await send(two, headers)).http], [200, 200])
})

test('the hash is still checked, and an id of another merchant is free', async () => {
  await shop.choose({ requestSignature: 'required' })
  const sale = { body: form({ ...shop.saleFields(), hash: '0'.repeat(32) }) }
  refused('hash: Hash is not valid.')(await send(sale, sign(sale)))
  const own = { body: form(shop.saleFields()) }
  await send(own, sign(own, { id: 'shared' }))
  const other = (await readDemoCredentials(shop.base)).find(({ name }) => name !== 'demo') ?? assert.fail()
  await shop.choose({ requestSignature: 'required' }, other.name)
  const theirs = { body: form(shop.saleFields({}, { merchant: other.name })) }
  const request = { method: 'POST', target: '/post', token: '', idempotencyKey: '', body: theirs.body }
  const answer = await send(theirs, signRequest(other.password, request, { id: 'shared', at: now() }))
  assert.equal(answer.body.errors?.length ?? 0, 0, answer.text)
  await shop.choose({}, other.name)
})

test('a look-up by GET signs its query', async () => {
  const { id } = await checkout.schedule()
  await shop.choose({ requestSignature: 'required' })
  const { key, password } = shop.merchant()
  const hash = shop.sign(cardFormulas.schedule, { schedule_id: id }, password)
  const lookUp = form({ action: 'SCHEDULE_INFO', client_key: key, schedule_id: id, hash })
  const sent = { method: 'GET', path: `/post?${lookUp}`, body: '' }
  unsigned(await send(sent, {}))
  assert.equal((await send(sent, sign(sent))).http, 200)
  wrong(await send({ ...sent, path: `${sent.path}&x=1` }, sign(sent)))
})

const post = (path: string, body: unknown): Sent => ({ path, body: JSON.stringify(body) })
const sendJson = (sent: Sent, headers: Fields) => send(sent, { ...headers, ...jsonType })
const messages = ({ body }: Answer): readonly string[] =>
  body.errors.map((one: { error_message: string }) => one.error_message)

test('Checkout: a signed capture is no refund, although both have the same hash', async () => {
  const session = await checkout.openSession()
  const { payment } = await checkout.pay(session)
  await checkout.choose({ requestSignature: 'required' })
  const content = checkout.sign('paymentAmount', { payment_id: payment.id, amount: '1.00' })
  const capture = post('/api/v1/payment/capture', content)
  const refund = post('/api/v1/payment/refund', content)
  assert.deepEqual(messages(await sendJson(refund, sign(capture))), ['webhook-signature: Signature is not valid.'])
  assert.equal((await sendJson(refund, sign(refund))).http, 200)
})

test('hosted fields: the payer’s token alone changes and pays nothing, and a signed update belongs to its token', async () => {
  const open = async () => {
    const body = { ...checkout.purchase(), success_url: undefined, return_url: 'https://shop.example/back' }
    const { body: answer } = await checkout.post('/api/v1/session/token', 'session', body)
    return { token: String(answer.token) }
  }
  const [one, two] = [await open(), await open()]
  await checkout.choose({ requestSignature: 'required' })
  const update = (headers: Fields) => ({
    ...post('/api/v1/session/update', { order_amount: '0.01' }),
    method: 'PUT',
    headers,
  })
  const unsignedText = ['webhook-signature: This request must be signed.']
  assert.deepEqual(messages(await sendJson(update(one), one)), unsignedText)
  const pay = { ...post('/api/v1/processing/purchase/card', { name: 'Jane Roe' }), headers: one }
  assert.deepEqual(messages(await sendJson(pay, one)), unsignedText)
  const swapped = { ...sign(update(one)), ...two }
  assert.deepEqual(messages(await sendJson(update(two), swapped)), ['webhook-signature: Signature is not valid.'])
  assert.equal((await sendJson(update(one), sign(update(one)))).http, 200)
  assert.match((await sendJson(pay, sign(pay))).text, /Card data is not collected/)
})
