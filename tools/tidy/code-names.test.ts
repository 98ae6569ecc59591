import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describesCode, isRecipe, missingIdentifiers, missingNames, missingPaths, namesPaths } from './code-names.ts'

const code = { paths: ['server/src/due/due-work.ts'], text: 'export function claimDue() {}' }

test('a document that names a missing file or function is reported, and no other', () => {
  assert.deepEqual(missingNames('A.md', 'See `due/due-work.ts` and `claimDue()`, `x.test.ts`, `trans_id`.', code), [])
  assert.deepEqual(missingNames('A.md', 'See `due/old-work.ts` and `claimOld(row)`.', code), [
    'A.md: there is no file due/old-work.ts.',
    'A.md: there is no function claimOld.',
  ])
})

test('a recipe that names a word which the code does not have is reported', () => {
  const missing = (markdown: string) => missingIdentifiers('A.md', markdown, new Set(['claimDue', 'endpoint']))
  assert.deepEqual(missing('`claimDue`, `endpoint`, `storeId`, `trans_id`, `npm test`'), [])
  assert.deepEqual(missing('A `downloading` of `claimOld`.'), [
    'A.md: the code has no downloading.',
    'A.md: the code has no claimOld.',
  ])
  assert.equal(isRecipe('docs/engineering/recipes.md'), true)
  assert.equal(isRecipe('docs/operations/live.md'), false)
})

test('part of a file name is not a match', () => {
  assert.deepEqual(missingNames('A.md', '`work.ts`', code), ['A.md: there is no file work.ts.'])
})

test('documents for engineers describe the code, those for operators do not', () => {
  assert.equal(describesCode('docs/decisions/plans.md'), true)
  assert.equal(describesCode('docs/operations/live.md'), false)
  assert.equal(describesCode('ARCHITECTURE.md'), true)
})

test('a path from the root that leads nowhere is reported in the documents for operators too; patterns and built folders are not', () => {
  const missing = (markdown: string) => missingPaths('A.md', markdown, (path) => path === 'deploy/compose.yaml')
  assert.deepEqual(
    missing('`deploy/compose.yaml`, `deploy/grafana/*.json`, `web/.built`, `keys.json`, `server/src/<name>/`'),
    [],
  )
  assert.deepEqual(missing('`server/src/gone.test.ts`, `deploy/gone`'), [
    'A.md: there is no server/src/gone.test.ts.',
    'A.md: there is no deploy/gone.',
  ])
  assert.equal(namesPaths('docs/operations/pci.md'), true)
  assert.equal(namesPaths('docs/decisions/plans.md'), false)
})
