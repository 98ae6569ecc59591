/** Chapter 10 §8.3, chapter 20 §6.3: appended to the query, nothing of the merchant's own changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultMapping, type MappingOptions } from '#domain/mapping.ts'
import { bareFacts } from '#domain/payment/testing/example-facts.ts'
import { secret } from '#domain/secret.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { returnAddress, withQuery } from './return-address.ts'

// biome-ignore format: a table is read in columns.
const addresses = [
  // the merchant's                         with a=1
  [ 'https://shop.example/r',               'https://shop.example/r?a=1' ],
  [ 'https://shop.example',                 'https://shop.example?a=1' ],
  [ 'https://shop.example/r?',              'https://shop.example/r?a=1' ],
  [ 'https://shop.example/r??',             'https://shop.example/r??&a=1' ],
  [ 'https://shop.example/r?x=%2f&Y=+',     'https://shop.example/r?x=%2f&Y=+&a=1' ],
  [ 'https://shop.example/r?x=1&',          'https://shop.example/r?x=1&a=1' ],
  [ 'https://shop.example/r#/done?x=1',     'https://shop.example/r?a=1#/done?x=1' ],
  [ 'https://shop.example/r?x=1#a#b',       'https://shop.example/r?x=1&a=1#a#b' ],
  [ 'https://shop.example/r?q=é&n=日本#ü',   'https://shop.example/r?q=%C3%A9&n=%E6%97%A5%E6%9C%AC&a=1#%C3%BC' ],
  [ 'HTTPS://Shop.example/R?it\'s',         'HTTPS://Shop.example/R?it\'s&a=1' ],
] as const

for (const [address, expected] of addresses) {
  test(`${address} keeps its own`, () => assert.equal(withQuery(address, { a: '1' }), expected))
}

test('whatever the values are, they come back unchanged and the address can be sent in a header', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'grapheme' }),
      (url, id) => {
        const address = withQuery(url, { order_id: id, hash: '0af' })
        assert.match(address, /^[\x21-\x7e]+$/)
        const [before, after] = [new URL(url), new URL(address)]
        assert.equal(after.searchParams.getAll('order_id').at(-1), id)
        assert.equal(after.searchParams.getAll('hash').at(-1), '0af')
        assert.equal(after.hash, before.hash)
        assert.ok(after.search.startsWith(before.search))
      },
    ),
  )
})

/** The payment of test vector V18, chapter 20 §4.4. */
async function returnOf(protocol: 'S2S_CARD' | 'S2S_APM', options: Partial<MappingOptions> = {}, over = {}) {
  const id = 'aaaff66a-904f-11ea-833e-0242ac1f0007'
  const password = secret('13a4822c5907ed235f3a068c76184fc3')
  const order = { ...bareFacts.order, id: 'ORDER12345' }
  const parts = {
    configuration: {
      mapping: (merchantId: string) => ({ ...defaultMapping(protocol), merchantId, ...options }),
      readSecrets: async () => ({ password, previous: null, webhookSecrets: [] }),
    },
    operations: { facts: () => ({ ...bareFacts, id, order, protocol, rrn: '42' }) },
  }
  // Only what the address is made of.
  const payment = {
    id,
    merchantId: 'merchant',
    protocol,
    orderId: order.id,
    facts: { termUrl: 'https://a.example/?x=1' },
    status: 'SETTLED',
    holds: false,
    ...over,
  }
  return returnAddress(parts, payment as PaymentRecord)
}

const address = (hash: string) =>
  `https://a.example/?x=1&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007&order_id=ORDER12345&hash=${hash}`
const ofSuccess = address('a6f710b431f291952d4736e6f8040c2e0de39321c78bf4cfabd5521e05defa1a')

test('the return is signed by its own formula on both protocols, whatever the digest of the mapping is', async () => {
  assert.equal(await returnOf('S2S_APM'), ofSuccess)
  assert.equal(await returnOf('S2S_CARD'), ofSuccess)
  assert.equal(await returnOf('S2S_CARD', { digest: 'sha256' }), ofSuccess)
})

test('the outcome is that of the payment at its time', async () => {
  assert.equal(
    await returnOf('S2S_APM', {}, { status: 'PENDING' }),
    address('028d8ae1a9e2da33205fecbee076ea6bde92154768e25364fa79adc2aa93cd45'),
  )
  assert.equal(await returnOf('S2S_CARD', {}, { status: 'PENDING', holds: true }), ofSuccess)
  assert.notEqual(await returnOf('S2S_CARD', {}, { status: 'DECLINED' }), ofSuccess)
})

test('by mapping option S2S APM signs the return by C1 over trans_id and order_id', async () => {
  const signed = address('0eecd51f40c1604a4f14d409167f4d42')
  assert.equal(await returnOf('S2S_APM', { returnSignature: 'callback' }), signed)
})

test('S2S APM: data that is added to the return follows the hash and takes no part in it', async () => {
  assert.equal(await returnOf('S2S_APM', { addToRedirect: ['rrn'] }), `${ofSuccess}&rrn=42`)
})
