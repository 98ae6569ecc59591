/** Reading the server's answers. Chapter 30 §1.4, §7.10. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseTextColour } from '#domain/checkout/colour.ts'
import { readCountries, readPayment, readRedirect, readRefusal, readSession, readState } from './read-answers.ts'
import { minutesToSpeak } from './state/clock.ts'
import { cutAtHoles, fillText, pluralOf } from './state/fill-text.ts'

test('any JSON is read without an exception, and never as a session that can be paid', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      assert.equal(readPayment(body).result === 'success', Object(body)?.result === 'success')
      for (const read of [readSession, readState, readCountries, readRefusal, readRedirect]) read(body)
      if (Object(body)?.state !== 'ready') assert.notEqual(readState(body).state, 'ready')
    }),
  )
})

test('only web addresses are followed', () => {
  const read = (url: string): string | undefined => readRedirect({ redirect: { url } })?.url
  assert.equal(read('https://shop.example/ok'), 'https://shop.example/ok')
  assert.equal(read('/redirect/1'), '/redirect/1')
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '', 'shop'])
    assert.equal(read(url), undefined)
})

test('a refusal names the invalid fields', () => {
  const errors = [
    { error_code: 100000, error_message: 'card.number: This value is not valid.' },
    { error_code: 100000, error_message: 'terms: This value should not be blank.' },
  ]
  assert.deepEqual(readRefusal({ error_code: 0, error_message: 'Request data is invalid.', errors }).paths, [
    'card.number',
    'terms',
  ])
  assert.deepEqual(readRefusal({ error_code: 250003, error_message: 'Expired.', errors: [] }), {
    code: 250003,
    message: 'Expired.',
    paths: [],
  })
})

test('a logo is shown as an image, in which no script can run', () => {
  const [method] = readSession({ methods: [{ code: 'x', kind: 'brand', logo: '<svg>#</svg>' }] }).methods
  assert.equal(method?.logo, 'data:image/svg+xml,%3Csvg%3E%23%3C%2Fsvg%3E')
})

test('the remaining time is announced at five minutes and at one, once each, and at once on a page that was opened late', () => {
  assert.deepEqual(
    [
      [301, 300],
      [300, 299],
      [61, 59.6],
      [600, 599],
      [1, 0],
    ].map(([before = 0, now = 0]) => minutesToSpeak(before, now)),
    [5, null, 1, null, null],
  )
  assert.equal(minutesToSpeak(Number.POSITIVE_INFINITY, 190), 3)
  assert.equal(minutesToSpeak(Number.POSITIVE_INFINITY, 700), null)
})

test('placeholders are replaced once, and inserted values are not searched for placeholders', () => {
  assert.equal(fillText('Pay {amount} to {merchant}', { amount: '{merchant}' }), 'Pay {merchant} to {merchant}')
  assert.deepEqual(cutAtHoles('I accept the {link}.'), ['I accept the ', 'link', '.'])
  assert.equal(pluralOf({ one: 'a', few: 'b', other: 'c' }, 2, 'ru'), 'b')
  assert.equal(pluralOf({ other: 'c' }, 1, 'ja'), 'c')
})

test('text on a merchant’s colour is black or white, whichever is readable', () => {
  assert.deepEqual(['#ffffff', '#000000', '#1d4fd7', '#ffd777'].map(chooseTextColour), [
    '#000000',
    '#ffffff',
    '#ffffff',
    '#000000',
  ])
})

test('the sandbox’s replacement script comes from the page’s own host, a wallet provider’s script from its named address', () => {
  const script = { url: 'http://127.0.0.1:8080/simulator/stand-in.js', integrity: null }
  const read = (sandbox: boolean): string | null | undefined =>
    readSession({ methods: [{ code: 'walletapay', kind: 'wallet', wallet: { script, sandbox } }] }).methods[0]?.wallet
      ?.script
  assert.equal(read(true), '/simulator/stand-in.js')
  assert.equal(read(false), script.url)
})
