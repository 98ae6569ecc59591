import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMemory } from './machine.ts'

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
