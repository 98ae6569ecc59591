import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { campaigns } from './list.ts'
import { applyPatch } from './patch.ts'

const root = new URL('..', import.meta.url)
const planted = campaigns.flatMap(({ name, plantedFault, overStandIns }) =>
  [plantedFault, overStandIns?.plantedFault].flatMap((fault) =>
    (fault?.patches ?? []).map((patch) => ({ name, patch })),
  ),
)

test('every planted fault still finds the source text that it replaces, exactly once', () => {
  const failures = planted.flatMap(({ name, patch }) => {
    const source = readFileSync(new URL(patch.file, root), 'utf8')
    try {
      return applyPatch(source, patch) === source ? [`${name}: the patch of ${patch.file} changes nothing`] : []
    } catch (error) {
      return [`${name}: ${String(error)}`]
    }
  })
  assert.deepEqual(failures, [])
})

test('most campaigns plant their fault in the source text', () => {
  const names = new Set(planted.map(({ name }) => name))
  assert.ok(names.size > campaigns.length / 2, `Only ${names.size} of ${campaigns.length} do.`)
})
