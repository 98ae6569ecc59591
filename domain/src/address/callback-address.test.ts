import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addressKey,
  credentialsIn,
  hasMask,
  maskedAddress,
  referenceIn,
  withCredentials,
  withReference,
} from './callback-address.ts'

const reference = '0b6c9d3e-1111-2222-3333-444455556666'

// biome-ignore format: a table is read in columns.
const addresses = [
  // address                                  credentials    masked                              counted by
  ['https://shop.example/notify?o=1',         null,          'https://shop.example/notify?o=1',  'https://shop.example/notify'],
  ['https://a:b@shop.example/notify?o=1#x',   'a:b',         'https://•••@shop.example/notify?o=1#x', 'https://shop.example/notify'],
  ['https://token@shop.example:8443/n',       'token:',      'https://•••@shop.example:8443/n',  'https://shop.example:8443/n'],
  ['https://:pw@shop.example/n',              ':pw',         'https://•••@shop.example/n',       'https://shop.example/n'],
  ['https://a%40b:p%3Aw@shop.example/n',      'a%40b:p%3Aw', 'https://•••@shop.example/n',       'https://shop.example/n'],
  ['https://a:b@c@shop.example/n',            'a:b%40c',     'https://•••@shop.example/n',       'https://shop.example/n'],
  ['https:\\\\a:b@shop.example/n',            'a:b',         'https://•••@shop.example/n',       'https://shop.example/n'],
  ['https:a:b@shop.example/n',                'a:b',         'https://•••@shop.example/n',       'https://shop.example/n'],
  ['HTTPS://a:b@shop.example/n',              'a:b',         'https://•••@shop.example/n',       'HTTPS://shop.example/n'],
  ['https://a:b@shop.example/n?o=1\n&p=2',    'a:b',         'https://•••@shop.example/n?o=1&p=2', 'https://shop.example/n'],
  ['https://shop.example/@at?mail=a@b',       null,          'https://shop.example/@at?mail=a@b', 'https://shop.example/@at'],
  ['not an address',                          null,          'not an address',                   'not an address'],
] as const

describe('a callback address', () => {
  for (const [address, credentials, masked, key] of addresses) {
    test(`${address} is split, masked and counted without its credentials`, () => {
      assert.deepEqual(
        [credentialsIn(address), maskedAddress(address), addressKey(address)],
        [credentials, masked, key],
      )
    })
  }

  test('gets the credentials behind its reference back exactly as they were written', () => {
    const stored = withReference('https://a%40b:p%3Aw@shop.example/n?o=1', reference)
    assert.equal(stored, `https://sealed:${reference}@shop.example/n?o=1`)
    assert.equal(referenceIn(stored), reference)
    assert.equal(withCredentials(stored, 'a%40b:p%3Aw'), 'https://a%40b:p%3Aw@shop.example/n?o=1')
  })

  test('has no reference unless it was stored with one', () => {
    assert.equal(referenceIn('https://sealed:pw@shop.example/'), null)
    assert.equal(referenceIn(`https://shop.example/https://sealed:${reference}@x/`), null)
  })

  test('masking twice changes nothing, and a masked address is recognised', () => {
    const masked = maskedAddress('https://a:b@shop.example/n')
    assert.equal(maskedAddress(masked), masked)
    assert.deepEqual([hasMask(masked), hasMask('https://shop.example/n')], [true, false])
  })
})
