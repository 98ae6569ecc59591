/** Card numbers and expiry dates as payers type them. Chapter 30 §7.1, §7.3. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { codeLength, digitsOf, groupCardNumber, networkWhileTyping } from './card-number.ts'
import { caretAfter } from './caret.ts'
import { formatExpiryWhileTyping, hasImpossibleMonth, readExpiry } from './expiry.ts'

describe('a card number', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    // typed                       shown
    ['',                         ''],
    ['4111',                     '4111'],
    ['41111',                    '4111 1'],
    ['4111-1111 1111.1111',      '4111 1111 1111 1111'],
    ['378282246310005',          '3782 822463 10005'],
    ['3782822463100051',         '3782 822463 10005'],
    ['5555555555554444999',      '5555 5555 5555 4444'],
    ['36227206271667',           '3622 720627 1667'],
    ['6212345678901234567',      '6212 3456 7890 1234 567'],
    ['62123456789012345678901',  '6212 3456 7890 1234 567'],
    ['٤١١١١١١١١١١١١١١١',         '4111 1111 1111 1111'],
  ] as const
  for (const [typed, shown] of rows) {
    test(`${typed || 'nothing'} is shown as ${shown || 'nothing'}`, () => assert.equal(groupCardNumber(typed), shown))
  }

  test('keeps its digits as far as its network has them, however it is grouped and however often', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{0,19}$/), (digits) => {
        const shown = groupCardNumber(digits)
        assert.ok(digits.startsWith(digitsOf(shown)))
        assert.ok(digitsOf(shown).length >= Math.min(digits.length, 15))
        assert.equal(groupCardNumber(shown), shown)
      }),
    )
  })

  test('shows its network and the length of its security code as soon as its digits determine them', () => {
    assert.equal(networkWhileTyping(''), null)
    assert.equal(networkWhileTyping('4'), 'visa')
    assert.equal(networkWhileTyping('37'), 'amex')
    assert.equal(networkWhileTyping('1111 2222'), null)
    assert.deepEqual([codeLength('amex'), codeLength('visa'), codeLength(null)], [4, 3, 3])
  })
})

test('the caret stays behind the digit that was typed', () => {
  assert.equal(caretAfter('4111 1', 5), 6)
  assert.equal(caretAfter('4111 1', 4), 4)
  assert.equal(caretAfter('4111', 0), 0)
  assert.equal(caretAfter('41', 9), 2)
})

describe('an expiry', () => {
  // biome-ignore format: a table is read in columns.
  const read = [
    ['01/38',   { month: 1,  year: 2038 }],
    ['1/38',    { month: 1,  year: 2038 }],
    ['0138',    { month: 1,  year: 2038 }],
    ['12-38',   { month: 12, year: 2038 }],
    ['05/2038', { month: 5,  year: 2038 }],
    ['052038',  { month: 5,  year: 2038 }],
    [' 05 / 38 ', { month: 5, year: 2038 }],
    ['13/38',   null],
    ['00/38',   null],
    ['05/3',    null],
    ['05',      null],
    ['soon',    null],
  ] as const
  for (const [text, expiry] of read) {
    test(`${text} is read as ${expiry ? `month ${expiry.month} of ${expiry.year}` : 'no expiry'}`, () =>
      assert.deepEqual(readExpiry(text), expiry))
  }

  test('has an impossible month as soon as both its digits are typed', () => {
    const month = (text: string): boolean => hasImpossibleMonth(text)
    assert.deepEqual(['13', '13/', '00', '99/38', '١٣'].map(month), [true, true, true, true, true])
    assert.deepEqual(['', '1', '0', '01', '12/', '10/3'].map(month), [false, false, false, false, false, false])
  })

  // biome-ignore format: a table is read in columns.
  const typed = [
    // before    typed       shown
    ['',        '0',        '0'],
    ['0',       '01',       '01/'],
    ['01/',     '01/3',     '01/3'],
    ['',        '5',        '05/'],
    ['1',       '1/',       '01/'],
    ['01/',     '01',       '01'],
    ['',        '0138',     '01/38'],
    ['',        '01/2038',  '01/2038'],
    ['',        '01-38',    '01/38'],
    ['01/38',   '01/3',     '01/3'],
  ] as const
  for (const [before, text, shown] of typed) {
    test(`${text} after ${before || 'nothing'} is shown as ${shown}`, () =>
      assert.equal(formatExpiryWhileTyping(text, before), shown))
  }
})
