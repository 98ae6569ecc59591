import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { luhnValid } from '#domain/card.ts'
import { secret } from '#domain/secret.ts'
import { scrub, secretsIn } from './scrub.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  // title                                        value                                          paths               copy
  [ 'a named field',                              { card: { cvv: '123', name: 'Doe' } },         ['card.cvv'],       { card: { cvv: '***', name: 'Doe' } } ],
  [ 'a named object as a whole',                  { card: { cvv: '123' }, id: 1 },               ['card'],           { card: '***', id: 1 } ],
  [ 'a named field in every item of a list',      { items: [{ pin: 1 }, { pin: 2 }] },           ['items.pin'],      { items: [{ pin: '***' }, { pin: '***' }] } ],
  [ 'a number under a name',                      { code: 123 },                                 ['code'],           { code: '***' } ],
  [ 'no field of the same name elsewhere',        { card: { cvv: '123' }, cvv: 'M' },            ['card.cvv'],       { card: { cvv: '***' }, cvv: 'M' } ],
  [ 'nothing where the field is empty',           { card: { cvv: null } },                       ['card.cvv'],       { card: { cvv: null } } ],
  [ 'a card number anywhere',                     { note: 'card 4111111111111111!' },            [],                 { note: 'card 411111******1111!' } ],
  [ 'a card number in groups',                    'pay 4111 1111-1111 1111 now',                 [],                 'pay 411111******1111 now' ],
  [ 'a card number in groups of a form body',     'x=4111+1111+1111+1111&y',                     [],                 'x=411111******1111&y' ],
  [ 'a card number behind a backslash',           String.raw`\4111111111111111`,                 [],                 String.raw`\411111******1111` ],
  [ 'a card number before another number',        '4111111111111111 01 2038',                    [],                 '411111******1111 01 2038' ],
  [ 'two card numbers in a row',                  '4111111111111111 5555555555554444',           [],                 '411111******1111 555555******4444' ],
  [ 'a card number as a JSON number',             { n: 4111111111111111 },                       [],                 { n: '411111******1111' } ],
  [ 'a card number as a name',                    { 4111111111111111: 1 },                       [],                 { '411111******1111': 1 } ],
  [ 'nothing of an amount, which a log shows as text', { amount: 1000n },                       [],                 { amount: '1000' } ],
  [ 'no number with a wrong check digit',         { order: '4111111111111112' },                 [],                 { order: '4111111111111112' } ],
  [ 'no reference of 23 digits',                  { arn: '24000006319000000000011' },            [],                 { arn: '24000006319000000000011' } ],
  [ 'a secret that was not revealed',             { key: secret('x') },                          [],                 { key: '***' } ],
] as const

for (const [title, value, paths, expected] of cases) {
  test(`scrubbing hides ${title}`, () => assert.deepEqual(scrub(value, paths), expected))
}

test('what was secret in the request is hidden in the answer, a short value only by itself', () => {
  const values = secretsIn(
    { card: { cvv: '123', token: 'abcdefgh' }, list: [{ pin: 9 }], whole: { part: 'ijklmnop' } },
    ['card.cvv', 'card.token', 'list.pin', 'whole'],
  )
  assert.deepEqual(values, ['123', 'abcdefgh', '9', 'ijklmnop'])
  assert.equal(scrub('cvv=123 ref=41239 xxabcdefghxx pin 9', [], values), 'cvv=*** ref=41239 xx***xx pin ***')
})

test('what was secret in the request is hidden however the answer escapes it', () => {
  const value = 'a"b&c/d e'
  const quoted = [value, JSON.stringify(value), 'a%22b%26c%2Fd+e', 'a%22b%26c%2Fd%20e', 'a&quot;b&amp;c/d e']
  for (const text of quoted) assert.doesNotMatch(String(scrub(`<${text}>`, [], [value])), /[ab]/, text)
})

test('the original is left as it was', () => {
  const value = { card: { number: '4111111111111111' } }
  scrub(value, ['card.number'])
  assert.deepEqual(value, { card: { number: '4111111111111111' } })
})

const cardNumbers = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 })
  .map((digits) => `4${digits.slice(1).join('')}`)
  .map((start) => start + Array.from('0123456789').find((digit) => luhnValid(start + digit)))

test('no card number survives, wherever in a message it is planted', () => {
  const planted = fc.letrec((tie) => ({
    place: fc.oneof(
      { depthSize: 'small' },
      fc.constant((number: string): unknown => number),
      fc.tuple(fc.stringMatching(/^[^0-9 -]*$/), fc.stringMatching(/^[^0-9 -]*$/)).map(
        ([a, b]) =>
          (number: string) =>
            a + number + b,
      ),
      tie('place').map((inner) => (number: string) => [1, (inner as (number: string) => unknown)(number)]),
      fc.tuple(fc.string(), tie('place')).map(([name, inner]) => (number: string) => ({
        [name]: (inner as (number: string) => unknown)(number),
      })),
    ),
  })).place

  fc.assert(
    fc.property(cardNumbers, planted, (number, place) => {
      assert.ok(!JSON.stringify(scrub((place as (number: string) => unknown)(number), [])).includes(number))
    }),
  )
})
