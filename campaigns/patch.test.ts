import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { patchFlag } from './patch.ts'

const file = 'domain/src/money/money.ts'
const asks = `import { formatAmount } from './${file}'; console.log(formatAmount(1234n, 'EUR'))`
const root = new URL('..', import.meta.url)

function runPatched(find: string, replace: string) {
  const flags = [patchFlag([{ file, find, replace }]), '--input-type=module', '--eval', asks]
  return spawnSync(process.execPath, flags, { cwd: root, encoding: 'utf8' })
}

test('a process loads the patched text, and the file is unchanged', () => {
  assert.equal(
    runPatched('export function formatAmount', 'export const formatAmount = () => "patched"\nfunction unused').stdout,
    'patched\n',
  )
  assert.equal(
    spawnSync(process.execPath, ['--input-type=module', '--eval', asks], { cwd: root, encoding: 'utf8' }).stdout,
    '12.34\n',
  )
})

test('a text that does not occur exactly once stops the process, because the fault would not be planted', () => {
  assert.match(runPatched('no such text', '').stderr, /money\.ts has 0 times, not once: no such text/)
  assert.notEqual(runPatched('no such text', '').status, 0)
})
