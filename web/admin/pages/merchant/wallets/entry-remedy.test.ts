import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRemedy } from './entry-remedy.ts'

test('a fault of a key or a certificate is followed by its remedy, also if it contains a date', () => {
  assert.equal(
    addRemedy('The certificate expired on 2025-06-01.'),
    'The certificate expired on 2025-06-01. Have a new one issued by the wallet provider.',
  )
})

test('a fault without a remedy is unchanged', () => {
  assert.equal(addRemedy('This value should not be blank.'), 'This value should not be blank.')
})
