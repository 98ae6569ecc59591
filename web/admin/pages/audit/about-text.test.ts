import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutText } from './about-text.ts'

test('a user id is replaced by the name, and any other subject is unchanged', () => {
  const nameOf = (id: string): string => (id.startsWith('0192') ? 'Ann' : id.slice(0, 8))
  assert.equal(aboutText('user 01920000-0000-7000-8000-000000000000', nameOf), 'user Ann')
  assert.equal(aboutText('merchant demo', nameOf), 'merchant demo')
  assert.equal(aboutText('user ann@example.com', nameOf), 'user ann@example.com')
})
