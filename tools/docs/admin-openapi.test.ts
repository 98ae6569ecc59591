import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { root } from '../tidy/source-files.ts'
import { adminOpenApi, adminOpenApiFile } from './admin-openapi.ts'

test('the OpenAPI document of the admin API is up to date', () => {
  assert.ok(
    readFileSync(`${root}${adminOpenApiFile}`, 'utf8') === adminOpenApi(),
    `${adminOpenApiFile} is stale: run "npm run docs" and look at the change.`,
  )
})

test('every endpoint is in it once, with its permission and its answers', () => {
  const { paths } = JSON.parse(adminOpenApi())
  const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  assert.equal(operations.length, endpoints.length)
  for (const { path, method, operation } of operations) {
    assert.ok(operation['x-access'] && operation.summary, `${method} ${path}`)
    assert.equal(Object.keys(operation.responses[200].content).length, 1, `${method} ${path}`)
    assert.equal(method === 'get', operation.requestBody === undefined, `${method} ${path}`)
  }
})

test('no two endpoints have the same method and address', () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
})
