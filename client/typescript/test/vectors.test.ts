import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hex, utf8 } from '../src/bytes.ts'
import { checkCallback } from '../src/callback.ts'
import { CallbackError } from '../src/errors.ts'
import { hashOf } from '../src/formulas.ts'
import { md5 } from '../src/md5.ts'
import { verifyReturn } from '../src/payer-return.ts'
import { type Protocol, signedBy } from '../src/request-formula.ts'
import { requestSecret, signatureHeaders } from '../src/request-signature.ts'

const vectors = JSON.parse(readFileSync(new URL('../../vectors.json', import.meta.url), 'utf8'))
const protocols: Readonly<Record<string, Protocol>> = { S2S_CARD: 'card', S2S_APM: 'apm', CHECKOUT: 'checkout' }

/** Vectors of a formula that the service accepts too and that the client does not choose. */
const isOther = ({ title, path }: { readonly title: string; readonly path?: string }): boolean =>
  path === undefined || /also accepted/.test(title)

test('the client signs every request of the vectors by the formula of its action', async () => {
  const chosen = vectors.requests.filter((request: { readonly title: string }) => !isOther(request))
  assert.ok(chosen.length >= 100)
  for (const { title, protocol, path, parameters, known, password, digest, hash } of chosen) {
    const own = protocols[protocol] ?? assert.fail(protocol)
    const { action = path, ...sent } = parameters
    const payment = { email: known.email, card: known.pan10 }
    const { formula, values } = signedBy(own, action, sent, payment)
    assert.equal(await hashOf(formula, values, { password, digest }), hash, title)
  }
})

test('the client signs requests as a whole', async () => {
  for (const one of vectors.signed_requests) {
    const { title, method, path, token, idempotency_key: idempotencyKey, body, password, id, timestamp, headers } = one
    const secret = await requestSecret(password)
    const request = { method, path, token, idempotencyKey, body }
    assert.deepEqual(await signatureHeaders(secret, request, { id, timestamp }), headers, title)
  }
})

test('the client reads the outcome of every return, and refuses one of another amount, currency, order or password', async () => {
  const returns = vectors.requests.filter(({ path }: { readonly path?: string }) => path === undefined)
  assert.equal(returns.length, 5)
  for (const { title, parameters, known, password, hash } of returns) {
    // The shop's own address may have a parameter of the same name.
    const query = `order_id=of-the-shop&${new URLSearchParams({ ...parameters, hash: hash.toUpperCase() })}`
    const order = { id: parameters.order_id, amount: known.order_amount, currency: known.order_currency }
    const read = (over: object, passwords = ['an earlier one', password]) =>
      verifyReturn(query, { ...order, ...over }, { passwords })
    assert.deepEqual(await read({}), { transId: parameters.trans_id, outcome: known.outcome }, title)
    for (const wrong of [{ amount: '1.00' }, { currency: 'USD' }, { id: 'ORDER-1' }])
      await assert.rejects(read(wrong), CallbackError, title)
    await assert.rejects(read({}, ['another']), CallbackError, title)
  }
})

test('the client accepts and refuses the callbacks of the vectors by both schemes', async () => {
  assert.ok(vectors.callbacks.length >= 35)
  for (const { title, headers, body, known, receiver, now, expected } of vectors.callbacks) {
    const payment = { email: known.email ?? known.payer_email, card: known.pan10 }
    const verdicts = await checkCallback({ headers, body }, { ...receiver, now: () => now }, payment)
    assert.deepEqual(verdicts, expected, title)
  }
})

test('MD5 is that of RFC 1321, at every length around a block', () => {
  assert.equal(hex(md5(utf8(''))), 'd41d8cd98f00b204e9800998ecf8427e')
  assert.equal(hex(md5(utf8('message digest'))), 'f96b697d7cb7938d525a2f31aaf161d0')
  assert.equal(
    hex(md5(utf8('12345678901234567890123456789012345678901234567890123456789012345678901234567890'))),
    '57edf4a22be3c955ac49da2e2107b67a',
  )
  for (let length = 50; length <= 130; length += 1) {
    const text = 'é'.repeat(length)
    assert.equal(hex(md5(utf8(text))), createHash('md5').update(text).digest('hex'), String(length))
  }
})
