/** Chapter 60 §5: a row that the acquirer converted keeps both amounts and the rate. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settlementFormats } from './settlement-format.ts'
import { readSettlementRow } from './settlement-row.ts'

const cells = {
  row: 'R1',
  type: 'charge',
  currency: 'EUR',
  gross: '9.21',
  fee: '0.14',
  net: '9.07',
  date: '2026-03-02',
  processing_currency: 'USD',
  processing_gross: '10.00',
  rate: '0.9213',
}
const read = (over: Readonly<Record<string, string>> = {}, currencies: readonly string[] = ['USD']) =>
  readSettlementRow(
    { ...cells, ...over },
    { format: settlementFormats.common, midNames: [], currencies, crypto: new Map() },
  )
const conversion = (over: Readonly<Record<string, string>> = {}) => {
  const row = read(over)
  return typeof row === 'string' ? row : row.conversion
}

const faultIn = (row: unknown): string => (typeof row === 'string' ? row : '')

test('a converted row has the amount of the payment and the rate, of the file or by the two amounts', () => {
  assert.deepEqual(conversion(), { currency: 'USD', grossMinor: 1000n, rate: '0.9213' })
  assert.deepEqual(conversion({ rate: '' }), { currency: 'USD', grossMinor: 1000n, rate: '0.9210000000' })
  const yen = conversion({ processing_currency: 'JPY', processing_gross: '1500', rate: '' })
  assert.match(faultIn(yen), /no currency JPY/)
  const refund = { type: 'refund', gross: '-1.5', fee: '0', net: '-1.5', processing_gross: '-2', rate: '' }
  assert.deepEqual(conversion(refund), { currency: 'USD', grossMinor: -200n, rate: '0.7500000000' })
})

test('identifiers of the acquirer have at most 200 characters, which an index takes', () => {
  for (const column of ['row', 'reference', 'payout']) {
    assert.notEqual(typeof read({ [column]: 'R'.repeat(200) }), 'string')
    assert.match(
      faultIn(read({ [column]: 'R'.repeat(201) })),
      new RegExp(`The column ${column} must have .*200 characters`),
    )
  }
})

test('a row is booked on a day that exists, of this century', () => {
  for (const date of ['0000-01-01', '0001-01-01', '1026-03-01', '9999-12-31', '2026-02-29', '2026-13-01', ''])
    assert.match(faultIn(read({ date })), /^The column date must be a date such as 2026-03-01/, date)
})

test('decimals of both currencies count for the rate', () => {
  const row = read({ processing_currency: 'KWD', processing_gross: '3.000', rate: '' }, ['KWD'])
  assert.equal(typeof row === 'string' ? row : row.conversion?.rate, '3.0700000000')
})

test('the currencies of the MID are those of its payments, not of what the acquirer pays', () => {
  assert.notEqual(typeof read({}, ['USD']), 'string')
  assert.match(faultIn(read({}, ['EUR'])), /no currency USD/)
  assert.equal(conversion({ processing_currency: '' }), 'The MID has no currency EUR.')
})

test('money of the wrong direction is a fault of the row, which says what to write; none, a fee and an adjustment have no direction', () => {
  // biome-ignore format: a table is read in columns.
  const wrong = [
    // type                   currency  gross     fee      what to write
    ['charge',               'EUR',   '-4.00',   '0.10',  'Money of a charge comes in: write 4.00 in the column gross and 3.90 in net.'],
    ['chargeback-reversal',  'JPY',   '-400',    '0',     'Money of a chargeback-reversal comes in: write 400 in the column gross and 400 in net.'],
    ['refund',               'EUR',   '4.00',    '0.10',  'Money of a refund leaves: write -4.00 in the column gross and -4.10 in net.'],
    ['chargeback',           'KWD',   '4.001',   '0',     'Money of a chargeback leaves: write -4.001 in the column gross and -4.001 in net.'],
    ['payout',               'EUR',   '0.01',    '0',     'Money of a payout leaves: write -0.01 in the column gross and -0.01 in net.'],
  ] as const
  const plain = { processing_currency: '', processing_gross: '', rate: '' }
  const netOf = (gross: string, fee: string, decimals: number): string =>
    (Number(gross) - Number(fee)).toFixed(decimals)
  const decimalsOf = { EUR: 2, JPY: 0, KWD: 3 }
  for (const [type, currency, gross, fee, fault] of wrong) {
    const sums = (of: string) => ({
      ...plain,
      type,
      currency,
      gross: of,
      fee,
      net: netOf(of, fee, decimalsOf[currency]),
    })
    assert.equal(read(sums(gross), []), fault)
    const right = gross.startsWith('-') ? gross.slice(1) : `-${gross}`
    assert.equal(typeof read(sums(right), []), 'object', `${type} ${right}`)
    assert.equal(typeof read(sums('0'), []), 'object', `${type} of nothing`)
  }
  for (const type of ['fee', 'adjustment'])
    for (const gross of ['-4.00', '4.00'])
      assert.equal(typeof read({ ...plain, type, gross, fee: '0', net: gross }, []), 'object', type)
})

test('a conversion that cannot be understood is a fault of the row', () => {
  // biome-ignore format: a table is read in columns.
  const bad = [
    [{ processing_gross: '' },                                        /processing_gross must be an amount in USD/],
    [{ processing_gross: '10.001' },                                  /processing_gross must be an amount in USD/],
    [{ processing_gross: '-10.00' },                                  /the same sign/],
    [{ processing_gross: '0' },                                       /the same sign/],
    [{ rate: '-1' },                                                  /rate must be a number/],
    [{ rate: '0.0' },                                                 /rate must be a number/],
    [{ type: 'fee' },                                                 /belongs to no payment/],
  ] as const
  for (const [over, text] of bad) assert.match(faultIn(conversion(over)), text, JSON.stringify(over))
  assert.match(faultIn(read({ processing_currency: 'XXQ' }, [])), /currency XXQ is not known/)
  assert.match(faultIn(read({ processing_currency: 'EUR' }, [])), /processing_gross is not gross/)
  const same = read({ processing_currency: 'EUR', processing_gross: '9.21' }, [])
  assert.equal(typeof same === 'string' ? same : same.conversion, null)
})
