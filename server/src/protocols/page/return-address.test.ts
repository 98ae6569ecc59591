/** Chapter 10 §8.3: appended to the query, nothing of the merchant's own changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withQuery } from './return-address.ts'

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
