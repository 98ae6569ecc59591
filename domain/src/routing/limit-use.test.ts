import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noLimit } from '../mid.ts'
import { limitUses } from './limit-use.ts'
import { candidateNamed } from './testing/example.ts'

const limit = { amounts: { EUR: 100n, JPY: 5n }, count: null }

test('a limit that is not set does not limit, and nothing is counted for it', () => {
  assert.deepEqual(limitUses({ ...candidateNamed('one'), currency: 'EUR' }, '2026-03-04'), [])
})

test('days count by the financial day, months from their first, weeks from Monday, in the order of the filter', () => {
  const { mid, mapping } = candidateNamed('one')
  const limited = {
    currency: 'EUR',
    mid: { ...mid, dayLimit: limit, monthLimit: limit },
    mapping: { ...mapping, dayLimit: limit, weekLimit: limit },
  }
  const uses = limitUses(limited, '2026-03-04')
  assert.deepEqual(
    uses.map(({ period, owner, starts }) => [period, owner === mid.id ? 'mid' : 'mapping', starts]),
    [
      ['mid day', 'mid', '2026-03-04'],
      ['mid month', 'mid', '2026-03-01'],
      ['mapping day', 'mapping', '2026-03-04'],
      ['mapping week', 'mapping', '2026-03-02'],
    ],
  )
  assert.deepEqual(limitUses({ ...limited, mid: { ...limited.mid, monthLimit: noLimit } }, '2026-03-04').length, 3)
})

test('an amount counts towards the limit of its own currency, and every payment towards a limit by count', () => {
  const { mid, mapping } = candidateNamed('one')
  const limited = { mid: { ...mid, dayLimit: { amounts: limit.amounts, count: 3 } }, mapping }
  const countersOf = (currency: string) =>
    limitUses({ ...limited, currency }, '2026-03-04').map((use) => [use.currency, use.most])
  assert.deepEqual(countersOf('EUR'), [
    [null, 3n],
    ['EUR', 100n],
  ])
  assert.deepEqual(countersOf('JPY'), [
    [null, 3n],
    ['JPY', 5n],
  ])
  assert.deepEqual(countersOf('USD'), [[null, 3n]])
})
