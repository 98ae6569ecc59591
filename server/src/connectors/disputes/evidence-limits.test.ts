/** The limits of decisions/disputes#limits-of-evidence, as the acquirers document them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceFault } from '#domain/dispute/evidence-rules.ts'
import { evidenceRulesOf, listEvidenceRules } from './evidence-limits.ts'

const [pdf, png, jpeg] = ['application/pdf', 'image/png', 'image/jpeg'] as const
type Case = readonly [
  acquirer: Parameters<typeof evidenceRulesOf>[0],
  network: string | null,
  type: typeof pdf | typeof png | typeof jpeg,
  /** The largest file in bytes; 0 if the type is not taken. */
  largest: number,
]

// biome-ignore format: a table is read in columns.
const cases: readonly Case[] = [
  [ 'adyen',    'visa',       pdf,  2_000_000  ],
  [ 'adyen',    'visa',       jpeg, 10_000_000 ],
  [ 'adyen',    'visa',       png,  0          ],
  [ 'adyen',    'discover',   jpeg, 3_000_000  ],
  [ 'adyen',    'dinersclub', pdf,  2_000_000  ],
  [ 'stripe',   'mastercard', pdf,  4_500_000  ],
  [ 'stripe',   null,         png,  4_500_000  ],
  [ 'checkout', 'visa',       jpeg, 4_000_000  ],
  [ 'checkout', 'amex',       pdf,  4_000_000  ],
  [ 'checkout', 'amex',       png,  0          ],
  [ 'checkout', 'discover',   png,  3_000_000  ],
  [ 'paypal',   'visa',       pdf,  10_000_000 ],
]

for (const [acquirer, network, type, largest] of cases) {
  test(`${acquirer} takes ${type} of ${largest} bytes and no more in disputes of ${network ?? 'an unknown network'}`, () => {
    const faultOf = (size: number) =>
      evidenceFault([{ name: 'a', type, kind: 'other', size }], evidenceRulesOf(acquirer)(network), 'Acme')
    if (largest > 0) assert.equal(faultOf(largest), null)
    assert.notEqual(faultOf(largest + 1), null)
  })
}

test('pages and totals depend on the network, and networks without limits of their own have the general ones', () => {
  const [stripe, checkout, adyen] = [evidenceRulesOf('stripe'), evidenceRulesOf('checkout'), evidenceRulesOf('adyen')]
  assert.deepEqual(stripe('mastercard').pages, { atMost: 19, of: 'dispute' })
  assert.deepEqual(stripe('maestro').pages, stripe('mastercard').pages)
  for (const other of ['visa', 'no-such-network', null]) assert.deepEqual(stripe(other).pages?.atMost, 49)
  assert.deepEqual(adyen('mastercard').pages, { atMost: 19, of: 'file' })
  assert.deepEqual([checkout('mastercard').megabytesTogether, checkout('visa').megabytesTogether], [14.5, null])
  assert.deepEqual([checkout('amex').filesAtMost, checkout('discover').megabytesTogether], [5, 3])
  assert.match(adyen('mastercard').note ?? '', /800 KB/)
  assert.match(checkout('amex').note ?? '', /OptBlue/)
  assert.equal(checkout('visa').note, null)
})

test('the first row of every acquirer is that of the other networks', () => {
  for (const [acquirer, [first, ...others]] of listEvidenceRules()) {
    assert.equal(first?.network, null, acquirer)
    assert.ok(others.every(({ network }) => network !== null))
  }
})
