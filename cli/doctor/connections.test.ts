import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionsFinding } from './connections.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  // allowed, processes, pool   level
  [97,        1,         16,    'ok'],
  [97,        0,         16,    'ok'],
  [97,        2,         16,    'ok'],
  [97,        3,         16,    'warning'],
  [97,        4,         16,    'warning'],
  [200,       4,         16,    'ok'],
  [97,        4,         8,     'ok'],
] as const

for (const [allowed, processes, pool, level] of cases) {
  test(`${processes} processes with a pool of ${pool} on ${allowed} connections: ${level}`, () => {
    const finding = connectionsFinding({ allowed, used: 5, processes }, pool)
    assert.equal(finding.level, level, finding.text)
  })
}

test('a warning states how many connections are needed and which setting to change', () => {
  const { text, remedy } = connectionsFinding({ allowed: 97, used: 70, processes: 4 }, 16)
  assert.match(text, /4 processes × 17, .* are 146, more than the server’s limit of 97; 70 are open/)
  assert.match(remedy ?? '', /max_connections.*DATABASE_POOL/)
})
