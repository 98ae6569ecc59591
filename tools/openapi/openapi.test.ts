/**
 * The OpenAPI documents against the running service: each sample is a valid request of its document, the sandbox answers it as the document
 * says, and callbacks are those of its webhooks. No undocumented member is allowed, so that documents and service cannot drift apart.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { createConfig, lint } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readForm } from '#server/protocols/kit/bodies/form.ts'
import { CheckoutClient } from '../../server/test/pages/checkout.ts'
import { openShop } from '../../server/test/shop.ts'
import { requestOf, type Sample, type SampleRequest } from '../samples/sample.ts'
import { samples } from '../samples/samples.ts'
import { makePayersPayments } from '../samples/testing/payers-payments.ts'
import { root } from '../tidy/source-files.ts'
import { openApiFiles, openApiFolder } from './documents.ts'
import { schemaName } from './form-documents.ts'

type Schema = Readonly<Record<string, unknown>>
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly servers: readonly { readonly url: string }[]
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const documentOf = (name: string): Document => JSON.parse(readFileSync(`${root}${openApiFolder}/${name}.json`, 'utf8'))
const documents = {
  card: documentOf('s2s-card'),
  apm: documentOf('s2s-apm'),
  checkout: documentOf('checkout'),
}
type DocumentName = keyof typeof documents

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)

for (const [path] of openApiFiles()) {
  test(`${path} is a valid document without a finding of Redocly`, async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } })
    const found = await lint({ ref: `${root}${path}`, config })
    assert.deepEqual(
      found.map(({ message, ruleId }) => `${ruleId}: ${message}`),
      [],
    )
  })
}

const documentFor = ({ path }: Sample): DocumentName =>
  path.startsWith('/api/') ? 'checkout' : path === '/post-va' ? 'apm' : 'card'

/** Of the action, or of the endpoint by its operation. */
function schemasFor(sample: Sample): { readonly request: string; readonly answer: string } {
  const { action } = sample.fields
  if (typeof action === 'string')
    return { request: schemaName(action, 'Request'), answer: schemaName(action, 'Answer') }
  const operation = JSON.stringify(documents.checkout.paths[sample.path])
  const [, name = ''] = /#\/components\/schemas\/(\w+)Request/.exec(operation) ?? []
  return { request: `${name}Request`, answer: `${name}Answer` }
}

const validators = new Map<string, ReturnType<Ajv2020['compile']>>()

/** Throws what is wrong with a value. Answers and callbacks may have no member that the document does not name. */
function assertFits(document: DocumentName, name: string, value: unknown, members: 'closed' | 'open'): void {
  const key = `${document} ${name} ${members}`
  const ajv = () => new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const { schemas } = documents[document].components
  const schema = schemas[name]
  assert.ok(schema, `${document} has no schema ${name}.`)
  const validate =
    validators.get(key) ??
    ajv().compile({ ...(members === 'closed' ? closeMembers(schema) : schema), components: { schemas } })
  validators.set(key, validate)
  assert.ok(validate(value), `${key}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`)
}

function closeMembers(schema: Schema): Schema {
  const variants = schema['anyOf']
  if (Array.isArray(variants)) return { ...schema, anyOf: variants.map(closeMembers) }
  return 'properties' in schema && schema['additionalProperties'] !== true
    ? { ...schema, additionalProperties: false }
    : schema
}

async function send(request: SampleRequest): Promise<{ http: number; body: Readonly<Record<string, unknown>> }> {
  const reply = await fetch(`${shop.url}${request.path}`, {
    method: request.method,
    headers: request.headers,
    body: request.body,
  })
  return { http: reply.status, body: JSON.parse(await reply.text()) }
}

describe('requests and answers of the documents', () => {
  const { key, password } = shop.merchant()
  const variables: Record<string, string> = { base_url: shop.url, key, password }
  const apmPayments = new Set<unknown>()
  let orders = 0

  test('a payer pays the sessions that later samples name', async () => {
    Object.assign(variables, await makePayersPayments(shop))
  })

  for (const sample of samples) {
    test(`${sample.id}: ${sample.title}`, async () => {
      orders += 1
      variables['new_order'] = `SAMPLE-${orders}`
      if (sample.id === 'checkout-processing') await enterCard(variables['token'] ?? '')
      const request = requestOf(sample, variables)
      const { request: requestName, answer } = schemasFor(sample)
      assertFits(documentFor(sample), requestName, request.fields, 'open')
      const { http, body } = await send(request)
      assert.equal(http, 200, JSON.stringify(body))
      if (documentFor(sample) === 'apm') apmPayments.add(body['trans_id'])
      assertFits(documentFor(sample), answer, body, 'closed')
      for (const [name, value] of Object.entries(sample.answer)) assert.equal(body[name], value, JSON.stringify(body))
      for (const [variable, name] of Object.entries(sample.keeps ?? {})) variables[variable] = String(body[name])
    })
  }

  test('callbacks are those of the documents', async () => {
    await shop.service.awaitIdle()
    assert.ok(shop.receiver.received.length > 20)
    for (const { raw, fields, headers } of shop.receiver.received) {
      const read = readForm(Buffer.from(raw), headers['content-type'])
      assert.ok(read.ok)
      const tree = JSON.parse(JSON.stringify(read.tree))
      if ('order_status' in fields) assertFits('checkout', 'PaymentCallback', tree, 'closed')
      else
        assertFits(
          apmPayments.has(fields['trans_id']) ? 'apm' : 'card',
          schemaName(fields['action'], 'Callback'),
          tree,
          'closed',
        )
    }
  })
})

/** What the frames of hosted fields send. */
async function enterCard(token: string): Promise<void> {
  for (const [field, value] of Object.entries({ card: '4111111111111111', expiry: '01/38', cvv: '123' })) {
    const body = JSON.stringify({ field, value })
    const reply = await fetch(`${shop.url}/page/v1/fields`, { method: 'POST', headers: { token }, body })
    assert.equal(reply.status, 200)
  }
}

test('every action and every endpoint has a sample', () => {
  const sent = new Set(samples.map((sample) => `${documentFor(sample)} ${schemasFor(sample).request}`))
  for (const [name, { components }] of Object.entries(documents))
    for (const schema of Object.keys(components.schemas).filter((one) => one.endsWith('Request')))
      assert.ok(sent.has(`${name} ${schema}`), `${name}: no sample sends ${schema}.`)
})

test('an error has the form of the documents', async () => {
  const form = await shop.raw({ action: 'SALE', client_key: shop.merchant().key })
  assert.equal(form.http, 400)
  assertFits('card', 'Error', form.body, 'closed')
  const json = await checkout.send('/api/v1/session', {})
  assert.equal(json.http, 400)
  assertFits('checkout', 'Error', json.body, 'closed')
})

test('what the schema of a request refuses, the service refuses too', async () => {
  const refused = { card_number: '12', order_currency: 'eur', payer_email: 'doe', card_cvv2: '1' }
  for (const [name, value] of Object.entries(refused)) {
    const fields = Object.fromEntries(Object.entries(shop.saleFields({ [name]: value })))
    assert.throws(() => assertFits('card', 'SaleRequest', fields, 'open'), new RegExp(name))
    assert.equal((await shop.raw(fields)).http, 400, name)
  }
})

test('the service serves each document with its own address', async () => {
  for (const [name, url] of Object.entries({
    checkout: shop.url,
    's2s-card': shop.url,
    's2s-apm': shop.url,
    admin: `${shop.url}/admin/api`,
  })) {
    const reply = await fetch(`${shop.url}/openapi/${name}.json`)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('access-control-allow-origin'), '*')
    const { servers } = (await reply.json()) as Document
    assert.deepEqual(servers, [{ url }])
  }
})
