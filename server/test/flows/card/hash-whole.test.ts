/** A hash is compared in full: one wrong character, even the last, makes it wrong. Chapter 10 §4.2, chapter 20 §4.2, chapter 30 §2. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Apm } from '../../apm.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)
const checkout = new CheckoutClient(shop)
// Wrong hashes have a low rate limit, which these tests must not reach.
await shop.configure('update merchants set rate_per_second = 100000')

/** Right in its first `length` characters; the next is wrong, and the rest is right again or missing. */
function almostRightHashes(hash: string, length: number): readonly string[] {
  const other = hash.charAt(length) === '0' ? '1' : '0'
  return [hash.slice(0, length) + other + hash.slice(length + 1), hash.slice(0, length), hash.slice(0, length) + other]
}

const sale = shop.saleFields()
const apmSale = apm.sign('SALE', {
  ...apm.order(),
  brand: 'vcard',
  identifier: 'success@example.com',
  payer_ip: '203.0.113.7',
  return_url: 'https://shop.example.com/return',
})
const session = checkout.sign('session', checkout.purchase())

// biome-ignore format: a table is read in columns.
const requests: readonly (readonly [protocol: string, hash: string, send: (hash: string) => Promise<Answer>])[] = [
  ['S2S CARD', String(sale['hash']),    (hash) => shop.raw({ ...sale, hash })],
  ['S2S APM',  String(apmSale['hash']), (hash) => shop.raw({ ...apmSale, hash }, { path: '/post-va' })],
  ['Checkout', String(session['hash']), (hash) => checkout.send('/api/v1/session', { ...session, hash })],
]

for (const [protocol, hash, send] of requests) {
  for (const length of new Set([8, 16, 31, hash.length - 1])) {
    test(`${protocol}: a hash that is right only in its first ${length} characters is wrong`, async () => {
      for (const wrongHash of almostRightHashes(hash, length)) {
        const { http, body, text } = await send(wrongHash)
        assert.equal(http, 400, text)
        assert.deepEqual(body.errors, [{ error_code: 100000, error_message: 'hash: Hash is not valid.' }])
      }
    })
  }

  test(`${protocol}: the complete hash is right`, async () => {
    assert.equal((await send(hash)).http, 200)
  })
}
