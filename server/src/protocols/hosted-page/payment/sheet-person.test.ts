import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secret } from '#domain/secret.ts'
import { noPerson, sheetPerson } from './sheet-person.ts'

const full = {
  name: 'Jane Roe',
  address1: '1600 Amphitheatre Parkway',
  address2: 'Building 40',
  address3: '',
  locality: 'Mountain View',
  administrativeArea: 'CA',
  postalCode: '94043',
  countryCode: 'US',
  phoneNumber: '+1 650-555-0100',
}

const person = (billingAddress: unknown) =>
  sheetPerson(secret(JSON.stringify({ paymentMethodData: { info: { cardNetwork: 'VISA', billingAddress } } })))

test('an address of the sheet gets the names of the interface', () => {
  assert.deepEqual(person(full), {
    customer: { name: 'Jane Roe' },
    billingAddress: {
      country: 'US',
      state: 'CA',
      city: 'Mountain View',
      address: '1600 Amphitheatre Parkway, Building 40',
      zip: '94043',
      phone: '+1 650-555-0100',
    },
  })
})

// biome-ignore format: a table is read in columns.
const dropped = [
  ['an unknown country',                    { countryCode: 'XX' },                     ['country', 'state']],
  ['a state of a country without any',      { countryCode: 'DE' },                     ['state']],
  ['a city that is too long',               { locality: 'x'.repeat(41) },              ['city']],
  ['a phone that is none',                  { phoneNumber: 'call me' },                ['phone']],
  ['something that controls a terminal',    { locality: 'Riga\u001b[2K' },             ['city']],
  ['half a character',                      { locality: 'Riga \ud83d' },               ['city']],
  ['an address that is too long',           { address1: 'x'.repeat(255) },             ['address']],
  ['a phone that is too long',              { phoneNumber: '1'.repeat(33) },           ['phone']],
  ['a zip that is too long',                { postalCode: '9'.repeat(11) },            ['zip']],
  ['what is no text',                       { postalCode: 94043 },                     ['zip']],
] as const

for (const [what, over, droppedNames] of dropped)
  test(`${what} is left out, and the rest is kept`, () => {
    const remaining = Object.keys(person({ ...full, ...over }).billingAddress)
    const all = Object.keys(person(full).billingAddress)
    assert.deepEqual(
      all.filter((name) => !remaining.includes(name)),
      droppedNames,
    )
  })

test('a country in small letters and spaces too many are put right', () => {
  const { billingAddress } = person({ ...full, countryCode: 'us', locality: ' Mountain \n View ' })
  assert.deepEqual([billingAddress.country, billingAddress.city], ['US', 'Mountain View'])
})

test('a name that is too short or too long is left out', () => {
  for (const name of ['', 'J', 'x'.repeat(256)]) assert.deepEqual(person({ ...full, name }).customer, {}, name)
})

test('a token without a readable address gives no payer data', () => {
  for (const text of ['', '{}', 'null', '{"paymentMethodData":{"info":{}}}', '{"signature":"x"}'])
    assert.deepEqual(sheetPerson(secret(text)), noPerson)
})

test('no text breaks the reading', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void sheetPerson(secret(text))))
  fc.assert(fc.property(fc.jsonValue(), (address) => void person(address)))
})
