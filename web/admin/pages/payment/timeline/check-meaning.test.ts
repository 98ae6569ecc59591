import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withMeaning } from './check-meaning.ts'

test('the codes of address check and security code check are shown with their meanings', () => {
  assert.equal(withMeaning('avs_result', 'Z'), 'Z: postal code matches, street does not')
  assert.equal(withMeaning('cvv_result', 'N'), 'N: security code does not match')
})

test('one letter means different things in the two checks', () => {
  assert.notEqual(withMeaning('avs_result', 'M'), withMeaning('cvv_result', 'M'))
})

test('an unknown code and any other member are shown as they are', () => {
  assert.equal(withMeaning('avs_result', '27'), '27')
  assert.equal(withMeaning('rrn', 'N'), 'N')
})
