// Written from docs/interface/external-mpi.md and chapter 50 §7.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { FakeAcquirer } from '../connectors/testing/fake-acquirer.ts'
import { externalMpi } from './external.ts'
import type { Mpi } from './mpi.ts'
import { canaries, reportedFacts, request, type WrittenLog, writtenLog } from './testing/mpi-samples.ts'

const server = new FakeAcquirer()
const token = secret(canaries.token)
let log: WrittenLog
let mpi: Mpi

before(() => server.listen())
after(() => server.close())
beforeEach(() => {
  log = writtenLog()
  mpi = externalMpi({ url: `${server.url}/mpi/`, token, log })
})

const state = { threeDSServerTransID: reportedFacts.threeDSServerTransID }
const about = { paymentId: request.paymentId, state, fields: { cres: 'eyJ0cmFu' } }
const facts = {
  threeDSServerTransID: reportedFacts.threeDSServerTransID,
  dsTransID: reportedFacts.dsTransID,
  acsTransID: reportedFacts.acsTransID,
  xid: null,
  transStatusReason: null,
  eci: '05',
  protocolVersion: '2.2.0',
}

describe('a request', () => {
  test('first waits for the browser data, without a request to the server', async () => {
    server.answer({ status: 200, body: { enrolled: false } })
    assert.deepEqual(await mpi.authenticate({ ...request, browser: null }), { result: 'collect' })
    assert.equal(server.requests, 0)
  })

  test('goes to /authentications with the bearer token and every known field as text', async () => {
    server.answer({ status: 200, body: { enrolled: false } })
    assert.deepEqual(await mpi.authenticate(request), { result: 'not-needed' })
    const { method, path, headers, body } = server.last()
    assert.equal(`${method} ${path}`, 'POST /mpi/authentications')
    assert.equal(headers.authorization, `Bearer ${canaries.token}`)
    assert.deepEqual(JSON.parse(body), {
      messageVersion: '2.2.0',
      deviceChannel: '02',
      messageCategory: '01',
      threeDSRequestorAuthenticationInd: '01',
      paymentId: request.paymentId,
      acctNumber: '4111111111111111',
      cardExpiryDate: '3805',
      cardholderName: 'John Doe',
      purchaseAmount: '1000',
      purchaseCurrency: 'EUR',
      purchaseExponent: '2',
      merchantName: 'Example Shop',
      notificationURL: request.returnUrl,
      language: 'es',
      email: 'doe@example.com',
      billAddrCountry: 'DE',
      browserIP: '203.0.113.7',
      browserAcceptHeader: 'text/html',
      browserColorDepth: '24',
      browserJavaEnabled: 'false',
      browserJavascriptEnabled: 'true',
      browserLanguage: 'de-AT',
      browserScreenHeight: '1080',
      browserScreenWidth: '1920',
      browserTZ: '-60',
      browserUserAgent: 'Browser/1.0',
    })
  })

  test('of a payment that begins a chain says so', async () => {
    server.answer({ status: 200, body: { enrolled: false } })
    await mpi.authenticate({ ...request, recurringInit: true })
    assert.equal(JSON.parse(server.last().body).threeDSRequestorAuthenticationInd, '02')
  })

  test('never contains the verification code', async () => {
    server.answer({ status: 200, body: { enrolled: false } })
    await mpi.authenticate(request)
    assert.ok(!server.last().body.includes('917'))
  })
})

for (const transStatus of ['Y', 'A'] as const) {
  test(`${transStatus} without a challenge is authenticated, and its proof goes to the acquirer only`, async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus } })
    const answer = await mpi.authenticate(request)
    assert.equal(answer.result, 'authenticated')
    assert.deepEqual(answer.facts, { ...facts, transStatus, authenticationFlow: 'Frictionless' })
    assert.equal(answer.data.authenticationValue.reveal(), canaries.authenticationValue)
    const { authenticationValue: _, ...data } = answer.data
    assert.deepEqual(data, { eci: '05', dsTransId: reportedFacts.dsTransID, version: '2.2.0', transStatus, xid: null })
    assert.ok(!JSON.stringify(answer).includes(canaries.authenticationValue))
  })
}

for (const missing of ['eci', 'authenticationValue', 'dsTransID'] as const) {
  test(`a success without ${missing} is no proof, and counts as unavailable`, async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'Y', [missing]: undefined } })
    assert.equal((await mpi.authenticate(request)).result, 'unavailable')
  })
}

for (const transStatus of ['N', 'R'] as const) {
  test(`${transStatus} is a failure, with and without a challenge`, async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus, transStatusReason: '11' } })
    const failed = { result: 'failed', reason: 'Authentication failed' }
    const reported = { ...facts, transStatus, transStatusReason: '11' }
    assert.deepEqual(await mpi.authenticate(request), {
      ...failed,
      facts: { ...reported, authenticationFlow: 'Frictionless' },
    })
    assert.deepEqual(await mpi.readResult(about), {
      ...failed,
      facts: { ...reported, authenticationFlow: 'Challenge' },
    })
  })
}

for (const transStatus of ['U', 'I'] as const) {
  test(`${transStatus} lets the charge continue without proof, and stores what was reported`, async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus } })
    assert.deepEqual(await mpi.authenticate(request), {
      result: 'not-needed',
      facts: { ...facts, transStatus, authenticationFlow: 'Frictionless' },
    })
  })
}

describe('a challenge', () => {
  const challenge = { url: 'https://acs.example.com/challenge', method: 'POST', params: { creq: 'eyJ0' } }

  test("sends the payer to the server's page, and stores what is needed to ask again", async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'C', challenge } })
    assert.deepEqual(await mpi.authenticate(request), {
      result: 'challenge',
      ...challenge,
      state,
      facts: { ...facts, transStatus: 'C', authenticationFlow: 'Challenge' },
    })
  })

  test('stores whether the server says that the page may be shown in a frame', async () => {
    server.answer({
      status: 200,
      body: { ...reportedFacts, transStatus: 'C', challenge: { ...challenge, frame: true } },
    })
    const answer = await mpi.authenticate(request)
    assert.deepEqual(answer.result === 'challenge' && answer.state, { ...state, frame: 'allowed' })
  })

  test('without a page counts as no answer', async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'C' } })
    assert.equal((await mpi.authenticate(request)).result, 'unavailable')
    server.answer({
      status: 200,
      body: { ...reportedFacts, transStatus: 'C', challenge: { ...challenge, url: 'javascript:0' } },
    })
    assert.equal((await mpi.authenticate(request)).result, 'unavailable')
  })

  test('ends by asking /results with the fields from the browser', async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'Y' } })
    const answer = await mpi.readResult(about)
    assert.equal(answer.result, 'authenticated')
    assert.equal(answer.facts.authenticationFlow, 'Challenge')
    assert.equal(server.last().path, '/mpi/results')
    assert.deepEqual(JSON.parse(server.last().body), { paymentId: request.paymentId, ...state, fields: about.fields })
  })

  test('that the payer cancelled is reported as cancelled by the payer', async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'N', challengeCancel: '01' } })
    const answer = await mpi.readResult(about)
    assert.deepEqual([answer.result, 'reason' in answer && answer.reason], ['failed', 'Cancelled by payer'])
  })

  test('that timed out has failed, and so has one that is still open when the payer returns', async () => {
    for (const body of [{ transStatus: 'N', challengeCancel: '04' }, { transStatus: 'C' }]) {
      server.answer({ status: 200, body: { ...reportedFacts, ...body } })
      const answer = await mpi.readResult(about)
      assert.deepEqual([answer.result, 'reason' in answer && answer.reason], ['failed', 'Authentication failed'])
    }
  })

  test('that never began proves nothing, and causes no request', async () => {
    server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'Y' } })
    assert.equal((await mpi.readResult({ ...about, state: {} })).result, 'failed')
    assert.equal(server.requests, 0)
  })
})

const strangers = [
  { status: 500 },
  { status: 401, body: { error: `wrong token ${canaries.token}` } },
  { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  { status: 200, text: '<html>Welcome</html>' },
  { status: 200, text: `{"transStatus":"Y","acctNumber":"${canaries.number}` },
  { status: 200, body: {} },
  { status: 200, body: { ...reportedFacts, transStatus: 'D' } },
  { status: 200, body: { ...reportedFacts, transStatus: 'Y', authenticationValue: 'short' } },
  { status: 200, text: ' '.repeat(70_000) },
]

test('an invalid answer counts as unavailable, and is logged without secrets', async () => {
  const unavailable = { result: 'unavailable', reason: 'Authentication is not available' }
  for (const reply of strangers) {
    server.answer(reply)
    assert.deepEqual(await mpi.authenticate(request), unavailable, JSON.stringify(reply))
    assert.deepEqual(await mpi.readResult(about), unavailable, JSON.stringify(reply))
  }
  const written = log.lines.join('\n')
  assert.ok(log.lines.length > 0)
  for (const canary of Object.values(canaries)) assert.ok(!written.includes(canary), canary)
})

test('no answer or a broken connection counts as unavailable, and nothing is sent again', async () => {
  server.trouble('hang-up')
  assert.equal((await mpi.authenticate(request)).result, 'unavailable')
  assert.equal(server.requests, 1)

  // On a busy machine the first exchange may time out before it is sent, so an answered one precedes it.
  const hasty = externalMpi({ url: server.url, token, log, timeoutMs: 250 })
  server.answer({ status: 500 })
  await hasty.authenticate(request)
  server.trouble('silent')
  assert.equal((await hasty.authenticate(request)).result, 'unavailable')
  assert.equal(server.requests, 1)
})

test('an unreachable server counts as unavailable', async () => {
  const away = externalMpi({ url: 'http://127.0.0.1:1', token, log })
  assert.equal((await away.authenticate(request)).result, 'unavailable')
  assert.match(log.lines.join(), /ECONNREFUSED/)
})

test('card numbers are sent only over https or to this machine', () => {
  assert.throws(() => externalMpi({ url: 'http://mpi.example.com', token, log }), /https/)
  externalMpi({ url: 'https://mpi.example.com', token, log })
})
