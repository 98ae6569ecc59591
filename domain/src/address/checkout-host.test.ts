import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutUrl, mayHaveHost } from './checkout-host.ts'

test("a merchant's own address has the scheme, port and path of the service", () => {
  assert.equal(checkoutUrl('acme', 'pay.example', 'https://gate.example'), 'https://acme.pay.example')
  assert.equal(checkoutUrl('acme', 'pay.example', 'http://127.0.0.1:8080'), 'http://acme.pay.example:8080')
  assert.equal(checkoutUrl('acme', 'pay.example', 'https://gate.example/pay'), 'https://acme.pay.example/pay')
})

test('only the merchant it names may use a host below the checkout domain; any merchant may use another host', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    // host                     checkout domain  may
    ['acme.pay.example',        'pay.example',   true ],
    ['other.pay.example',       'pay.example',   false],
    ['www.acme.pay.example',    'pay.example',   false],
    ['pay.example',             'pay.example',   true ],
    ['acmepay.example',         'pay.example',   true ],
    ['shop.example',            'pay.example',   true ],
    ['other.pay.example',       null,            true ],
  ] as const
  for (const [host, domain, may] of rows) assert.equal(mayHaveHost('acme', host, domain), may, host)
})
