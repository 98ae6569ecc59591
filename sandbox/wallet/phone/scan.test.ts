import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWallet, recipient, type TestWallet } from '../testing/test-wallet.ts'

const order = {
  shop_name: 'Example Shop',
  domain: 'shop.example.com',
  amount: '1.99',
  currency: 'USD',
  wallet: 'walletapay',
  recipient,
}

const begin = async (provider: TestWallet, fields: object = {}) =>
  (await provider.post('/wallet/scan', { ...order, phone_url: `${provider.url}/wallet/phone`, ...fields })).body

interface ScanEvent {
  readonly state: string
  readonly minted?: { readonly token: string; readonly facts: Readonly<Record<string, string>> }
}

/** The events that a waiting page receives. */
async function* hear(provider: TestWallet, id: string): AsyncGenerator<ScanEvent> {
  const { body, headers } = await fetch(`${provider.url}/wallet/scan/${id}/events`)
  assert.equal(headers.get('content-type'), 'text/event-stream')
  assert.ok(body !== null)
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
  }
}

test('the waiting page is notified when the phone opens the sheet and confirms, and gets the token', async (t) => {
  const provider = await openWallet(t)
  const { id, code } = await begin(provider)
  const events = hear(provider, id)
  assert.equal((await events.next()).value?.state, 'waiting')
  assert.equal((await provider.get(`/wallet/phone?code=${code}`)).status, 200)
  assert.equal((await events.next()).value?.state, 'opened')
  const confirmed = await provider.post(`/wallet/scan/${code}/confirm`, { card: 'approve-mc', pan_type: 'FPAN' })
  assert.equal(confirmed.body.state, 'confirmed')
  const last = (await events.next()).value
  assert.equal(last?.state, 'confirmed')
  assert.equal(last?.minted?.facts['card_name'], 'approve-mc')
  assert.equal(provider.wallet.cardOfToken(last?.minted?.token ?? '')?.panType, 'FPAN')
  await events.return(undefined)
})

test('a page that connects late gets the current state', async (t) => {
  const provider = await openWallet(t)
  const { id, code } = await begin(provider)
  await provider.post(`/wallet/scan/${code}/cancel`)
  const events = hear(provider, id)
  assert.equal((await events.next()).value?.state, 'cancelled')
  await events.return(undefined)
})

test('a code can be used once', async (t) => {
  const provider = await openWallet(t)
  const { code } = await begin(provider)
  assert.equal((await provider.post(`/wallet/scan/${code}/confirm`)).body.state, 'confirmed')
  assert.equal((await provider.post(`/wallet/scan/${code}/cancel`)).body.state, 'confirmed')
  const again = await begin(provider)
  await provider.post(`/wallet/scan/${again.code}/cancel`)
  assert.equal((await provider.post(`/wallet/scan/${again.code}/confirm`)).body.state, 'cancelled')
})

test('a code expires after five minutes, and the waiting page is notified', async (t) => {
  const provider = await openWallet(t)
  const { id, code } = await begin(provider)
  const events = hear(provider, id)
  await events.next()
  provider.clock.moment += 299_999
  assert.equal((await provider.get(`/wallet/scan/${code}`)).body.state, 'waiting')
  provider.clock.moment += 1
  assert.equal((await events.next()).value?.state, 'expired')
  assert.equal((await provider.post(`/wallet/scan/${code}/confirm`)).body.state, 'expired')
  await events.return(undefined)
})

test('a phone below OS 18 cannot confirm, and the code stays usable', async (t) => {
  const provider = await openWallet(t)
  const { code } = await begin(provider)
  for (const os_version of [17, '16', 'old']) {
    assert.equal((await provider.post(`/wallet/scan/${code}/confirm`, { os_version })).status, 400)
  }
  assert.equal((await provider.post(`/wallet/scan/${code}/confirm`, { os_version: 18 })).body.state, 'confirmed')
})

test('the phone chooses card, number and behaviour, but neither merchant nor amount', async (t) => {
  const provider = await openWallet(t)
  const { id, code } = await begin(provider)
  const other = { ...recipient, merchant_identifier: 'merchant.thief', keys: [] }
  await provider.post(`/wallet/scan/${code}/confirm`, { card: 'decline', amount: '9999.00', recipient: other })
  const events = hear(provider, id)
  const minted = (await events.next()).value?.minted
  assert.equal(minted?.facts['card_name'], 'decline')
  const { publicKeyHash } = JSON.parse(minted?.token ?? '').paymentData.header
  assert.equal(publicKeyHash, (await provider.mintA()).body.facts.public_key_hash)
  await events.return(undefined)
})

test('unknown codes and ids are not found', async (t) => {
  const provider = await openWallet(t)
  assert.equal((await provider.get('/wallet/scan/nothing')).status, 404)
  assert.equal((await provider.post('/wallet/scan/nothing/confirm')).status, 404)
  assert.equal((await provider.get('/wallet/scan/nothing/events')).status, 404)
  assert.equal((await provider.get('/wallet/phone?code=nothing')).status, 404)
})

test('the id does not reveal the code to the page, nor the code the id to the phone', async (t) => {
  const provider = await openWallet(t)
  const { id, code, url } = await begin(provider)
  assert.equal(url, `${provider.url}/wallet/phone?code=${code}`)
  assert.ok(!JSON.stringify((await provider.get(`/wallet/scan/${code}`)).body).includes(id))
})

test('the phone’s form confirms and cancels without a script, and explains how a code ended', async (t) => {
  const provider = await openWallet(t)
  const { code } = await begin(provider)
  const fields = { code, card: 'approve', pan_type: 'DPAN', fault: 'none' }
  const old = await provider.submit('/wallet/phone', { ...fields, os_version: '17', decision: 'confirm' })
  assert.equal(old.status, 400)
  assert.match(old.text, /role="alert"[^>]*>A phone with OS 18 or later is required\./)
  const confirmed = await provider.submit('/wallet/phone', { ...fields, os_version: '18', decision: 'confirm' })
  assert.match(confirmed.text, /<h1>Confirmed<\/h1>/)
  assert.match((await provider.get(`/wallet/phone?code=${code}`)).text, /The payment is confirmed/)
  const second = await begin(provider)
  assert.match(
    (await provider.submit('/wallet/phone', { code: second.code, decision: 'cancel' })).text,
    /<h1>Cancelled<\/h1>/,
  )
  const third = await begin(provider)
  provider.clock.moment += 300_000
  const expired = await provider.get(`/wallet/phone?code=${third.code}`)
  assert.equal(expired.status, 410)
  assert.match(expired.text, /has expired/)
})

test('a shop’s name cannot inject markup into the page', async (t) => {
  const provider = await openWallet(t)
  const { code } = await begin(provider, { shop_name: '<script>alert(1)</script>' })
  const { text, headers } = await provider.get(`/wallet/phone?code=${code}`)
  assert.ok(!text.includes('<script>alert(1)'))
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
})
