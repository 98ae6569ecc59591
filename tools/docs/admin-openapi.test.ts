import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { defaultMapping } from '#domain/mapping.ts'
import { protocols } from '#domain/merchant.ts'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { openApi } from '#server/protocols/admin/api/openapi.ts'

const adminOpenApi = JSON.stringify(openApi(endpoints))

test('every endpoint is in it once, with its permission and its answers', () => {
  const { paths } = JSON.parse(adminOpenApi)
  const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  assert.equal(operations.length, endpoints.length)
  for (const { path, method, operation } of operations) {
    assert.ok(operation['x-access'] && operation.summary, `${method} ${path}`)
    assert.equal(Object.keys(operation.responses[200].content).length, 1, `${method} ${path}`)
    if (['get', 'delete'].includes(method)) assert.equal(operation.requestBody, undefined, `${method} ${path}`)
    assert.ok(
      Object.keys(operation.responses).some((status) => status.startsWith('4')),
      `${method} ${path}`,
    )
  }
})

test('no two endpoints have the same method and address', () => {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
})

test('every operation has a name of its own, and every reference leads to a schema of the document', () => {
  const document = JSON.parse(adminOpenApi)
  const operations: readonly { readonly operationId: string }[] = Object.values<object>(document.paths).flatMap((one) =>
    Object.values(one),
  )
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, endpoints.length)
  for (const [, kind = '', name = ''] of adminOpenApi.matchAll(/"\$ref": "#\/components\/(\w+)\/(\w+)"/g))
    assert.ok(document.components[kind]?.[name], `${kind} ${name}`)
  assert.doesNotMatch(adminOpenApi, /\$defs/)
})

test('options of mappings, records of brands and routing rules fit the schemas that describe them', () => {
  const { schemas } = JSON.parse(adminOpenApi).components
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const assertFits = (name: string, value: unknown): void => {
    const validate = ajv.compile(schemas[name])
    assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
  }
  for (const protocol of protocols) {
    const { protocol: _, enabled: _enabled, ...options } = defaultMapping(protocol)
    assertFits('MappingOptions', options)
  }
  for (const brand of builtInBrands) assertFits('BrandRecord', JSON.parse(JSON.stringify(writtenBrand(brand))))
  const condition = { kind: 'currency', values: ['EUR'] }
  assertFits('RoutingRule', {
    name: 'Euro',
    conditions: [condition],
    action: { kind: 'use', mids: ['one'], only: false },
  })
  assert.throws(() => assertFits('RoutingRule', { name: 'Euro', action: { kind: 'unknown' } }))
})
