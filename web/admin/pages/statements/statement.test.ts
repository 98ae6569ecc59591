import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherMovements } from './statement.ts'

test('a row of the list of statements adds up: opening balance, sales and other movements are the closing balance', () => {
  const other = (openingMinor: string, salesMinor: string, closingMinor: string): string =>
    otherMovements({ openingMinor, salesMinor, closingMinor })
  assert.equal(other('0', '250826', '208526'), '-42300', 'refunds, chargebacks and payouts')
  assert.equal(other('208526', '0', '-100'), '-208626', 'paid out, then a fee')
  assert.equal(other('-5', '0', '95'), '100', 'released from the reserve')
})
