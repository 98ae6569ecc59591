/** The wallet simulator under the gateway's own address. Chapter 40 §20.3, §20.4. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openShop } from '../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const { key } = shop.merchant('demo')
const json = { 'content-type': 'application/json' }

interface Expectation {
  readonly http: number
  readonly error_code: number | null
  readonly error_message: string | null
  readonly check: string | null
}

interface SignedRequest {
  readonly url: string
  readonly body: string
}

/** The members of the simulator's answers that tests look at; an answer has those of its address. */
interface SimulatorAnswer {
  readonly id: string
  readonly token: string
  readonly state: string
  readonly code: string
  readonly url: string
  readonly root_pem: string
  readonly enabled: readonly string[]
  readonly cards: readonly object[]
  readonly faults: readonly { readonly number: number }[]
  readonly expect: { readonly card: Expectation }
  readonly requests: { readonly s2s_card: SignedRequest; readonly s2s_apm: SignedRequest }
  readonly error: { readonly message: string }
}

const api = async (path: string, body?: object, headers: Record<string, string> = {}) => {
  const init = body && { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) }
  const reply = await fetch(`${shop.url}/simulator/api${path}`, init)
  return { status: reply.status, body: (await reply.json()) as SimulatorAnswer }
}

type AnswerField = 'result' | 'status' | 'amount' | 'currency' | 'digital_wallet' | 'error_code' | 'error_message'

const pay = async ({ url, body }: SignedRequest) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await fetch(url, { method: 'POST', headers, body })
  return (await reply.json()) as Readonly<Record<AnswerField, unknown>>
}

for (const wallet of ['walletapay', 'walletbpay']) {
  for (const protocol of ['s2s_card', 's2s_apm'] as const) {
    test(`a token of ${wallet} comes with a request of ${protocol} that pays`, async () => {
      const { status, body } = await api('/tokens', { merchant_key: key, wallet, amount: '12.34', currency: 'EUR' })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(body.expect.card, { http: 200, error_code: null, error_message: null, check: null })
      const paid = await pay(body.requests[protocol])
      assert.deepEqual([paid.result, paid.amount, paid.digital_wallet], ['SUCCESS', '12.34', wallet])
      assert.notEqual((await pay(body.requests[protocol])).result, 'SUCCESS')
    })
  }
}

for (const wallet of ['walletapay', 'walletbpay']) {
  test(`the card in a token of ${wallet} decides the outcome, whichever request carries it`, async () => {
    for (const protocol of ['s2s_card', 's2s_apm'] as const) {
      const { body } = await api('/tokens', { merchant_key: key, wallet, card: 'decline' })
      assert.equal((await pay(body.requests[protocol])).result, 'DECLINED', protocol)
    }
  })
}

test('a request of S2S APM becomes a hold if auth=Y is added', async () => {
  const { body } = await api('/tokens', { merchant_key: key })
  const { url, body: form } = body.requests.s2s_apm
  assert.equal((await pay({ url, body: `${form}&auth=Y` })).status, 'PENDING')
})

test('a token of a test key pays in test mode, with the digest of the merchant', async () => {
  const { test_key } = shop.merchant('demo-sha256')
  const { body } = await api('/tokens', { merchant_key: test_key })
  const paid = await pay(body.requests.s2s_card)
  assert.deepEqual([paid.result, paid.amount, paid.currency], ['SUCCESS', '1.99', 'USD'])
})

test('the expected answer to a fault is announced, and the gateway gives it', async () => {
  const { body } = await api('/tokens', { merchant_key: key, fault: 'stale' })
  const refused = await pay(body.requests.s2s_card)
  assert.equal(body.expect.card.check, 'A11')
  assert.deepEqual(
    [refused.error_code, refused.error_message],
    [body.expect.card.error_code, body.expect.card.error_message],
  )
})

test('a minted token can be fetched again by its id', async () => {
  const { body } = await api('/tokens', { merchant_key: key })
  assert.equal((await api(`/tokens/${body.id}`)).body.token, body.token)
})

test('cards, faults and the authority are shown', async () => {
  assert.ok((await api('/cards')).body.cards.length >= 10)
  assert.equal((await api('/faults')).body.faults.at(-1)?.number, 81)
  assert.match((await api('/authority')).body.root_pem, /BEGIN CERTIFICATE/)
})

// biome-ignore format: a table is read in columns.
const wrong: readonly (readonly [what: string, body: object, says: RegExp])[] = [
  ['no merchant',                  {},                                                                /^merchant_key: /],
  ['an unknown merchant',          { merchant_key: 'nobody' },                                        /^merchant_key: No merchant/],
  ['an unknown wallet',            { merchant_key: key, wallet: 'purse' },                            /^wallet: /],
  ['a merchant without the wallet',{ merchant_key: shop.merchant('demo-no-wallet').key },             /is not enabled for testing/],
  ['a standard test card',         { merchant_key: key, card: '4111111111111111' },                   /standard test cards/],
  ['a field that there is not',    { merchant_key: key, colour: 'red' },                              /^colour: /],
]
for (const [what, body, says] of wrong) {
  test(`${what} is refused with an explanation`, async () => {
    const answer = await api('/tokens', body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, says)
  })
}

test('a merchant’s wallets are enabled by one call, which can be repeated', async () => {
  const { key: other } = shop.merchant('demo-no-wallet')
  for (const _ of [1, 2]) {
    const { status, body } = await api(`/merchants/${other}/enable`, {})
    assert.deepEqual([status, body.enabled], [200, ['walletapay', 'walletbpay']])
  }
  assert.equal((await api('/tokens', { merchant_key: other })).status, 200)
  assert.equal((await api('/merchants/nobody/enable', {})).status, 404)
})

test('tokens signed before and after a rotation of the authority both pay', async () => {
  const before = (await api('/tokens', { merchant_key: key })).body
  assert.equal((await api('/authority/rotate', { what: 'leaf', overlap_seconds: 60 })).status, 200)
  const after = (await api('/tokens', { merchant_key: key })).body
  for (const { requests } of [before, after]) assert.equal((await pay(requests.s2s_card)).result, 'SUCCESS')
})

const strangers: readonly (readonly [who: string, remoteAddress: string, headers: Record<string, string>])[] = [
  ['another machine', '203.0.113.9', {}],
  ['a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
  ['a page of another site', '127.0.0.1', { origin: 'https://evil.example' }],
  ['a name that leads here', '127.0.0.1', { host: 'evil.example' }],
]
for (const [who, remoteAddress, headers] of strangers) {
  test(`${who} may mint, but gets no signed request and changes nothing`, async () => {
    const ask = (path: string, payload: object) =>
      shop.service.app.inject({
        method: 'POST',
        url: `/simulator/api${path}`,
        headers: { ...json, host: 'localhost', ...headers },
        payload,
        remoteAddress,
      })
    const minted = await ask('/tokens', { merchant_key: key })
    assert.equal(minted.statusCode, 200)
    assert.deepEqual([typeof minted.json().token, minted.json().requests], ['string', undefined])
    assert.equal((await ask(`/merchants/${key}/enable`, {})).statusCode, 403)
    assert.equal((await ask('/authority/rotate', { what: 'leaf' })).statusCode, 403)
  })
}

test('the phone’s confirmation reaches the waiting page as an event, with a token that pays', async () => {
  const { body: scan } = await api('/scan', { merchant_key: key, amount: '5.00', currency: 'EUR' })
  assert.ok(scan.url.endsWith(`/simulator/phone?code=${scan.code}`))
  const events = await fetch(`${shop.url}/simulator/api/scan/${scan.id}/events`)
  assert.match(events.headers.get('content-type') ?? '', /^text\/event-stream/)
  const page = await fetch(`${shop.url}/simulator/phone?code=${scan.code}`)
  assert.match(await page.text(), /SANDBOX/i)
  assert.equal((await api(`/scan/${scan.code}/confirm`, {})).body.state, 'confirmed')
  let stream = ''
  for await (const chunk of events.body ?? []) {
    stream += Buffer.from(chunk).toString()
    if (stream.includes('"confirmed"')) break
  }
  const line = stream.split('\n').findLast((line) => line.startsWith('data:') && line.includes('"confirmed"')) ?? ''
  const { minted } = JSON.parse(line.slice('data:'.length))
  const paid = await shop.sale({
    order_amount: '5.00',
    card_number: undefined,
    card_exp_month: undefined,
    card_exp_year: undefined,
    card_cvv2: undefined,
    digital_wallet: 'walletapay',
    payment_token: minted.token,
  })
  assert.equal(paid.body.result, 'SUCCESS', paid.text)
})

test('a page that disconnects while it waits leaves nothing open', async () => {
  const { body: scan } = await api('/scan', { merchant_key: key, amount: '5.00', currency: 'EUR' })
  const leaving = new AbortController()
  const events = await fetch(`${shop.url}/simulator/api/scan/${scan.id}/events`, { signal: leaving.signal })
  assert.equal(events.status, 200)
  leaving.abort()
  assert.equal((await api(`/scan/${scan.code}/cancel`, {})).body.state, 'cancelled')
})

test('the browser’s replacement APIs are served as a script', async () => {
  const script = await fetch(`${shop.url}/simulator/stand-in.js`)
  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
})

test('no other address of the sandbox can be reached through the simulator', async () => {
  for (const path of ['/certificates', '/registrations', '/ledger', '/scan/..%2f..%2fledger', '/%2e%2e/clock']) {
    assert.equal((await fetch(`${shop.url}/simulator/api${path}`, { method: 'POST', body: '{}' })).status, 404, path)
  }
})

test('a live instance has no simulator', async () => {
  const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } }
  await using live = await openShop({ GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: JSON.stringify(keys) })
  for (const path of ['/api/cards', '/phone?code=1', '/stand-in.js']) {
    assert.equal((await fetch(`${live.url}/simulator${path}`)).status, 404, path)
  }
})
