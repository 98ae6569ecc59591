import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { machineTime } from '#server/process/clock.ts'
import { openAccount } from '../../../server/test/account.ts'
import { CheckoutClient } from '../../../server/test/pages/checkout.ts'
import { type Answer, formOf, openShop, type RequestFields } from '../../../server/test/shop.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const environment = { DATABASE_URL: shop.base.databaseUrl, DATA_DIR: shop.base.config.dataDir }

let merchant: string
before(async () => {
  merchant = await openAccount(shop, { merchant: { ratePerSecond: 100_000 } })
})

const logs = async (...options: readonly string[]) => {
  await shop.service.awaitIdle()
  return runGatehouse(['logs', ...options], { environment })
}
interface StoredRefusal {
  readonly requestId: string
  readonly protocol: string | null
  readonly code: number
  readonly checks: readonly { readonly check: string; readonly result: string }[]
  readonly violations: readonly unknown[]
}

const storedRefusals = async (): Promise<readonly StoredRefusal[]> => (await logs('--limit', '200', '--json')).json
const idOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? ''
const refusedSale = (over: RequestFields) => shop.sale(over, { merchant })
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const reverse = (text: string): string => [...text].reverse().join('')

test('a wrong hash is explained by its formula, its text and the mistake, without password, card or payer', async () => {
  const { password } = shop.merchant(merchant)
  const hash = md5(`${reverse('doe@example.com')}${password}${reverse('4111111111')}`)
  const answer = await refusedSale({ hash, order_id: 'WRONG-HASH', card_number: '4111111111111111' })
  assert.equal(answer.http, 400)
  const { out } = await logs('--request', idOf(answer))
  for (const line of [
    /^order +WRONG-HASH$/m,
    /^action +SALE, S2S_CARD$/m,
    /^answer +HTTP 400, 100000 Request data is invalid\.$/m,
    /^✔ The parameters are valid$/m,
    /^✖ The hash is correct\n {4}hash: /m,
    /^· The payment’s state/m,
    /formula +md5\(up\( rev\(email\) \. PASSWORD \. rev\(pan10\) \)\)/,
    /text +MOC\.ELPMAXE@\*\*D\*{8}1111\*{6}$/m,
    /^The text was not converted to upper case\.$/m,
  ])
    assert.match(out, line)
  const { rows } = await shop.base.pool.query<{ row: string }>('select r::text as row from refused_requests r')
  const stored = rows.map(({ row }) => row).join('\n')
  for (const secret of [password, hash, '411111', 'doe@', 'eod@'])
    assert.ok(!stored.toLowerCase().includes(secret), secret)
})

test('every check that refuses a request is named, also for a request without a payment', async () => {
  const unknown = '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007'
  const paid = (await shop.sale({}, { merchant })).body.trans_id
  const blocked = await openAccount(shop, { options: null })
  const restricted = await openAccount(shop, { merchant: { allowedIps: ['203.0.113.9'] } })
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [step: string, Answer])[] = [
    ['action',     await refusedSale({ action: 'NO_SUCH_ACTION' })],
    ['mapping',    await shop.sale({}, { merchant: blocked })],
    ['address',    await shop.sale({}, { merchant: restricted })],
    ['parameters', await refusedSale({ order_amount: 'x', order_currency: 'nothing' })],
    ['entity',     await shop.followUp('CAPTURE', unknown, {}, { merchant })],
    ['hash',       await shop.followUp('CREDITVOID', paid, { hash: '0'.repeat(32) }, { merchant })],
    ['rules',      await shop.followUp('CAPTURE', paid, {}, { merchant })],
  ]
  const stored = await storedRefusals()
  for (const [step, answer] of cases) {
    const refused = stored.find(({ requestId }) => requestId === idOf(answer))
    assert.equal(refused?.checks.find(({ result }) => result === 'refused')?.check, step)
    assert.equal(refused?.code, answer.body.error_code, step)
    assert.equal(refused?.violations.length, answer.body.errors.length, step)
  }
  const { out } = await logs('--payment', paid)
  assert.match(out, /^status +SETTLED$/m)
  assert.match(out, /SALE +success/)
  assert.match(out, /callback 1 +delivered +200 OK/)
  assert.equal(out.match(/^request /gm)?.length, 2)
  assert.match(out, /Not acceptable to request the capture for payment not in pending status\./)
})

test('Checkout requests are explained as well, and an accepted request leaves nothing', async () => {
  const { key } = shop.merchant()
  const accepted = await shop.sale({ order_id: 'ACCEPTED' })
  assert.equal(accepted.body.result, 'SUCCESS')
  const answer = await shop.send({
    path: '/api/v1/payment/status',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_key: key, order_id: 'CHECKOUT-1', hash: '0'.repeat(40) }),
  })
  const stored = await storedRefusals()
  assert.equal(stored.find(({ requestId }) => requestId === idOf(answer))?.protocol, 'CHECKOUT')
  assert.match((await logs('--request', idOf(accepted))).out, /No refused request was found/)
})

test('a request with an unknown key, or one that came too fast, is not stored', async () => {
  const slow = await openAccount(shop, { merchant: { ratePerSecond: 1 } })
  const answers = await Promise.all(Array.from({ length: 8 }, () => shop.sale({ hash: 'x' }, { merchant: slow })))
  const tooFast = answers.filter(({ http }) => http === 429)
  assert.ok(tooFast.length > 0)
  const unknown = await shop.sale({ client_key: '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007' })
  const stored = (await storedRefusals()).map(({ requestId }) => requestId)
  assert.ok([...tooFast, unknown].every((answer) => !stored.includes(idOf(answer))))
  assert.ok(answers.some((answer) => stored.includes(idOf(answer))))
})

test('the list shows the newest refusal first, and contradicting options are refused', async () => {
  await refusedSale({ order_id: 'LAST', order_amount: 'x' })
  const { out } = await logs('--merchant', merchant)
  const [heading, newest] = out.split('\n')
  assert.match(heading ?? '', /^AT +MERCHANT +REQUEST +ORDER +REFUSED BY +BECAUSE +REQUEST ID$/)
  assert.match(newest ?? '', /SALE +LAST +parameters +order_amount: /)
  const both = await logs('--payment', '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007', '--request', 'x')
  assert.equal(both.code, 2)
  assert.equal((await logs('--payment', '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007')).code, 1)
})

test('a wrong signature is explained by what it covers and the mistake, and so is one of hosted fields', async () => {
  const signedMerchant = await openAccount(shop, { options: { requestSignature: 'required' } })
  const { password } = shop.merchant(signedMerchant)
  const timestamp = String(Math.floor(machineTime(shop.base.clock).now().getTime() / 1000))
  const body = String(formOf(shop.saleFields({ order_id: 'ONLY-BODY' }, { merchant: signedMerchant })))
  const key = createHmac('sha256', password).update('request').digest()
  const mac = createHmac('sha256', key).update(`one.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'webhook-id': 'one',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  }
  const { out } = await logs('--request', idOf(await shop.send({ headers, body })))
  for (const line of [
    /^✔ The hash is correct$/m,
    /^✖ The request is signed if the mapping requires it, and the signature is correct and new\n {4}webhook-signature: Signature is not valid\.$/m,
    /^The signature should have been:$/m,
    new RegExp(`text +one\\.${timestamp}\\.POST /post\\\\n\\\\n\\\\n\\(${body.length} bytes\\)`),
    /^Only the body was signed, as of a callback; method, path, Token and Idempotency-Key are missing\.$/m,
  ])
    assert.match(out, line)

  const checkout = new CheckoutClient(shop)
  const order = {
    ...checkout.purchase({ order: { number: 'FIELDS' } }),
    success_url: undefined,
    return_url: 'https://shop.example/',
  }
  const opened = await checkout.post('/api/v1/session/token', 'session', order)
  await checkout.choose({ requestSignature: 'required' })
  const update = await checkout.request('/api/v1/session/update', {
    method: 'PUT',
    body: '{"order_amount":"0.01"}',
    headers: { token: opened.body.token },
  })
  await checkout.choose({})
  const { out: ofFields } = await logs('--request', idOf(update))
  assert.match(ofFields, /^action +session-update, CHECKOUT\norder +FIELDS$/m)
  assert.match(ofFields, /webhook-signature: This request must be signed\./)
})
