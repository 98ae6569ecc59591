import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cardFacts, formatExpiry, isCardNumber, isExpired, luhnValid, maskCard, networkOf, pan10 } from './card.ts'

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))

test('the test cards of the interface pass the check digit', () => {
  for (const pan of ['4111111111111111', '4601541833776519', '4917484589897107', '4000000000000002']) {
    assert.ok(luhnValid(pan), pan)
  }
  for (const pan of ['5555555555554444', '378282246310005', '1111222233334444']) assert.ok(luhnValid(pan), pan)
})

test('one wrong digit fails the check, wherever it stands', () => {
  assert.ok(!luhnValid('4111111111111112'))
  fc.assert(
    fc.property(digits(11, 18), fc.nat(), fc.integer({ min: 1, max: 9 }), (payload, place, change) => {
      const pan =
        '0123456789'
          .split('')
          .map((digit) => payload + digit)
          .find(luhnValid) ?? assert.fail('no check digit')
      const at = place % pan.length
      const other = (Number(pan[at]) + change) % 10
      assert.ok(!luhnValid(pan.slice(0, at) + other + pan.slice(at + 1)))
    }),
  )
})

test('exactly one check digit fits a number', () => {
  fc.assert(
    fc.property(digits(1, 18), (payload) => {
      assert.equal('0123456789'.split('').filter((digit) => luhnValid(payload + digit)).length, 1)
    }),
  )
})

test('a card number has 12 to 19 digits and nothing else', () => {
  assert.ok(isCardNumber('4111111111111111'))
  assert.ok(isCardNumber('000000000000'))
  assert.ok(isCardNumber('0000000000000000000'))
  for (const text of ['', '0', '00000000000', '00000000000000000000']) assert.ok(!isCardNumber(text), text)
  for (const text of ['4111 1111 1111 1111', '4111-1111-1111-1111', '411111111111111١', '4111111111111111\n']) {
    assert.ok(!isCardNumber(text), text)
  }
})

test('the mask shows the first six and the last four digits and one asterisk for each between', () => {
  assert.equal(maskCard('4111111111111111'), '411111******1111')
  assert.equal(maskCard('378282246310005'), '378282*****0005')
  assert.equal(maskCard('630400000000'), '630400**0000')
  assert.equal(maskCard('6304000000000000018'), '630400*********0018')
})

test('the mask shows at most ten digits of any text', () => {
  fc.assert(
    fc.property(digits(0, 25), (pan) => {
      const mask = maskCard(pan)
      assert.equal(mask.length, pan.length)
      assert.ok(mask.replaceAll('*', '').length <= 10)
      assert.ok(pan.length === 0 || mask.includes('*'))
    }),
  )
})

test('the card term of a signature is the same from a number and from its mask', () => {
  assert.equal(pan10('4111111111111111'), '4111111111')
  assert.equal(pan10('4895370012003478'), '4895373478')
  fc.assert(fc.property(digits(12, 19), (pan) => assert.equal(pan10(maskCard(pan)), pan10(pan))))
})

// biome-ignore format: a table is read in columns.
const networks = [
  [ '4111111111111111',    'visa' ],
  [ '4601541833776519',    'visa' ],
  [ '4917484589897107',    'visa' ],
  [ '4000001000000018',    'visa' ],
  [ '4895370012003478',    'visa' ],
  [ '5555555555554444',    'mastercard' ],
  [ '5200001000000013',    'mastercard' ],
  [ '2221000000000009',    'mastercard' ],
  [ '2720990000000007',    'mastercard' ],
  [ '378282246310005',     'amex' ],
  [ '370000100000019',     'amex' ],
  [ '341111111111111',     'amex' ],
  [ '6011111111111117',    'discover' ],
  [ '6441111111111111',    'discover' ],
  [ '6500000000000002',    'discover' ],
  [ '3530111333300000',    'jcb' ],
  [ '30569309025904',      'dinersclub' ],
  [ '36070500001020',      'dinersclub' ],
  [ '6200000000000005',    'unionpay' ],
  [ '8171999900000018',    'unionpay' ],
  [ '6304000000000000',    'maestro' ],
  [ '6759649826438453',    'maestro' ],
  [ '5018000000000009',    'maestro' ],
  [ '2200000000000004',    'mir' ],
  [ '6074820000000007',    'rupay' ],
  [ '6521520000000000',    'rupay' ],
  [ '5067000000000000',    'elo' ],
  [ '6505000000000000',    'elo' ],
  [ '6062820000000000',    'hipercard' ],
  [ '5061000000000000',    'verve' ],
  [ '9792000000000000',    'troy' ],
  [ '8600000000000000',    'uzcard' ],
  [ '9860000000000000',    'humo' ],
  [ '1111222233334444',    undefined ],
  [ '2220999999999999',    undefined ],
  [ '2721000000000000',    undefined ],
  [ '3527000000000000',    undefined ],
  [ '3590000000000000',    undefined ],
  [ '0000000000000000',    undefined ],
  [ '7000000000000000',    undefined ],
  [ '',                    undefined ],
] as const

for (const [pan, network] of networks) {
  test(`${pan || 'an empty number'} is ${network ?? 'of no network we know'}`, () => {
    assert.equal(networkOf(pan), network)
  })
}

test('the first six digits decide the network', () => {
  fc.assert(fc.property(digits(12, 19), (pan) => assert.equal(networkOf(pan), networkOf(pan.slice(0, 6)))))
})

test('every number that starts with 4 is visa', () => {
  fc.assert(fc.property(digits(11, 18), (rest) => assert.equal(networkOf(`4${rest}`), 'visa')))
})

test('a card is good through its month and expired from the first day of the next', () => {
  const expiry = { month: 2, year: 2028 }
  assert.ok(!isExpired(expiry, '2027-12-31'))
  assert.ok(!isExpired(expiry, '2028-02-01'))
  assert.ok(!isExpired(expiry, '2028-02-29'))
  assert.ok(isExpired(expiry, '2028-03-01'))
  assert.ok(isExpired({ month: 12, year: 2027 }, '2028-01-01'))
  assert.ok(!isExpired({ month: 1, year: 2028 }, '2027-12-31'))
})

test('an expiry is shown as month and four-digit year', () => {
  assert.equal(formatExpiry({ month: 1, year: 2038 }), '01/2038')
  assert.equal(formatExpiry({ month: 12, year: 2030 }), '12/2030')
})

test('the facts of a card never hold its number', () => {
  const facts = cardFacts('4111111111111111', { month: 1, year: 2038 })
  assert.deepEqual(facts, {
    network: 'visa',
    bin: '411111',
    lastFour: '1111',
    mask: '411111******1111',
    expiry: { month: 1, year: 2038 },
  })
  assert.ok(!JSON.stringify(facts).includes('4111111111111111'))
})
