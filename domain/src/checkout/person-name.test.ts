/** Names of people. Chapter 30 §7.3. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits.ts'
import { isPersonName, longestName } from './person-name.ts'

for (const name of ['Jane Roe', 'Suharto', '山田太郎', 'Zoë O’Neill-Doe', 'J. R. Roe Jr.', '阿凡·提', '𠮷'.repeat(32)])
  test(`${name} is a name`, () => assert.equal(isPersonName(name), true))

for (const name of [
  '',
  '-',
  '...',
  'Jane 2',
  '4111111111111111',
  'Jane  \tRoe',
  '<b>',
  'x'.repeat(33),
  '𠮷'.repeat(33),
])
  test(`${name || 'nothing'} is not a name`, () => assert.equal(isPersonName(name), false))

test('the limit is that of every person’s name', () => assert.equal(longestName, limits.length.personName))
