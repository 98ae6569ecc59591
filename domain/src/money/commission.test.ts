/** Chapter 20 §12.2. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addCommission, isPercent, readCommissions } from './commission.ts'

describe('the commission of a debit', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    // amount   fixed  percent    commission
    [1000n,     20n,   '3.5',     55n],     // The chapter's example: 10.00 EUR, 0.20 + 3.5 %.
    [1000n,     0n,    '0',       0n],
    [1000n,     20n,   '0',       20n],
    [1n,        0n,    '50',      1n],      // Half a unit goes up.
    [1n,        0n,    '49.9999', 0n],
    [99n,       0n,    '0.5',     0n],
    [100n,      0n,    '0.5',     1n],
    [10000n,    0n,    '0.0001',  0n],
    [1000000n,  0n,    '0.0001',  1n],
    [1000n,     0n,    '100',     1000n],
    [10n ** 30n, 7n,   '2.25',    225n * 10n ** 26n + 7n],
  ] as const
  for (const [amountMinor, fixedMinor, percent, commissionMinor] of rows) {
    test(`of ${amountMinor} with ${fixedMinor} and ${percent} % is ${commissionMinor}`, () => {
      assert.deepEqual(addCommission(amountMinor, { fixedMinor, percent }), {
        commissionMinor,
        totalMinor: amountMinor + commissionMinor,
      })
    })
  }

  test('is zero when none is configured', () => {
    assert.deepEqual(addCommission(1000n, null), { commissionMinor: 0n, totalMinor: 1000n })
    assert.deepEqual(addCommission(1000n, undefined), { commissionMinor: 0n, totalMinor: 1000n })
  })

  test('never differs from the exact percentage by more than half a unit', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), fc.integer({ min: 0, max: 1_000_000 }), (amountMinor, parts) => {
        const percent = `${Math.trunc(parts / 10_000)}.${String(parts % 10_000).padStart(4, '0')}`
        const { commissionMinor } = addCommission(amountMinor, { fixedMinor: 0n, percent })
        const twice = 2n * (commissionMinor * 1_000_000n - amountMinor * BigInt(parts))
        assert.ok(twice > -1_000_000n && twice <= 1_000_000n)
      }),
    )
  })

  test('throws for a text that is not a percentage', () => {
    assert.throws(() => addCommission(1n, { fixedMinor: 0n, percent: '3,5' }), RangeError)
  })
})

describe('the setting', () => {
  test('is read by currency, and a missing part is zero', () => {
    const read = readCommissions({
      EUR: { fixed: '0.20', percent: '3.5' },
      JPY: { fixed: '30' },
      USD: { percent: '1' },
    })
    assert.ok(read.ok)
    assert.deepEqual(
      [...read.commissions],
      [
        ['EUR', { fixedMinor: 20n, percent: '3.5' }],
        ['JPY', { fixedMinor: 30n, percent: '0' }],
        ['USD', { fixedMinor: 0n, percent: '1' }],
      ],
    )
  })

  test('a percentage goes from 0 to 100 and has up to four decimals', () => {
    for (const good of ['0', '0.0001', '3.5', '99.9999', '100', '100.0000']) assert.ok(isPercent(good), good)
    for (const bad of ['', '-1', '100.0001', '101', '3.55555', '3,5', '03', '1e1', '.5'])
      assert.ok(!isPercent(bad), bad)
  })

  test('every fault names its currency', () => {
    const faulty = { EUR: { fixed: '0.205' }, XYZ: {}, USD: { percent: '101' }, GBP: 'much', PLN: { fix: '1' } }
    const read = readCommissions(faulty)
    assert.ok(!read.ok)
    assert.deepEqual(read.faults, [
      'EUR: fixed must be an amount such as 0.20, in the decimals of EUR.',
      'XYZ is not a currency of ISO 4217.',
      'USD: percent must be a number from 0 to 100 with up to 4 decimals, such as 3.5.',
      'GBP: fixed must be an amount such as 0.20, in the decimals of GBP.',
      'PLN: only fixed and percent can be set.',
    ])
    assert.deepEqual(readCommissions([]), {
      ok: false,
      faults: ['The debit commission must be an object of currencies.'],
    })
  })
})
