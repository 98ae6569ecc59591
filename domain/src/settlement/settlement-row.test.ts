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

test('decimals of both currencies count for the rate', () => {
  const row = read({ processing_currency: 'KWD', processing_gross: '3.000', rate: '' }, ['KWD'])
  assert.equal(typeof row === 'string' ? row : row.conversion?.rate, '3.0700000000')
})

test('the currencies of the MID are those of its payments, not of what the acquirer pays', () => {
  assert.notEqual(typeof read({}, ['USD']), 'string')
  assert.match(faultIn(read({}, ['EUR'])), /no currency USD/)
  assert.equal(conversion({ processing_currency: '' }), 'The MID has no currency EUR.')
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
