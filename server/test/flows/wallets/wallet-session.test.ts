/** Chapter 40 §16: the wallet session request, against the session service of the sandbox. §8: files by host. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signRequest } from '#domain/signature/request-signature.ts'
import { signCheckout } from '#domain/signature/signature.ts'
import { machineTime } from '#server/process/clock.ts'
import { addDomains, uploadFile } from '#server/wallets/setup/wallet-domains.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { assertInvalid } from '../../payments.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let merchantId: string
before(async () => {
  // No program listens there: the wallet provider of this instance cannot be reached.
  shop = await openShop({ WALLET_SESSION_URL: 'https://127.0.0.1:1/' })
  const { rows } = await shop.base.pool.query<{ id: string }>("select id from merchants where name = 'demo'")
  merchantId = rows[0]?.id ?? ''
})
after(() => shop[Symbol.asyncDispose]())

const path = '/api/v1/wallet/session'
const hashOf = (domain: string, password: string, digest: 'md5' | 'sha256' = 'md5') =>
  signCheckout(['domain', 'wallet'], { domain, wallet: 'walletapay' }, { password, digest })

function ask(over: Record<string, unknown> = {}, domain = 'localhost') {
  const { key, password } = shop.merchant()
  const body = { merchant_key: key, wallet: 'walletapay', domain, hash: hashOf(domain, password), ...over }
  return shop.send({ path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}
const context = () => ({
  ...shop.base,
  instanceMode: 'sandbox' as const,
  trustSource: 'sandbox authority' as const,
  byUser: 'test',
})

test('the hash of the chapter’s vector is reproduced', () => {
  assert.equal(hashOf('shop.example', '13a4822c5907ed235f3a068c76184fc3'), '67f316c9d82f696abc25fe580b6e8716db379fb9')
})

test('a session is returned unchanged for a verified domain, in both modes, and never stored', async () => {
  const live = await ask()
  assert.equal(live.http, 200)
  assert.equal(live.headers.get('cache-control'), 'no-store')
  const { session } = live.body
  assert.equal(session.domainName, 'localhost')
  assert.equal(session.displayName, 'Demo shop')
  assert.equal(session.expiresAt - session.epochTimestamp, 300_000)
  const test_ = await ask({ merchant_key: shop.merchant().test_key })
  assert.notEqual(test_.body.session.merchantSessionIdentifier, session.merchantSessionIdentifier)
})

test('the merchant’s first enabled mapping may require a signature', async () => {
  await shop.choose({ requestSignature: 'required' })
  const { key, password } = shop.merchant()
  const body = JSON.stringify({
    merchant_key: key,
    wallet: 'walletapay',
    domain: 'localhost',
    hash: hashOf('localhost', password),
  })
  const request = { method: 'POST', target: path, token: '', idempotencyKey: '', body }
  const headers = signRequest(password, request, { id: 'wallet-session', at: machineTime(shop.base.clock).now() })
  assertInvalid(await ask(), 'webhook-signature: This request must be signed.')
  assert.equal((await shop.send({ path, headers: { ...headers, 'content-type': 'application/json' }, body })).http, 200)
  await shop.choose({})
})

test('H is the digest of the merchant’s first enabled mapping', async () => {
  const { key, password } = shop.merchant('demo-sha256')
  assert.equal((await ask({ merchant_key: key, hash: hashOf('localhost', password, 'sha256') })).http, 200)
  assert.equal((await ask({ merchant_key: key, hash: hashOf('localhost', password) })).http, 400)
})

const errorsOf = (body: { errors: readonly { error_message: string }[] }): readonly string[] =>
  body.errors.map(({ error_message }) => error_message)

// biome-ignore format: a table is read in columns.
const refusals: readonly (readonly [what: string, over: Record<string, unknown>, errors: readonly string[]])[] = [
  ['a wrong hash',            { hash: 'f'.repeat(40) },              ['hash: Hash is not valid.']],
  ['no key',                  { merchant_key: undefined },           ['merchant_key: This value should not be blank.']],
  ['an unknown key',          { merchant_key: crypto.randomUUID() }, ['merchant_key: This value is not correct.']],
  ['another wallet',          { wallet: 'walletbpay' },              ['wallet: The value you selected is not a valid choice.']],
  ['nothing but the key',     { wallet: '', domain: '', hash: '' },  ['wallet: This value should not be blank.', 'domain: This value should not be blank.', 'hash: This value should not be blank.']],
  ['a domain of another type', { domain: 5 },                        ['domain: This value should be of type string.']],
]
test('faults of a request are reported in the same texts as for other requests', async () => {
  for (const [what, over, errors] of refusals) {
    const { http, body } = await ask(over)
    assert.deepEqual([http, body.error_code, errorsOf(body)], [400, 100000, errors], what)
  }
  const { http } = await shop.send({ path, headers: { 'content-type': 'application/json' }, body: '{' })
  assert.equal(http, 400)
})

test('errors have the body of the S2S protocols: chapter 40 §16 says so', async () => {
  const { http, text } = await ask({ hash: 'f'.repeat(40) })
  const row = '{"error_code":100000,"error_message":"hash: Hash is not valid."}'
  const body = `{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid.","errors":[${row}]}`
  assert.deepEqual([http, text], [400, body])
})

test('the rate that the operator set for the merchant counts for wallet sessions, too', async () => {
  await shop.configure("update merchants set rate_per_second = 1 where name = 'demo'")
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ wallet: 'walletbpay' })))
    assert.ok(answers.some(({ http }) => http === 429))
  } finally {
    await shop.configure("update merchants set rate_per_second = null where name = 'demo'")
  }
})

test('a domain that is not verified for the merchant is refused', async () => {
  const unknown = await ask({}, 'other.example')
  assert.deepEqual(errorsOf(unknown.body), ['domain: This value is not correct.'])
  await addDomains(context(), { merchantId, wallet: 'walletapay' }, 'new.example', {
    purpose: 'production',
    controlledBy: 'operator',
  })
  assert.deepEqual(errorsOf((await ask({}, 'new.example')).body), ['domain: This value is not correct.'])
})

test('an unusable wallet answers 204018', async () => {
  const { key, password } = shop.merchant('demo-no-wallet')
  const { body } = await ask({ merchant_key: key, hash: hashOf('localhost', password) })
  assert.deepEqual([body.error_code, body.error_message], [204018, 'Payment digital wallet not supported'])
})

test('an unreachable wallet provider answers 502, without the reason', async () => {
  const place = { merchantId, mode: 'live', wallet: 'walletapay' } as const
  assert.ok((await saveWallet(context(), place, { trustSource: 'wallet maker' })).ok)
  const { http, body } = await ask()
  assert.deepEqual([http, body.error_code, body.error_message], [502, 100000, 'Wallet session is not available.'])
  assert.ok((await saveWallet(context(), place, { enabled: false })).ok)
  assert.equal((await ask()).body.error_code, 204018)
})

test('a host serves its own association file byte for byte, and an unknown host serves none', async () => {
  await addDomains(context(), { merchantId, wallet: 'walletapay' }, 'files.example', {
    purpose: 'production',
    controlledBy: 'operator',
  })
  const file = Buffer.from([0x7b, 0x00, 0xff, 0x0a])
  assert.ok((await uploadFile(context(), { merchantId, wallet: 'walletapay' }, 'files.example', file)).ok)
  const get = (host: string) =>
    shop.service.app.inject({ url: '/.well-known/apple-developer-merchantid-domain-association', headers: { host } })
  for (const host of ['files.example', 'FILES.example:8080']) {
    const reply = await get(host)
    assert.equal(reply.statusCode, 200)
    assert.ok(reply.rawPayload.equals(file))
    assert.match(String(reply.headers['content-type']), /^text\/plain/)
    assert.equal(reply.headers['set-cookie'], undefined)
  }
  assert.equal((await get('unknown.example')).statusCode, 404)
})
