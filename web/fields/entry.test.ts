import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { entries, type Surroundings } from './entry.ts'

const around: Surroundings = { today: '2026-11-15', brand: null }
const { card, expiry, cvv } = entries

describe('card number', () => {
  test('is grouped as on the card while it is typed', () => {
    assert.equal(card.shape('4111111111111111', ''), '4111 1111 1111 1111')
    assert.equal(card.shape('371449635398431', ''), '3714 496353 98431')
    assert.equal(card.shape('41a11-1', ''), '4111 1')
  })

  test('is valid with 14 to 19 digits and a correct check digit', () => {
    for (const right of ['4111 1111 1111 1111', '3714 496353 98431', '30569309025904', '6304000000000000000'])
      assert.ok(card.isValid(right, around), right)
    for (const wrong of ['4111 1111 1111 1112', '4222222222222', '', '4111', '40000000000000000002'])
      assert.ok(!card.isValid(wrong, around), wrong)
  })

  test('is sent as digits only, however it was typed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{0,19}$/), (digits) => {
        assert.equal(card.value(card.shape(digits, '')), digits)
      }),
    )
  })
})

describe('expiry', () => {
  for (const [typed, sent] of [
    ['01/38', '01/2038'],
    ['0138', '01/2038'],
    ['01-38', '01/2038'],
    ['01/2038', '01/2038'],
    ['1/38', '01/2038'],
    ['11/26', '11/2026'],
  ] as const) {
    test(`${typed} is sent as ${sent}`, () => {
      assert.ok(expiry.isValid(expiry.shape(typed, ''), around))
      assert.equal(expiry.value(expiry.shape(typed, '')), sent)
    })
  }

  test('a past, impossible or incomplete date is invalid', () => {
    for (const wrong of ['10/26', '13/38', '00/38', '01/3', '01', '', '01/9999'])
      assert.ok(!expiry.isValid(wrong, around), wrong)
  })
})

describe('security code', () => {
  test('has three digits, four for networks with four, and either while the network is unknown', () => {
    const rows = [
      ['visa', '123', true],
      ['visa', '1234', false],
      ['amex', '1234', true],
      ['amex', '123', false],
      [null, '123', true],
      [null, '1234', true],
      [null, '12', false],
      [null, '', false],
    ] as const
    for (const [brand, code, right] of rows)
      assert.equal(cvv.isValid(code, { ...around, brand }), right, `${brand} ${code}`)
  })

  test('accepts digits only', () => {
    assert.equal(cvv.shape('12a3x45', ''), '1234')
  })
})
