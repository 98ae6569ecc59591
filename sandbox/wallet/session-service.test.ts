import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { newEcPair, sha256 } from './key-pair.ts'
import { openWallet, type TestWallet } from './testing/test-wallet.ts'

const merchantIdentifier = 'merchant.example.shop'
const body = {
  merchantIdentifier,
  displayName: 'Example Shop',
  initiative: 'web',
  initiativeContext: 'shop.example.com',
}

interface Credentials {
  readonly key: string
  readonly cert: string
}

interface SessionAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function credentials(provider: TestWallet, identifier = merchantIdentifier): Promise<Credentials> {
  const { spki, privateKey } = await newEcPair()
  const request = { kind: 'identity', merchant_identifier: identifier, spki: spki.toString('base64') }
  const issued = await provider.post('/wallet/certificates', request)
  assert.equal(issued.status, 200)
  return { key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })), cert: issued.body.certificate_pem }
}

async function ask(provider: TestWallet, mine: Partial<Credentials>, content: object = body): Promise<SessionAnswer> {
  const { url, caPem } = await provider.wallet.sessions.address()
  const sent = request(url, { method: 'POST', ca: caPem, agent: false, ...mine })
  sent.end(JSON.stringify(content))
  const [answer] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

const assertRefused = async (
  t: TestContext,
  change: (provider: TestWallet) => Promise<SessionAnswer>,
): Promise<unknown> => {
  const { status, body: told } = await change(await openWallet(t))
  assert.equal(status, 417)
  return told['statusMessage']
}

test('a merchant with its certificate gets a session of the documented form', async (t) => {
  const provider = await openWallet(t)
  const { status, body: session } = await ask(provider, await credentials(provider))
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(session), [
    'epochTimestamp',
    'expiresAt',
    'merchantSessionIdentifier',
    'nonce',
    'merchantIdentifier',
    'domainName',
    'displayName',
    'signature',
  ])
  assert.equal(session['epochTimestamp'], provider.clock.moment)
  assert.equal(session['expiresAt'], provider.clock.moment + 300_000)
  assert.equal(session['domainName'], 'shop.example.com')
  assert.equal(session['displayName'], 'Example Shop')
  assert.equal(session['merchantIdentifier'], sha256(merchantIdentifier).toString('hex').toUpperCase())
})

test('no two sessions are the same', async (t) => {
  const provider = await openWallet(t)
  const mine = await credentials(provider)
  const [one, two] = [await ask(provider, mine), await ask(provider, mine)]
  assert.notEqual(one.body['merchantSessionIdentifier'], two.body['merchantSessionIdentifier'])
  assert.notEqual(one.body['nonce'], two.body['nonce'])
})

test('a request without a certificate gets no session', async (t) => {
  assert.equal(await assertRefused(t, (provider) => ask(provider, {})), 'No client certificate.')
})

test('a certificate of another authority is refused', async (t) => {
  const other = await openWallet(t, { authority: await temporaryFolder(t) })
  const foreign = await credentials(other)
  assert.equal(
    await assertRefused(t, (provider) => ask(provider, foreign)),
    'The certificate was not issued by the sandbox authority.',
  )
})

test('a certificate of another merchant is refused', async (t) => {
  const message = await assertRefused(t, async (provider) =>
    ask(provider, await credentials(provider, 'merchant.another')),
  )
  assert.equal(message, 'The certificate was issued for another Merchant Identifier.')
})

test('a certificate that has expired by the test clock is refused', async (t) => {
  const message = await assertRefused(t, async (provider) => {
    const mine = await credentials(provider)
    provider.clock.moment += 26 * 31 * 86_400_000
    return ask(provider, mine)
  })
  assert.equal(message, 'The certificate is not valid now.')
})

for (const initiativeContext of [
  'https://shop.example.com',
  'shop.example.com:443',
  'shop',
  'SHOP.example.com',
  '10.0.0.12',
]) {
  test(`${initiativeContext} is not a domain`, async (t) => {
    const message = await assertRefused(t, async (provider) =>
      ask(provider, await credentials(provider), { ...body, initiativeContext }),
    )
    assert.equal(message, 'initiativeContext is not a host name.')
  })
}

test('once domains are registered, only these get sessions', async (t) => {
  const provider = await openWallet(t)
  const mine = await credentials(provider)
  await provider.post('/wallet/registrations', {
    merchant_identifier: merchantIdentifier,
    domains: ['pay.example.com'],
  })
  assert.equal((await ask(provider, mine)).status, 417)
  assert.equal((await ask(provider, mine, { ...body, initiativeContext: 'pay.example.com' })).status, 200)
})

test('any request other than the documented one is refused', async (t) => {
  const provider = await openWallet(t)
  const mine = await credentials(provider)
  assert.equal((await ask(provider, mine, { ...body, initiative: 'app' })).status, 400)
  assert.equal((await ask(provider, mine, { ...body, displayName: undefined })).status, 400)
})

test('a client that does not trust the service’s root cannot connect', async (t) => {
  const provider = await openWallet(t)
  const { url } = await provider.wallet.sessions.address()
  const sent = request(url, { method: 'POST', agent: false })
  sent.end('{}')
  const [fault] = await once(sent, 'error').catch((error: unknown) => [error])
  assert.ok(fault instanceof Error)
})
