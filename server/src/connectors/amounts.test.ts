import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acquirerAmounts } from './amounts.ts'

const amounts = acquirerAmounts({ ISK: 2, IDR: 0 }, { KWD: 10n })

test('amounts go over in the acquirer’s units and come back the same', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    // ours      currency  there
    [ 1000n,     'EUR',    1000n,   '10.00'  ],
    [ 5n,        'EUR',    5n,      '0.05'   ],
    [ 10n,       'ISK',    1000n,   '10.00'  ],
    [ 10n,       'JPY',    10n,     '10'     ],
    [ 1230n,     'KWD',    1230n,   '1.230'  ],
    [ 1500_00n,  'IDR',    1500n,   '1500'   ],
  ] as const
  for (const [ours, currency, there, decimal] of rows) {
    assert.equal(amounts.toAcquirer(ours, currency), there, currency)
    assert.equal(amounts.fromAcquirer(there, currency), ours, currency)
    assert.equal(amounts.toDecimal(ours, currency), decimal, currency)
    assert.equal(amounts.fromDecimal(decimal, currency), ours, currency)
  }
})

test('an amount without an exact form is refused and never rounded', () => {
  assert.equal(amounts.toAcquirer(1500_50n, 'IDR'), null)
  assert.equal(amounts.toAcquirer(1234n, 'KWD'), null)
  assert.equal(amounts.toDecimal(1500_50n, 'IDR'), null)
  assert.equal(amounts.fromAcquirer(1050n, 'ISK'), null)
  assert.equal(amounts.fromDecimal('10.005', 'EUR'), null)
  for (const text of ['', '-1', '1e3', '1,00', ' 1', '.5', '1.'])
    assert.equal(amounts.fromDecimal(text, 'EUR'), null, text)
})
