import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutFailuresText } from './cut-failures.ts'

const listed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ subject: `${index}`, text: 'Refused.' }))

test('a list that does not show every failure says how many it shows', () => {
  assert.equal(cutFailuresText({ failures: listed(20), failed: '250' }), 'Showing the first 20 of 250 failures.')
  const many = cutFailuresText({ failures: listed(20), failed: '12000' })
  assert.equal(many, `Showing the first 20 of ${new Intl.NumberFormat().format(12_000)} failures.`)
  assert.notEqual(many, 'Showing the first 20 of 12000 failures.')
  assert.equal(cutFailuresText({ failures: listed(2), failed: '2' }), null)
  assert.equal(cutFailuresText({ failures: [], failed: '0' }), null)
})
