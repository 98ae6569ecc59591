import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { root } from '../tidy/source-files.ts'
import { apiTypes, apiTypesFile } from './api-types.ts'

test('the panel’s types of the admin API are up to date', () => {
  assert.ok(
    readFileSync(`${root}${apiTypesFile}`, 'utf8') === apiTypes(),
    `${apiTypesFile} is stale: run "npm run docs" and look at the change.`,
  )
})

test('every endpoint is in them by its method and address', () => {
  const written = apiTypes()
  for (const { method, path } of endpoints) assert.ok(written.includes(`  '${method} ${path}': {`), `${method} ${path}`)
})
