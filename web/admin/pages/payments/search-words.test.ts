import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearch } from './search-words.ts'

const filterOf = (typed: string, locale = 'en'): unknown => {
  const reading = readSearch(typed, locale)
  return reading.ok ? reading.filter : reading.text
}

const id = '01a265fd-9d3c-7aaa-8bbb-0123456789ab'

test('each word is understood by its form', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, object])[] = [
    ['1111',                        { lastFour: '1111' }],
    ['•••• 1111',                   { lastFour: '1111' }],
    ['411111******1111',            { card: '411111******1111' }],
    ['411111 ****** 1111',          { card: '411111******1111' }],
    ['4111 11•• •••• 1111',         { card: '411111******1111' }],
    ['411111 1111',                 { card: '411111******1111' }],
    ['471.16',                      { amount: '471.16' }],
    ['1,000.00',                    { amount: '1000.00' }],
    ['471.16 EUR',                  { amount: '471.16', currency: 'EUR' }],
    ['jpy 52100',                   { amount: '52100', currency: 'JPY' }],
    ['52,100 JPY',                  { amount: '52100', currency: 'JPY' }],
    ['Ann@Example.com',             { payerEmail: 'Ann@Example.com' }],
    ['Ann Doe',                     { payerName: 'Ann Doe' }],
    ['O’Brien',                     { payerName: 'O’Brien' }],
    ['ORDER-17',                    { orderId: 'ORDER-17' }],
    ['100017',                      { orderId: '100017' }],
    ['012345678901',                { reference: '012345678901' }],
    ['74537604221222132710572',     { reference: '74537604221222132710572' }],
    [id,                            { paymentId: id }],
    ['203.0.113.7',                 { payerIp: '203.0.113.7' }],
    ['2001:db8::7',                 { payerIp: '2001:db8::7' }],
    ['EUR',                         { currency: 'EUR' }],
    ['1111 471.16',                 { lastFour: '1111', amount: '471.16' }],
    ['1111 471.16 EUR doe@shop.eu', { lastFour: '1111', amount: '471.16', currency: 'EUR', payerEmail: 'doe@shop.eu' }],
  ]
  for (const [typed, filter] of rows) assert.deepEqual(filterOf(typed), filter, typed)
})

test('an amount is read as the user’s locale writes it', () => {
  assert.deepEqual(filterOf('1.279,23', 'de'), { amount: '1279.23' })
  assert.deepEqual(filterOf('1 279,23', 'fr'), { amount: '1279.23' })
  assert.deepEqual(filterOf('1111 1.279,23 EUR', 'de'), { lastFour: '1111', amount: '1279.23', currency: 'EUR' })
})

test('a name before the word decides its meaning', () => {
  assert.deepEqual(filterOf('order:1111'), { orderId: '1111' })
  assert.deepEqual(filterOf('order:"A 1" amount:100'), { orderId: 'A 1', amount: '100' })
  assert.deepEqual(filterOf('ref:A1B2C3'), { reference: 'A1B2C3' })
  assert.deepEqual(filterOf(`subscription:${id}`), { subscriptionId: id })
  assert.deepEqual(filterOf('name:Li'), { payerName: 'Li' })
})

test('the box states what it understood, and what else the word could mean', () => {
  const reading = readSearch('1111 471.16', 'en')
  assert.ok(reading.ok)
  assert.deepEqual(reading.texts, ['last four 1111', 'amount 471.16 in any currency'])
  assert.deepEqual(
    reading.others.map(({ search }) => search),
    ['order:1111 471.16', 'amount:1111 471.16', 'ref:1111 471.16', '1111 order:471.16'],
  )
  for (const { search } of reading.others.slice(0, 1))
    assert.deepEqual(filterOf(search), { orderId: '1111', amount: '471.16' })
})

test('what cannot be understood is a fault with advice, and no search', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, RegExp])[] = [
    ['€471.16',           /cannot be searched for/],
    ['colour:red',        /no search by “colour:”/],
    ['order:',            /Enter a value after/],
    ['amount:abc',        /not an amount/],
    ['amount:1,00,0.00',  /not an amount/],
    ['doe@',              /not a whole e-mail address/],
    ['id:01a265fd',       /not a whole transaction id/],
    ['card:41111',        /not a card/],
    ['1111 2222',         /both 1111 and 2222/],
  ]
  for (const [typed, text] of rows) assert.match(String(filterOf(typed)), text, typed)
})

test('a whole card number is refused, grouped or not', () => {
  for (const typed of ['4111111111111111', '4111 1111 1111 1111', 'x 4111-1111-1111-1111'])
    assert.match(String(filterOf(typed)), /Do not enter a whole card number/, typed)
  assert.deepEqual(filterOf('order:4111111111111111'), { orderId: '4111111111111111' })
})

test('an empty box filters nothing', () => {
  assert.deepEqual(filterOf('  '), {})
})
