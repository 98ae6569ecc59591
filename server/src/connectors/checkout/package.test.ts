/** Holds requests and hosts against the acquirer's own package, which checks and completes requests before it sends them. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Payments } from 'checkout-sdk-node'
import EnvironmentSubdomain from 'checkout-sdk-node/dist/EnvironmentSubdomain.js'
import {
  setSourceOrDestinationType,
  setTokenType,
  validatePayment,
} from 'checkout-sdk-node/dist/services/validation.js'
import { isObject } from '#domain/json.ts'
import { checkoutHosts } from './credentials.ts'
import type { Request } from './request.ts'

type Fields = Record<string, unknown>

interface Sent {
  readonly file: string
  readonly path: string
  readonly body: Fields
}

async function sentRequests(): Promise<readonly Sent[]> {
  const folder = new URL('fixtures/', import.meta.url)
  const files = (await readdir(folder)).filter((file) => file !== 'credentials.json')
  const fixtures = await Promise.all(
    files.map(async (file) => [file, await readFile(new URL(file, folder), 'utf8')] as const),
  )
  return fixtures.flatMap(([file, text]) => {
    const { request, steps = [] } = JSON.parse(text)
    const requests: readonly Fields[] = request ? [request] : steps.map((step: Fields) => step['request'])
    return requests.flatMap(({ path, body }) =>
      isObject(body) ? [{ file, path: String(path), body: { ...body } }] : [],
    )
  })
}

const sent = await sentRequests()
const untyped = (fields: unknown): unknown => {
  if (!isObject(fields)) return fields
  const { type: _, ...rest } = fields
  return rest
}

/** Fails to compile once the package takes other requests. */
const asTheirs = (body: Request['body']): Parameters<Payments['request']>[0] => body

test('the package finds nothing wrong with any request for a payment', () => {
  const payments = sent.filter(({ path }) => path === '/payments')
  assert.ok(payments.length > 20)
  for (const { file, body } of payments) assert.doesNotThrow(() => validatePayment(asTheirs(body)), file)
})

test('the package gives sources, destinations and tokens the same types', () => {
  const typed = sent.filter(({ path, body }) => path === '/payments' && !isObject(body['destination']))
  for (const { file, body } of typed) {
    const completed = setSourceOrDestinationType({ source: untyped(body['source']) })
    assert.deepEqual(completed.source.type, isObject(body['source']) && body['source']['type'], file)
  }
  const tokens = sent.filter(({ path, file }) => path === '/tokens' && file.startsWith('sale-wallet-token.'))
  assert.equal(tokens.length, 1)
  for (const { body } of tokens) assert.equal(setTokenType(untyped(body)).type, body['type'])
})

test('the hosts are those of the package', () => {
  const credentials = { processing_channel_id: 'pc_1', secret_key: 'sk_1', url_prefix: 'vkuhvk4v' }
  for (const [mode, theirs] of [
    ['live', EnvironmentSubdomain.live('vkuhvk4v')],
    ['test', EnvironmentSubdomain.sandbox('vkuhvk4v')],
  ] as const) {
    const hosts = checkoutHosts(credentials, mode)
    assert.equal(hosts.api, theirs.getCheckoutApi())
    assert.equal(`${hosts['access']}/connect/token`, theirs.getOAuthAuthorizationApi())
  }
})
