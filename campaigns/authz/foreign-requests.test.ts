import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { bodyOf, namesEntity } from './foreign-requests.ts'

test('a change that names an entity is tried with a valid body, so that only the entity can be the reason to refuse it', () => {
  const invalid = endpoints
    .filter(({ path, body }) => body !== null && namesEntity(path))
    .filter((endpoint) => endpoint.body?.safeParse(bodyOf(endpoint)).success === false)
  assert.deepEqual(
    invalid.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})
