import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#server/process/config.ts'
import { checkDescriptors, checkMemory } from './machine.ts'

// biome-ignore format: a table is read in columns.
const limits = [
  // MB    level
  [ null, 'ok'      ],
  [  150, 'problem' ],
  [  300, 'warning' ],
  [ 1024, 'ok'      ],
] as const

for (const [megabytes, level] of limits)
  test(`a memory limit of ${megabytes} MB is ${level}`, () => {
    assert.equal(checkMemory(megabytes === null ? null : megabytes * 2 ** 20).level, level)
  })

test('too few descriptors for MAX_CONNECTIONS are a warning that says how many are needed', () => {
  const config = readConfig('api', {})
  const { level, text, remedy } = checkDescriptors(config, 1024)
  assert.equal(level, 'warning')
  assert.match(text, /may open 1024 .* serves 398 connections .* MAX_CONNECTIONS is 4096/)
  assert.match(remedy ?? '', /at least 8820/)
  assert.equal(checkDescriptors(config, 8820).level, 'ok')
  assert.equal(checkDescriptors(config, null).level, 'ok')
})
