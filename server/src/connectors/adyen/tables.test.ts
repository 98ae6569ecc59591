// Adyen's refusal reasons and currencies as tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adyenAmounts } from './currencies.ts'
import { classOfCode, classOfName, refusals } from './declines.ts'

/** The numbers of Adyen's page "Refusal reasons"; 1, 13 and 30 do not exist, 0 is no refusal. */
const documented = [...Array(47).keys()].filter((code) => ![0, 1, 13, 30].includes(code)).map(String)

test('every documented refusal has a class', () => {
  assert.deepEqual(
    refusals.map(([code]) => code),
    documented,
  )
  for (const [code, name, declineClass] of refusals) {
    assert.equal(classOfCode(code), declineClass)
    assert.equal(classOfName(name.toUpperCase()), declineClass)
  }
  assert.deepEqual([classOfCode('999'), classOfCode(undefined), classOfName('new')], ['unknown', 'unknown', 'unknown'])
})

// biome-ignore format: a table is read in columns.
const amounts = [
  // currency  ours      Adyen's
  [ 'EUR',     1050n,    1050n   ],
  [ 'JPY',     1050n,    1050n   ],
  [ 'BHD',     1050n,    1050n   ],
  [ 'CLP',     1050n,    105000n ],
  [ 'ISK',     1050n,    105000n ],
  [ 'CVE',     1000n,    10n     ],
  [ 'CVE',     1050n,    null    ],
  [ 'IDR',     1000n,    10n     ],
] as const

for (const [currency, ours, theirs] of amounts) {
  test(`${ours} ${currency} in minor units is ${theirs ?? 'no amount'} there`, () => {
    assert.equal(adyenAmounts.toAcquirer(ours, currency), theirs)
    if (theirs !== null) assert.equal(adyenAmounts.fromAcquirer(theirs, currency), ours)
  })
}
