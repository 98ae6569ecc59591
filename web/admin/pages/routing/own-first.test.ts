import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownFirst } from './own-first.ts'

const mids = ['east', 'north', 'south', 'west'].map((name) => ({ id: name, name }))

test('the MIDs of the merchant come first, by priority; the others keep their order', () => {
  const mappings = [
    { midId: 'west', priority: 20 },
    { midId: 'south', priority: 10 },
  ]
  assert.deepEqual(ownFirst(mids, mappings), ['south', 'west', 'east', 'north'])
})

test('without mappings the order of the list is unchanged', () => {
  assert.deepEqual(ownFirst(mids, []), ['east', 'north', 'south', 'west'])
})
