import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { apiTypes } from './api-types.ts'

test('every endpoint is in them by its method and address', () => {
  const written = apiTypes()
  for (const { method, path } of endpoints) assert.ok(written.includes(`  '${method} ${path}': {`), `${method} ${path}`)
})
