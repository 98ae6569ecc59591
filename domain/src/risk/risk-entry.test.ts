import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RiskKind, type RiskSubject, readRiskValue, riskKeysOf } from './risk-entry.ts'

// biome-ignore format: a table is read in columns.
const spellings: readonly (readonly [RiskKind, typed: string, stored: string | null])[] = [
  ['card',         'AB'.repeat(32),       'ab'.repeat(32)],
  ['card',         '4111111111111111',    null],
  ['bin',          '411111',              '411111'],
  ['bin',          '41111',               null],
  ['email',        ' Doe@Example.COM ',   'doe@example.com'],
  ['email',        'example.com',         null],
  ['email-domain', '@Example.com',        'example.com'],
  ['email-domain', 'example',             null],
  ['ip',           '203.0.113.0/24',      '203.0.113.0/24'],
  ['ip',           'localhost',           null],
  ['country',      'de',                  'DE'],
  ['country',      'DEU',                 null],
  ['phone',        '+49 (30) 12-34',      '49301234'],
  ['phone',        '12',                  null],
  ['device',       'd-1',                 'd-1'],
  ['customer',     '',                    null],
]

for (const [kind, typed, stored] of spellings) {
  test(`${kind} "${typed}" is ${stored === null ? 'refused' : `stored as ${stored}`}`, () => {
    const reading = readRiskValue(kind, typed)
    assert.equal(reading.ok ? reading.value : null, stored)
  })
}

const nobody: RiskSubject = {
  card: null,
  bin: null,
  email: null,
  ip: null,
  countries: [],
  phone: null,
  device: null,
  customer: null,
}

test('a payment is named by its address, its domain, and six to eight digits of its card', () => {
  const keys = riskKeysOf({ ...nobody, email: 'Doe@Example.com', bin: '41111122', countries: ['DE', 'FR'] })
  assert.deepEqual(
    keys.map(({ kind, value }) => `${kind} ${value}`),
    [
      'bin 411111',
      'bin 4111112',
      'bin 41111122',
      'email doe@example.com',
      'email-domain example.com',
      'country DE',
      'country FR',
    ],
  )
})

test('a payment without attributes is named by nothing', () => {
  assert.deepEqual(riskKeysOf(nobody), [])
})
