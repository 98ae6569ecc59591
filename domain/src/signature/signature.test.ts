import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  cardFormulas,
  checkoutFormulas,
  hashMatches,
  sign,
  signCheckout,
  signTree,
  verifies,
  verifiesCheckout,
  verifyWebhook,
  webhookSignature,
} from './signature.ts'

const values = { email: 'doe@example.com', pan10: '4111111111' }
const current = '13a4822c5907ed235f3a068c76184fc3'
const previous = 'an-earlier-password'

test('a hash is compared without regard to case', () => {
  assert.ok(hashMatches('2702AE0C4F99506DC29B5615BA9EE3C0', '2702ae0c4f99506dc29b5615ba9ee3c0'))
  assert.ok(!hashMatches('2702ae0c4f99506dc29b5615ba9ee3c1', '2702ae0c4f99506dc29b5615ba9ee3c0'))
})

test('a value that is no hash is a mismatch and never an error', () => {
  const expected = '2702ae0c4f99506dc29b5615ba9ee3c0'
  for (const value of [undefined, null, 7, '', 'abc', ` ${expected}`, `${expected}0`, [expected], { 0: expected }]) {
    assert.equal(hashMatches(value, expected), false)
  }
  fc.assert(fc.property(fc.anything(), (value) => assert.equal(hashMatches(value, expected), false)))
})

test('a request verifies with any of the passwords that are good, and with no other', () => {
  const both = { passwords: [current, previous], digest: 'md5' } as const
  for (const password of both.passwords) {
    const hash = sign(cardFormulas.start, values, { password, digest: 'md5' })
    assert.ok(verifies(hash, cardFormulas.start, values, both))
  }
  const ended = sign(cardFormulas.start, values, { password: previous, digest: 'md5' })
  assert.ok(!verifies(ended, cardFormulas.start, values, { passwords: [current], digest: 'md5' }))
  assert.ok(!verifies(ended, cardFormulas.start, values, { passwords: [], digest: 'md5' }))

  const checkout = signCheckout(checkoutFormulas.payment, { payment_id: '1' }, { password: previous, digest: 'md5' })
  assert.ok(verifiesCheckout(checkout, checkoutFormulas.payment, { payment_id: '1' }, both))
})

test('one digest does not verify in the place of the other', () => {
  const strong = sign(cardFormulas.start, values, { password: current, digest: 'sha256' })
  assert.ok(!verifies(strong, cardFormulas.start, values, { passwords: [current], digest: 'md5' }))
})

test('nothing is signed or verified with an empty password', () => {
  const key = { password: '', digest: 'md5' } as const
  assert.throws(() => sign(cardFormulas.start, values, key), RangeError)
  assert.throws(() => signTree({ action: 'SALE' }, key), RangeError)
  assert.throws(() => signCheckout(checkoutFormulas.payment, { payment_id: '1' }, key), RangeError)
  assert.throws(() => verifies('', cardFormulas.start, values, { passwords: [''], digest: 'md5' }), RangeError)
})

test('the values of a formula are checked by name, and cannot bring the password', () => {
  const key = { password: current, digest: 'md5' } as const
  const expected = sign(cardFormulas.start, values, key)
  // @ts-expect-error The formula has no such name.
  sign(cardFormulas.start, { mail: 'doe@example.com' }, key)
  // @ts-expect-error The password is not among the values.
  assert.equal(sign(cardFormulas.start, { ...values, password: 'mine' }, key), expected)
})

// Chapter 10 §11.3.
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
const id = 'msg_2Yx7pQ9rT4vW'
const sentAt = 1773143514
const body =
  'action=SALE&result=SUCCESS&status=SETTLED&order_id=ORDER-12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007' +
  '&hash=fc359ea0b4830271f611c30135761c85&trans_date=2026-03-10+11%3A51%3A53&descriptor=TEST&amount=10.00&currency=EUR' +
  '&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&custom_data%5Bcart%5D=778'
const signature = 'v1,UtTsZUR9jRSeQ5y+z6oAEokmBbQryD/ryHuLmQuRUUA='
const headers = { id, timestamp: String(sentAt), signature }
const otherSecret = 'whsec_b3RoZXItc2VjcmV0LW9mLXRoZS1tZXJjaGFudA=='

test('the webhook signature of the worked example', () => {
  assert.equal(webhookSignature(secret, id, sentAt, body), signature)
  assert.equal(webhookSignature(secret, id, sentAt, Buffer.from(body)), signature)
  assert.ok(verifyWebhook(secret, headers, body, { nowSeconds: sentAt + 2 }))
})

test('one entry that fits is enough while secrets are rotated', () => {
  const other = webhookSignature(otherSecret, id, sentAt, body)
  for (const list of [`${other} ${signature}`, `${signature} ${other}`, `v2,later ${signature}`]) {
    assert.ok(verifyWebhook(secret, { ...headers, signature: list }, body, { nowSeconds: sentAt }))
  }
  assert.ok(!verifyWebhook(secret, { ...headers, signature: other }, body, { nowSeconds: sentAt }))
})

test('a webhook with anything changed is rejected', () => {
  assert.ok(!verifyWebhook(secret, headers, `${body}9`, { nowSeconds: sentAt }))
  assert.ok(!verifyWebhook(secret, { ...headers, id: 'msg_other' }, body, { nowSeconds: sentAt }))
  assert.ok(!verifyWebhook(secret, { ...headers, timestamp: String(sentAt + 1) }, body, { nowSeconds: sentAt }))
  assert.ok(!verifyWebhook(otherSecret, headers, body, { nowSeconds: sentAt }))
  for (const damaged of ['', 'v1,', signature.slice(3), signature.toLowerCase(), `${signature},`]) {
    assert.ok(!verifyWebhook(secret, { ...headers, signature: damaged }, body, { nowSeconds: sentAt }), damaged)
  }
  for (const timestamp of ['', 'now', '1773143514.0', '+1773143514', ` ${sentAt}`, '1'.repeat(40)]) {
    assert.ok(!verifyWebhook(secret, { ...headers, timestamp }, body, { nowSeconds: sentAt }), timestamp)
  }
})

test('a webhook recorded and sent again later is rejected', () => {
  assert.ok(verifyWebhook(secret, headers, body, { nowSeconds: sentAt + 300 }))
  assert.ok(!verifyWebhook(secret, headers, body, { nowSeconds: sentAt + 301 }))
  assert.ok(!verifyWebhook(secret, headers, body, { nowSeconds: sentAt - 301 }))
  assert.ok(verifyWebhook(secret, headers, body, { nowSeconds: sentAt + 3000, toleranceSeconds: 3600 }))
})

test('a signing secret of another form is a fault', () => {
  for (const wrong of ['', 'whsec_', 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3']) {
    assert.throws(() => webhookSignature(wrong, id, sentAt, body), RangeError)
  }
})
