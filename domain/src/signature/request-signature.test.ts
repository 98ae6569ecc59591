// Chapter 10 §4.6.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  explainRequestSignature,
  findRequestFault,
  requestContent,
  requestSecret,
  type SignableRequest,
  signRequest,
} from './request-signature.ts'
import { webhookSignature } from './signature.ts'

const password = '13a4822c5907ed235f3a068c76184fc3'
const at = new Date('2026-11-19T12:00:00.750Z')
const request: SignableRequest = {
  method: 'POST',
  target: '/post',
  token: '',
  idempotencyKey: '',
  body: 'action=SALE&order_amount=10.00',
}
const signed = (over: Partial<SignableRequest> = {}, id = 'req-1') =>
  headersOf(signRequest(password, { ...request, ...over }, { id, at }))

function headersOf(headers: ReturnType<typeof signRequest>) {
  return {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
  }
}

const fault = (sent: SignableRequest, headers = signed(), now = at, passwords = [password]) =>
  findRequestFault(passwords, sent, headers, now)

// printf '%s' request | openssl dgst -sha256 -hmac "$PASSWORD", then the text with -mac HMAC -macopt hexkey:…
test('the signature is that of openssl', () => {
  assert.deepEqual(signed(), {
    id: 'req-1',
    timestamp: '1795089600',
    signature: 'v1,/g4xwczi8bICw+AA/6x1JDwCUtxR/SRAPS41BdNGH64=',
  })
})

test('a request is signed as it was sent, under any valid password', () => {
  assert.equal(fault(request), null)
  assert.equal(fault({ ...request, body: Buffer.from('action=SALE&order_amount=10.00') }), null)
  assert.equal(fault(request, signed(), at, ['another', password]), null)
  const several = { ...signed(), signature: `v2,other ${signed().signature}` }
  assert.equal(fault(request, several), null)
})

test('no part of a request can be changed or moved to its neighbour', () => {
  const whole: SignableRequest = { method: 'PUT', target: '/a?b', token: 'token', idempotencyKey: 'key', body: 'x=1' }
  const headers = signed(whole)
  assert.equal(fault(whole, headers), null)
  // biome-ignore format: a table is read in columns.
  const others: readonly Partial<SignableRequest>[] = [
    { method: 'POST' }, { target: '/a' }, { target: '/a?B' }, { token: '' }, { token: 'Token' }, { idempotencyKey: '' }, { body: 'x=2' },
    { body: 'x=1\n' }, { token: 'key', idempotencyKey: 'token' }, { token: '', idempotencyKey: 'token\nkey' },
    { method: 'PUT /a?b\ntoken', target: '', token: 'key', idempotencyKey: 'x=1', body: '' },
  ]
  for (const other of others) assert.equal(fault({ ...whole, ...other }, headers), 'signature', JSON.stringify(other))
  for (const other of [{ id: 'req-2' }, { timestamp: '1795089601' }])
    assert.equal(fault(whole, { ...headers, ...other }), 'signature')
})

test('what the secret of callbacks or the password signed is no signature of a request', () => {
  const { id, timestamp } = signed()
  const content = requestContent(request)
  for (const key of [requestSecret('another'), `whsec_${Buffer.from(password).toString('base64')}`]) {
    const signature = webhookSignature(key, id, Number(timestamp), content)
    assert.equal(fault(request, { id, timestamp, signature }), 'signature')
  }
  const ofCallback = webhookSignature(requestSecret(password), id, Number(timestamp), request.body)
  assert.equal(fault(request, { id, timestamp, signature: ofCallback }), 'signature')
})

test('a signature is accepted for five minutes before and after its time', () => {
  const after = (seconds: number) => fault(request, signed(), new Date((1_795_089_600 + seconds) * 1000))
  assert.deepEqual([after(300), after(301), after(-300), after(-301)], [null, 'too-old', null, 'too-far-ahead'])
})

test('an id or a timestamp of another form is refused', () => {
  for (const id of ['', 'a.b', 'a b', 'x'.repeat(65)]) assert.equal(fault(request, signed({}, id)), 'id')
  for (const timestamp of ['', '0', '-1', '1e9', '1795089600000']) {
    assert.equal(fault(request, { ...signed(), timestamp }), 'timestamp')
  }
})

const whsec = `whsec_${Buffer.from('secret of callbacks').toString('base64')}`
const explain = (signature: string, sent: Partial<SignableRequest> = {}) =>
  explainRequestSignature(
    { ...request, ...sent },
    { ...signed(), signature },
    { passwords: [password], webhookSecrets: [whsec] },
  )

test('the usual mistakes of a signature are recognised', () => {
  const key = createHmac('sha256', password).update('request').digest()
  const { id, timestamp } = signed()
  const hmac = (by: Buffer | string, content: string | Buffer) =>
    createHmac('sha256', by).update(`${id}.${timestamp}.`).update(content)
  const content = requestContent(request)
  // biome-ignore format: a table is read in columns.
  const mistakes: readonly (readonly [string, string])[] = [
    [`v1,${hmac(key, content).digest('hex')}`,                   'The signature was written in hexadecimal, not in base64.'],
    [hmac(key, content).digest('base64'),                        '“v1,” is missing before the signature.'],
    [`v1,${hmac(key.toString('hex'), content).digest('base64')}`, 'The derived key was used as hexadecimal text, not as bytes.'],
    [`v1,${hmac(password, content).digest('base64')}`,           'The password itself was the key; derive the key of requests from it.'],
    [webhookSignature(whsec, id, Number(timestamp), content),    'The secret of callbacks was the key; requests have a key derived from the password.'],
    [`v1,${hmac(key, request.body.toString()).digest('base64')}`, 'Only the body was signed, as of a callback; method, path, Token and Idempotency-Key are missing.'],
    [`v1,${hmac(key, `POST /post\n${request.body}`).digest('base64')}`, 'The lines of Token and Idempotency-Key are missing; they stay as empty lines.'],
  ]
  for (const [signature, mistake] of mistakes) assert.equal(explain(signature).mistake, mistake)
  const withKey = { idempotencyKey: 'order-1' }
  assert.equal(explain(signed().signature, withKey).mistake, 'The Idempotency-Key was not signed.')
  assert.equal(explain('v1,unknown').mistake, null)
})

test('the explanation has neither the body nor the token', () => {
  const sent = { target: '/post?card=4111', token: 'c2VjcmV0LXRva2Vu', body: 'card_number=4111111111111111' }
  const shown = explain('v1,unknown', sent)
  assert.doesNotMatch(JSON.stringify(shown), /4111|V0LXRva2Vu|13a4822c/)
  assert.equal(shown.text, 'req-1.1795089600.POST /post?...\\nc2Vj********\\n\\n(28 bytes)')
})
