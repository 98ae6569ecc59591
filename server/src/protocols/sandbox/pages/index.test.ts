import assert from 'node:assert/strict'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { sandboxPages } from './index.ts'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** The plugin before a sandbox that answers as told and remembers what reached it. */
async function proxied(t: TestContext, answer: (response: ServerResponse) => void = (response) => response.end('ok')) {
  const seen: Seen[] = []
  const sandbox = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    answer(response)
  })
  await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve))
  const { port } = sandbox.address() as AddressInfo
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await app.register(sandboxPages({ url: () => `http://127.0.0.1:${port}` }))
  t.after(async () => {
    await app.close()
    sandbox.closeAllConnections()
    sandbox.close()
  })
  return { app, seen, stop: () => sandbox.close().closeAllConnections() }
}

test('GET and POST reach the sandbox with path, query, form and language', async (t) => {
  const { app, seen } = await proxied(t)
  await app.inject({ url: '/sandbox/redirect/p-1/0af?x=%2F..', headers: { 'accept-language': 'de' } })
  await app.inject({
    method: 'POST',
    url: '/sandbox/acs',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'MD=1&PaReq=a%20b',
  })
  assert.deepEqual(
    seen.map(({ method, url, body }) => [method, url, body]),
    [
      ['GET', '/sandbox/redirect/p-1/0af?x=%2F..', ''],
      ['POST', '/sandbox/acs', 'MD=1&PaReq=a%20b'],
    ],
  )
  assert.equal(seen[0]?.headers['accept-language'], 'de')
  assert.equal(seen[1]?.headers['content-type'], 'application/x-www-form-urlencoded')
})

const elsewhere = [
  '/sandbox/../ledger',
  '/sandbox/%2e%2e/ledger',
  '/sandbox/..%2fledger',
  '/sandbox/a/../../ledger',
  '/sandbox//ledger',
  '/sandbox/a%00b',
  '/sandbox/a;b',
  '/sandbox/a\\b',
  '/sandbox/',
  '/ledger',
]

for (const url of elsewhere) {
  test(`${url} never reaches the sandbox`, async (t) => {
    const { app, seen } = await proxied(t)
    await app.listen({ host: '127.0.0.1', port: 0 })
    assert.equal(await statusOf((app.server.address() as AddressInfo).port, url), 404)
    assert.deepEqual(seen, [])
  })
}

/** Over a real connection and byte for byte: friendlier clients tidy a path up before they send it. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const) {
  test(`${method} is not served`, async (t) => {
    const { app, seen } = await proxied(t)
    assert.equal((await app.inject({ method, url: '/sandbox/acs' })).statusCode, 404)
    assert.deepEqual(seen, [])
  })
}

test('neither cookies nor credentials travel, in either direction', async (t) => {
  const { app, seen } = await proxied(t, (response) =>
    response.writeHead(200, { 'set-cookie': 'a=b', 'x-powered-by': 'c' }).end(),
  )
  const headers = { cookie: 'session=1', authorization: 'Bearer 2', 'x-forwarded-for': '10.0.0.1' }
  const answer = await app.inject({ url: '/sandbox/acs', headers })
  for (const name of Object.keys(headers)) assert.equal(seen[0]?.headers[name], undefined, name)
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.equal(answer.headers['x-powered-by'], undefined)
})

test('status, type, rules and place of the answer are passed on', async (t) => {
  const rules = "default-src 'none'; style-src 'self'"
  const { app } = await proxied(t, (response) =>
    response
      .writeHead(303, {
        location: 'https://pay.example.com/verify/redirect/1/2',
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': rules,
      })
      .end('<p>'),
  )
  const { statusCode, headers, body } = await app.inject('/sandbox/acs')
  assert.equal(statusCode, 303)
  assert.equal(headers['location'], 'https://pay.example.com/verify/redirect/1/2')
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['content-security-policy'], rules)
  assert.equal(body, '<p>')
})

test('a page without rules of its own may load and run nothing', async (t) => {
  const { app } = await proxied(t)
  const { headers } = await app.inject('/sandbox/acs')
  assert.equal(headers['content-security-policy'], "default-src 'none'")
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cache-control'], 'no-store')
})

test('a form above 64 KiB is refused before it reaches the sandbox', async (t) => {
  const { app, seen } = await proxied(t)
  const send = (payload: string) =>
    app.inject({ method: 'POST', url: '/sandbox/acs', headers: { 'content-type': 'text/plain' }, payload })
  assert.equal((await send('x'.repeat(65_536))).statusCode, 200)
  assert.equal((await send('x'.repeat(65_537))).statusCode, 413)
  assert.equal(seen.length, 1)
})

test('an endless page, a broken connection and a sandbox that is away are answered with 502', async (t) => {
  const endless = await proxied(t, (response) => response.end(Buffer.alloc(1_048_577)))
  assert.equal((await endless.app.inject('/sandbox/acs')).statusCode, 502)
  const broken = await proxied(t, (response) => response.destroy())
  assert.equal((await broken.app.inject('/sandbox/acs')).statusCode, 502)
  const away = await proxied(t)
  away.stop()
  const answer = await away.app.inject('/sandbox/acs')
  assert.equal(answer.statusCode, 502)
  assert.equal(answer.body, 'The sandbox does not answer. Please try again.')
})
