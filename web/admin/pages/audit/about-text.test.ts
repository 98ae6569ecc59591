import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutText } from './about-text.ts'

const namesOf = {
  user: (id: string): string => (id.startsWith('0192') ? 'Ann' : id.slice(0, 8)),
  merchant: (id: string): string => (id.startsWith('0192') ? 'Shoes' : id.slice(0, 8)),
}

test('the id of a user or a merchant is replaced by the name, and any other subject is unchanged', () => {
  assert.equal(aboutText('user 01920000-0000-7000-8000-000000000000', namesOf), 'user Ann')
  assert.equal(aboutText('merchant 01920000-0000-7000-8000-000000000000', namesOf), 'merchant Shoes')
  assert.equal(aboutText('merchant demo', namesOf), 'merchant demo')
  assert.equal(aboutText('user ann@example.com', namesOf), 'user ann@example.com')
})
