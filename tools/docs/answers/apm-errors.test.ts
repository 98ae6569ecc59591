/** The errors of every action of S2S APM against chapter 20. The table was written from §5.5, §7 to §12 and §17, never from the code. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors } from '#domain/errors.ts'
import { apmErrors } from './apm-errors.ts'

const noTransaction = '101000 Transaction does not exist.'
const noPayment = '100000 Payment not found.'
const inFlight = '100000 Previous transaction not completed.'
const noAction = '204005 Payment action not supported.'
const first = [
  '100000 Previous payment not completed.',
  '204011 Payment system/brand not found.',
  noAction,
  '204012 Payment currency not found.',
  '204006 Payment system/brand not supported.',
  '204002 Enabled merchant mappings or MIDs not found.',
  '204007 Day MID limit is not set or exceeded.',
  '204014 Month MID limit is exceeded.',
  '204008 Day Merchant mapping limit is not set or exceeded.',
  '204015 Week Merchant mapping limit is exceeded.',
]
const wallet = [
  '204018 Payment digital wallet not supported',
  '250003 The payment token signature has expired',
  '250004 Payment token does not match the order.',
]

// biome-ignore format: a table is read in columns.
const chapter: Readonly<Record<string, readonly string[]>> = {
  SALE:                      [ ...first, ...wallet ],
  CAPTURE:                   [ noTransaction, inFlight, noAction,
                               '208003 Not acceptable to request the capture for payment not in pending status.',
                               '208004 Not acceptable to request the capture for amount bigger than auth amount.' ],
  CREDITVOID:                [ noPayment, inFlight,
                               '208005 Refund is not allowed',
                               '208006 Not acceptable to request the refund for amount bigger than payment amount.',
                               '208008 Not acceptable to request the reversal for amount bigger than payment amount.',
                               '208009 Not acceptable to request the reversal for partial amount.' ],
  VOID:                      [ noPayment, inFlight, '100000 Void is not allowed.' ],
  CREDIT2VIRTUAL:            first,
  CREDIT2CRYPTO:             first,
  DEBIT2VIRTUAL:             first,
  DEBIT2VIRTUAL_CALC:        first,
  DEBIT2VIRTUAL_COMPLETE:    [ noTransaction, '100000 Payment can not be completed.' ],
  GET_TRANS_STATUS:          [ noTransaction ],
  GET_TRANS_STATUS_BY_ORDER: [ '101000 Order does not exist.' ],
}

describe('the errors of chapter 20, and no others, are those of', () => {
  for (const [action, expected] of Object.entries(chapter)) {
    test(action, () => {
      const names = apmErrors.get(action) ?? []
      const shown = names.map((name) => `${errors[name].code} ${errors[name].message}`)
      assert.deepEqual(shown.toSorted(), expected.toSorted())
    })
  }
})

test('every action of the list is in the chapter', () => {
  assert.deepEqual([...apmErrors.keys()], Object.keys(chapter))
})
